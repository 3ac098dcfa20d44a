"""A store ready to be asked: opened, with the embedder that it was made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from segmenter.errors import SettingsError
from segmenter.retrieval.records import ALL, Unit, Where
from segmenter.retrieval.search import Hit, Rerank, search
from segmenter.retrieval.stores import Stamp, Store, open_store, stamp_of
from segmenter.retrieval.tools import Tools, tools_of
from segmenter.settings import Settings


class Finder:
    """Questions to hits. Use it in a `with` statement, or `close` it.

    `expected` are questions that will be asked: embedded before the store is opened, whose threads do not go well with
    the processes that some engines start.

    Raises:
        NotAFile: there is no store at `path`.
        SettingsError: another version's store, or one made with other weights.
        ModelMissing: the embedder's weights are not on this machine.
    """

    def __init__(self, path: str | Path, settings: Settings | None = None, expected: Sequence[str] = ()) -> None:
        self.settings = settings or Settings()
        self.tools = tools_for(stamp_of(path), self.settings, Path(path))
        if expected:
            self.tools.embedder.embed(list(expected))  # and remembered
        self.store: Store = open_store(path)

    def search(
        self, question: str, where: Where = ALL, budget: int | None = None, most: int | None = None, rerank: Rerank | None = None
    ) -> list[Hit]:
        """The passages that answer, best first; see `search.search`.

        Raises:
            SettingsError: nothing is asked.
        """
        if not question.strip():
            raise SettingsError("the question is empty", hint="say what to look for")
        return search(self.store, question, self.tools, self.settings.retrieval, where, budget, most, rerank)

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Finder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def tools_for(stamp: Stamp, settings: Settings, path: Path) -> Tools:
    """The embedder that the store was made with.

    Raises:
        SettingsError: its weights here are others.
    """
    tools = tools_of(replace(settings.topics, embedder=stamp.embedder))
    if tools.model is not None and tools.model.sha256 != stamp.version:
        raise SettingsError(
            f"the store was made with other weights of {stamp.embedder}",
            path=path,
            hint="build it anew: segmenter index --store PATH --rebuild",
        )
    return tools


def named(store: Store, names: Sequence[str]) -> tuple[str, ...]:
    """Ids of the recordings of these ids, titles or file names.

    Raises:
        SettingsError: there is none of that name.
    """
    if not names:
        return ()
    known = store.recordings()
    ids = []
    for name in names:
        own = [u.recording for u in known if name in (u.recording, u.text, Path(str(u.extra.get("path", ""))).name)]
        if not own:
            raise SettingsError(f"there is no recording {name!r} in the store", hint=_some(known))
        ids += own
    return tuple(dict.fromkeys(ids))


def _some(known: Sequence[Unit]) -> str:
    shown = ", ".join(unit.text for unit in known[:5])
    return f"it holds {len(known)}: {shown}{', ...' if len(known) > 5 else ''}" if known else "it is empty"


def as_dict(hit: Hit) -> dict[str, Any]:
    """A hit as plain values for JSON; times rounded to milliseconds."""
    data = asdict(hit)
    data |= {"start": round(hit.start, 3), "end": round(hit.end, 3), "best": round(hit.best, 3), "score": round(hit.score, 4)}
    for line in data["lines"]:
        line["start"], line["end"] = round(line["start"], 3), round(line["end"], 3)
    return {**data, "text": hit.text}
