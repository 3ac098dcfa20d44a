"""Titles of chunks: what each talks about more than the others, or what is seen in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from segmenter.chunks.titles import titled
from segmenter.records import Box, Chunk, Event, Sentence, Track, View

PUMP = ("The coolant pump leaks.", "The coolant pump needs a new seal.", "The seal of the pump is worn.")
PICNIC = ("The summer picnic is by the lake.", "There is music at the picnic.")


def talk(*chunks: tuple[str, ...], language: str | None = "en", doubts: tuple[str, ...] = ()) -> list[str]:
    """The titles of chunks that say these sentences, one a second."""
    sentences: list[Sentence] = []
    made: list[Chunk] = []
    for lines in chunks:
        first = len(sentences)
        sentences += [Sentence(line, first + i, first + i + 1, None, language, doubts) for i, line in enumerate(lines)]
        made.append(chunk(" ".join(lines), first, len(sentences)))
    return [c.title for c in titled(made, sentences, ())]


def chunk(text: str, first: int, end: int, tracks: tuple[int, ...] = ()) -> Chunk:
    said = (first, end - 1) if text else None
    kind = "talk" if text else "event" if tracks else "idle"
    return Chunk(f"c{first}", first, end, kind, text, said, (), tracks, (), (), ("start",), ("end",))  # type: ignore[arg-type]


def silent(*labels: str, length: int = 14) -> str:
    tracks = tuple(Track(i, label, 0, length, View(1, Box(0, 0, 1, 1), 0.9)) for i, label in enumerate(labels))
    events = [Event(1, 0, length, tracks, labels)] if labels else []
    return titled([chunk("", 0, length, tuple(range(len(labels))))], (), events)[0].title


def test_a_title_says_what_the_others_do_not() -> None:
    pump, picnic = talk(PUMP, PICNIC)
    assert pump.startswith("Coolant pump")
    assert "icnic" in picnic
    assert "picnic" not in pump.lower()


def test_no_two_phrases_of_a_title_share_a_word() -> None:
    for title in talk(PUMP, PICNIC, ("Bookkeepers count.", "A bookkeeper counts, the bookkeepers are counting.")):
        words = [word.lower().rstrip("s") for phrase in title.split(", ") for word in phrase.split()]
        assert len(words) == len(set(words))


def test_the_language_is_guessed_where_nobody_says_it() -> None:
    assert talk(PUMP, PICNIC, language=None) == talk(PUMP, PICNIC)
    german = ("Die Pumpe ist undicht und die Dichtung ist alt.", "Wir haben die Dichtung der Pumpe bestellt.")
    assert talk(german, language=None)[0].lower().split(", ")[0] in ("pumpe", "dichtung")


@pytest.mark.parametrize(
    ("language", "text"), [("ja", "今日は良い天気ですね。"), ("th", "วันนี้อากาศดีมาก"), ("xx", "qwe rty uio pas dfg")]
)
def test_first_words_where_words_cannot_be_told_apart(language: str, text: str) -> None:
    assert talk((text,), language=language) == [text]


def test_first_words_where_all_are_stop_words() -> None:
    assert talk(("Yes, it is what it is.",), PUMP)[0] == "Yes, it is what it is."


def test_doubtful_sentences_give_no_title_where_there_are_others() -> None:
    doubtful = Sentence("Subscribe to the channel.", 0, 1, None, "en", ("repeats",))
    said = [doubtful, Sentence("It is the harvest.", 1, 2, None, "en")]
    assert titled([chunk("Subscribe to the channel. It is the harvest.", 0, 2)], said, ())[0].title == "Harvest"
    assert talk(("Subscribe to the channel.",), doubts=("repeats",))[0].startswith("Subscribe")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("person", "car", "person"), "2 people, 1 car, 14 s"),
        (("person",), "1 person, 14 s"),
        (("bus", "bus"), "2 buses, 14 s"),
        (("moving", "moving"), "movement, 14 s"),
        ((), "idle, 14 s"),
    ],
)
def test_what_is_seen_in_silence(labels: tuple[str, ...], expected: str) -> None:
    assert silent(*labels) == expected


def test_long_silence_is_told_in_minutes() -> None:
    assert silent("car", length=600) == "1 car, 10 min"


@given(st.lists(st.lists(st.text(max_size=80).filter(str.strip), min_size=1, max_size=4), min_size=1, max_size=4))
def test_any_text_gets_a_short_title_and_the_same_one_each_time(chunks: list[list[str]]) -> None:
    titles = talk(*map(tuple, chunks))
    assert titles == talk(*map(tuple, chunks))
    assert all(title and cell_len(title, unicode_version="latest") <= 60 and "\n" not in title for title in titles)
