"""`segmenter topics` and `segmenter evaluate topics`: what they print and write."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from segmenter.cli.app import app
from segmenter.cli.topic_options import seconds
from segmenter.topics.breaks import RULES


def srt(folder: Path, count: int = 40) -> Path:
    stamps = [f"00:{i // 15:02}:{i * 4 % 60:02},000 --> 00:{i // 15:02}:{i * 4 % 60 + 3:02},000" for i in range(count)]
    path = folder / "talk.srt"
    cues = [f"{i + 1}\n{stamp}\nSentence {i} ends here.\n" for i, stamp in enumerate(stamps)]
    path.write_text("\n".join(cues), encoding="utf-8")
    return path


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_list_has_every_rule() -> None:
    shown = invoke("topics", "list")
    assert all(name in shown for name in RULES)


def test_a_rule_on_a_transcript_as_json(tmp_path: Path) -> None:
    found = json.loads(invoke("topics", str(srt(tmp_path)), "--topics", "fixed", "--json", "--config", str(small(tmp_path))))
    assert found["sentences"] == 40
    assert [p["first"] for p in found["passages"][1:]] == [b["after_sentence"] + 1 for b in found["breaks"]]
    assert found["passages"][-1]["last"] == 39


def test_chunks_in_chunks_name_their_parents(tmp_path: Path) -> None:
    found = json.loads(
        invoke("topics", str(srt(tmp_path)), "--topics", "hierarchical", "--json", "--config", str(small(tmp_path)))
    )
    passages = found["passages"]
    for passage in passages:
        if passage["parent"] is not None:
            parent = passages[passage["parent"]]
            assert parent["level"] == passage["level"] - 1
            assert parent["first"] <= passage["first"] <= passage["last"] <= parent["last"]
    assert {p["level"] for p in passages} == {0, 1}


def small(folder: Path) -> Path:
    path = folder / "settings.toml"
    path.write_text("[topics]\nbudget_tokens = 50\nhierarchy_tokens = [100, 25]\n", encoding="utf-8")
    return path


def test_explain_writes_every_gap(tmp_path: Path) -> None:
    target = tmp_path / "gaps.csv"
    invoke("topics", str(srt(tmp_path)), "--topics", "texttiling_words", "--explain", str(target))
    with target.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 39
    assert sorted(int(row["rank"]) for row in rows) == list(range(1, 40))
    assert all(row["why"] for row in rows)


@pytest.mark.parametrize("rule", ["texttiling_words", "fixed"])
def test_a_run_explains_its_gaps_like_the_command(tmp_path: Path, rule: str) -> None:
    path, alone = srt(tmp_path), tmp_path / "alone.csv"
    invoke("run", str(path), "--topics", rule, "--explain", "--no-report", "-o", str(tmp_path / "out"))
    invoke("topics", str(path), "--topics", rule, "--explain", str(alone))
    written = (tmp_path / "out" / path.stem / "topics.csv").read_text(encoding="utf-8")
    if rule == "fixed":  # sizes alone decide: no gap is likelier than another
        assert written.count("\n") == 1
    else:
        assert written == alone.read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "value"), [("3min", 180), ("1.5h", 5400), ("90", 90), ("90s", 90), ("1:30", 90), ("2m", 120)])
def test_lengths_of_time(text: str, value: float) -> None:
    assert seconds(text) == value


def test_evaluate_prints_what_was_promised(tmp_path: Path) -> None:
    row = {
        "id": "a",
        "language": "en",
        "sentences": [{"text": f"Words {i}.", "speaker": None, "start": None, "end": None} for i in range(30)],
        "boundaries": {"coarse": [9, 19], "fine": []},
    }
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    found = json.loads(invoke("evaluate", "topics", str(path), "--strategy", "fixed,sentences", "--json"))["strategies"]
    assert list(found) == ["none", "even", "random", "fixed", "sentences"]
    assert {"pk", "window_diff", "f1_0", "f1_1", "f1_3", "made", "true"} <= set(found["fixed"]["overall"])
    assert found["even"]["overall"]["f1_0"] == 1
    assert "WindowDiff" in invoke("evaluate", "topics", str(path), "--strategy", "fixed")
