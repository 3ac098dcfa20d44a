"""Loops: the first turn is kept, what stands around it too, and what people say twice."""

from __future__ import annotations

from segmenter.records import Word
from segmenter.speech.hearing import LOOP_RATIO
from segmenter.speech.loops import without_loops


def cut(text: str) -> tuple[str, float]:
    words = [Word(f" {word}", i / 2, i / 2 + 0.5) for i, word in enumerate(text.split())]
    kept, ratio = without_loops(words)
    assert all(word in words for word in kept)
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
