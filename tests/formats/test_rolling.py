"""Captions that repeat what the one before shows: rolling, growing and doubled ones, and people who repeat themselves."""

from __future__ import annotations

import pytest

from segmenter.formats.cues import Tally
from segmenter.formats.rolling import Caption, without_repeats


def rolling(*shown: tuple[str, ...], length: float = 2.0) -> list[Caption]:
    return [Caption(i * length, (i + 1) * length, lines) for i, lines in enumerate(shown)]


def kept(captions: list[Caption]) -> list[str]:
    return [line for caption in without_repeats(captions, Tally()) for line in caption.lines if line.strip()]


def test_lines_that_roll_up_are_kept_once() -> None:
    captions = rolling(("one",), ("one", "two"), ("one", "two", "three"), ("two", "three", "four"))
    assert kept(captions) == ["one", "two", "three", "four"]


def test_lines_that_stand_still_for_a_moment_are_kept_once() -> None:
    captions = rolling((" ", "one"), ("one", " "), ("one", "two<00:05.0><c> more</c>"), ("two more", " "), ("two more", "three"))
    assert kept(captions) == ["one", "two<00:05.0><c> more</c>", "three"]


def test_the_same_line_said_twice_in_rolling_captions_is_kept_twice() -> None:
    captions = rolling(("a",), ("a", "no"), ("no", "no"), ("no", "b"), ("b", "c"))
    assert kept(captions) == ["a", "no", "no", "b", "c"]


@pytest.mark.parametrize(
    "shown",
    [
        (("No.",), ("No.",), ("No.",)),
        (("- Really?",), ("- Really?", "- Yes."), ("So be it.",), ("Good.",)),
        (("Thank you.",), ("Thank you.",), ("Thank you.", "Bye.")),
    ],
)
def test_people_may_repeat_themselves(shown: tuple[tuple[str, ...], ...]) -> None:
    captions = rolling(*shown)
    assert without_repeats(captions, Tally()) == captions


def test_a_repeat_after_a_pause_is_no_rolling() -> None:
    captions = [Caption(i * 4.0, i * 4.0 + 1, lines) for i, lines in enumerate([("a",), ("a", "b"), ("b", "c"), ("c", "d")])]
    assert without_repeats(captions, Tally()) == captions


def spaced(gap: float, *shown: tuple[str, ...]) -> list[Caption]:
    return [Caption(i * 3.0, (i + 1) * 3.0 - gap, lines) for i, lines in enumerate(shown)]


@pytest.mark.parametrize("gap", [0.0, 0.2, 0.5, -1.0])
def test_rolling_captions_may_leave_a_moment_between_them_or_overlap(gap: float) -> None:
    shown = spaced(gap, ("so today we", "go"), ("go", "to talk"), ("to talk", "about cats"), ("about cats", "and dogs"))
    assert kept(shown) == ["so today we", "go", "to talk", "about cats", "and dogs"]


def test_a_line_that_stays_on_the_screen_through_a_pause_is_kept_once() -> None:
    rolled = rolling(("so we",), ("so we", "go on"), ("go on", "now"))
    assert kept([*rolled, Caption(20.0, 22.0, ("now", "four"))]) == ["so we", "go on", "now", "four"]


def test_what_is_said_again_after_a_pause_in_rolling_captions_stays() -> None:
    rolled = rolling(("so we",), ("so we", "go on"), ("go on", "now"))
    assert kept([*rolled, Caption(20.0, 22.0, ("now",))]) == ["so we", "go on", "now", "now"]


def test_two_lines_of_a_video_site_are_enough_for_a_caption_of_a_hundredth_of_a_second_is_not_read() -> None:
    """The first lines of a short film: the exact form that YouTube writes."""
    first = "so<00:00:00.400><c> today</c>"
    captions = [
        Caption(0.0, 1.99, (" ", first)),
        Caption(1.99, 2.0, ("so today", " ")),
        Caption(2.0, 3.99, ("so today", "cats<00:00:02.400><c> and</c>")),
        Caption(3.99, 4.0, ("cats and", " ")),
    ]
    tally = Tally()
    assert [c.lines for c in without_repeats(captions, tally)] == [(" ", first), ("cats<00:00:02.400><c> and</c>",)]
    assert tally["transcript_rolling"] == 3


@pytest.mark.parametrize(
    ("shown", "once"),
    [
        (
            (("so",), ("so today",), ("so today we",), ("home now",), ("home now okay",)),
            ["so", "today", "we", "home now", "okay"],
        ),
        (
            (("good",), ("good morning",), ("good morning everyone",), ("good morning everyone and",)),
            ["good", "morning", "everyone", "and"],
        ),
        (
            (("hello and welcome",), ("hello and welcome to the show",), ("to the show today we",), ("today we talk",)),
            ["hello and welcome", "to the show", "today we", "talk"],
        ),
        (
            (("first",), ("first", "so"), ("first", "so today"), ("so today", "we"), ("so today", "we go home")),
            ["first", "so", "today", "we", "go home"],
        ),
        ((("so we",), ("So, we go",), ("so we go home",), ("So, we go home.",)), ["so we", "go", "home"]),
        ((("今日は",), ("今日は晴れ",), ("今日は晴れです",)), ["今日は", "晴れ", "です"]),
    ],
    ids=["words", "one line", "parts", "lines and words", "marks come later", "without blanks"],
)
def test_words_that_are_added_to_a_line_are_kept_once(shown: tuple[tuple[str, ...], ...], once: list[str]) -> None:
    assert kept(rolling(*shown)) == once


def test_a_growing_line_keeps_its_voice_and_each_word_its_time() -> None:
    captions = rolling(("<v Ann>so",), ("<v Ann>so today",), ("<v Ann>so today we",), ("<v Ann>so today we go",))
    assert without_repeats(captions, Tally()) == rolling(("<v Ann>so",), ("<v Ann>today",), ("<v Ann>we",), ("<v Ann>go",))


def test_captions_that_all_stand_there_twice_are_kept_once_for_the_time_of_both() -> None:
    twice = [("First.",), ("First.",), ("Second.",), ("Second.",), ("Third.",), ("Third.",)]
    tally = Tally()
    expected = [Caption(0.0, 4.0, ("First.",)), Caption(4.0, 8.0, ("Second.",)), Caption(8.0, 12.0, ("Third.",))]
    assert without_repeats(rolling(*twice), tally) == expected
    assert tally["transcript_rolling"] == 3


def test_copies_with_the_same_times_are_kept_once() -> None:
    captions = rolling(("First.",), ("Second.",), ("Third.",))
    assert without_repeats([one for caption in captions for one in (caption, caption)], Tally()) == captions


@pytest.mark.parametrize(
    "shown",
    [
        (("No.",), ("No. No.",), ("No. No. No.",), ("No. No. No. No.",)),
        (("I know.",), ("I know. You said so.",), ("And then?",), ("We left.",)),
        (("Row, row, row your boat",), ("Row, row, row your boat",), ("gently down the stream",), ("Merrily",)),
        (("Go to the",), ("the end of it",), ("it is far",), ("far away",)),
        (("Yes.",), ("Yes.",), ("No.",), ("No.",)),
    ],
    ids=["counted up", "taken up once", "a song", "one word by chance", "two answers"],
)
def test_people_who_say_it_again_are_not_rolling(shown: tuple[tuple[str, ...], ...]) -> None:
    captions = rolling(*shown)
    tally = Tally()
    assert without_repeats(captions, tally) == captions
    assert not +tally
