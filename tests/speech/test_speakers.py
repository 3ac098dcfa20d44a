"""Speakers from the table of diarizers to sentences and files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from segmenter import Settings, table
from segmenter.cli.app import app
from segmenter.errors import PackageMissing, SettingsError
from segmenter.formats import folder, rttm
from segmenter.records import Recording, Segmentation, Span, Turn, Word
from segmenter.settings import SpeechSettings
from segmenter.speech.speakers import DIARIZERS, overheard
from segmenter.speech.transcriber import Passage
from segmenter.speech.understanding import understand, understand_ready
from segmenter.speech.vad import Piece

SAID = ("So", "we", "all", "agree", "then", "yes", "we", "do", "all", "agree.")
WORDS = [Word(f" {text}", i * 0.5, i * 0.5 + 0.5) for i, text in enumerate(SAID)]
TURNS = [Turn("Ada", 0.0, 2.5), Turn("Bob", 2.5, 5.0)]


def test_a_sentence_never_spans_two_speakers_though_no_mark_ends_it() -> None:
    sentences = understand_ready(WORDS, SpeechSettings(), turns=TURNS)
    assert [(s.speaker, s.text) for s in sentences] == [("Ada", "So we all agree then"), ("Bob", "yes we do all agree.")]


def test_a_turn_goes_on_from_one_window_to_the_next() -> None:
    """The window's edge lies one word behind the change of speaker: that word alone would be too short for a turn."""
    parts = (WORDS[:6], WORDS[6:])
    spans = [Span(part[0].start, part[-1].end) for part in parts]
    passages = [Passage(tuple(part), span, (span,), "en") for part, span in zip(parts, spans, strict=True)]
    told = understand(passages, SpeechSettings(), TURNS)
    assert [(s.speaker, len(s.words)) for s in told] == [("Ada", 5), ("Bob", 5)]


def test_without_turns_a_transcripts_own_speakers_stay() -> None:
    words = [Word(" Hello.", 0, 1, speaker="Cleo")]
    assert understand_ready(words, SpeechSettings())[0].speaker == "Cleo"


def test_pieces_are_heard_on_their_way_in_order() -> None:
    pieces = [Piece(0, float(i), np.zeros(1, np.float32), np.zeros(1, np.float32)) for i in range(3)]
    heard: list[Piece] = []
    passing = overheard(pieces, heard.append)
    assert next(passing) is pieces[0]
    assert heard == pieces[:1]  # no piece is taken before it is asked for
    assert list(passing) == pieces[1:]
    assert heard == pieces


def segmentation(*turns: Turn) -> Segmentation:
    return Segmentation(Recording("my talk.wav", "0", 5.0, "counted"), {}, {}, (), (), (), (), (), (), turns=turns)


def test_the_output_folder_has_the_turns_where_they_are_known(tmp_path: Path) -> None:
    written = folder.write(segmentation(*TURNS), tmp_path)
    assert list(rttm.read(written / folder.SPEAKERS, None, lambda _: None)) == TURNS
    again = folder.write(segmentation(), tmp_path)
    assert again == written
    assert not (again / folder.SPEAKERS).exists()


def test_speakers_are_not_looked_for_unless_asked() -> None:
    assert Settings().speech.speakers is False


def test_an_unknown_diarizer_and_a_missing_package_are_said() -> None:
    with pytest.raises(SettingsError, match="embedded, pyannote"):
        table.check("diarizer", DIARIZERS, "guess")
    if not find_spec("pyannote"):
        with pytest.raises(PackageMissing, match=r"segmenter\[pyannote\]"):
            table.check("diarizer", DIARIZERS, "pyannote")


def test_a_file_of_turns_belongs_to_one_recording(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["run", "a.wav", "b.wav", "--rttm", str(tmp_path / "x.rttm")])
    assert result.exit_code == 2
