"""The words of a cue: where they begin and end, and that nothing of the text is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import TooLarge
from segmenter.formats.cues import Cue, Piece, Tally, check_number, split_words, tidy, usable_times, words
from segmenter.formats.text import clean


def timed(cue: Cue) -> list[tuple[str, float, float]]:
    return [(w.text, round(w.start, 6), round(w.end, 6)) for w in words(cue)]


def test_words_without_times_share_the_cue_by_their_characters() -> None:
    cue = Cue(1.0, 3.0, tidy([Piece("One three")]))
    assert timed(cue) == [(" One", 1.0, 1.8), (" three", 1.8, 3.0)]
    assert all(word.probability is None for word in words(cue))


def test_a_known_start_divides_the_cue() -> None:
    cue = Cue(0.0, 10.0, tidy([Piece("ab cd "), Piece("ef", 8.0)]))
    assert timed(cue) == [(" ab", 0.0, 4.0), (" cd", 4.0, 8.0), (" ef", 8.0, 10.0)]


def test_words_with_times_keep_them_and_the_others_fill_the_gaps() -> None:
    cue = Cue(0.0, 10.0, tidy([Piece(" a", 1.0, 2.0, 0.9), Piece(" b"), Piece(" c", 5.0, 6.0, 0.8), Piece(" d")]))
    assert timed(cue) == [(" a", 1.0, 2.0), (" b", 2.0, 5.0), (" c", 5.0, 6.0), (" d", 6.0, 10.0)]
    assert [word.probability for word in words(cue)] == [0.9, None, 0.8, None]


def test_a_word_whose_start_alone_is_known_is_not_drawn_out_over_the_pause_behind_it() -> None:
    cue = Cue(0.0, 20.0, tidy([Piece("so "), Piece("next ", 3.0), Piece("topic ", 12.0), Piece("is", 12.5)]))
    assert timed(cue) == [(" so", 0.0, 2.0), (" next", 3.0, 5.0), (" topic", 12.0, 12.5), (" is", 12.5, 14.5)]


def test_words_stay_inside_a_cue_that_was_cut_short() -> None:
    cue = Cue(1.0, 2.0, tidy([Piece(" a", 0.5, 1.5), Piece(" b", 1.8, 2.5), Piece(" c", 2.6, 3.0)]))
    assert timed(cue) == [(" a", 1.0, 1.5), (" b", 1.8, 2.0), (" c", 2.0, 2.0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The budget, agreed.", ["The", " budget,", " agreed."]),
        ("我们同意。下一个", ["我", "们", "同", "意。", "下", "一", "个"]),
        ("他说「好。」 2024年AI", ["他", "说", "「好。」", " 2024", "年", "AI"]),
        ("コーヒー", ["コ", "ー", "ヒ", "ー"]),
        ("สวัสดีครับ ยินดี", ["สวัสดีครับ", " ยินดี"]),
        ("예산이 합의", ["예산이", " 합의"]),
    ],
)
def test_words_are_cut_at_blanks_and_around_ideographs(text: str, expected: list[str]) -> None:
    assert list(split_words(text)) == expected


def test_a_cue_begins_with_a_blank_where_its_script_has_blanks() -> None:
    assert [p.text for p in tidy([Piece("The "), Piece(" <x"), Piece(""), Piece("y")])] == [" The", " <x", "y"]
    assert [p.text for p in tidy([Piece("「好」")])] == ["「好」"]


@given(st.lists(st.text(alphabet=st.sampled_from("ab 我。「(… \t\n\u0301é👩\u200d1"), max_size=12), max_size=4))
def test_words_joined_are_the_text_and_times_never_fall(texts: list[str]) -> None:
    pieces = tidy(Piece(text) for text in texts)
    if not pieces:
        return
    found = list(words(Cue(1.0, 2.5, pieces)))
    assert "".join(word.text for word in found).strip(" ") == clean("".join(texts)).strip(" ")
    assert all(word.text.strip(" ") for word in found)
    edges = [time for word in found for time in (word.start, word.end)]
    assert edges == sorted(edges)
    assert (edges[0], edges[-1]) == (1.0, 2.5)


@pytest.mark.parametrize(
    ("times", "usable", "code"),
    [
        ((1.0, 2.0), (1.0, 2.0), None),
        ((-1.0, 2.0), (0.0, 2.0), "transcript_negative_time"),
        ((-2.0, -1.0), None, "transcript_negative_time"),
        ((5.0, 2.0), (5.0, 5.0), "transcript_reversed"),
        ((float("nan"), 2.0), None, "transcript_bad_time"),
        ((1.0, float("inf")), None, "transcript_bad_time"),
        ((1.0, 1e300), None, "transcript_bad_time"),
    ],
)
def test_faulty_times_are_mended_or_refused_and_counted(
    times: tuple[float, float], usable: tuple[float, float] | None, code: str | None
) -> None:
    tally = Tally()
    assert usable_times(*times, tally) == usable
    assert tally == ({code: 1} if code else {})


def test_more_cues_than_a_transcript_can_have_are_refused() -> None:
    check_number(500_000)
    with pytest.raises(TooLarge, match="limit"):
        check_number(500_001)
