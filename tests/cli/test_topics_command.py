"""`segmenter topics` and `segmenter evaluate topics`: what they print and write."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from segmenter.cli.app import app
from segmenter.cli.topic_options import seconds, size
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


@pytest.mark.parametrize("rule", ["texttiling_words", "fixed", "hierarchical", "structure"])
def test_a_run_explains_its_gaps_like_the_command(tmp_path: Path, rule: str) -> None:
    path, alone = srt(tmp_path), tmp_path / "alone.csv"
    invoke("run", str(path), "--topics", rule, "--explain", "--no-report", "-o", str(tmp_path / "out"))
    invoke("topics", str(path), "--topics", rule, "--explain", str(alone))
    written = (tmp_path / "out" / path.stem / "topics.csv").read_text(encoding="utf-8")
    assert written == alone.read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", ["fixed", "sliding", "sentences", "recursive", "hierarchical"])
def test_where_sizes_alone_decide_no_gap_has_a_score_or_a_rank(tmp_path: Path, rule: str) -> None:
    target = tmp_path / "gaps.csv"
    invoke("topics", str(srt(tmp_path)), "--topics", rule, "--explain", str(target), "--config", str(small(tmp_path)))
    with target.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 39
    assert all(row["rank"] == row["missed by"] == row["none: sizes alone decide"] == "" for row in rows)
    assert {row["why"] for row in rows if row["cut"] == "0"} == {"sizes alone decide"}
    assert any(row["cut"] == "1" for row in rows)


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


def evaluated(folder: Path, *arguments: str, timed: bool = True) -> str:
    rows = [
        {
            "id": name,
            "language": language,
            "sentences": [
                {"text": f"Words {i}.", "start": i * 2 if timed else None, "end": i * 2 + 1 if timed else None} for i in range(30)
            ],
            "boundaries": {"coarse": breaks, "fine": []},
        }
        for name, language, breaks in (("a", "en", [9, 19]), ("b", "de", []))
    ]
    (folder / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return invoke("evaluate", "topics", str(folder / "c.jsonl"), "--strategy", "none,structure", *arguments)


def test_the_table_shows_seconds_one_topic_texts_and_languages(tmp_path: Path) -> None:
    heads, none, *_ = evaluated(tmp_path).splitlines()
    assert all(head in heads for head in ("F1 3 s", "F1 6 s", "a text", "in one topic", "worse than none"))
    assert "0/2" in none
    rows = [line.split()[0] for line in evaluated(tmp_path).splitlines()[1:]]
    assert rows == [word for name in ("none", "even", "random", "structure") for word in (name, "de", "en")]


def test_the_table_shows_nothing_that_the_corpus_cannot_say(tmp_path: Path) -> None:
    shown = evaluated(tmp_path, "--language", "en", timed=False)
    assert not any(head in shown for head in ("F1 3 s", "F1 6 s", "in one topic", "  en"))


def test_evaluate_says_that_seconds_need_times(tmp_path: Path) -> None:
    assert "max_s = 10" in evaluated(tmp_path, "--topic-max", "10s", timed=False)
    assert "max_s" not in evaluated(tmp_path, "--topic-max", "10s")


@pytest.mark.parametrize(
    ("text", "value"),
    [("30s", ("s", 30)), ("5min", ("s", 300)), ("12 sentences", ("sentences", 12)), ("1sentence", ("sentences", 1)),
     ("300tokens", ("tokens", 300))],
)  # fmt: skip
def test_sizes_with_their_units(text: str, value: tuple[str, float]) -> None:
    assert size(text) == value


def test_least_and_greatest_sizes_on_the_command_line(tmp_path: Path) -> None:
    rule = ("--topics", "structure", "--json")
    found = json.loads(invoke("topics", str(srt(tmp_path)), *rule, "--topic-max", "40s", "--topic-max", "9sentences"))
    assert all(p["last"] - p["first"] < 9 and p["end"] - p["start"] <= 40 for p in found["passages"])
    found = json.loads(invoke("topics", str(srt(tmp_path)), *rule, "--topic-min", "60s", "--topic-max", "90s"))
    assert all(60 <= p["end"] - p["start"] <= 90 for p in found["passages"])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--topic-min", "2min", "--topic-max", "90s"), "is more than topics.max_s"),
        (("--topic-max", "9 words"), "no length of time"),
    ],
)
def test_sizes_that_cannot_be_are_refused(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    result = CliRunner().invoke(app, ["topics", str(srt(tmp_path)), *options], env={"COLUMNS": "200"})
    assert result.exit_code != 0
    assert why in result.output + str(result.exception)


GERMAN = (
    "Guten Abend, hier sind die Nachrichten des Tages. Die Regierung hat sich auf einen neuen Haushalt geeinigt. "
    "Die Opposition ist damit nicht zufrieden und hat dagegen gestimmt."
)


def german(folder: Path, name: str) -> str:
    times = "" if name.endswith(".txt") else "1\n00:00:01,000 --> 00:00:21,000\n"
    (folder / name).write_text(f"{times}{GERMAN}\n", encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("name", ["de.srt", "de.txt"])
def test_a_text_that_is_not_english_is_told_until_its_language_is_given(tmp_path: Path, name: str) -> None:
    path, rule = german(tmp_path, name), ("--topics", "structure")
    assert "--language de says otherwise" in invoke("topics", path, *rule)
    assert "says otherwise" not in invoke("topics", path, *rule, "--language", "de")
    (tmp_path / "s.toml").write_text('[speech]\nlanguage = "de"\n', encoding="utf-8")
    assert "says otherwise" not in invoke("topics", path, *rule, "--config", str(tmp_path / "s.toml"))


def test_a_language_that_no_embedder_knows_is_warned_of(tmp_path: Path) -> None:
    shown = invoke("topics", german(tmp_path, "de.srt"), "--language", "mi")
    assert "most of the text is in mi" in shown


def test_a_text_without_times_is_cut_without_them(tmp_path: Path) -> None:
    path, target = german(tmp_path, "de.txt"), tmp_path / "gaps.csv"
    options = ("--topics", "texttiling_words", "--topics-count", "2", "--language", "de")
    shown = invoke("topics", path, *options, "--explain", str(target), "--json")
    note, answer = shown.splitlines()
    assert note.startswith("note: a text without times")
    found = json.loads(answer)
    assert found["sentences"] == 3
    assert [b["time"] for b in found["breaks"]] == [None]
    assert {(p["start"], p["end"]) for p in found["passages"]} == {(None, None)}
    with target.open(encoding="utf-8") as file:
        assert [row["time"] for row in csv.DictReader(file)] == ["", ""]
    assert "max_s = 10 is left out" in invoke("topics", path, *options, "--topic-max", "10s")
