"""The yardsticks themselves: error rates and edge errors with values counted by hand."""

from __future__ import annotations

import pytest

from segmenter.evaluate.speech import edge_errors, error_rate
from segmenter.records import Sentence


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language", "rate"),
    [
        ("Good morning, everyone.", "good morning everyone", "en", 0),
        ("we go home now", "we went home", "en", 0.5),
        ("The colour cost twenty dollars.", "The color cost $20.", "en", 0),
        ("Schöne Grüße!", "schöne grüsse", "de", 0.5),
        ("今日は晴れです。", "今日 は 晴れ でず", "ja", 1 / 7),
        ("", "", "en", 0),
        ("", "thank you", "en", 1),
        ("something", "", "en", 1),
    ],
)
def test_error_rate(reference: str, hypothesis: str, language: str, rate: float) -> None:
    assert error_rate(reference, hypothesis, language) == pytest.approx(rate)


TRUTH = (Sentence("Good day.", 1.0, 2.0), Sentence("Who is it?", 2.5, 4.0), Sentence("It is me.", 5.0, 6.0))


def test_edges_of_sentences_that_agree() -> None:
    made = (Sentence("Good day.", 1.1, 1.9), Sentence("Who was it?", 2.5, 4.25), Sentence("It's me.", 4.5, 6.0))
    errors = edge_errors(TRUTH, made, "en")
    assert errors.starts == pytest.approx((0.1, 0.0, -0.5))
    assert errors.ends == pytest.approx((-0.1, 0.25, 0.0))
    assert errors.sentences == 3


def test_edges_that_only_one_side_has_are_left_out() -> None:
    made = (Sentence("Good day. Who is it?", 1.0, 4.0), Sentence("It is", 5.0, 5.5), Sentence("me.", 5.5, 6.1))
    errors = edge_errors(TRUTH, made, "en")
    assert errors.starts == pytest.approx((0.0, 0.0))
    assert errors.ends == pytest.approx((0.0, 0.1))


def test_characters_are_aligned_in_japanese() -> None:
    truth = (Sentence("今日は。", 0.0, 1.0), Sentence("元気ですか？", 1.5, 3.0))
    made = (Sentence("今日は。", 0.2, 1.0), Sentence("元気ですか？", 1.5, 3.3))
    assert edge_errors(truth, made, "ja").starts == pytest.approx((0.2, 0.0))


def test_nothing_made_has_no_edges() -> None:
    assert edge_errors(TRUTH, (), "en").starts == ()
