"""Abbreviations that sentencex does not know or takes for the end of a sentence, and numbers with a full stop, by language.

An abbreviation of two parts is written without its blank: "т.д." is "т. д." as well.
"""

from __future__ import annotations


def _table(rows: dict[str, str]) -> dict[str, frozenset[str]]:
    return {language: _set(entries) for language, entries in rows.items()}


def _set(entries: str) -> frozenset[str]:
    return frozenset(entries.split())


def _at_a_beginning_too(table: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    return {language: entries | {entry[0].upper() + entry[1:] for entry in entries} for language, entries in table.items()}


# What follows belongs to them: titles, streets, references. They may begin a sentence.
NEVER_LAST = _at_a_beginning_too(
    _table(
        {
            "ar": "د. أ. أ.د. م. ص.",
            "de": "fa. hl. geb. gest. inkl. kap. bd. hrsg. tel. abs. verf. tsd. dipl.",
            "el": "αρ. σελ. αι. βλ. τηλ. δηλ. αγ.",
            "en": "dr. mr. mrs. ms. prof. approx. vol. vols. eds. eq. eqs. figs. nos.",
            "es": "D. Dña. Dª. Dres. Sto. aprox.",
            "fa": "د.",
            "fi": "nro. ns.",
            "fr": "M. MM. Mme. Mmes. Mlle. Dr. Me. Mgr. St. Ste. Pr. bd. env.",
            "hi": "डॉ. प्रो. श्री. सुश्री. पं. स्व. कु.",
            "hu": "kb. özv. ifj. Szt.",
            "it": "pag. art. cap.",
            "nl": "mevr. ds. ong.",
            "pl": "św. ul. al. pl. dr. inż. mgr. ks. nr. str. godz. gen. kpt. płk. tzw. dn. m. m.in.",
            "pt": "av. R. pág. Profa. séc. cap. tel. vol. St. núm.",
            "ro": "dl. d-na. str. nr. pag. Sf.",
            "ru": "е. т.е. д. рис. табл. стр. см. ул. Им. напр. св. англ. лат. Дж. д-р.",
            "sv": "tel. kap. resp.",
            "tr": "Av. Doç. Yrd. Sn. Alb. Sok. Cad. Mah.",
            "vi": "TP. Tp. ThS. TS. GS. PGS. BS.",
        }
    )
)

# Words as well ("ok." and "sept."), but abbreviations before a number.
BEFORE_NUMBERS = _at_a_beginning_too(
    _table(
        {
            "fi": "klo.",
            "fr": "n. no. janv. févr. avr. juil. sept. oct. nov. déc.",
            "it": "n. nn.",
            "no": "kl. tel.",
            "pl": "ok.",
            "pt": "n. nn.",
            "ru": "ок.",
            "sv": "kl.",
        }
    )
)

# A sentence may end with them; but a name, too, begins with a capital, so only a function word shows that it does.
SELDOM_LAST = _table(
    {
        "cs": "atd. apod. s. r. n.l.",
        "da": "osv. f.Kr. e.Kr.",
        "de": "usw. etc. Chr. v.Chr. n.Chr. Jh. Jhd.",
        "el": "κτλ. κ.λπ. κ.ά. κ.α. π.Χ. μ.Χ.",
        "en": "etc. St. Ave. lb. lbs. oz. ft. ml. kg. cm. mm. km. min. sec. hr. hrs. Mon. Tue. Tues. Wed. Thu. Thurs. Fri.",
        "es": "etc. EE.UU. UU. a.C. d.C. al. col.",
        "fi": "jne. ym. yms. eKr. jKr.",
        "fr": "etc. J.-C. max. min.",
        "hu": "stb. i.e. i.sz. Kr.e.",
        "it": "ecc. a.C. d.C.",
        "nl": "enz. etc. jl. a.s. v.Chr.",
        "no": "osv. f.Kr. e.Kr.",
        "pl": "r. w. br. itd. itp. n.e. p.n.e. tys. mln. mld.",
        "pt": "etc. a.C. d.C.",
        "ro": "etc. î.Hr. d.Hr.",
        "ru": "г. гг. в. вв. т.д. т.п. др. пр. э. соавт. обл. млн. млрд. тыс.",
        "sv": "osv. f.Kr. e.Kr.",
        "tr": "vb. vs. M.Ö. M.S.",
        "uk": "р. рр. ст. т.д. т.п. ін. н.е.",
    }
)

# Units of measure, after which a capital begins a sentence.
OFTEN_LAST = _table(
    {
        "en": "a.m. p.m.",
        "es": "a.m. p.m.",
        "ru": "руб. коп. м. км. кг. мин. сек. ч. чел.",
        "uk": "грн. коп. км. кг. хв. год.",
    }
)

# What goes on after the time of day: "9 a.m. Tuesday", "5 p.m. Eastern".
AFTER_CLOCK = _set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december eastern central mountain pacific atlantic greenwich est edt et cst cdt ct mst mdt mt pst pdt pt "
    "gmt utc bst cet cest ist jst"
)

GERMAN_MONTHS = (
    *("januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november"),
    *("dezember", "jan", "feb", "mär", "apr", "jun", "jul", "aug", "sep", "sept", "okt", "nov", "dez"),
)
# Nouns that are counted with no word before the number.
GERMAN_COUNTED = (
    *("fc", "sc", "sv", "jahrhundert", "jahrtausend", "klasse", "stock", "etage", "platz", "kapitel", "mal", "geburtstag", "tag"),
    *("woche", "weltkrieg", "auflage", "bundesliga"),
)

# Languages that write ordinals with a full stop.
ORDINAL_STOPS = _set("az bs cs da de et eu fi fo hr hu is lb lv nb nn no pl sk sl sr tr")
