"""Names before a colon: whose they are, and when a colon is only a colon."""

from __future__ import annotations

import pytest

from segmenter.formats.rolling import Caption
from segmenter.formats.voices import names, voice, with_voices


def told(*lines: str) -> list[str]:
    captions = [Caption(float(i), i + 1.0, tuple(line.split("\n"))) for i, line in enumerate(lines)]
    return ["\n".join(caption.lines) for caption in with_voices(captions)]


@pytest.mark.parametrize(
    "name",
    [
        "Dr. Ann Lee",
        "Ann B. Lee",
        "John O'Neil-Smith Jr.",
        "14155550100",
        "+1 (415) 555-0100",
        "2nd floor room",
        "李雷",
        "Lee, Ann (Guest)",
        "Speaker 1",
        "SPEAKER_00",
        "The Right Honourable Ann Margaret Lee-Smith, M.P.",
    ],
)
def test_any_participant_s_name_is_one_where_nearly_every_caption_begins_with_a_name(name: str) -> None:
    shown = told(f"{name}: Good morning. We should", f"{name}: start.", "Bob Ray: Yes: now.", "Bob Ray: It is time.")
    assert shown == [f"<v {name}>Good morning. We should", f"<v {name}>start.", "<v Bob Ray>Yes: now.", "<v Bob Ray>It is time."]


def test_each_may_speak_once() -> None:
    assert names(["Ann Lee: Good morning.", "Bob Ray: Yes.", "Cy: I agree."]) == {"Ann Lee", "Bob Ray", "Cy"}


def test_where_names_stand_at_changes_of_speaker_the_captions_between_go_on_in_the_same_voice() -> None:
    shown = told(
        "Adam Curry: It is March", "4 and we are live.", "Dave Jones: Good morning.", "It is good.", "Adam Curry: Yes: it is."
    )
    assert shown == [
        "<v Adam Curry>It is March",
        "<v Adam Curry>4 and we are live.",
        "<v Dave Jones>Good morning.",
        "<v Dave Jones>It is good.",
        "<v Adam Curry>Yes: it is.",
    ]


def test_a_known_name_may_begin_a_later_line_of_a_caption() -> None:
    assert told("Ann Lee: Hello.", "Bob: Hi.\nAnn Lee: So.", "Bob: Yes.")[1] == "<v Bob>Hi.\n<v Ann Lee>So."


def test_a_change_of_speaker_as_broadcasters_write_it() -> None:
    shown = told("- No. >> JOHN: Hello.\n&gt;&gt; MARY: Hi.", "And more.", ">> Who is that? At 9: or ten.", ">>> JOHN: Bye.")
    assert shown == [
        "- No. <v JOHN>Hello.\n<v MARY>Hi.",
        "<v MARY>And more.",
        "<v>Who is that? At 9: or ten.",
        "<v JOHN>Bye.",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("He said: go.", "And we went.", "He said: stay."),
        ("Note: this matters.", "We go on.", "Note: that too.", "Good."),
        ("Good morning. Shall we", "begin now?", "Note: Yes: the roof."),
        ("It was late. Then he said: go", "It was late. Then he said: stay"),
        ("One thing is clear: we must go.", "Another is clear: we stay."),
        ("NARRATOR: Long ago there lived", "a king.", "MAN: Who goes there?", "It is me.", "NARRATOR: He said."),
        ("1: first", "2: second", "1: again"),
        ("At 10:30 we begin.", "At 10:45 we end."),
        ("I have >> more than you.", "x >> y"),
        ("Welcome.", "Ann Lee: Hello."),
        ("", " "),
    ],
)
def test_a_colon_inside_of_speech_makes_no_speaker(lines: tuple[str, ...]) -> None:
    assert told(*lines) == list(lines)


def test_what_is_said_keeps_its_own_colons() -> None:
    known = frozenset({"Ann"})
    assert voice("Ann: Note: this.", known) == ("Ann", "Note: this.")
    assert voice("Note: this.", known) is None
    assert voice("Ann: this.", frozenset()) is None


@pytest.mark.parametrize("filler", ["a", "a ", "a.", ">> ", "A: ", "&gt;"])
def test_a_line_of_a_million_characters_is_read_quickly(filler: str) -> None:
    assert len(told(filler * (1_000_000 // len(filler)))) == 1
