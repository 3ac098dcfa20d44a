"""What a whole process costs, start-up and imports included, as its operating system counts it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from segmenter.errors import SegmenterError

_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the clock, seconds of work on all cores, and the most memory that was held at a time.

    On a machine that does other work too, compare the work.
    """

    wall_s: float
    cpu_s: float
    peak_mb: float


def measured(command: Sequence[str]) -> Cost:
    """Run a command to its end; what it prints is kept for the error alone. POSIX only.

    Raises:
        SegmenterError: it failed; with the end of what it printed.
    """
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        printed = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = time.perf_counter() - began
    if process.returncode:
        said = printed.decode(errors="replace").strip()[-2000:]
        raise SegmenterError(f"{' '.join(command[:4])} failed with exit status {process.returncode}", hint=said)
    return Cost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _UNIT_BYTES / 1e6)
