"""Loops: the first turn is kept, what stands around it too, and what people say twice or really say over and over."""

from __future__ import annotations

from segmenter.records import Span, Word
from segmenter.speech.hearing import LOOP_RATIO
from segmenter.speech.loops import packed, without_loops


def cut(text: str) -> tuple[str, float]:
    words = [Word(f" {word}", i / 2, i / 2 + 0.5) for i, word in enumerate(text.split())]
    kept, ratio, _ = without_loops(words)
    assert set(kept) <= set(words)
    return "".join(word.text for word in kept).strip(), ratio


def test_speech_is_left_alone() -> None:
    for text in (
        "",
        "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.",
        "No, no, no, no. I said no.",
        "Thank you. Thank you. Thank you.",
        "Ha ha ha ha ha ha!",
        "One, two, three. One, two, three. Testing.",
    ):
        assert cut(text) == (text, 0.0)


def test_a_loop_keeps_its_first_turn_and_what_stands_around_it() -> None:
    text, ratio = cut("We begin. " + "And then we go on with it. " * 12 + "Now the roof.")
    assert text == "We begin. And then we go on with it. Now the roof."
    assert ratio > LOOP_RATIO


def test_a_loop_of_one_word_and_one_without_punctuation() -> None:
    assert cut("so " * 60) == ("so", cut("so " * 60)[1])
    assert cut("I think that the Thing. i think that the thing " * 8)[0] == "I think that the Thing."


def test_two_loops_are_both_cut() -> None:
    assert cut("the pump is on " * 20 + "and " + "the fan is off " * 20)[0] == "the pump is on and the fan is off"


def test_a_very_long_text_is_no_trouble() -> None:
    assert len(cut(" ".join(f"word{i % 977}" for i in range(20_000)))[0].split()) == 20_000


def timed(*turns: tuple[float, float]) -> list[Word]:
    """A turn of four words between each two times."""
    texts = (" Good", " morning,", " dear", " everyone.")
    return [
        Word(text, start + i * (end - start) / 4, start + (i + 1) * (end - start) / 4, 0.9)
        for start, end in turns
        for i, text in enumerate(texts)
    ]


def test_what_people_say_again_and_again_takes_its_time_in_each_turn() -> None:
    words = timed(*((2 * i, 2 * i + 1.1 + i % 3 / 10) for i in range(8)))
    assert without_loops(words) == (tuple(words), 0.0, (Span(words[0].start, words[-1].end),))
    assert packed(words) < 1.5


def test_a_turn_among_them_that_no_sound_carries_is_cut() -> None:
    words = timed((0, 1.2), (2, 3.2), (4, 5.1), (5.1, 5.1), (6, 7.2))
    assert without_loops(words).words == (*words[:12], *words[16:])


def test_a_loop_is_laid_over_whatever_sound_there_is() -> None:
    """Turns of a real loop, and turns faster than people speak."""
    strayed = timed((0, 0.5), (0.5, 4.5), (4.5, 4.6), (4.6, 7), (7, 7.2), (7.2, 7.2), (7.2, 12))
    rushed = timed(*((i / 10, (i + 1) / 10) for i in range(12)))
    for words in (strayed, rushed):
        left, ratio, loops = without_loops(words)
        assert left == tuple(words[:4])
        assert ratio > LOOP_RATIO
        assert loops == (Span(words[0].start, words[3].end),)
        assert packed(words) > LOOP_RATIO
