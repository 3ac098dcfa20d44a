"""Ultralytics keeps to itself: what it was told is what it understood."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

CODE = """
from segmenter.vision.quiet_ultralytics import import_ultralytics
utils = import_ultralytics().utils
from ultralytics.utils.events import events
print(utils.ONLINE, utils.AUTOINSTALL, utils.VERBOSE, events.enabled, utils.USER_CONFIG_DIR)
"""


def test_ultralytics_neither_installs_nor_sends_nor_writes_outside_the_cache(tmp_path: Path) -> None:
    if find_spec("ultralytics") is None:
        pytest.skip("ultralytics is not installed")
    environment = {"PATH": "", "HOME": str(tmp_path / "home"), "SEGMENTER_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
    *switches, settings = done.stdout.split()
    assert switches == ["False"] * 4
    assert Path(settings).is_relative_to(tmp_path / "cache")
    assert not list(tmp_path.glob("home/.config/Ultralytics"))
