"""Units and vectors that look like a recording's, from a number."""

from __future__ import annotations

import numpy as np

from segmenter.retrieval.records import Rows, Unit, unit_id
from segmenter.retrieval.stores import Stamp, Store, Vectors

DIMENSION = 16


def stamp(backend: str = "lancedb", version: str = "1") -> Stamp:
    """`backend` may have the address of a server behind an @."""
    name, _, address = backend.partition("@")
    return Stamp(name, "made-up", version, DIMENSION, address=address)


def recording(name: str, sentences: int = 12, seed: int = 0) -> tuple[list[Unit], Vectors]:
    """A recording row, chunks without a vector, parents of four sentences, sentences and an event, with unit vectors."""
    random = np.random.default_rng([seed, *name.encode()])
    units = [Unit(unit_id(name, "recording", 0, sentences), name, "recording", 0, sentences, 0, f"Title of {name}")]
    units.append(Unit(unit_id(name, "chunk", 0, sentences), name, "chunk", 0, sentences, 0, "all of it"))
    for i in range(0, sentences, 4):
        text, key = f"{name} passage {i}", unit_id(name, "parent", i, i + 4)
        units.append(Unit(key, name, "parent", i, i + 4, i // 4, text, text, f"passag {name} p{i}", 4, "", units[1].id))
    for i in range(sentences):
        text, who = f"{name} says {i} in version {seed}", ("anna",) if i % 2 else ("ben", "anna")
        terms, parent = f"say {name} s{i}", unit_id(name, "parent", i - i % 4, i - i % 4 + 4)
        key = unit_id(name, "sentence", i, i + 0.9)
        units.append(Unit(key, name, "sentence", i, i + 0.9, i, text, text, terms, 5, parent, units[1].id, "en", who))
    labels, extra = ("person", "car"), {"still": "stills/1.jpg", "tracks": [1, 2]}
    text = "2 people, 1 car, 2.5 s"
    units.append(
        Unit(unit_id(name, "event", 2, 4.5), name, "event", 2, 4.5, 0, text, text, "peopl car", labels=labels, extra=extra)
    )
    vectors = random.standard_normal((len(units), DIMENSION)).astype(np.float32)
    return units, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def dump(store: Store) -> list[tuple[str, bytes]]:
    """All that a store holds, for comparing: each unit as JSON, and the bytes of its vector."""
    rows: Rows = store.scan()
    return [(unit.as_json(), vector.tobytes()) for unit, vector in zip(rows.units, rows.vectors, strict=True)]
