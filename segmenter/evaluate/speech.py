"""How well a transcript agrees with a reference: word error rate, and how far sentence edges are off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from segmenter.records import Sentence

_BY_CHARACTER = {"ja", "ko", "zh"}  # what is a word there depends on who counts


def error_rate(reference: str, hypothesis: str, language: str) -> float:
    """Word error rate, 0 is perfect; for Chinese, Japanese and Korean, character error rate without blanks.

    Both texts are normalised as Whisper's authors do it (Radford et al. 2022, appendix C). An empty reference gives
    0 for an empty hypothesis, else 1.
    """
    import jiwer

    truth, made = _normalised(reference, language), _normalised(hypothesis, language)
    if not truth:
        return float(bool(made))
    return float((jiwer.cer if language in _BY_CHARACTER else jiwer.wer)(truth, made))


@dataclass(frozen=True, slots=True)
class EdgeErrors:
    """Seconds between true and made edges, made later is positive; only for sentences that begin (end) in both.

    `sentences` is how many true sentences there are.
    """

    starts: tuple[float, ...]
    ends: tuple[float, ...]
    sentences: int


def edge_errors(truth: Sequence[Sentence], made: Sequence[Sentence], language: str) -> EdgeErrors:
    """Edges of true sentences against those of made ones, which are found by aligning the words."""
    true_words, made_words = _spread(truth, language), _spread(made, language)
    first = {at: i for i, at, _ in made_words.edges}
    last = {at: i for i, _, at in made_words.edges}
    to_made = _aligned(true_words.words, made_words.words)
    starts = [made[first[to_made[a]]].start - truth[i].start for i, a, _ in true_words.edges if to_made.get(a) in first]
    ends = [made[last[to_made[b]]].end - truth[i].end for i, _, b in true_words.edges if to_made.get(b) in last]
    return EdgeErrors(tuple(starts), tuple(ends), len(truth))


@dataclass(frozen=True, slots=True)
class _Spread:
    """The words of sentences, and for each sentence with words its index and its first and last word's."""

    words: list[str]
    edges: list[tuple[int, int, int]]


def _spread(sentences: Sequence[Sentence], language: str) -> _Spread:
    words: list[str] = []
    edges: list[tuple[int, int, int]] = []
    for i, sentence in enumerate(sentences):
        own = (
            list(_normalised(sentence.text, language))
            if language in _BY_CHARACTER
            else _normalised(sentence.text, language).split()
        )
        if own:
            edges.append((i, len(words), len(words) + len(own) - 1))
        words += own
    return _Spread(words, edges)


def _aligned(truth: Sequence[str], made: Sequence[str]) -> dict[int, int]:
    """Index of a true word -> index of the made word in its place, right or wrong."""
    import jiwer

    if not truth or not made:
        return {}
    chunks = jiwer.process_words(" ".join(truth), " ".join(made)).alignments[0]
    return {
        chunk.ref_start_idx + i: chunk.hyp_start_idx + i
        for chunk in chunks
        if chunk.type in ("equal", "substitute")
        for i in range(chunk.ref_end_idx - chunk.ref_start_idx)
    }


def _normalised(text: str, language: str) -> str:
    from whisper_normalizer.basic import BasicTextNormalizer
    from whisper_normalizer.english import EnglishTextNormalizer

    normal = (EnglishTextNormalizer() if language == "en" else BasicTextNormalizer())(text)
    return "".join(normal.split()) if language in _BY_CHARACTER else " ".join(normal.split())
