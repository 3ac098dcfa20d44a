"""OpenVINO keeps to itself."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

CODE = """
from segmenter.weights.quiet_openvino import import_openvino
import_openvino()
from openvino.tools.ovc import telemetry_utils
print(telemetry_utils.tm.__name__)
"""


def test_a_conversion_is_told_to_nobody() -> None:
    if find_spec("openvino") is None:
        pytest.skip("openvino is not installed")
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "openvino.tools.ovc.telemetry_stub"
