"""Small transcripts with questions, as the corpora have them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

WORDS = {
    "pump": ["The pump is worn out.", "Its bearing must be replaced.", "The pump leaks oil at the seal.", "We order a new pump."],
    "budget": ["The budget is too small.", "Travel costs half of the budget.", "They cut travel.", "The budget is agreed."],
    "party": ["The party is on Friday.", "Anna brings a cake.", "Music is played until ten.", "The cake has candles."],
    "garden": ["The garden needs water.", "Roses grow by the wall.", "The wall is painted white.", "Birds eat the cherries."],
}  # fmt: skip


def transcript(name: str, topics: list[str], language: str = "en") -> dict[str, Any]:
    """One question a topic, answered by its four sentences, and one about the second sentence alone."""
    texts = [text for topic in topics for text in WORDS[topic]]
    queries = []
    for i, topic in enumerate(topics):
        queries.append({"text": f"What do they say about the {topic}?", "kind": "broad", "evidence": [[4 * i, 4 * i + 3]]})
        queries.append({"text": WORDS[topic][1].lower(), "kind": "pointed", "evidence": [[4 * i + 1, 4 * i + 1]]})
    return {
        "id": name,
        "language": language,
        "sentences": [{"text": text, "speaker": None, "start": None, "end": None} for text in texts],
        "boundaries": {"coarse": [4 * i - 1 for i in range(1, len(topics))], "fine": []},
        "queries": queries,
    }


CORPUS = [transcript("one", ["pump", "budget", "party"]), transcript("two", ["garden", "party", "pump"])]


def write(path: Path, rows: list[dict[str, Any]] = CORPUS) -> Path:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
