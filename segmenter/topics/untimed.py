"""Text without times: what is asked for in seconds cannot be kept, the rest can."""

from __future__ import annotations

from dataclasses import fields, replace

from segmenter.records import Finding
from segmenter.settings import TopicSettings

_IN_SECONDS = tuple(f.name for f in fields(TopicSettings) if f.name.endswith("_s"))


def without_seconds(settings: TopicSettings) -> TopicSettings:
    """The settings with nothing asked for in seconds."""
    usual = TopicSettings()
    return replace(settings, **{name: getattr(usual, name) for name in _IN_SECONDS})


def not_kept(settings: TopicSettings) -> list[Finding]:
    """A warning that names what is asked for in seconds, where there are no times to keep to it."""
    usual = without_seconds(settings)
    asked = [f"{name} = {getattr(settings, name):g}" for name in _IN_SECONDS if getattr(settings, name) != getattr(usual, name)]
    if not asked:
        return []
    message = f"without times nothing can be kept to that is given in seconds: {', '.join(asked)} is left out"
    return [Finding("no_times_to_keep", message)]
