"""Runs the command line in child processes that are forked from one with everything imported: seconds saved on each.

    python forking.py            reads a job a line from standard input, answers a result a line

A job is {"argv", "cwd", "stdout", "stderr", "timeout"}; a result is {"status", "peak_mb"}, where a status below zero
is the signal that ended the child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any


class ForkServer:
    """The other end of this script."""

    def __enter__(self) -> ForkServer:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        return self

    def run(self, **job: Any) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(job), file=self._process.stdin, flush=True)
        result: dict[str, Any] = json.loads(self._process.stdout.readline())
        return result

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _child(job: dict[str, Any]) -> None:
    from segmenter.cli.app import main

    os.chdir(job["cwd"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.alarm(job["timeout"])
    sys.argv = ["segmenter", *job["argv"]]
    status = 0
    try:
        main()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _serve() -> None:
    import segmenter.pipeline
    import segmenter.topics.sentence_transformer
    import segmenter.vision.motion  # noqa: F401

    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                _child(json.loads(line))
            finally:
                os._exit(99)  # never back into the server's loop
        _, status, usage = os.wait4(pid, 0)
        result = {"status": os.waitstatus_to_exitcode(status), "peak_mb": usage.ru_maxrss / 1024}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    _serve()
