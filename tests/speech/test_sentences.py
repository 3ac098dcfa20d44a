"""Sentences: ends in many languages and scripts, pauses, speakers, the length cap; no word is ever lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_cases import CASES

from segmenter.records import Word
from segmenter.settings import SpeechSettings
from segmenter.speech.sentences import split, text_ends

SETTINGS = SpeechSettings()


def words_of(text: str, gap: float = 0.0) -> list[Word]:
    """Words as Whisper writes them, with the blank in front; Chinese and Japanese ones are characters."""
    pieces = re.findall(r"[\u3000-\u9fff“”？！]|\s*[^\s\u3000-\u9fff“”？！]+", text)
    return [Word(piece, i * (0.3 + gap), i * (0.3 + gap) + 0.3) for i, piece in enumerate(pieces)]


def texts(words: list[Word], language: str | None = None, settings: SpeechSettings = SETTINGS) -> list[str]:
    return [sentence.text for sentence in split(words, settings, language)]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Good morning, everyone.", "Shall we begin?", "Yes!"]),
        ("en", ["Dr. Smith met Mr. Jones at 5 p.m.", "Then they left."]),
        ("en", ["It costs 3.14 dollars, i.e. more than 2.5.", "Version 2.0.1 is out."]),
        ("en", ["The meeting is on Jan. 5.", "Prof. Lee et al. agree."]),
        ("en", ["He is from the U.S. Army.", "J. R. R. Tolkien wrote it."]),
        ("en", ["Wait... what?", "Really?!", "No way."]),
        ("en", ['"Go away!" he said.', "She went."]),
        ("en", ["See fig. 2 and e.g. this one.", "No. 5 is out."]),
        ("en", ["Visit www.example.com.", "Then write to a.b@example.org."]),
        ("en", ["We live on Main St. in St. Louis.", "It is warm."]),
        ("en", ["this is lower case.", "so is this."]),
        ("en", ["It takes approx. five minutes.", "Fine."]),
        ("de", ["Das ist z. B. gut.", "Am 3. Oktober kam Dr. Maier."]),
        ("de", ["Um 8 Uhr geht es los.", "Nr. 5 ist da.", "Wirklich?"]),
        ("de", ["Am 24. Dezember 2020 gewann er 2,5 Millionen.", "Ja!"]),
        ("fr", ["M. Dupont est là.", "Oui !", "Vraiment ?"]),
        ("fr", ["C'est à 3,5 km.", "Où ça ?"]),
        ("es", ["¿Cómo estás?", "¡Bien!", "El Sr. López vino."]),
        ("es", ["La Dra. Ruiz habla.", "Gracias."]),
        ("it", ["Il dott. Rossi è qui.", "Va bene."]),
        ("pt", ["O Sr. Silva chegou.", "Tudo bem?"]),
        ("nl", ["Dat is bijv. goed.", "Dhr. Jansen kwam."]),
        ("pl", ["To jest np. dobre.", "Prof. Nowak przyszedł."]),
        ("tr", ["Merhaba.", "Nasılsın?", "Dr. Yılmaz geldi."]),
        ("ru", ["А. С. Пушкин родился.", "В 1837 г. он умер."]),
        ("ru", ["Это т. е. так.", "Да?", "Нет!"]),
        ("el", ["Γεια σου.", "Τι κάνεις;", "Καλά."]),
        ("hy", ["Բարև։", "Ինչպես ես։"]),
        ("ar", ["مرحبا.", "كيف حالك؟", "بخير."]),
        ("fa", ["سلام.", "حال شما چطور است؟", "خوبم."]),
        ("ur", ["یہ ٹھیک ہے۔", "تم کیسے ہو؟"]),
        ("he", ["שלום.", "מה שלומך?"]),
        ("hi", ["यह ठीक है।", "तुम कैसे हो?"]),
        ("bn", ["আমি যাই।", "তুমি এসো।"]),
        ("my", ["ကောင်းပါတယ်။", "သွားမယ်။"]),
        ("km", ["សួស្តី។", "អរគុណ។"]),
        ("am", ["ሰላም።", "እንዴት ነህ፧", "ደህና።"]),
        ("ko", ["안녕하세요.", "반갑습니다!", "네."]),
        ("zh", ["价格是3.5元。", "你知道吗？", "好的！"]),
        ("zh", ["他说：“好。”", "我走了。"]),
        ("ja", ["今日は晴れです。", "元気ですか？", "はい！"]),
        ("ja", ["「行く！」", "「待って！」"]),
        ("xx", ["A language nobody knows.", "Does it work?"]),
        (None, ["No language is given.", "Dr. Smith came."]),
    ],
)
def test_ends_of_sentences(language: str | None, sentences: list[str]) -> None:
    blank = "" if language in ("zh", "ja") else " "
    assert texts(words_of(blank.join(sentences)), language) == sentences


@pytest.mark.parametrize(("language", "sentences"), CASES)
def test_the_table_of_cases(language: str, sentences: list[str]) -> None:
    blank = "" if language in ("zh", "ja") else " "
    assert texts(words_of(blank.join(sentences)), language) == sentences


def test_the_table_is_large_enough() -> None:
    assert len(CASES) >= 120
    assert len({language for language, _ in CASES}) >= 12


def test_a_sentence_has_the_edges_of_its_words() -> None:
    first, second = split(words_of(" Good day. Who is there?"), SETTINGS, "en")
    assert (first.text, first.start, first.end, first.language) == ("Good day.", 0.0, 0.6, "en")
    assert (second.start, second.end) == (second.words[0].start, second.words[-1].end)
    assert second.words[0].text == " Who"


def test_an_end_inside_a_word_moves_behind_the_word() -> None:
    assert texts([Word(" What?!No", 0, 1), Word(" way.", 1, 2), Word(" Yes.", 2, 3)]) == ["What?!No", "way.", "Yes."]


def test_a_pause_ends_a_sentence() -> None:
    words = [Word(" and", 0, 1), Word(" then", 3, 4), Word(" it", 5.9, 6)]
    assert texts(words) == ["and", "then it"]


def test_a_change_of_speaker_ends_a_sentence() -> None:
    words = [Word(" yes", 0, 1, speaker="A"), Word(" well", 1, 2, speaker="A"), Word(" no", 2, 3, speaker="B")]
    assert [(s.text, s.speaker) for s in split(words, SETTINGS)] == [("yes well", "A"), ("no", "B")]


def test_a_long_run_without_punctuation_is_cut_at_its_longest_pauses() -> None:
    words = words_of(" ".join(f"word{i}" for i in range(30)))
    delays = [0.5 * (i >= 11) + 0.4 * (i >= 20) for i in range(30)]
    later = [replace(w, start=w.start + delay, end=w.end + delay) for w, delay in zip(words, delays, strict=True)]
    parts = [len(s.words) for s in split(later, SpeechSettings(max_words=12))]
    assert parts == [11, 9, 10]


def test_without_pauses_a_long_run_is_cut_behind_a_clause() -> None:
    text = " ".join(["one"] * 7) + ", " + " ".join(["two"] * 6)
    assert [len(s.words) for s in split(words_of(text), SpeechSettings(max_words=10))] == [7, 6]


def test_a_long_sentence_within_the_cap_stays_whole() -> None:
    assert len(texts(words_of(" ".join(["word"] * 40) + "."))) == 1
    assert len(texts(words_of(" ".join(["word"] * 41) + "."))) == 2


@pytest.mark.parametrize(("character", "language"), [("語", "ja"), ("字", "zh"), ("ก", "th")])
def test_scripts_without_blanks_are_counted_by_characters(character: str, language: str) -> None:
    assert len(texts([Word(character, i * 0.1, i * 0.1 + 0.1) for i in range(80)], language)) == 1
    assert len(texts([Word(character, i * 0.1, i * 0.1 + 0.1) for i in range(81)], language)) == 2


def test_where_marks_are_missing_a_function_word_with_a_capital_begins_a_sentence() -> None:
    text = "so today we met the Browns in New York it was nice We saw a dog It was big he barked Then we left and Ann went home"
    assert texts(words_of(text), "en") == [
        "so today we met the Browns in New York it was nice",
        "We saw a dog",
        "It was big he barked",
        "Then we left and Ann went home",
    ]


def test_german_nouns_and_polite_words_begin_no_sentence() -> None:
    text = "gestern haben wir Sie im Garten mit Ihrem Hund und der Katze gesehen Wir haben der Frau und dem Kind gewinkt und dann"
    assert texts(words_of(text + " ist der Hund weg"), "de") == [
        "gestern haben wir Sie im Garten mit Ihrem Hund und der Katze gesehen",
        "Wir haben der Frau und dem Kind gewinkt und dann ist der Hund weg",
    ]


@pytest.mark.parametrize("spelled", [str.title, str.upper])
def test_capitals_everywhere_tell_nothing(spelled: Callable[[str], str]) -> None:
    text = spelled("the lord of the rings and the return of the king are in the book that we have on the table of the house")
    assert len(texts(words_of(text), "en")) == 1


def test_capitals_tell_nothing_where_there_are_marks() -> None:
    marked = "We were in The Hague, for a week or so, and then went to see The Wire. It is good, and so is The Crown, they say."
    assert len(texts(words_of(marked), "en")) == 2


def test_without_marks_a_long_stretch_is_cut_where_a_pause_shows_it() -> None:
    words = words_of(" ".join(["word"] * 30))
    later = [replace(w, start=w.start + 0.4 * (i >= 17), end=w.end + 0.4 * (i >= 17)) for i, w in enumerate(words)]
    assert [len(s.words) for s in split(later, SETTINGS)] == [17, 13]
    assert [len(s.words) for s in split(later[:20], SETTINGS)] == [20]


def test_chinese_without_marks_is_cut_between_clauses() -> None:
    text = "我们今天来谈谈猫和狗的问题猫很可爱狗也很可爱大家都喜欢它们但是有些人对猫过敏他们只能养狗我们还要谈谈鸟和鱼"
    assert texts(words_of(text), "zh") == [text[:29], text[29:]]


def test_unknown_is_no_speaker_so_that_a_sentence_stays_whole() -> None:
    speakers = [None, "A", None, None, "A", None, None, "B", None]
    words = [
        replace(w, speaker=who) for w, who in zip(words_of("We are here now. Fine. Oh. Yes you are."), speakers, strict=True)
    ]
    found = split(words, SETTINGS, "en")
    assert [(s.text, s.speaker) for s in found] == [
        ("We are here now.", "A"),
        ("Fine.", "A"),
        ("Oh.", None),
        ("Yes you are.", "B"),
    ]
    assert all(word.speaker == s.speaker for s in found for word in s.words)


def test_between_two_speakers_the_first_goes_on() -> None:
    speakers = ["A", "A", None, None, "B", "B", "B"]
    words = [replace(w, speaker=who) for w, who in zip(words_of("so we go now but where to"), speakers, strict=True)]
    assert [(s.text, s.speaker) for s in split(words, SETTINGS, "en")] == [("so we go now", "A"), ("but where to", "B")]


def test_a_pause_ends_a_sentence_of_an_unknown_speaker_too() -> None:
    assert [s.speaker for s in split([Word(" so", 0, 1, speaker="A"), Word(" what", 4, 5)], SETTINGS)] == ["A", None]


def test_no_words_give_no_sentences() -> None:
    assert split([], SETTINGS) == ()


def test_a_very_long_run_is_no_trouble() -> None:
    words = [Word(" so", i * 0.3, i * 0.3 + 0.3 - 0.0001 * (i % 7)) for i in range(20_000)]
    found = split(words, SETTINGS)
    assert sum(len(s.words) for s in found) == 20_000
    assert max(len(s.words) for s in found) <= 40


def test_text_ends_count_the_words_before_each_end() -> None:
    assert text_ends(words_of("Yes. I am here. And")) == [1, 4, 5]
    assert text_ends([]) == [0]


TOKENS = [" the", " Dr.", " end.", " Why?", " 3.14", " a.b", " U.S.", " No.", " so,", "-ish", "?!", " …", '"', " ", "\n"]
TOKENS += ["。", "語", "は", " ا؟", " है।"]
pauses = st.sampled_from([0, 0, 0.25, 0.5, 2.5])
talks = st.lists(st.tuples(st.sampled_from(TOKENS), pauses, st.sampled_from([0.125, 0.5]), st.sampled_from("AAAAB")), max_size=60)


def spoken(talk: list[tuple[str, float, float, str]], start: float = 0.0) -> list[Word]:
    """Words from text, pause before, length and speaker; times are eighths of a second, so that sums are exact."""
    words = []
    for text, pause, length, speaker in talk:
        words.append(Word(text, start + pause, start + pause + length, speaker=speaker))
        start = words[-1].end
    return words


@settings(deadline=None)
@given(talks, st.sampled_from(["en", "ja", "hi", "ar", None]), st.integers(2, 12))
def test_laws_of_sentences(talk: list[tuple[str, float, float, str]], language: str | None, cap: int) -> None:
    words = spoken(talk)
    found = split(words, replace(SETTINGS, max_words=cap), language)
    assert [word for sentence in found for word in sentence.words] == words
    for sentence in found:
        assert sentence.words
        assert sentence.text == "".join(w.text for w in sentence.words).strip()
        assert (sentence.start, sentence.end) == (sentence.words[0].start, sentence.words[-1].end)
        assert {w.speaker for w in sentence.words} == {sentence.speaker}
        assert all(b.start - a.end < SETTINGS.pause_s for a, b in pairwise(sentence.words))
        assert len(sentence.words) == 1 or len(re.findall(r"\w\S*", sentence.text)) <= 2 * cap


@settings(deadline=None)
@given(talks, st.integers(0, 100_000))
def test_shifting_the_words_shifts_the_sentences(talk: list[tuple[str, float, float, str]], shift: int) -> None:
    here, there = split(spoken(talk), SETTINGS), split(spoken(talk, float(shift)), SETTINGS)
    assert [(s.text, s.start + shift, s.end + shift) for s in here] == [(s.text, s.start, s.end) for s in there]
