"""Windows to turns, and words to speakers: right values and laws."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.records import Turn, Word
from segmenter.speech.turns import FRAME_SAMPLES, HeardWindow, Stretch, attributed, runs, told_by, turns

FRAME_S = FRAME_SAMPLES / 16_000
VECTOR = np.zeros(1, np.float32)


def window(first: int, frames: int, *spoken: tuple[int, int, int], origin: float = 0.0) -> HeardWindow:
    """A window whose speakers speak in the given (speaker, first, end) frames, each one stretch."""
    active = np.zeros((frames, 3), np.bool_)
    for speaker, a, b in spoken:
        active[a:b, speaker] = True
    stretches = tuple(Stretch(speaker, a, b, VECTOR, np.nan) for speaker, a, b in spoken)
    return HeardWindow(origin, first, active, stretches)


def frames(found: tuple[Turn, ...], origin: float = 0.0) -> list[tuple[str, int, int]]:
    return [(t.speaker, round((t.start - origin) / FRAME_S), round((t.end - origin) / FRAME_S)) for t in found]


def test_a_window_alone_says_who_speaks_when() -> None:
    one = window(0, 589, (2, 10, 100), (0, 150, 400))
    assert frames(turns([one], [7, 3])) == [("S1", 10, 100), ("S2", 150, 400)]


def test_the_same_person_is_one_speaker_though_windows_number_them_differently() -> None:
    first, second = window(0, 589, (0, 0, 200), (1, 300, 589)), window(296, 589, (2, 4, 589))
    assert frames(turns([first, second], [0, 1, 1])) == [("S1", 0, 200), ("S2", 300, 885)]


def test_where_windows_disagree_the_one_that_hears_both_sides_counts() -> None:
    """Frames 570 to 589 lie at the first window's edge and near the second one's middle, which hears silence there."""
    first, second = window(0, 589, (0, 400, 589)), window(296, 589, (0, 104, 274))
    assert frames(turns([first, second], [0, 0])) == [("S1", 400, 570)]


def test_two_speak_at_once() -> None:
    one = window(0, 589, (0, 0, 300), (1, 200, 500))
    assert frames(turns([one], [0, 1])) == [("S1", 0, 300), ("S2", 200, 500)]


def test_short_pauses_belong_to_the_turn_and_longer_ones_end_it() -> None:
    one = window(0, 589, (0, 0, 100), (0, 110, 200), (0, 230, 300))
    assert frames(turns([one], [0, 0, 0])) == [("S1", 0, 200), ("S1", 230, 300)]


def test_a_hole_in_the_sound_ends_a_turn() -> None:
    found = turns([window(0, 589, (0, 500, 589)), window(0, 589, (0, 0, 50), origin=60.0)], [0, 0])
    assert [(t.speaker, round(t.start, 3), round(t.end, 3)) for t in found] == [("S1", 8.438, 9.939), ("S1", 60.0, 60.844)]


def test_windows_in_which_nobody_was_listened_to_are_silence() -> None:
    found = turns([window(0, 589, (0, 100, 200)), window(1184, 589, (1, 0, 100))], [0, 0])
    assert frames(found) == [("S1", 100, 200), ("S1", 1184, 1284)]


def test_nothing_heard_makes_no_turns() -> None:
    assert turns([], []) == ()
    assert turns([window(0, 589)], []) == ()


@given(st.lists(st.booleans()))
def test_runs_cover_what_is_true(on: list[bool]) -> None:
    covered = {i for a, b in runs(np.array(on, np.bool_)) for i in range(a, b)}
    assert covered == {i for i, value in enumerate(on) if value}


# --- words -----------------------------------------------------------------------------------------------------


def spoken(*rows: tuple[float, float]) -> list[Word]:
    return [Word(f" w{i}", start, end) for i, (start, end) in enumerate(rows)]


def speakers_of(words: list[Word], *told: tuple[str, float, float]) -> list[str | None]:
    return [word.speaker for word in attributed(words, [Turn(*row) for row in told])]


def test_a_word_is_whose_turn_it_shares_most_of() -> None:
    words = spoken((0, 0.5), (0.5, 1.2), (1.2, 2), (2, 2.6), (2.6, 3.2), (3.2, 4))
    assert speakers_of(words, ("A", 0, 2.1), ("B", 2.1, 4)) == ["A", "A", "A", "B", "B", "B"]


def test_a_word_between_turns_is_the_nearer_ones_and_far_from_all_nobodys() -> None:
    words = spoken((0, 0.5), (0.5, 1), (1.6, 1.8), (3.4, 3.6), (4, 5), (5, 6), (20, 21), (21, 22))
    assert speakers_of(words, ("A", 0, 1.2), ("B", 4, 6)) == ["A", "A", "A", "B", "B", "B", None, None]


@pytest.mark.parametrize("mhm", [[(2.0, 2.3)], [(2.0, 2.3), (2.3, 2.6)]])
def test_a_single_word_or_less_than_a_second_splits_no_sentence(mhm: list[tuple[float, float]]) -> None:
    words = spoken((0, 1), (1, 2), *mhm, (2.7, 3.5), (3.5, 4.5))
    assert set(speakers_of(words, ("A", 0, 2), ("B", 2, 2.6), ("A", 2.6, 5))) == {"A"}


def test_two_words_of_a_second_are_a_turn() -> None:
    words = spoken((0, 1), (1, 2), (2, 2.6), (2.6, 3.2), (3.4, 4), (4, 5))
    assert speakers_of(words, ("A", 0, 2), ("B", 2, 3.3), ("A", 3.3, 5)) == ["A", "A", "B", "B", "A", "A"]


def test_a_short_answer_that_stands_alone_keeps_its_speaker() -> None:
    words = spoken((0, 1), (1, 2), (5, 5.3), (9, 10), (10, 11))
    assert speakers_of(words, ("A", 0, 2), ("B", 5, 5.3), ("A", 9, 11)) == ["A", "A", "B", "A", "A"]


@st.composite
def talks(draw: st.DrawFn) -> tuple[list[Word], list[Turn]]:
    """Times are multiples of 1/8 s, so that sums are exact."""
    gaps = draw(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=25))
    words, at = [], 0
    for i, (gap, size) in enumerate(gaps):
        words.append(Word(f" w{i}", (at + gap) / 8, (at + gap + size) / 8))
        at += gap + size
    rows = draw(st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 300), st.integers(1, 40)), max_size=10))
    return words, [Turn(name, start / 8, (start + size) / 8) for name, start, size in rows]


@given(talks())
def test_words_stay_as_they_are_but_for_the_speaker_who_is_one_of_the_turns(talk: tuple[list[Word], list[Turn]]) -> None:
    words, told = talk
    result = attributed(words, told)
    assert [(w.text, w.start, w.end) for w in result] == [(w.text, w.start, w.end) for w in words]
    assert {w.speaker for w in result} <= {t.speaker for t in told} | {None}


@given(talks(), st.integers(1, 80_000))
def test_a_shift_in_time_changes_no_speaker(talk: tuple[list[Word], list[Turn]], eighths: int) -> None:
    words, told = talk
    later = [Word(w.text, w.start + eighths / 8, w.end + eighths / 8) for w in words]
    told_later = [Turn(t.speaker, t.start + eighths / 8, t.end + eighths / 8) for t in told]
    assert [w.speaker for w in attributed(later, told_later)] == [w.speaker for w in attributed(words, told)]


@given(talks())
def test_other_names_for_the_speakers_change_nothing_else(talk: tuple[list[Word], list[Turn]]) -> None:
    words, told = talk
    other = {"A": "x", "B": "y", "C": "z", None: None}
    renamed = [Turn(str(other[t.speaker]), t.start, t.end) for t in told]
    assert [w.speaker for w in attributed(words, renamed)] == [other[w.speaker] for w in attributed(words, told)]


@given(talks())
def test_every_part_by_one_speaker_is_a_turn_or_stands_alone(talk: tuple[list[Word], list[Turn]]) -> None:
    groups = [list(group) for _, group in groupby(attributed(*talk), key=lambda word: word.speaker)]
    for i, group in enumerate(groups):
        near = [o for o in (groups[i - 1] if i else [], groups[i + 1] if i + 1 < len(groups) else []) if o]
        gap = min((max(o[0].start - group[-1].end, group[0].start - o[-1].end) for o in near), default=99)
        assert gap >= 2 or (len(group) >= 2 and group[-1].end - group[0].start >= 1)


def test_words_with_speakers_tell_turns() -> None:
    words = [
        Word("Good", 0.5, 0.9, None, "Ann"),
        Word(" day.", 1.0, 1.4, None, "Ann"),
        Word(" Hm.", 1.4, 1.4, None, "Ben"),
        Word(" Yes.", 2.0, 2.5, None, "Ann"),
        Word(" So", 9.0, 9.5, None, "Ann"),
        Word(" it is.", 9.5, 9.9),
    ]
    assert told_by(words) == (Turn("Ann", 0.5, 1.4), Turn("Ann", 2.0, 2.5), Turn("Ann", 9.0, 9.5))
    assert told_by([Word("Hello.", 0.0, 1.0)]) == ()


def test_the_shortest_change_of_speaker_is_settled_first_and_then_what_is_joined() -> None:
    """0.2 s by B go to A; the 0.5 s by C then lie between 1.2 s of A and 2 s of B, and go to the nearer one."""
    spans = [(0.0, 0.5, "A"), (0.5, 0.7, "B"), (0.7, 1.2, "A"), (1.25, 1.75, "C"), (1.75, 2.75, "B"), (2.75, 3.75, "B")]
    words = [Word(" w", start, end) for start, end, _ in spans]
    found = attributed(words, [Turn(speaker, start, end) for start, end, speaker in spans])
    assert [word.speaker for word in found] == ["A", "A", "A", "B", "B", "B"]
