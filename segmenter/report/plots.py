"""Figures of a finished segmentation, by matplotlib."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from segmenter import table
from segmenter.errors import PackageMissing, SegmenterError
from segmenter.records import Segmentation
from segmenter.settings import Settings
from segmenter.topics.breaks import trusted
from segmenter.topics.choosing import Embedders
from segmenter.topics.embedder import EMBEDDERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Vectors = NDArray[np.float32]

_KIND_COLOURS = {"talk": "#4a86c0", "event": "#dd9a36", "both": "#8d7f74", "idle": "#b4b9c2"}
_LABEL_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8f98")  # Okabe and Ito (2008)
_MOST_SENTENCES = 2000  # of a longer recording every second, third ... sentence: a figure has no more pixels


def vectors(found: Segmentation) -> Vectors | None:
    """The vectors of the trusted sentences, made again; None where there are none, or the embedder is not here."""
    texts = [found.sentences[i].text for i in trusted(found.sentences)]
    if not texts:
        return None
    try:
        settings = Settings.from_dict(found.settings).topics
        table.check("embedder", EMBEDDERS, settings.embedder)
        return Embedders(settings).suited(found.sentences).embedder.embed(texts)
    except SegmenterError:
        return None


def write(found: Segmentation, vectors: Vectors | None, path: Path) -> None:
    """One figure: similarity with breaks, topic curve, events, lengths of the chunks; the same input gives the same file.

    Raises:
        PackageMissing: matplotlib is not installed.
        SegmenterError: the file cannot be written.
    """
    if find_spec("matplotlib") is None:
        raise PackageMissing("matplotlib", "plots")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {"svg.hashsalt": "segmenter", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    with mpl.rc_context(style):
        figure = Figure(figsize=(11, 7.5), layout="constrained")
        similarity, curve, events, lengths = figure.subplots(2, 2).flat
        _similarity(similarity, found, vectors)
        _curve(curve, found)
        _events(events, found)
        _lengths(lengths, found)
        try:
            figure.savefig(path, dpi=150, metadata=_undated(path))
        except OSError as error:
            raise SegmenterError(f"cannot be written: {error.strerror}", path=path) from error


def _undated(path: Path) -> dict[str, Any]:
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower(), {})


def _similarity(axes: Axes, found: Segmentation, vectors: Vectors | None) -> None:
    axes.set_title("Similarity of sentences, with topic breaks")
    if vectors is None:
        _empty(axes, "no sentences, or the embedding model is not here")
        return
    step = -(-len(vectors) // _MOST_SENTENCES)
    some = vectors[::step]
    image = axes.imshow(some @ some.T, cmap="cividis", vmin=0, vmax=1, extent=(0, len(vectors), len(vectors), 0))
    place = {sentence: position for position, sentence in enumerate(trusted(found.sentences))}
    for found_break in found.topic_breaks:
        at = place[found_break.after_sentence + 1]
        axes.axhline(at, color="white", linewidth=0.8)
        axes.axvline(at, color="white", linewidth=0.8)
    axes.set(xlabel="sentence", ylabel="sentence")
    axes.figure.colorbar(image, ax=axes, label="cosine similarity", shrink=0.8)


def _curve(axes: Axes, found: Segmentation) -> None:
    axes.set_title("What the topic rule saw, with its breaks")
    if found.topic_curve is None:
        _empty(axes, "no sentences to compare")
        return
    axes.plot(found.topic_curve.times, found.topic_curve.scores, color="#2b5c8a", linewidth=1.2)
    for found_break in found.topic_breaks:
        axes.axvline(found_break.time, color="#c8324b", linewidth=0.5 + 1.5 * found_break.strength)
    if found.topic_curve.threshold is not None:
        axes.axhline(found.topic_curve.threshold, color="#5c6473", linestyle="--", linewidth=1)
    axes.set(xlabel="s", ylabel=found.topic_curve.measure, xlim=(0, found.recording.duration))


def _events(axes: Axes, found: Segmentation) -> None:
    axes.set_title("Events and their tracks")
    tracks = [track for event in found.events for track in event.tracks]
    if not tracks:
        _empty(axes, "no events")
        return
    labels = list(dict.fromkeys(track.label for track in tracks))
    for row, track in enumerate(tracks):
        colour = _LABEL_COLOURS[labels.index(track.label) % len(_LABEL_COLOURS)]
        first = track is next(t for t in tracks if t.label == track.label)
        axes.barh(row, track.end - track.start, left=track.start, color=colour, label=track.label if first else None)
    for event in found.events:
        axes.axvspan(event.start, event.end, color="#dd9a36", alpha=0.12, linewidth=0)
    axes.invert_yaxis()
    axes.set(xlabel="s", ylabel="track", xlim=(0, found.recording.duration), yticks=[])
    axes.legend(loc="upper left", bbox_to_anchor=(0, 1.02), frameon=True, framealpha=0.85, edgecolor="none")


def _lengths(axes: Axes, found: Segmentation) -> None:
    axes.set_title("Lengths of the chunks")
    for kind, colour in _KIND_COLOURS.items():
        own = [(i, c.end - c.start) for i, c in enumerate(found.chunks, 1) if c.kind == kind]
        if own:
            axes.bar([i for i, _ in own], [seconds for _, seconds in own], color=colour, label=kind)
    axes.set(xlabel="chunk", ylabel="s")
    axes.legend(frameon=False)


def _empty(axes: Axes, why: str) -> None:
    axes.text(0.5, 0.5, why, ha="center", va="center", color="#5c6473", transform=axes.transAxes)
    axes.set(xticks=[], yticks=[])
