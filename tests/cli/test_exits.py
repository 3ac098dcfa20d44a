"""What the person reads when something went wrong."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from segmenter.cli.exits import describe
from segmenter.errors import SettingsError


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_full_disk_is_not_called_a_fault_of_the_program(number: int) -> None:
    said = describe(OSError(number, os.strerror(number), "out/segments.json"))
    assert said == f"error: out/segments.json: {os.strerror(number)} (make room, or choose another place)"


def test_nor_where_a_store_in_another_language_tells_it_as_text() -> None:
    said = describe(RuntimeError(f"lance error: LanceError(IO): {os.strerror(errno.ENOSPC)} (os error 28), src/x.rs:12"))
    assert said == f"error: the output: {os.strerror(errno.ENOSPC)} (make room, or choose another place)"


def test_an_error_of_the_users_is_said_in_one_line() -> None:
    assert describe(SettingsError("no rule x", hint="choose one")) == "error: no rule x (choose one)"


def test_what_should_not_happen_asks_for_a_report() -> None:
    assert "--debug" in describe(ZeroDivisionError("division by zero"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
def test_a_full_output_ends_with_a_plain_message() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "segmenter", "models", "list"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "report it" not in done.stderr


def test_debug_is_taken_by_every_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "segmenter", "search", "pump", "--store", "nowhere", "--debug"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: nowhere: no store there")
