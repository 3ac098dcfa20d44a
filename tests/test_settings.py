"""Settings: the ways in agree, and what is wrong is told with its name."""

from __future__ import annotations

import datetime

import pytest

from segmenter.errors import SettingsError
from segmenter.kit import Kit
from segmenter.records import ModelFile
from segmenter.settings import Settings


def test_the_file_and_the_call_say_the_same() -> None:
    by_file = Settings.from_dict({"vision": {"tracker": "motion", "labels": ["dog"]}, "chunks": {"min_s": 5}})
    by_call = Settings().changed("vision", tracker="motion", labels=("dog",)).changed("chunks", min_s=5)
    assert by_file == by_call
    assert Settings.from_dict(by_file.as_dict()) == by_file


@pytest.mark.parametrize(
    ("stage", "values", "word"),
    [
        ("visoin", {"tracker": "motion"}, "speech, topics, vision, chunks"),
        ("vision", {"trakcer": "motion"}, "tracker"),
        ("vision", {"rate_hz": -5.0}, r"vision\.rate_hz = -5\.0 is out of range"),
        ("topics", {"percentile": True}, r"topics\.percentile = True"),
        ("topics", {"topics_count": 3, "topic_length_s": 60.0}, "exclude each other"),
        ("vision", {"hold_s": float("inf")}, "finite"),
        ("vision", {"hold_s": float("nan")}, "finite"),
        ("vision", {"confidence": 1.5}, "between 0 and 1"),
        ("speech", {"vad_on": 0.2, "vad_off": 0.9}, "lower vad_off"),
        ("speech", {"window_min_s": 20.0, "window_max_s": 10.0}, "lower window_min_s"),
        ("chunks", {"max_s": 5.0, "min_s": 4.0}, "leave two that may stand"),
    ],
)
def test_what_cannot_be_is_refused_by_name(stage: str, values: dict[str, object], word: str) -> None:
    with pytest.raises(SettingsError, match=word):
        Settings().changed(stage, **values)


def test_a_misspelt_name_in_a_file_is_told() -> None:
    with pytest.raises(SettingsError, match=r"no setting vision\.holds"):
        Settings.from_dict({"vision": {"holds": 2}})
    with pytest.raises(SettingsError, match="an array"):
        Settings.from_dict({"vision": {"labels": 3}})


@pytest.mark.parametrize("value", [True, "95", datetime.date(2020, 1, 1), [95.0]])
def test_nothing_in_a_file_is_taken_for_a_number_but_a_number(value: object) -> None:
    with pytest.raises(SettingsError, match=r"topics\.percentile: .*number"):
        Settings.from_dict({"topics": {"percentile": value}})
    assert Settings.from_dict({"topics": {"percentile": 95}}) == Settings()


def test_a_back_end_is_made_anew_where_it_must_be_made_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The podcast after the video has all cores."""
    made: list[object] = []
    monkeypatch.setattr("segmenter.table.load", lambda *_: lambda *arguments: made.append(arguments[-1]))
    kit, models = Kit(Settings()), {"transcriber": ModelFile("base", "/m", "0", "cache")}
    for threads in (1, 1, 2, 2, 1):
        kit.transcriber(models, threads)
    assert made == [1, 2, 1]
