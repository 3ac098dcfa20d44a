"""Figures of a run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from pages import film_run as film_run
from recorded import found, long_talk
from typer.testing import CliRunner

from segmenter import Segmentation
from segmenter.cli.app import app
from segmenter.cli.exits import code_for
from segmenter.errors import SegmenterError
from segmenter.records import Recording
from segmenter.report import plots

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def unit_vectors(count: int) -> plots.Vectors:
    made = np.random.default_rng(1).normal(size=(count, 8)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def test_a_figure_has_all_four_parts_and_is_the_same_each_time(film_run: tuple[Segmentation, Path], tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        plots.write(film_run[0], unit_vectors(3), tmp_path / name)  # one of four sentences is doubtful
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.svg").read_text(encoding="utf-8")
    titles = re.findall(r"<!-- (.*?) -->", text)
    parts = ("Similarity of sentences", "What the topic rule saw", "Events and their tracks", "Lengths of the chunks")
    for words in (*parts, "person", "car"):
        assert any(title.startswith(words) for title in titles), words


@pytest.mark.parametrize("name", ["figure.png", "figure.svg", "figure.pdf"])
def test_a_recording_in_which_nothing_happens_has_a_figure(tmp_path: Path, name: str) -> None:
    empty = found(Recording("/r/still.mp4", "0" * 16, 20.0, "counted"), said=(), events=())
    plots.write(empty, plots.vectors(empty), tmp_path / name)
    assert (tmp_path / name).stat().st_size > 5000


def test_ten_hours_have_a_figure_of_bearable_size(tmp_path: Path) -> None:
    plots.write(long_talk(), unit_vectors(5000), tmp_path / "long.png")
    assert (tmp_path / "long.png").stat().st_size < 2_000_000


def test_plot_writes_the_figure_of_a_folder(film_run: tuple[Segmentation, Path], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["plot", str(film_run[1]), "-o", str(tmp_path / "figure.png")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_kind_of_figure_says_which_are_known(film_run: tuple[Segmentation, Path], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["plot", str(film_run[1]), "-o", str(tmp_path / "figure.docx")])
    assert isinstance(done.exception, SegmenterError)
    assert ".svg" in str(done.exception)
    assert code_for(done.exception) == 2
