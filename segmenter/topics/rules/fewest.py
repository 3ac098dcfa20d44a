"""The default: the fewest breaks that explain the talk. A text about one thing comes out whole.

One dynamic programme: squared error about the segments' means, in units of the recording's own noise, plus a price for
each break, less what a trained model says for it, plus a weak preference for some topics a recording, whatever its
length. Then neighbours that are more alike than distant parts of the same recording are merged.

Where all sentences are alike there may be one topic, or several that run into each other: there only the model's word
makes a coarse break. What a recording is, is read from it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from segmenter.settings import TopicSettings
from segmenter.topics.gap_features import Talk, sizes
from segmenter.topics.gap_model import log_odds
from segmenter.topics.kind import Kind, kind_of
from segmenter.topics.material import Array, Cut, Material, Ruling
from segmenter.topics.merging import Segments
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
    # The score is compared with the recording's own, and the price grows with (sentences / 150) to the power .4: more
    # gaps, more chances to be wrong. Else the model's word is taken as it is.
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
    "prose": Way(("text",), (_PROSE,), _MEDIUM, _FINE),
    "talk": Way(("spoken", "text"), (_TALK,), _MEDIUM, _FINE),
    "drift": Way(("spoken",), (_WORD, _EDGE), _MEDIUM, _FINE),
    "meeting": Way(("nearby",), _MEETING[:1], _MEETING[1], _MEETING[2], 400, "meeting"),
    "other": Way(("text",), (_TALK,), _MEDIUM, _FINE),
    "unread": Way(("text",), (Level(3.5, 0, 8, 0),), Level(2.6, 0, 11, 0), _FINE),
}


class _Programme:
    """What every level's partition is found from, at the places where a segment may begin or end."""

    def __init__(self, material: Material, odds: Array, unit: float, candidates: int) -> None:
        self.odds, self.unit, self.sums = odds, unit, prefix(material.vectors)
        self.relative = (odds - odds.mean()) / max(float(odds.std()), 1.0)
        self.places = likely(odds, candidates)
        self._errors = squared_errors(self.sums, self.places) / unit
        self._words = np.concatenate([[0.0], np.cumsum(sizes([s.text for s in material.sentences]))])[self.places]
        self._growth = max(1.0, (len(material.sentences) / 150) ** 0.4)

    def best(self, level: Level, least: int, kept: Collection[int] = ()) -> Segments:
        """The cheapest partition, which cuts at each place in `kept`, its alike neighbours merged."""
        ends = self._ends(cheapest(self._costs(level, least, kept), self._prices(level)))
        segments = Segments(self.sums, ends, self.unit, level.compared)
        if level.alike is not None:
            forgiven = level.forgiven * np.clip(self.relative, -3, 3)
            segments.merge(level.alike, forgiven, set(kept), level.beyond)
        return segments

    def counted(self, level: Level, least: int, count: int) -> Segments:
        """So many topics, whatever a break costs."""
        level = replace(level, price=0.0, topics=count)
        ends = self._ends(cheapest_of(self._costs(level, least, ()), self._prices(level), count))
        return Segments(self.sums, ends, self.unit)

    def _ends(self, path: list[int]) -> list[int]:
        return [int(self.places[i]) for i in path]

    def _costs(self, level: Level, least: int, kept: Collection[int]) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (self._words[None, :] - self._words[:, None]) * level.topics / self._words[-1]
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


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    unit = noise(material.vectors)
    if unit < 1e-9:  # every sentence the same
        return Ruling([], np.zeros(material.gaps), "log-odds of a break")
    kind = kind_of(material, settings.embedder)
    way = WAYS[kind]
    talk = Talk.of(material.vectors, material.sentences)
    said = log_odds(talk, [*way.models, *([way.place] if way.place else [])])
    odds = np.asarray(np.mean([said[model] for model in way.models], axis=0))
    programme = _Programme(material, odds, unit, way.candidates)
    if settings.topics_count:
        least = max(way.coarse[0].least, settings.min_sentences)
        segments = programme.counted(way.coarse[0], least, settings.topics_count)
    else:
        segments = _nested(programme, way, settings)
        if way.place is not None:
            segments = Segments(programme.sums, _placed(segments.ends, said[way.place]), unit)
    return Ruling(_cuts(segments, odds, kind), odds, f"log-odds of a break, {kind}")


def _nested(programme: _Programme, way: Way, settings: TopicSettings) -> Segments:
    """From coarse to the level wanted, each keeping the breaks of the one before."""
    kept: list[int] = []
    levels = (*way.coarse, way.medium, way.fine)
    for level in levels[: len(way.coarse) + _GRANULARITIES.index(settings.granularity)]:
        segments = programme.best(level, max(level.least, settings.min_sentences), kept)
        kept = segments.ends[1:-1]
    return segments


def _placed(ends: list[int], odds: Array) -> list[int]:
    """Each cut at the likeliest gap around it: who speaks says where a topic ends, hardly whether one does."""
    gaps = [end - 1 for end in ends[1:-1]]
    near = [range(max(0, gap - _NEAR), min(len(odds), gap + _NEAR + 1)) for gap in gaps]
    return sorted({ends[0], *(max(around, key=lambda g: odds[g]) + 1 for around in near), ends[-1]})


def _cuts(segments: Segments, odds: Array, kind: Kind) -> list[Cut]:
    made = []
    for k, (_, place) in enumerate(pairwise(segments.ends[:-1])):
        found = segments.evidence(k)
        strength = (
            float(np.clip(1 - found.alike, 0, 1))
            if WAYS[kind].coarse[0].relative
            else float(1 / (1 + np.exp(-odds[place - 1] - 3)))
        )
        why = f"likeness of the sides {found.alike:.2f}, {found.gain:.1f} times the noise explained"
        reason = f"{kind}: {why}, log-odds {odds[place - 1]:.1f}"
        made.append(Cut(place - 1, strength, reason))
    return made
