"""Importing OpenVINO so that it keeps to itself."""

from __future__ import annotations

import sys
from types import ModuleType


def import_openvino() -> ModuleType:
    """The package openvino, which without its telemetry package tells nobody that a model is converted.

    Its converter sends that to its makers unless asked not to (its source: `openvino/tools/ovc/telemetry_utils.py`), and
    looks for the telemetry package once, while openvino is imported.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # an import of None fails
    import openvino

    module: ModuleType = openvino
    return module
