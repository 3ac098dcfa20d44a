"""The examples of the page about frameworks do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import REPOSITORY
from finished import runs as runs
from finished import store as store

PAGE = (REPOSITORY / "docs" / "frameworks.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_there_is_an_example_for_each_door() -> None:
    assert len(EXAMPLES) == 6


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split("\n", 1)[0][-40:])
def test_an_example_runs(
    example: str, runs: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: dict[str, object] = {}
    if "langchain" in example:
        pytest.importorskip("langchain_text_splitters")
        from test_langchain_doors import Words

        given["embeddings"] = Words()
    else:
        pytest.importorskip("llama_index.core")
        from test_llamaindex_doors import Words as NodeWords

        given["embed_model"] = NodeWords()
    runs.rename(tmp_path / "segments")
    assert store == tmp_path / "store"
    monkeypatch.chdir(tmp_path)
    exec(example, given)
    assert given.get("pieces") or given.get("found") or capsys.readouterr().out
