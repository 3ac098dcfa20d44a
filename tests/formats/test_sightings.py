"""What is seen, kept and read back: nothing gets lost, and what is broken is told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segmenter.errors import BadInput, NotAFile, SegmenterError
from segmenter.formats.sightings import KeptSightings, Origin, writing
from segmenter.records import Box, Finding, Observation, Sighting

ORIGIN = Origin("0123456789abcdef", "yolo", "yolo26n", 5.0)
HEAD = b'{"sightings":1,"recording":"0123456789abcdef","tracker":"yolo","model":null,"rate_hz":5.0}\n'
TAIL = b'{"end":9.0,"findings":[]}\n'


@dataclass
class Given:
    origin: Origin
    observations: Sequence[Observation]
    end: float = 60.0
    findings: Sequence[Finding] = ()

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.observations)


def keep(path: Path, source: Given) -> list[Observation]:
    """Writes the file; the observations as they passed."""
    with writing(path, source.origin) as file:
        passed = list(file.note(source))
        file.close(source)
    return passed


edges = st.floats(0, 1)
boxes = st.tuples(edges, edges, edges, edges).map(lambda e: Box(min(e[:2]), min(e[2:]), max(e[:2]), max(e[2:])))
sightings = st.builds(Sighting, st.integers(0, 2**40), st.text(max_size=8), edges, boxes)
looks = st.lists(st.lists(sightings, max_size=3), max_size=20)


@given(looks, st.floats(0.05, 9.0))
def test_read_back_it_is_what_passed(tmp_path_factory: pytest.TempPathFactory, seen: list[list[Sighting]], step: float) -> None:
    path = tmp_path_factory.mktemp("kept") / "sightings.jsonl.gz"
    finding = Finding("damaged_pictures", "2 pictures", 1.0, 2.0)
    passed = keep(path, Given(ORIGIN, [Observation(i * step, tuple(s)) for i, s in enumerate(seen)], 60.5, (finding,)))
    kept = KeptSightings(path)
    assert list(kept) == passed
    assert (kept.origin, kept.end, kept.findings) == (ORIGIN, 60.5, (finding,))


@given(looks)
def test_what_passes_is_what_was_seen_to_a_hundredth_of_a_pixel(
    tmp_path_factory: pytest.TempPathFactory, seen: list[list[Sighting]]
) -> None:
    given_ones = [Observation(i / 7, tuple(s)) for i, s in enumerate(seen)]
    for before, after in zip(given_ones, keep(tmp_path_factory.mktemp("kept") / "s", Given(ORIGIN, given_ones)), strict=True):
        assert after.time == pytest.approx(before.time, abs=1e-6)
        for a, b in zip(before.sightings, after.sightings, strict=True):
            assert (a.track, a.label) == (b.track, b.label)
            assert b.box == pytest.approx(a.box, abs=1e-5)


def test_the_same_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        keep(tmp_path / name, Given(ORIGIN, [Observation(0.5)]))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_plain_file_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(HEAD + b'[0.2]\n[0.4,[1,"dog",0.5,0,0,0.5,1]]\n' + TAIL)
    assert list(KeptSightings(tmp_path / "s.jsonl")) == [
        Observation(0.2),
        Observation(0.4, (Sighting(1, "dog", 0.5, Box(0, 0, 0.5, 1)),)),
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"[",
        b"7",
        b"[]",
        b'["1"]',
        b"[true]",
        b"[-1]",
        b"[1e999]",
        b"[NaN]",
        b'[1,[1,"dog",0.5,0,0,0.5]]',
        b'[1,[1,"dog",0.5,0.6,0,0.5,1]]',
        b'[1,[1,"dog",0.5,-0.1,0,0.5,1]]',
        b'[1,[1,"dog",0.5,0,0,0.5,1e308]]',
        b'[1,[1,"dog",7,0,0,0.5,1]]',
        b'[1,[1.5,"dog",0.5,0,0,0.5,1]]',
        b"[1,[1,null,0.5,0,0,0.5,1]]",
        b"[1]\n[1]",
        b"[" * 5000,
        b"9" * 5000,
        b"\xff\xfe",
    ],
)
def test_a_broken_line_is_told_with_its_number(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEAD + b"[0.2]\n" + line + b"\n" + TAIL)
    with pytest.raises(BadInput, match=r"line [34]: no sightings"):
        list(KeptSightings(path))


@pytest.mark.parametrize("head", [b"", b"{}\n", b'{"sightings":2}\n', b"WEBVTT\n\n", b"\x1f\x8bnot gzip", b'{"sightings":1}\n'])
def test_another_file_is_no_file_of_sightings(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(head)
    with pytest.raises(SegmenterError):
        KeptSightings(path)


def test_a_file_that_was_cut_off_is_not_taken_for_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEAD + b"[0.2]\n")
    with pytest.raises(BadInput, match="last line is missing"):
        list(KeptSightings(path))
    zipped = gzip.compress(HEAD + b"[0.2]\n" * 1 + TAIL)
    path.write_bytes(zipped[:-12])
    with pytest.raises(BadInput):
        list(KeptSightings(path))


def test_nothing_is_read_from_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotAFile):
        KeptSightings(tmp_path)


def test_the_file_is_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "s"
    keep(path, Given(ORIGIN, [Observation(0.2), Observation(0.4, (Sighting(3, "dog", 0.5, Box(0, 0, 0.5, 1)),))]))
    lines = gzip.decompress(path.read_bytes()).splitlines()
    assert [json.loads(line) for line in lines[1:]] == [
        [0.2],
        [0.4, [3, "dog", 0.5, 0, 0, 0.5, 1]],
        {"end": 60.0, "findings": []},
    ]


def test_a_file_with_damaged_bytes_is_told_as_broken(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl.gz"
    keep(path, Given(ORIGIN, [Observation(i / 5, (Sighting(i * 7919 % 1000, "cat", 0.5, Box(0, 0, 1, 1)),)) for i in range(900)]))
    whole = path.read_bytes()
    for at in range(20, len(whole) - 8, 61):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with pytest.raises(BadInput):
            list(KeptSightings(path))
