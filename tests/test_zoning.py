"""The file of zones: read from TOML and JSON alike, and what is wrong in it told with its place."""

from __future__ import annotations

import json
from pathlib import Path

import av
import numpy as np
import pytest
from conftest import REPOSITORY
from PIL import Image
from typer.testing import CliRunner

from segmenter import zoning
from segmenter.cli.app import app
from segmenter.errors import SettingsError
from segmenter.settings import Settings
from segmenter.zoning import Line, Zone, Zoning

TOML = """
[[zones]]
name = "door"
polygon = [[0.1, 0.2], [0.4, 0.2], [0.4, 0.9]]
labels = ["person"]
min_height = 0.1
dwell_s = 2

[[lines]]
name = "gate"
start = [0.5, 1]
end = [0.5, 0]
"""
DOOR = Zone("door", ((0.1, 0.2), (0.4, 0.2), (0.4, 0.9)), ("person",), 0.1, 2.0)


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(TOML)
    data = {
        "zones": [{"name": "door", "polygon": DOOR.polygon, "labels": ["person"], "min_height": 0.1, "dwell_s": 2}],
        "lines": [{"name": "gate", "start": [0.5, 1], "end": [0.5, 0]}],
    }
    (tmp_path / "a.json").write_text(json.dumps(data))
    read = [zoning.read(tmp_path / name) for name in ("a.toml", "a.json")]
    assert read == [Zoning((DOOR,), (Line("gate", (0.5, 1.0), (0.5, 0.0)),))] * 2


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.toml", "[[zones]\nname = 1", "line 1"),
        ("a.json", '{"zones":\n [{"name": "a",}]}', "line 2"),
        ("a.toml", '[[zones]]\nname = "a"', "zones[0].polygon: Field required"),
        ("a.toml", TOML + "\n[[zones]]\nname = 'b'\npolygon = [[0, 0], [1, 'x'], [1, 1]]", "zones[1].polygon[1][1]"),
        ("a.toml", TOML.replace("dwell_s", "dwel"), "zones[0].dwel: unknown name"),
        ("a.toml", TOML.replace("0.9]", "1.9]"), "zone 'door' lies outside the picture: [0.4, 1.9]"),
        ("a.toml", TOML.replace(", [0.4, 0.9]", ""), "2 corners"),
        ("a.toml", TOML.replace('"gate"', '"door"'), "two zones or lines called 'door'"),
        ("a.toml", TOML.replace("end = [0.5, 0]", "end = [0.5, 1]"), "ends where it starts"),
        ("a.toml", TOML.replace("0.1\ndwell", "7\ndwell"), "min_height = 7"),
        ("a.json", '{"zones": [{"name": "a", "polygon": [[0,0],[1,1],[1,0],[0,1]]}]}', "Self-intersection"),
        ("a.toml", "", "neither zones nor lines"),
        ("a.toml", "zone = 1", "unknown name"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, name: str, text: str, place: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SettingsError) as caught:
        zoning.read(tmp_path / name)
    assert place in str(caught.value)
    assert name in str(caught.value)


def test_zones_go_into_settings_and_back(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(TOML)
    drawn = zoning.read(tmp_path / "a.toml")
    settings = Settings().changed("vision", zones=drawn.zones, lines=drawn.lines)
    assert Settings.from_dict(json.loads(json.dumps(settings.as_dict()))) == settings


def test_the_page_about_zones_shows_a_file_that_is_one(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "zones.md").read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "a.toml").write_text(text)
    assert zoning.read(tmp_path / "a.toml").zones


class TestCommand:
    def test_zones_are_drawn_on_a_picture(self, tmp_path: Path) -> None:
        """The zone's part of a black picture is no longer black, the rest is."""
        with av.open(str(tmp_path / "a.mp4"), "w") as container:
            stream = container.add_stream("libx264", rate=5)
            stream.width, stream.height, stream.pix_fmt = 640, 480, "yuv420p"
            for _ in range(10):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((480, 640, 3), np.uint8), format="rgb24")))
            container.mux(stream.encode(None))
        (tmp_path / "z.toml").write_text(TOML)
        out = tmp_path / "z.jpg"
        command = ["zones", str(tmp_path / "a.mp4"), "--zones", str(tmp_path / "z.toml"), "-o", str(out), "--at", "1"]
        done = CliRunner().invoke(app, command)
        assert (done.exit_code, done.stdout) == (0, f"{out}\n")
        picture = np.asarray(Image.open(out).convert("L"), float)
        assert picture.shape == (480, 640)
        assert picture[round(0.4 * 480), round(0.35 * 640)] > 30
        assert picture[round(0.1 * 480), round(0.8 * 640)] < 5

    def test_a_bad_file_is_told_and_nothing_written(self, tmp_path: Path) -> None:
        (tmp_path / "z.toml").write_text("[[zones]]\nname = 'a'")
        out = tmp_path / "z.jpg"
        done = CliRunner().invoke(app, ["zones", "a.mp4", "--zones", str(tmp_path / "z.toml"), "-o", str(out)])
        assert isinstance(done.exception, SettingsError)
        assert not out.exists()
