"""Languages as files name them, `english`, `German` or `pt-BR`, to the two or three letters that Whisper writes."""

from __future__ import annotations

import re

_CODE = re.compile(r"(?P<code>[a-z]{2,3})(?:[-_][a-z0-9]+)*", re.ASCII)

# The names in English of the languages that Whisper knows, with the second names in use (ISO 639).
_NAMES = """
af afrikaans, am amharic, ar arabic, as assamese, az azerbaijani, ba bashkir, be belarusian, bg bulgarian, bn bengali,
bo tibetan, br breton, bs bosnian, ca catalan, ca valencian, cs czech, cy welsh, da danish, de german, el greek, en english,
es spanish, es castilian, et estonian, eu basque, fa persian, fa farsi, fi finnish, fo faroese, fr french, gl galician,
gu gujarati, ha hausa, haw hawaiian, he hebrew, hi hindi, hr croatian, ht haitian creole, ht haitian, hu hungarian,
hy armenian, id indonesian, is icelandic, it italian, ja japanese, jw javanese, ka georgian, kk kazakh, km khmer,
kn kannada, ko korean, la latin, lb luxembourgish, ln lingala, lo lao, lt lithuanian, lv latvian, mg malagasy, mi maori,
mk macedonian, ml malayalam, mn mongolian, mr marathi, ms malay, mt maltese, my myanmar, my burmese, ne nepali, nl dutch,
nl flemish, nn nynorsk, no norwegian, oc occitan, pa punjabi, pa panjabi, pl polish, ps pashto, ps pushto, pt portuguese,
ro romanian, ro moldovan, ru russian, sa sanskrit, sd sindhi, si sinhala, si sinhalese, sk slovak, sl slovenian, sn shona,
so somali, sq albanian, sr serbian, su sundanese, sv swedish, sw swahili, ta tamil, te telugu, tg tajik, th thai,
tk turkmen, tl tagalog, tl filipino, tr turkish, tt tatar, uk ukrainian, ur urdu, uz uzbek, vi vietnamese, yi yiddish,
yo yoruba, yue cantonese, zh chinese, zh mandarin
"""
_CODES = {name: code for code, name in (entry.split(maxsplit=1) for entry in _NAMES.strip().split(","))}
# ISO 639-2 and what Whisper calls by another code.
_OTHERS = {
    "ara": "ar", "chi": "zh", "cmn": "zh", "zho": "zh", "deu": "de", "ger": "de", "eng": "en", "spa": "es", "fra": "fr",
    "fre": "fr", "hin": "hi", "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "dut": "nl", "pol": "pl", "por": "pt",
    "rus": "ru", "swe": "sv", "tur": "tr", "ukr": "uk", "nb": "no", "iw": "he", "jv": "jw", "fil": "tl",
}  # fmt: skip

_NO_LANGUAGE = ("mis", "mul", "und", "zxx")  # uncoded, several, undetermined, none (ISO 639-2)


def code(named: str | None) -> str | None:
    """The code of a language; None where nothing, or nothing known, is named."""
    text = (named or "").strip().lower()
    if text in _CODES:
        return _CODES[text]
    found = _CODE.fullmatch(text)
    return _OTHERS.get(found["code"], found["code"]) if found and found["code"] not in _NO_LANGUAGE else None
