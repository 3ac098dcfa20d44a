"""What is wrong with a file, in words that its author understands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segmenter.errors import BadInput
from segmenter.formats.faults import table, told


@pytest.mark.parametrize(
    ("text", "reader", "said"),
    [
        ("{}", lambda data: data["events"], "'events' is missing"),
        ("[1]", table, "it is no JSON object"),
        ('{"a": 3}', lambda data: list(data["a"]), "something in it is of the wrong type ('int' object is not iterable)"),
        ('{"a": "x"}', lambda data: float(data["a"]), "could not convert string to float: 'x'"),
        ('{"a": ', table, "it is no JSON (Expecting value at character 7)"),
        ('{"a":\n"b" 3}', table, "it is no JSON (Expecting ',' delimiter at line 2, character 5)"),
        ("[" * 100_000, table, "it is nested too deep"),
    ],
)
def test_each_fault_is_told_with_its_file_and_the_form(text: str, reader: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(BadInput) as raised, told(Path("a.json"), "no such thing", "wanted: {}"):
        reader(json.loads(text))
    assert str(raised.value) == f"a.json: no such thing: {said} (wanted: {{}})"


def test_what_is_told_already_stays_as_it_is() -> None:
    with pytest.raises(BadInput, match=r"^b\.json: broken$"), told("a.json", "no such thing"):
        raise BadInput("broken", path="b.json")
