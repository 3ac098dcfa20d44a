"""Stills: the right picture under each name, tracks cut out where they are sharp, nothing twice; and the sheet of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from pages import film_run as film_run
from PIL import Image, ImageFilter
from recorded import found, grey, visit

from segmenter import Segmentation
from segmenter.formats import stills_json
from segmenter.formats.stills_json import chunk_name, event_name, opening_name, track_name
from segmenter.media.probe import probe
from segmenter.records import Box, Recording, View
from segmenter.report import contact, stills
from segmenter.report.shots import MOST_TRACKS, shots

Run = tuple[Segmentation, Path]
WIDTH, HEIGHT, RATE_HZ = 640, 360, 10
THING = Box(0.25, 0.25, 0.5, 0.75)


def pixels(path: Path) -> NDArray[np.float64]:
    with Image.open(path) as image:
        return np.asarray(image.convert("L"), float)


class TestShots:
    def test_the_best_view_is_taken_where_it_lies_in_the_chunk(self, film_run: Run) -> None:
        result, _ = film_run
        times = {shot.name: shot.time for shot in shots(result)}
        assert times[event_name(1)] == result.events[0].tracks[0].best.time
        assert times[opening_name(1)] == result.events[0].start
        for i, chunk in enumerate(result.chunks):
            assert chunk.start <= times[chunk_name(i)] <= chunk.end

    def test_a_track_of_two_events_has_a_view_in_each(self, film_run: Run) -> None:
        first, second = visit(1, 2, 4), replace(visit(2, 8, 10), tracks=(replace(visit(1, 8, 10).tracks[0], id=1),))
        result = found(film_run[0].recording, events=(first, second))
        times = {shot.name: shot.time for shot in shots(result)}
        assert (times[track_name(1, 1)], times[track_name(2, 1)]) == (3.0, 9.0)

    def test_of_a_crowd_the_clearest_are_taken(self, film_run: Run) -> None:
        one = visit(1, 2, 4)
        crowd = tuple(replace(one.tracks[0], id=i, best=View(3.0, THING, i / 100)) for i in range(1, 31))
        result = found(film_run[0].recording, events=(replace(one, tracks=crowd),))
        cut = [shot.name for shot in shots(result) if shot.box is not None]
        assert cut == [track_name(1, i) for i in range(30, 30 - MOST_TRACKS, -1)]


class TestStills:
    def test_each_name_has_the_picture_of_its_time(self, film_run: Run) -> None:
        """Each second of the film has a grey of its own."""
        result, run = film_run
        taken = stills_json.read(run / "stills")
        for shot in shots(result):
            picture = pixels(run / "stills" / taken[shot.name]["file"])
            assert abs(float(np.median(picture)) - grey(taken[shot.name]["time"])) < 6
            assert abs(taken[shot.name]["time"] - shot.time) < (0.31 if shot.box else 0.1)
            assert shot.box is not None or picture.shape == (180, 320)

    def test_pictures_alike_are_one_file(self, film_run: Run) -> None:
        result, run = film_run
        taken = stills_json.read(run / "stills")
        files = {path.name for path in (run / "stills").glob("*.jpg")}
        assert {entry["file"] for entry in taken.values()} == files
        whole = [pixels(run / "stills" / name) for name in sorted(files) if "track" not in name]
        for i, one in enumerate(whole):
            assert all(np.abs(one - other).max() > 4 for other in whole[:i])
        assert len(files) < len(shots(result))

    def test_somebody_small_makes_another_picture(self, tmp_path: Path) -> None:
        """Three per cent of the height in an otherwise unchanged scene, as a hash of 64 bits would overlook."""

        def paint(image: NDArray[np.uint8], time: float) -> None:
            if 5 <= time < 6:
                image[200:211, 300:306] = 255

        result = found(_film(tmp_path, paint), events=(visit(1, 5, 6),))
        stills.write(result, tmp_path / "stills")
        taken = stills_json.read(tmp_path / "stills")
        assert taken[event_name(1)]["file"] != taken[chunk_name(0)]["file"]

    def test_a_track_is_cut_out_where_it_is_sharp(self, tmp_path: Path) -> None:
        """The best look, at 5.0 s, is blurred by motion; a tenth of a second later it is not."""
        random = np.random.default_rng(1)
        texture = random.integers(0, 255, (HEIGHT // 2, WIDTH // 4, 3), dtype=np.uint8)
        blurred = np.asarray(Image.fromarray(texture).filter(ImageFilter.GaussianBlur(5)))

        def paint(image: NDArray[np.uint8], time: float) -> None:
            sharp = 5.05 <= time < 5.15
            image[HEIGHT // 4 : HEIGHT * 3 // 4, WIDTH // 4 : WIDTH // 2] = texture if sharp else blurred

        one = visit(1, 4, 6)
        event = replace(one, tracks=(replace(one.tracks[0], best=View(5.0, THING, 0.9)),))
        stills.write(found(_film(tmp_path, paint), events=(event,)), tmp_path / "stills")
        taken = stills_json.read(tmp_path / "stills")[track_name(1, 1)]
        assert taken["time"] == pytest.approx(5.1, abs=0.01)
        height, width = pixels(tmp_path / "stills" / taken["file"]).shape
        assert width / height == pytest.approx((0.25 * 1.4 * WIDTH) / (0.5 * 1.4 * HEIGHT), abs=0.02)

    def test_they_are_small_and_the_same_each_time(self, film_run: Run, tmp_path: Path) -> None:
        result, run = film_run
        stills.write(result, tmp_path / "again")
        for path in (run / "stills").iterdir():
            assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
            assert path.stat().st_size < 30_000


class TestSheet:
    def test_it_shows_every_picture_once_in_order(self, film_run: Run) -> None:
        """Tiles four in a row, each as bright as its moment of the film."""
        result, run = film_run
        sheet = pixels(run / "contact.jpg")
        taken = stills_json.read(run / "stills")
        times = {taken[s.name]["file"]: taken[s.name]["time"] for s in reversed(shots(result)) if _on_sheet(s.name)}
        for number, time in enumerate(sorted(times.values())):
            row, column = divmod(number, 4)
            tile = sheet[46 + row * 214 : 46 + row * 214 + 180, 10 + column * 330 : 10 + column * 330 + 320]
            assert abs(float(np.median(tile)) - grey(time)) < 6
        assert sheet.shape[1] == 1330

    def test_a_long_recording_has_no_longer_a_sheet_than_can_be_looked_at(self, film_run: Run, tmp_path: Path) -> None:
        result = film_run[0]
        many = replace(result, chunks=tuple(replace(result.chunks[0], id=str(i)) for i in range(200)))
        (tmp_path / "stills").mkdir()
        for i in range(200):
            Image.new("RGB", (320, 180)).save(tmp_path / "stills" / chunk_name(i))
        entries = {chunk_name(i): {"file": chunk_name(i), "time": float(i)} for i in range(200)}
        (tmp_path / "stills" / stills_json.NAME).write_text(str(entries).replace("'", '"'))
        contact.write(many, tmp_path / "contact.jpg")
        assert pixels(tmp_path / "contact.jpg").shape[0] == 46 + 15 * 214

    def test_without_pictures_there_is_none(self, film_run: Run, tmp_path: Path) -> None:
        contact.write(film_run[0], tmp_path / "contact.jpg")
        assert not (tmp_path / "contact.jpg").exists()


def _on_sheet(name: str) -> bool:
    return "track" not in name and "opens" not in name


def _film(folder: Path, paint: Callable[[NDArray[np.uint8], float], None]) -> Recording:
    """Ten seconds of a still, structured scene, changed by `paint`."""
    random = np.random.default_rng(2)
    scene = np.asarray(Image.fromarray(random.integers(60, 180, (9, 16, 3), dtype=np.uint8)).resize((WIDTH, HEIGHT)))
    with av.open(str(folder / "a.mp4"), "w") as container:
        stream = container.add_stream("libx264", rate=RATE_HZ, options={"crf": "10", "preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for i in range(10 * RATE_HZ):
            image = scene.copy()
            paint(image, i / RATE_HZ)
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            frame.pts, frame.time_base = i, Fraction(1, RATE_HZ)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return probe(folder / "a.mp4", lambda _: None)
