"""The memory of answers: what it keeps, what it forgets, and that nothing depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from segmenter.topics.remembered import Remembered, key


def test_what_was_put_is_got_and_put_anew_replaced(tmp_path: Path) -> None:
    known = Remembered(tmp_path / "a.sqlite")
    known.put({key("m", f"{i}"): f"{i}".encode() for i in range(1200)})
    known.put({key("m", "7"): b"seven"})
    found = known.get([key("m", f"{i}") for i in range(1300)])
    assert len(found) == 1200
    assert found[key("m", "7")] == b"seven"
    assert known.get([key("other", "7")]) == {}


def test_the_oldest_is_forgotten_when_it_is_full(tmp_path: Path) -> None:
    """Four thousand answers of 1 kB through a memory of 1 MB: the last are known, the first are not, the file stays small."""
    path = tmp_path / "a.sqlite"
    known = Remembered(path, most_bytes=1_000_000)
    names = [[key("m", f"{batch} {i}") for i in range(100)] for batch in range(40)]
    for some in names:
        known.put(dict.fromkeys(some, b"x" * 1000))
        assert len(known.get(some)) == 100
    kept = [len(known.get(some)) for some in names]
    assert 500 < sum(kept) < 1000
    assert kept == sorted(kept)  # the younger, the more of it
    assert path.stat().st_size < 1_600_000


@pytest.mark.parametrize("damage", [b"this is no database" * 100, b""])
def test_a_damaged_memory_forgets(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(damage)
    known = Remembered(path)
    known.put({b"k": b"answer"})
    assert known.get([b"k"]) in ({}, {b"k": b"answer"})
    assert known.get([b"other"]) == {}


def test_a_memory_that_cannot_be_written_forgets(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    known = Remembered(tmp_path / "file" / "a.sqlite")
    known.put({b"k": b"answer"})
    assert known.get([b"k"]) == {}
