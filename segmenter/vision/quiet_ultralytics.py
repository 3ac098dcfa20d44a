"""Importing ultralytics so that it keeps to itself: nothing is installed, sent or downloaded behind the user's back."""

from __future__ import annotations

import os
from types import ModuleType

from segmenter.weights.store import cache_folder


def import_ultralytics() -> ModuleType:
    """The package ultralytics, with its own initiative switched off.

    It reads these variables once, while it is imported (its source: `ultralytics/utils/__init__.py`). They do not stop
    it from downloading weights that are named but absent: give it paths of existing files only.
    """
    os.environ["YOLO_AUTOINSTALL"] = "false"  # else a missing package is installed by pip, in the middle of a run
    os.environ["YOLO_OFFLINE"] = "true"  # no analytics, no crash reports, no look for a newer version
    os.environ["YOLO_VERBOSE"] = "false"  # else a line to the log for every frame
    os.environ["YOLO_CONFIG_DIR"] = str(cache_folder())  # else settings are written to the user's configuration
    import torch  # noqa: F401 - first, or it has one thread: ultralytics sets OMP_NUM_THREADS for all that is loaded later
    import ultralytics

    return ultralytics
