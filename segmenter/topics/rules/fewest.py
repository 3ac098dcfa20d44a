"""The default: the fewest breaks that explain the talk. A text about one thing comes out whole.

One dynamic programme: squared error about the segments' means, in units of the recording's own noise, plus a price for
each break, less what a trained model says for it, plus a weak preference for some topics a recording, whatever its
length. Then neighbours that are more alike than distant parts of the same recording are merged.

Hours of conversation drift without an edge; there the model's word counts most. What a recording is, is read from it.
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
from segmenter.topics.partition import Places, cheapest, cheapest_of, likely, noise, prefix, squared_errors

_GRANULARITIES = ("coarse", "medium", "fine")
_NEAR = 5  # sentences


@dataclass(frozen=True, slots=True)
class Level:
    """What a break costs and what the model's score counts against it; how many topics are expected, and how firmly; from
    what likeness on neighbours are merged (None: never), and how much of it one unit of score forgives."""

    price: float
    score: float
    topics: int
    prior: float = 1.0
    alike: float | None = None
    forgiven: float = 0.0


@dataclass(frozen=True, slots=True)
class Way:
    """How one kind of recording is cut."""

    models: tuple[str, ...]  # their log-odds are averaged
    least: int  # sentences
    candidates: int
    growth: float  # the price grows with (sentences / 150) to this power: more gaps, more chances to be wrong
    relative: bool  # scores compared with the recording's own
    levels: tuple[Level, Level, Level]  # coarse, medium, fine
    place: str | None = None  # the model that finds a cut's exact place near by


# Chosen by hand on recordings with known topics; docs/topics.md says on which, and what else was tried.
_MEDIUM, _FINE = Level(2.2, 0.25, 11, alike=0.6), Level(2.0, 0, 15, alike=0.9)
_PROSE = (Level(2.0, 0.5, 10, alike=0.3, forgiven=0.03), _MEDIUM, _FINE)
_TALK = (Level(2.4, 0.5, 8, alike=0.3), _MEDIUM, _FINE)
_CONVERSATION = (Level(0, 1.25, 6, 0.5), Level(-1, 1.25, 12, 0.5), Level(-1.5, 1.25, 20, 0.5))
_MEETING = (Level(-0.5, 1.25, 6, 0.5), *_CONVERSATION[1:])
WAYS: dict[Kind, Way] = {
    "prose": Way(("text",), 2, 1500, 0.4, True, _PROSE),
    "talk": Way(("spoken", "text"), 2, 1500, 0.4, True, _TALK),
    "other": Way(("text",), 2, 1500, 0.4, True, _TALK),
    "unread": Way(("text",), 2, 1500, 0.4, True, (Level(3.5, 0, 8, 0), Level(2.6, 0, 11, 0), _FINE)),
    "conversation": Way(("spoken",), 5, 400, 0.0, False, _CONVERSATION),
    "meeting": Way(("spoken",), 5, 400, 0.0, False, _MEETING, "meeting"),
}


@dataclass(frozen=True, slots=True)
class _Costs:
    """What the programme needs, at the places where a segment may begin or end."""

    places: Places
    errors: Array
    words: Array
    scores: Array
    growth: float

    def of(self, level: Level, least: int, kept: Collection[int]) -> tuple[Array, Array]:
        """Costs of segments and prices of cuts; no segment may reach over a place in `kept`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (self.words[None, :] - self.words[:, None]) * level.topics / self.words[-1]
            costs = self.errors + np.where(share > 0, level.prior / 2 * np.log(share) ** 2, np.inf)
        count = self.places[-1]
        size = self.places[None, :] - self.places[:, None]
        if count >= 2 * least:
            costs[size < least] = np.inf
        for place in kept:
            at = int(np.searchsorted(self.places, place))
            costs[:at, at + 1 :] = np.inf
        return costs, self.growth * (level.price - level.score * self.scores)


def cuts(material: Material, settings: TopicSettings) -> Ruling:
    unit = noise(material.vectors)
    if unit < 1e-9:  # every sentence the same
        return Ruling([], np.zeros(material.gaps), "log-odds of a break")
    kind = kind_of(material)
    way = WAYS[kind]
    talk = Talk.of(material.vectors, material.sentences)
    said = log_odds(talk, [*way.models, *([way.place] if way.place else [])])
    odds = np.mean([said[model] for model in way.models], axis=0)
    scores = (odds - odds.mean()) / max(float(odds.std()), 1.0) if way.relative else odds
    sums = prefix(material.vectors)
    costs = _costs(material, sums, scores, unit, way)
    least = max(way.least, settings.min_sentences)
    if settings.topics_count:
        segments = Segments(sums, _counted(costs, way, least, settings.topics_count), unit)
    else:
        segments = _nested(costs, way, least, settings.granularity, sums, scores, unit)
        if way.place is not None:
            segments = Segments(sums, _placed(segments.ends, said[way.place]), unit)
    return Ruling(_cuts(segments, odds, kind), odds, f"log-odds of a break, {kind}")


def _costs(material: Material, sums: Array, scores: Array, unit: float, way: Way) -> _Costs:
    count = len(material.sentences)
    places = likely(scores, way.candidates)
    words = np.concatenate([[0.0], np.cumsum(sizes([s.text for s in material.sentences]))])
    at_places = np.zeros(len(places))
    at_places[1:-1] = scores[places[1:-1] - 1]
    growth = max(1.0, (count / 150) ** way.growth)
    return _Costs(places, squared_errors(sums, places) / unit, words[places], at_places, growth)


def _counted(costs: _Costs, way: Way, least: int, count: int) -> list[int]:
    """So many topics, whatever a break costs."""
    level = way.levels[0]
    path = cheapest_of(*costs.of(replace(level, price=0.0, topics=count), least, ()), count)
    return [int(costs.places[i]) for i in path]


def _nested(costs: _Costs, way: Way, least: int, granularity: str, sums: Array, scores: Array, unit: float) -> Segments:
    """From coarse to the level wanted, each keeping the breaks of the one before."""
    segments = Segments(sums, [0, int(costs.places[-1])], unit)
    for level in way.levels[: _GRANULARITIES.index(granularity) + 1]:
        kept = segments.ends[1:-1]
        segments = Segments(sums, [int(costs.places[i]) for i in cheapest(*costs.of(level, least, kept))], unit)
        if level.alike is not None:
            segments.merge(level.alike, level.forgiven * np.clip(scores, -3, 3), set(kept))
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
        strength = float(np.clip(1 - found.alike, 0, 1)) if WAYS[kind].relative else float(1 / (1 + np.exp(-odds[place - 1] - 3)))
        why = f"likeness of the sides {found.alike:.2f}, {found.gain:.1f} times the noise explained"
        reason = f"{kind}: {why}, log-odds {odds[place - 1]:.1f}"
        made.append(Cut(place - 1, strength, reason))
    return made
