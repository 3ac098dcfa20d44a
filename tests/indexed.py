"""A finished segmentation to index: two topics are talked about, then two people and a car pass in silence."""

from __future__ import annotations

from pathlib import Path

from wordy import word_tools

from segmenter.chunks.titles import titled
from segmenter.records import Box, Chunk, Event, Recording, Segmentation, Sentence, Track, View
from segmenter.retrieval.stores import Store
from segmenter.retrieval.units import units_of
from segmenter.settings import RetrievalSettings

TALK = (
    ("Ann", "The pump is worn out."),
    ("Ben", "Its bearing must be replaced."),
    ("Ann", "We order a new pump on Monday."),
    ("Ann", "Now the budget: travel is too dear."),
    ("Ben", "They cut the travel money by half."),
    ("Ben", "Then the budget is agreed."),
)
SETTINGS = RetrievalSettings(parent_tokens=20, sigma_tokens=20.0, seat_tokens=5.0)


def segmentation(recording: str = "r1", title: str = "Meeting") -> Segmentation:
    """Sentences of 4 s each until 24 s; an event from 60 to 74 s; 90 s in all. The third chunk is silent."""
    said = tuple(Sentence(text, 4.0 * i, 4.0 * i + 4, speaker, "en") for i, (speaker, text) in enumerate(TALK))
    view = View(61.0, Box(0, 0, 1, 1), 0.9)
    tracks = tuple(Track(i, label, 60.0, 74.0, view) for i, label in enumerate(("person", "person", "car"), 1))
    event = Event(1, 60.0, 74.0, tracks, ("person", "car"))
    chunks = (
        _chunk(recording, 0.0, 12.0, said, (0, 2)),
        _chunk(recording, 12.0, 30.0, said, (3, 5)),
        Chunk(f"{recording}-30000", 30.0, 90.0, "event", "", None, (1,), (1, 2, 3), ("person", "car"), (), ("opens",), ("end",)),
    )
    whole = Recording(f"/films/{recording}.mp4", recording, 90.0, "container", title=title)
    return Segmentation(whole, {}, {}, said, (), (event,), (), titled(chunks, said, (event,)), ())


def _chunk(recording: str, start: float, end: float, said: tuple[Sentence, ...], span: tuple[int, int]) -> Chunk:
    text = " ".join(s.text for s in said[span[0] : span[1] + 1])
    name = f"{recording}-{round(start * 1000)}"
    return Chunk(name, start, end, "talk", text, span, (), (), (), ("Ann", "Ben"), ("topic",), ("topic",))


def fill(store: Store, *recordings: str, folder: Path | None = None) -> None:
    """Puts the units of these recordings into the store."""
    tools = word_tools()
    for name in recordings:
        units = units_of(segmentation(name, f"Meeting {name}"), tools.pieces, SETTINGS, folder)
        store.write(name, units, tools.embedder.embed([unit.embedded for unit in units]))
