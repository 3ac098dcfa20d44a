"""The default: the fewest breaks that explain the talk. A text about one thing comes out whole.

One dynamic programme: squared error about the segments' means, in units of the recording's own noise, plus a price for
each break, less what a trained model says for it, plus a weak preference for some topics a recording, whatever its
length. Then neighbours that are more alike than distant parts of the same recording are merged.

Where all sentences are alike there may be one topic, or several that run into each other: there only the model's word
makes a coarse break. What a recording is, is read from it.

Hours have more topics than minutes. Of prose longer than the levels were set with, topics are expected in proportion: each
differs from all others, and the whole tells best what is alike. Long talk is cut into parts, and each part again as a
recording of its own: beginnings and ends of talks are alike, so that what is large must be parted before what is small.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.gap_features import Talk, sizes
from segmenter.topics.gap_model import LOOKS, log_odds
from segmenter.topics.kind import Kind, kind_of
from segmenter.topics.margins import DEARER, by_gap, dearer, dearer_of
from segmenter.topics.material import Array, Cut, Material, Misses, Ruling
from segmenter.topics.merging import Evidence, Segments
from segmenter.topics.partition import cheapest, cheapest_of, likely, noise, prefix, squared_errors

_GRANULARITIES = ("coarse", "medium", "fine")
_NEAR = 5  # sentences


@dataclass(frozen=True, slots=True)
class Level:
    """What a break costs and what the model's score counts against it; how many topics are expected, and how firmly; from
    what likeness on neighbours are merged (None: never), and how much of it one unit of score forgives. Likeness is
    compared with that of distant parts of the recording (`compared`), or taken as it is; neighbours are merged only where
    they are more alike than distant parts by so many of their deviations (`beyond`)."""

    price: float
    score: float
    topics: int
    prior: float = 1.0
    alike: float | None = None
    forgiven: float = 0.0
    beyond: float = 0.0
    compared: bool = True
    least: int = 2  # sentences
    # The score is compared with the recording's own, and the price grows with (sentences / 150) to a power: more gaps, more
    # chances to be wrong. Else the model's word is taken as it is.
    relative: bool = True


@dataclass(frozen=True, slots=True)
class Way:
    """How one kind of recording is cut."""

    models: tuple[str, ...]  # their log-odds are averaged
    coarse: tuple[Level, ...]  # each keeps the breaks of the one before
    medium: Level
    fine: Level
    candidates: int = 1500
    place: str | None = None  # the model that finds a cut's exact place near by
    # About as many sentences as the longest recording had that the levels were set with. Of longer ones the parts are cut
    # again (`parts`), or more topics are expected in proportion, at a price that grows far less (`growth`).
    longest: float = np.inf
    parts: bool = False
    growth: float = 0.4


# Chosen by hand on recordings with known topics; docs/topics.md says on which, and what else was tried.
_MEDIUM, _FINE = Level(2.2, 0.25, 11, alike=0.6), Level(2.0, 0, 15, alike=0.9)
# Read or written texts on one subject are as alike where they are distant as some neighbours are across a topic's edge. Talk
# comes back to its matters, so that its distant parts say less about its edges.
_PROSE = Level(2.0, 0.5, 10, alike=0.3, forgiven=0.03, beyond=2.0)
_TALK = Level(2.4, 0.5, 8, alike=0.3)
_EDGE = Level(2.4, 0.5, 8, alike=0.35, compared=False)
_WORD = Level(1.0, 1.25, 6, 0.5, relative=False)
_MEETING = tuple(replace(_WORD, price=price, topics=topics, least=5) for price, topics in ((1.1, 6), (0.4, 12), (-0.1, 20)))
WAYS: dict[Kind, Way] = {
    "prose": Way(("text",), (_PROSE,), _MEDIUM, _FINE, longest=150, growth=0.1),
    "talk": Way(("spoken", "text"), (_TALK,), _MEDIUM, _FINE, longest=500, parts=True),
    "drift": Way(("spoken",), (_WORD, _EDGE), _MEDIUM, _FINE, longest=1500, parts=True),
    "meeting": Way(("nearby",), _MEETING[:1], _MEETING[1], _MEETING[2], 400, "meeting", longest=1500, parts=True),
    "other": Way(("text",), (_TALK,), _MEDIUM, _FINE, longest=150, growth=0.1),
    "unread": Way(("text",), (Level(3.5, 0, 8, 0),), Level(2.6, 0, 11, 0), _FINE),
}


class _Programme:
    """What every level's partition is found from, at the places where a segment may begin or end."""

    def __init__(self, material: Material, odds: Array, unit: float, way: Way) -> None:
        self.odds, self.unit, self.sums = odds, unit, prefix(material.vectors)
        self.relative = (odds - odds.mean()) / max(float(odds.std()), 1.0)
        self.places = likely(odds, way.candidates)
        self.dearer = np.full(len(self.places), np.inf)  # by how much each place missed at the level where it came closest
        self.joined: dict[int, str] = {}  # the gaps between what was merged, and how alike their sides were
        self._errors = squared_errors(self.sums, self.places) / unit
        self._words = np.concatenate([[0.0], np.cumsum(sizes([s.text for s in material.sentences]))])[self.places]
        length = len(material.sentences)
        self._growth = max(1.0, (length / 150) ** way.growth)
        self._more = 1.0 if way.parts else max(1.0, length / way.longest)

    def best(self, level: Level, least: int, kept: Collection[int] = ()) -> Segments:
        """The cheapest partition, which cuts at each place in `kept`, its alike neighbours merged."""
        costs, prices = self._costs(level, least, kept), self._prices(level)
        ends = self._ends(cheapest(costs, prices))
        self.dearer = np.minimum(self.dearer, dearer(costs, prices))
        segments = Segments(self.sums, ends, self.unit, level.compared)
        sides = {end: segments.evidence(k) for k, end in enumerate(ends[1:-1])}
        if level.alike is not None:
            forgiven = level.forgiven * np.clip(self.relative, -3, 3)
            segments.merge(level.alike, forgiven, set(kept), level.beyond)
        merged = sides.keys() - set(segments.ends)
        self.joined |= {end - 1: f"joined again: {_sides(sides[end])}" for end in sorted(merged)}
        return segments

    def counted(self, level: Level, least: int, count: int) -> Segments:
        """So many topics, whatever a break costs."""
        level = replace(level, price=0.0, topics=count)
        costs, prices = self._costs(level, least, ()), self._prices(level)
        path = cheapest_of(costs, prices, count)
        self.dearer = dearer_of(costs, prices, len(path) - 1)
        return Segments(self.sums, self._ends(path), self.unit)

    def _ends(self, path: list[int]) -> list[int]:
        return [int(self.places[i]) for i in path]

    def _costs(self, level: Level, least: int, kept: Collection[int]) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (self._words[None, :] - self._words[:, None]) * level.topics * self._more / self._words[-1]
            costs = self._errors + np.where(share > 0, level.prior / 2 * np.log(share) ** 2, np.inf)
        if self.places[-1] >= 2 * least:
            costs[self.places[None, :] - self.places[:, None] < least] = np.inf
        for place in kept:
            at = int(np.searchsorted(self.places, place))
            costs[:at, at + 1 :] = np.inf
        return costs

    def _prices(self, level: Level) -> Array:
        scores = np.zeros(len(self.places))
        scores[1:-1] = (self.relative if level.relative else self.odds)[self.places[1:-1] - 1]
        return (self._growth if level.relative else 1.0) * (level.price - level.score * scores)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A recording or a part of it, and what each model says of its gaps."""

    material: Material
    said: dict[str, Array]

    def part(self, first: int, stop: int) -> _Stretch:
        material = Material(self.material.sentences[first:stop], self.material.vectors[first:stop])
        return _Stretch(material, {model: odds[first : stop - 1] for model, odds in self.said.items()})

    def odds(self, way: Way) -> Array:
        return np.asarray(np.mean([self.said[model] for model in way.models], axis=0))


@dataclass(frozen=True, slots=True)
class _Found:
    """The cuts of each granularity up to the one wanted; by how much each gap missed, in noise, and what else is said of some."""

    levels: list[list[Cut]]
    missed: Array
    remarks: dict[int, str] = field(default_factory=dict)

    @staticmethod
    def of(programme: _Programme, levels: list[list[Cut]]) -> _Found:
        moved = programme.places[1:-1][programme.dearer[1:-1] == 0] - 1  # cut by the programme, then merged or placed elsewhere
        made = dict.fromkeys(moved.tolist(), "the break is made at the likeliest gap near by")
        missed = by_gap(len(programme.odds), programme.places, programme.dearer)
        return _Found(levels, missed, made | programme.joined)

    def with_part(self, part: _Found, first: int) -> _Found:
        """And what was found in the part that begins with sentence `first`."""
        levels = [
            [*own, *(replace(cut, after=cut.after + first) for cut in of)]
            for own, of in zip(self.levels, part.levels, strict=True)
        ]
        missed = self.missed.copy()
        inside = slice(first, first + len(part.missed))
        missed[inside] = np.fmin(missed[inside], part.missed)
        return _Found(levels, missed, self.remarks | {gap + first: why for gap, why in part.remarks.items()})


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    measure = "log-odds of a break"
    if _even(material):
        return Ruling([], np.zeros(material.gaps), measure)
    stretch = _Stretch(material, log_odds(Talk.of(material.vectors, material.sentences), list(LOOKS)))
    kind = kind_of(material, settings.embedder)
    found, odds = _cut(stretch, kind, settings), stretch.odds(WAYS[kind])
    *coarser, made = [sorted(level, key=lambda cut: cut.after) for level in found.levels]
    missed = Misses(found.missed, DEARER, remarks=found.remarks)
    return Ruling(made, odds, f"{measure}, {kind}", coarser=tuple(coarser), misses=missed)


def _even(material: Material) -> bool:
    """Every sentence is the same, or there is only one."""
    return material.gaps < 1 or noise(material.vectors) < 1e-9


def _cut(stretch: _Stretch, kind: Kind, settings: TopicSettings) -> _Found:
    way, odds = WAYS[kind], stretch.odds(WAYS[kind])
    programme = _Programme(stretch.material, odds, noise(stretch.material.vectors), way)
    if settings.topics_count:
        least = max(way.coarse[0].least, settings.min_sentences)
        counted = programme.counted(way.coarse[0], least, settings.topics_count)
        return _Found.of(programme, [_cuts(counted, odds, kind)])
    if way.parts and len(stretch.material.sentences) > way.longest:
        (coarse,) = _nested(programme, way, replace(settings, granularity="coarse"))
        coarse = _placed(programme, coarse, stretch, way)
        if len(coarse.ends) > 2:
            found = _Found.of(programme, [_cuts(coarse, odds, kind)] * _levels(settings))
            for first, stop in pairwise(coarse.ends):
                found = found.with_part(_cut_part(stretch.part(first, stop), settings), first)
            return found
    levels = [_placed(programme, segments, stretch, way) for segments in _nested(programme, way, settings)]
    return _Found.of(programme, [_cuts(segments, odds, kind) for segments in levels])


def _levels(settings: TopicSettings) -> int:
    return 1 + _GRANULARITIES.index(settings.granularity)


def _cut_part(part: _Stretch, settings: TopicSettings) -> _Found:
    """The cuts of a part as of a recording of its own, which may be of another kind."""
    if _even(part.material):
        return _Found([[]] * _levels(settings), np.full(part.material.gaps, np.nan))
    return _cut(part, kind_of(part.material, settings.embedder), settings)


def _nested(programme: _Programme, way: Way, settings: TopicSettings) -> list[Segments]:
    """From coarse to the level wanted, each keeping the breaks of the one before."""
    kept: list[int] = []
    made: list[Segments] = []
    levels = (*way.coarse, way.medium, way.fine)
    for level in levels[: len(way.coarse) - 1 + _levels(settings)]:
        segments = programme.best(level, max(level.least, settings.min_sentences), kept)
        kept = segments.ends[1:-1]
        made.append(segments)
    return made[len(way.coarse) - 1 :]


def _placed(programme: _Programme, segments: Segments, stretch: _Stretch, way: Way) -> Segments:
    """Each cut at the likeliest gap around it: who speaks says where a topic ends, hardly whether one does."""
    if way.place is None:
        return segments
    odds, ends = stretch.said[way.place], segments.ends
    gaps = [end - 1 for end in ends[1:-1]]
    near = [range(max(0, gap - _NEAR), min(len(odds), gap + _NEAR + 1)) for gap in gaps]
    places = {max(around, key=lambda g: odds[g]) + 1 for around in near}
    return Segments(programme.sums, sorted({ends[0], *places, ends[-1]}), programme.unit)


def _cuts(segments: Segments, odds: Array, kind: Kind) -> list[Cut]:
    made = []
    for k, (_, place) in enumerate(pairwise(segments.ends[:-1])):
        found = segments.evidence(k)
        strength = (
            float(np.clip(1 - found.alike, 0, 1))
            if WAYS[kind].coarse[0].relative
            else float(1 / (1 + np.exp(-odds[place - 1] - 3)))
        )
        reason = f"{kind}: {_sides(found)}, log-odds {odds[place - 1]:.1f}"
        made.append(Cut(place - 1, strength, reason))
    return made


def _sides(found: Evidence) -> str:
    return f"likeness of the sides {found.alike:.2f}, {found.gain:.1f} times the noise explained"
