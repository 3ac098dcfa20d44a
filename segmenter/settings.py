"""Every default, once: one frozen dataclass a stage, each field with its unit and the reason for its value.

Settings come from TOML files and go into every result. Names of back ends, rules and trackers are checked by the
tables that hold them, before any work begins.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Literal

from segmenter.errors import SettingsError
from segmenter.zoning import Line, Zone, plain, typed


def setting(default: Any, why: str, unit: str = "", least: float | None = None, most: float | None = None) -> Any:
    """A field with its default, unit, reason and range."""
    return field(default=default, metadata={"why": why, "unit": unit, "least": least, "most": most})


Granularity = Literal["coarse", "medium", "fine"]

_STRICT: dict[str, str] = {"extra": "forbid"}  # for pydantic: a misspelt name is an error


def _said(stage: object, name: str) -> str:
    """`vision.rate_hz = 5.0`: several stages have a `min_s`."""
    section = next(f.name for f in fields(Settings) if f.default_factory is type(stage))
    return f"{section}.{name} = {getattr(stage, name)}"


def _check_ranges(stage: object) -> None:
    for f in fields(stage):  # type: ignore[arg-type]
        value, least, most = getattr(stage, f.name), f.metadata.get("least"), f.metadata.get("most")
        if isinstance(value, bool) and not isinstance(f.default, bool):  # Python would take it for 0 or 1
            raise SettingsError(f"{_said(stage, f.name)} is a yes or no where none belongs")
        if isinstance(value, float) and not isfinite(value):
            raise SettingsError(f"{_said(stage, f.name)} is not a number to work with", hint="it must be finite")
        outside = value is not None and ((least is not None and not value >= least) or (most is not None and not value <= most))
        if outside:
            allowed = f"at least {least}" if most is None else f"between {least} and {most}"
            raise SettingsError(
                f"{_said(stage, f.name)} is out of range", hint=f"it must be {allowed} {f.metadata['unit']}".rstrip()
            )


def _check_order(stage: object, low: str, high: str) -> None:
    if getattr(stage, low) > getattr(stage, high):
        raise SettingsError(f"{_said(stage, low)} is more than {_said(stage, high)}", hint=f"lower {low}")


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    __pydantic_config__: ClassVar = _STRICT
    enabled: bool = setting(True, "transcribe the sound")
    transcriber: str = setting("faster-whisper", "int8 on a CPU, several times faster than the reference")
    model: str = setting("base", "the smallest Whisper that knows every language; tiny.en is faster for English")
    language: str | None = setting(None, "None: heard from the sound, or named by the transcript, else English")
    beam_size: int = setting(1, "greedy; 5 makes fewer errors at about twice the cost", least=1, most=20)
    speakers: bool = setting(False, "find out who speaks; adds its own cost, about that of the transcriber on a small model")
    speaker_count: int | None = setting(None, "None: found; where it is known, so many", "speakers", least=1, most=100)
    diarizer: str = setting("embedded", "its weights come with a package; pyannote needs a pipeline of your own")
    speaker_model: str = setting("speakers", "a catalogue name, or the path of a pyannote pipeline")
    word_times: bool = setting(True, "false: words share the time of their phrase, for a tenth less work at most")
    audio_track: str | None = setting(None, "a number, 1 for the first track, or a language such as deu; None: the default track")
    vad_on: float = setting(0.5, "Silero's own threshold for speech", "probability", least=0, most=1)
    vad_off: float = setting(0.35, "hysteresis: speech ends below it", "probability", least=0, most=1)
    window_min_s: float = setting(15.0, "longer windows read better; a cut needs this much before it", "s", least=1, most=28)
    window_max_s: float = setting(28.0, "Whisper hears 30 s at a time, padding included", "s", least=2, most=29)
    window_gap_s: float = setting(2.0, "a pause this long always ends a window", "s", least=0.1)
    pad_s: float = setting(0.2, "sound kept on each side of a window, so that no onset is cut", "s", least=0, most=1)
    pause_s: float = setting(2.0, "a pause this long ends a sentence, punctuation or not", "s", least=0.1)
    max_words: int = setting(40, "a longer run without punctuation is cut at its longest pause", "words", least=2)

    def __post_init__(self) -> None:
        _check_ranges(self)
        _check_order(self, "vad_off", "vad_on")
        _check_order(self, "window_min_s", "window_max_s")


@dataclass(frozen=True, slots=True)
class TopicSettings:
    __pydantic_config__: ClassVar = _STRICT
    embedder: str = setting("all-MiniLM-L6-v2", "small, and what most retrieval stacks already use")
    other_embedder: str = setting("auto", "for languages that embedder does not know: auto, the first that does; empty: never")
    engine: str = setting("auto", "what runs the embedder: auto is openvino on a CPU where installed, else torch")
    rule: str = setting("default", "may answer that nothing changed")
    granularity: Granularity = setting("coarse", "for the default rule; a finer cut keeps a coarser one's breaks")  # noqa: RUF009 - text
    topics_count: int | None = setting(None, "None: found; else so many topics", "topics", least=1)
    topic_length_s: float | None = setting(None, "None: found; else as many topics as make this length", "s", least=1)
    min_sentences: int = setting(1, "no topic is shorter; the default rule takes 2 at least, in meetings 5", "sentences", least=1)
    min_tokens: int = setting(0, "no topic is shorter", "tokens", least=0)
    min_s: float = setting(0.0, "no topic is shorter", "s", least=0)
    max_sentences: int | None = setting(None, "None: no limit; else split at the likeliest gap", "sentences", least=1)
    max_tokens: int | None = setting(None, "the same; a longer sentence stands alone", "tokens", least=1)
    max_s: float | None = setting(None, "the same", "s", least=1)
    buffer: int = setting(0, "neighbours averaged with each; LangChain's 1 puts clear breaks one off", "sentences", least=0)
    percentile: float = setting(95.0, "for percentile and gradient: LangChain's and LlamaIndex's value", "%", least=0, most=100)
    deviations: float = setting(3.0, "for standard_deviation: LangChain's value", "standard deviations", least=0)
    interquartile: float = setting(1.5, "for interquartile: LangChain's value", "interquartile ranges", least=0)
    similarity: float = setting(0.7, "for similarity: neighbours less alike part", "cosine", least=-1, most=1)
    block_sentences: int = setting(10, "for texttiling: sentences compared on each side", "sentences", least=1)
    penalty: float = setting(3.0, "for optimal and divisive: a break costs so much of the recording's noise", "noise", least=0)
    budget_tokens: int = setting(256, "for rules that fill chunks: what all-MiniLM-L6-v2 reads at once", "tokens", least=1)
    stride_tokens: int = setting(128, "for sliding: half of the window", "tokens", least=1)
    overlap_sentences: int = setting(1, "for sentences: said again in the next chunk", "sentences", least=0)
    hierarchy_tokens: tuple[int, ...] = setting((2048, 512, 128), "for hierarchical: LlamaIndex's sizes", "tokens")
    server_url: str = setting("http://127.0.0.1:11434/v1", "OpenAI-compatible, for llm and the server embedder; Ollama's own")
    server_model: str = setting("llama3.1", "the server's name for the model of the llm rule")
    server_embedder: str = setting("nomic-embed-text", "the server's name for the model of the server embedder")
    llm_most_tokens: int = setting(
        200_000, "for llm: sent and answered for a recording, repeats too, and no more", "tokens", least=1
    )

    def __post_init__(self) -> None:
        _check_ranges(self)
        if self.topics_count is not None and self.topic_length_s is not None:
            raise SettingsError(f"{_said(self, 'topics_count')} and {_said(self, 'topic_length_s')} exclude each other")
        for least, most in (("min_sentences", "max_sentences"), ("min_tokens", "max_tokens"), ("min_s", "max_s")):
            if getattr(self, most) is not None:
                _check_order(self, least, most)
        if not self.hierarchy_tokens or list(self.hierarchy_tokens) != sorted(self.hierarchy_tokens, reverse=True):
            raise SettingsError("topics.hierarchy_tokens must fall from level to level", hint="for example [2048, 512, 128]")


@dataclass(frozen=True, slots=True)
class VisionSettings:
    __pydantic_config__: ClassVar = _STRICT
    enabled: bool = setting(True, "look at the picture")
    tracker: str = setting("both", "the detector names, motion dates and says when to look; motion alone needs no weights")
    weights: str = setting("yolo26n", "a catalogue name, or a path to any Ultralytics weights")
    association: str = setting("seconds", "how yolo's detections become tracks; ultralytics' own trackers count frames")
    engine: str = setting("auto", "auto: OpenVINO on a CPU where it is installed, else torch; for .pt weights")
    labels: tuple[str, ...] = setting(
        ("person", "bicycle", "motorcycle", "car", "bus", "train", "truck", "cat", "dog"), "people, road vehicles, pets"
    )
    only_moving: tuple[str, ...] = setting(
        ("bicycle", "motorcycle", "car", "bus", "train", "truck"), "parked ones are scenery; people and pets may sit still"
    )
    rate_hz: float = setting(5.0, "looks a second: a walker is seen several times; more finds no more", "Hz", least=0.1, most=120)
    gate: bool = setting(True, "for both: look less where nothing moves; the same events at a fraction of the cost")
    image_size_px: int = setting(640, "smaller pictures miss the far and the partly hidden", "px", least=32, most=4096)
    confidence: float = setting(0.25, "weaker detections start no track", least=0, most=1)
    confirm_hits: int = setting(2, "a track counts after so many sightings", "sightings", least=1)
    confirm_s: float = setting(1.0, "within this time", "s", least=0)
    bridge_s: float = setting(
        2.0,
        "a track lost in mid-picture and found again within it never left; who turns round or passes a post",
        "s",
        least=0,
        most=60,
    )
    stationary_s: float = setting(
        6.0, "only_moving: a longer stand is parking, a shorter one a stop of the drive", "s", least=0, most=600
    )
    hold_s: float = setting(0.5, "all gone for so long: the event has ended; one car follows another", "s", least=0)
    merge_gap_s: float = setting(0.0, "events closer than this are one, however often one looks", "s", least=0, most=600)
    min_event_s: float = setting(0.4, "shorter is flicker", "s", least=0)
    max_event_s: float = setting(3600.0, "a longer one goes on in a next event; ends must come some time, live", "s", least=1)
    zones: tuple[Zone, ...] = setting((), "parts of the picture in which things count; none: all of it")
    lines: tuple[Line, ...] = setting((), "lines whose crossing is told")

    def __post_init__(self) -> None:
        _check_ranges(self)
        step_s = 1 / self.rate_hz
        if self.hold_s < step_s:
            raise SettingsError(
                f"{_said(self, 'hold_s')} is shorter than the {step_s:g} s from look to look",
                hint="every event would end between two looks: raise hold_s or rate_hz",
            )
        if self.confirm_s < (self.confirm_hits - 1) * step_s:
            raise SettingsError(
                f"{self.confirm_hits} sightings do not fit into {_said(self, 'confirm_s')} with {step_s:g} s from look to look",
                hint="no track would ever count: raise confirm_s or rate_hz, or lower confirm_hits",
            )
        _check_order(self, "hold_s", "max_event_s")
        _check_order(self, "min_event_s", "max_event_s")


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    __pydantic_config__: ClassVar = _STRICT
    snap_s: float = setting(1.0, "an edge this near to a cut between sentences moves there", "s", least=0)
    min_s: float = setting(3.0, "a shorter chunk joins its weaker side", "s", least=0)
    max_s: float = setting(180.0, "a longer chunk splits at its widest pause; about 500 words of talk", "s", least=1)
    event_strength: float = setting(0.6, "how an event's edge weighs against a topic's", least=0, most=1)

    def __post_init__(self) -> None:
        _check_ranges(self)
        if self.max_s < 2 * self.min_s:
            raise SettingsError(
                f"{_said(self, 'max_s')} is less than twice {_said(self, 'min_s')}",
                hint="a chunk that is split must leave two that may stand",
            )


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    __pydantic_config__: ClassVar = _STRICT
    parent_tokens: int = setting(256, "what all-MiniLM-L6-v2 reads at once; 128 finds less over whole stores", "tokens", least=16)
    representation: str = setting("plain", "what is embedded; contextual helps where nothing is said")
    sigma_tokens: float = setting(300.0, "how far a passage lends its score to its neighbours", "tokens", least=1)
    softness: float = setting(0.2, "0 would be a maximum over time, much more a mean; .15 to .3 are alike", "cosine", least=0.01)
    wide_words: float = setting(0.2, "BM25 of a passage beside its cosine, as a share of the best", "cosine", least=0)
    narrow_words: float = setting(0.7, "BM25 of a sentence beside its cosine", "cosine", least=0)
    foreign_wide_words: float = setting(
        0.4, "the same where the embedder does not know the language: words say more", "cosine", least=0
    )
    foreign_narrow_words: float = setting(1.5, "the same for a sentence", "cosine", least=0)
    speaker_bonus: float = setting(0.1, "for sentences of a speaker whom the question names", "cosine", least=0)
    recording_share: float = setting(0.5, "of its recording's best score that each sentence gets", least=0)
    seats: int = setting(5, "sentences at most that stand out on their own; more cost broad questions", "sentences", least=0)
    seat_tokens: float = setting(60.0, "around one that stands out, over which its neighbours share in that", "tokens", least=0)
    seat_least: float = setting(2.0, "what a sentence must exceed to stand out", "standard deviations", least=0)
    merge_share: float = setting(
        0.75, "of a parent that is taken, from which on the rest comes too: no holes in what is read", least=0
    )
    budget_tokens: int = setting(1000, "returned for a question: a page and a half of text", "tokens", least=1)

    def __post_init__(self) -> None:
        _check_ranges(self)


@dataclass(frozen=True, slots=True)
class AskSettings:
    __pydantic_config__: ClassVar = _STRICT
    server_url: str = setting("", "OpenAI-compatible, such as http://127.0.0.1:11434/v1; empty: the evidence alone is shown")
    server_model: str = setting("llama3.1", "the server's name for the model that answers")
    answer_tokens: int = setting(500, "a paragraph or two", "tokens", least=1)

    def __post_init__(self) -> None:
        _check_ranges(self)


@dataclass(frozen=True, slots=True)
class ClipSettings:
    __pydantic_config__: ClassVar = _STRICT
    of: Literal["events", "chunks"] = setting("events", "one clip for each: events or chunks")
    mode: str = setting("exact", "plays everywhere and is true to the frame; copy and smart are faster")
    pre_s: float = setting(2.0, "shown before an event; neighbours share what lies between them", "s", least=0)
    post_s: float = setting(2.0, "shown after it", "s", least=0)

    def __post_init__(self) -> None:
        _check_ranges(self)


@dataclass(frozen=True, slots=True)
class LiveSettings:
    __pydantic_config__: ClassVar = _STRICT
    most_open: int = setting(100, "tracks in view at once; of more the least sure are left out", "tracks", least=1)
    most_waiting: int = setting(8, "evens out a slow look; more would only be seen later", "pictures", least=1)
    memory_mb: float = setting(256.0, "kept of the last seconds, for clips: a minute of a 32 Mbit/s camera", "MB", least=0)
    quiet_s: float = setting(5.0, "no picture for so long: the stream is broken; a busy network delays less", "s", least=0.1)
    retry_s: float = setting(1.0, "before connecting again; twice as long after each failure", "s", least=0.01)
    retry_most_s: float = setting(60.0, "a camera that was off all night is seen again within a minute", "s", least=0.01)

    def __post_init__(self) -> None:
        _check_ranges(self)
        _check_order(self, "retry_s", "retry_most_s")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a run; each stage reads its own part."""

    __pydantic_config__: ClassVar = _STRICT
    speech: SpeechSettings = field(default_factory=SpeechSettings)
    topics: TopicSettings = field(default_factory=TopicSettings)
    vision: VisionSettings = field(default_factory=VisionSettings)
    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    clips: ClipSettings = field(default_factory=ClipSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    ask: AskSettings = field(default_factory=AskSettings)
    live: LiveSettings = field(default_factory=LiveSettings)

    def changed(self, stage: str, **values: object) -> Settings:
        """A copy with some values of one stage replaced; None means: leave as it is.

        Raises:
            SettingsError: there is no such stage or setting, or the value is impossible.
        """
        known = {f.name: {inner.name for inner in fields(getattr(self, f.name))} for f in fields(self)}
        unknown = [stage] if stage not in known else [f"{stage}.{name}" for name in values if name not in known[stage]]
        if unknown:
            choice = known if stage not in known else sorted(known[stage])
            raise SettingsError(f"there is no setting {unknown[0]}", hint=f"choose one of: {', '.join(choice)}")
        given = {k: v for k, v in values.items() if v is not None}
        return replace(self, **{stage: replace(getattr(self, stage), **given)}) if given else self

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Settings:
        """Settings from nested tables, as in the TOML file; what is missing keeps its default.

        Raises:
            SettingsError: an unknown name, a wrong type or an impossible value.
        """
        from pydantic import ValidationError

        try:
            return typed(Settings, data)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"])) or "the whole"
            if first["type"] == "unexpected_keyword_argument":
                raise SettingsError(f"there is no setting {name}", hint="docs/settings.md lists them all") from error
            raise SettingsError(f"{name}: {plain(first['msg'])}") from error

    @staticmethod
    def from_toml(path: str | Path) -> Settings:
        """Settings from a TOML file with the tables [speech], [topics], [vision], [chunks], [retrieval].

        Raises:
            SettingsError: the file cannot be read, or holds a wrong name or value.
        """
        try:
            data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError(f"cannot read the settings: {error.strerror}", path=path) from error
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise SettingsError(f"cannot read the settings: {error}", path=path) from error
        try:
            return Settings.from_dict(data)
        except SettingsError as error:
            raise SettingsError(error.what, path=path, hint=error.hint) from error
