"""A recording as units: what can be found, what holds it, and what is shown of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexed import SETTINGS, TALK, segmentation
from wordy import word_count

from segmenter.errors import SettingsError
from segmenter.formats import stills_json
from segmenter.retrieval.pieces import sizes
from segmenter.retrieval.records import Unit
from segmenter.retrieval.representations import Context, contextual, plain
from segmenter.retrieval.units import Line, parents, units_of


def units(kind: str, **changes: object) -> list[Unit]:
    found = replace(segmentation(), **changes)  # type: ignore[arg-type]
    return [unit for unit in units_of(found, word_count, SETTINGS) if unit.kind == kind]


def test_every_sentence_and_event_is_a_unit_with_its_own_times() -> None:
    said, [seen] = units("sentence"), units("event")
    assert [unit.text for unit in said] == [text for _, text in TALK]
    assert [(unit.start, unit.end) for unit in said] == [(4.0 * i, 4.0 * i + 4) for i in range(6)]
    assert (seen.text, seen.start, seen.end) == ("2 people, 1 car, 14 s", 60.0, 74.0)
    assert seen.extra["tracks"] == [1, 2, 3]


def test_parents_are_packed_to_their_budget_and_every_line_names_its_own() -> None:
    made = units("parent")
    assert all(parent.tokens <= SETTINGS.parent_tokens for parent in made)
    children = [*units("sentence"), *units("event")]
    for parent in made:
        own = [child for child in children if child.parent == parent.id]
        assert parent.text == " ".join(child.text for child in own)
        assert (parent.start, parent.end) == (own[0].start, own[-1].end)


def test_units_name_the_chunk_that_holds_their_middle() -> None:
    chunks = [unit.id for unit in units("chunk")]
    assert [unit.chunk for unit in units("sentence")] == [chunks[0]] * 3 + [chunks[1]] * 3
    assert units("event")[0].chunk == chunks[2]


def test_chunks_and_the_recording_are_kept_for_showing_and_not_embedded() -> None:
    shown = [*units("chunk"), *units("recording")]
    assert len(shown) == 4
    assert not any(unit.embedded or unit.terms for unit in shown)
    assert units("recording")[0].extra["languages"] == ["en"]


def test_sentences_are_embedded_as_topics_embed_them() -> None:
    assert all(unit.embedded == unit.text for unit in units("sentence"))


def test_a_doubtful_sentence_cannot_be_found() -> None:
    found = segmentation()
    doubted = (replace(found.sentences[0], doubts=("repeated",)), *found.sentences[1:])
    assert [unit.text for unit in units("sentence", sentences=doubted)] == [text for _, text in TALK[1:]]


def test_units_know_what_is_in_view_meanwhile() -> None:
    found = segmentation()
    event = replace(found.events[0], start=3.0, end=5.0)
    assert [unit.labels for unit in units("sentence", events=(event,))][:3] == [("person", "car"), ("person", "car"), ()]


def test_ids_are_the_same_in_every_run_and_never_twice() -> None:
    found = segmentation()
    twins = replace(found, sentences=(found.sentences[0], *found.sentences))
    first, second = units_of(twins, word_count, SETTINGS), units_of(twins, word_count, SETTINGS)
    assert first == second
    assert len({unit.id for unit in first}) == len(first)


def test_an_empty_recording_is_its_own_row_alone() -> None:
    empty = replace(segmentation(), sentences=(), events=(), chunks=())
    assert [unit.kind for unit in units_of(empty, word_count, SETTINGS)] == ["recording"]


def listed(folder: Path, taken: dict[str, tuple[str, float]]) -> None:
    """Stills as a report leaves them: each file of the list is there, and one that it does not name."""
    (folder / "stills").mkdir()
    stills_json.write({name: {"file": file, "time": time} for name, (file, time) in taken.items()}, folder / "stills")
    for file in {"stranger.jpg", *(file for file, _ in taken.values())}:
        (folder / "stills" / file).touch()


def test_a_chunk_has_its_still_also_where_an_earlier_picture_shows_the_same(tmp_path: Path) -> None:
    listed(tmp_path, {"chunk-0001.jpg": ("chunk-0001.jpg", 5.0), "chunk-0002.jpg": ("chunk-0001.jpg", 20.0)})
    found = units_of(segmentation(), word_count, SETTINGS, tmp_path)
    chunks = [unit for unit in found if unit.kind == "chunk"]
    assert [unit.extra["still"] for unit in chunks] == ["stills/chunk-0001.jpg", "stills/chunk-0001.jpg", ""]
    assert [(unit.start, unit.extra["still"]) for unit in found if unit.kind == "still"] == [(5.0, "stills/chunk-0001.jpg")]


def test_a_still_is_a_moment_with_what_is_in_view_and_who_speaks(tmp_path: Path) -> None:
    listed(tmp_path, {name: (name, time) for name, time in (("chunk-0003.jpg", 61.0), ("chunk-0002.jpg", 25.0))})
    calm, busy = (unit for unit in units_of(segmentation(), word_count, SETTINGS, tmp_path) if unit.kind == "still")
    assert (calm.start, calm.end, calm.labels, calm.extra["tracks"]) == (25.0, 25.0, (), [])
    assert (busy.labels, busy.extra["tracks"], busy.chunk) == (("person", "car"), [1, 2, 3], "r1:chunk:30000-90000")
    assert not busy.embedded  # its vector is of another kind, see `pictures`


@pytest.mark.parametrize("text", ["", "[]", '{"chunk-0001.jpg": 3}', '{"chunk-0001.jpg": {"file": "../../x", "time": 1}}'])
def test_a_damaged_list_of_stills_shows_none(tmp_path: Path, text: str) -> None:
    listed(tmp_path, {"chunk-0001.jpg": ("chunk-0001.jpg", 5.0)})
    (tmp_path / "x").touch()
    (tmp_path / "stills" / "stills.json").write_text(text)
    assert not [unit for unit in units_of(segmentation(), word_count, SETTINGS, tmp_path) if unit.kind == "still"]


@given(st.lists(st.integers(1, 60), max_size=40), st.integers(1, 50))
def test_parents_tile_the_lines(sizes: list[int], budget: int) -> None:
    lines = [Line(float(i), i + 1.0, "x", 1, size, None, None) for i, size in enumerate(sizes)]
    spans = parents(lines, budget)
    assert [i for first, last in spans for i in range(first, last + 1)] == list(range(len(sizes)))
    assert all(first == last or sum(sizes[first : last + 1]) <= budget for first, last in spans)


def test_a_text_that_the_tokenizer_cannot_read_is_measured_by_our_own_count() -> None:
    assert sizes(["ไทย" * 10, "The pump is worn out."], [1, 6]) == [30, 6]


# --- representations -------------------------------------------------------------------------------------------


def test_plain_is_the_lines_alone() -> None:
    assert plain(Context(["One.", "Two."], "Title", ("Ann",))) == "One. Two."


def test_contextual_puts_what_is_known_in_front_and_nothing_else() -> None:
    context = Context(["One."], "Title", ("Ann", "Ben"), "2 people, 14 s", "pump", "budget")
    expected = "Title. seen: 2 people, 14 s. speakers: Ann, Ben. before: pump. after: budget. One."
    assert contextual(context) == expected
    assert contextual(Context(["One."])) == "One."


def test_contextual_parents_say_who_speaks_and_what_is_seen() -> None:
    made = units_of(segmentation(), word_count, replace(SETTINGS, representation="contextual"))
    first, *_, last = [unit for unit in made if unit.kind == "parent"]
    assert first.embedded.startswith("Meeting. speakers: Ann, Ben.")
    assert "seen: 2 people, 1 car, 14 s" in last.embedded
    assert "Meeting" not in first.text


@pytest.mark.parametrize(("name", "message"), [("late", "no text that a store could keep"), ("magic", "no representation")])
def test_what_a_store_cannot_keep_is_refused(name: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        units_of(segmentation(), word_count, replace(SETTINGS, representation=name))
