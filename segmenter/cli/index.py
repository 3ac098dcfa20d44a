"""`segmenter index`: finished runs into a store that can be searched."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from segmenter.cli import show
from segmenter.cli.exits import Exit, code_for, describe, overall
from segmenter.errors import ModelMissing, SegmenterError, SettingsError, printable
from segmenter.formats import segments_json
from segmenter.settings import Settings
from segmenter.timeline import clock

if TYPE_CHECKING:
    from segmenter.records import ModelFile
    from segmenter.retrieval.indexing import Indexed
    from segmenter.retrieval.stores import Stamp
    from segmenter.retrieval.tools import Tools

Place = Annotated[Path, typer.Option("--store", help="The folder of the store.")]


def index(
    store: Place,
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="DIR...", help="Folders that segmenter run has written, or that hold such.")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="lancedb (default), milvus, chroma, faiss; a store keeps its own.")] = None,
    address: Annotated[str, typer.Option(help="For milvus: a server, such as http://localhost:19530.")] = "",
    pictures: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Folder of a CLIP or SigLIP model, by which words find stills."),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="RECORDING", help="Take a recording out: its id, name or path.")
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="Show what the store holds.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the store anew, from DIR... or from what it holds.")] = False,
    config: Annotated[Path | None, typer.Option(help="Settings in a TOML file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a recording on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    """Put finished runs into a store; what has not changed since is not embedded or written again."""
    say = _Say(as_json, quiet, debug)
    if not (folders or remove or list_them or rebuild):
        raise typer.BadParameter("give folders to index, --remove, --list or --rebuild", param_hint="DIR...")
    if rebuild and remove:
        raise typer.BadParameter("a store that is made anew holds what is indexed alone", param_hint="--remove")
    code = Exit.OK
    if remove:
        _remove(store, remove, say)
    if folders or rebuild:
        settings = Settings() if config is None else Settings.from_toml(config)
        code = _index(_Job(store, settings, backend, address, pictures, rebuild), folders or [], say)
    if list_them:
        _list(store, say)
    raise typer.Exit(code)


@dataclass(frozen=True, slots=True)
class _Job:
    store: Path
    settings: Settings
    backend: str | None
    address: str
    pictures: str | None
    rebuild: bool

    def stamp(self, tools: Tools) -> Stamp:
        """A store that is there keeps its back end and address, unless others are named."""
        from segmenter.retrieval.indexing import stamp_for
        from segmenter.retrieval.stores import STAMP, stamp_of

        backend, address = self.backend, self.address
        if not backend and (self.store / STAMP).exists():
            held = stamp_of(self.store)
            backend, address = held.backend, address or held.address
        return stamp_for(self.settings, tools, backend or "lancedb", address)


@dataclass(frozen=True, slots=True)
class _Say:
    """What goes where: results on standard output, all else on standard error."""

    as_json: bool
    quiet: bool
    debug: bool
    messages: Console = field(default_factory=lambda: Console(stderr=True, highlight=False, soft_wrap=True))

    def waiting(self) -> None:
        self.line("another process is writing into this store: waiting until it is done")

    def line(self, text: str) -> None:
        if not self.quiet:
            self.messages.print(Text(printable(text)))

    def failed(self, path: Path, error: Exception) -> None:
        if self.debug:
            traceback.print_exception(error)
        if self.as_json:
            print(json.dumps({"path": str(path), "error": describe(error).removeprefix("error: ")}, ensure_ascii=True))
        self.messages.print(Text(describe(error)), style="red")


# --- indexing ------------------------------------------------------------------------------------------------------


def _index(job: _Job, given: Sequence[Path], say: _Say) -> Exit:
    from segmenter.retrieval import indexing, pictures
    from segmenter.retrieval.stores import STAMP, writing
    from segmenter.retrieval.tools import tools_of

    codes: list[Exit] = []
    found = _held(job.store) if job.rebuild and not given else list(_found(given, codes, say))
    if not (job.store / STAMP).exists():
        found = _readable(found, codes, say)
    if not found:
        return overall(codes)
    tools, model = tools_of(job.settings.topics), _picture_model(job, say)
    stamp = job.stamp(tools)
    try:
        with (
            writing(job.store, stamp, anew=job.rebuild, on_wait=say.waiting) as store,
            pictures.keeping(job.store, model, stamp, job.rebuild) as stills,
        ):
            kept = partial(indexing.index, store=store, tools=tools, settings=job.settings.retrieval, stills=stills)
            done = _each(found, kept, codes, say)
            if job.rebuild and any(codes):
                raise SegmenterError("not made anew: the store is as it was", path=job.store, hint="mend or leave out the above")
            store.settle()
    except KeyboardInterrupt:
        say.line(f"interrupted: {_stays(codes.count(Exit.OK), len(found), job.rebuild)}")
        return Exit.INTERRUPTED
    if not (say.as_json or say.quiet):
        show.console().print(_table(done, with_stills=model is not None))
    say.line(f"{len(done)} of {len(codes)} indexed; {job.store} has {_size(job.store) / 1e6:.1f} MB")
    return overall(codes)


def _picture_model(job: _Job, say: _Say) -> ModelFile | None:
    """The weights for stills; words are indexed all the same where the store's own are no longer there."""
    from segmenter.retrieval import pictures

    try:
        return pictures.wanted_for(job.store, job.pictures)
    except ModelMissing as error:
        if job.pictures:
            raise
        say.line(f"the stills in it stay as they are: {error}")
        return None


def _stays(done: int, wanted: int, rebuild: bool) -> str:
    if rebuild:
        return "the store is as it was"
    return f"{done} of {wanted} recordings were indexed, and stay" if done else "nothing was indexed"


def _held(path: Path) -> list[Path]:
    from segmenter.retrieval.indexing import folders_of
    from segmenter.retrieval.stores import open_store

    with closing(open_store(path)) as store:
        return folders_of(store)


def _found(given: Sequence[Path], codes: list[Exit], say: _Say) -> Iterator[Path]:
    """The folders of runs; a bad folder does not stop the others."""
    from segmenter.retrieval.indexing import results

    met: set[Path] = set()
    for folder in given:
        try:
            found = [one for one in results([folder]) if one not in met]
        except SegmenterError as error:
            say.failed(folder, error)
            codes.append(code_for(error))
        else:
            met.update(found)
            yield from found


def _readable(found: Sequence[Path], codes: list[Exit], say: _Say) -> list[Path]:
    """From the first run on that can be read: where there is none, no store is made."""
    for i, folder in enumerate(found):
        try:
            segments_json.read(folder / segments_json.NAME)
        except Exception as error:
            say.failed(folder, error)
            codes.append(code_for(error))
        else:
            return list(found[i:])
    return []


def _each(found: Sequence[Path], index_one: Callable[..., Indexed], codes: list[Exit], say: _Say) -> list[Indexed]:
    """One commit a recording: what was done before an interruption or a bad one stays."""
    from segmenter.retrieval.indexing import Repeated

    done: dict[str, Indexed] = {}
    shown = track(found, "index", console=say.messages, transient=True, disable=say.quiet or not say.messages.is_terminal)
    for folder in shown:
        try:
            one = index_one(folder, taken=done.keys())
        except Repeated as error:
            say.line(str(error))
            continue
        except Exception as error:
            say.failed(folder, error)
            codes.append(code_for(error))
            continue
        codes.append(Exit.OK)
        done[one.recording] = one
        if say.as_json:
            print(json.dumps({"path": str(folder), **asdict(one)}, ensure_ascii=True, allow_nan=False), flush=True)
    return list(done.values())


def _table(done: Sequence[Indexed], with_stills: bool) -> Table:
    columns = ("units", "embedded", "written", "kept", "removed", *(["stills"] if with_stills else []))
    table = Table("recording", box=None, pad_edge=False)
    for name in (*columns, "seconds"):
        table.add_column(name, justify="right")
    for one in done:
        table.add_row(Text(printable(one.name)), *(str(getattr(one, name)) for name in columns), f"{one.seconds:.1f}")
    if len(done) > 1:
        sums = (str(sum(getattr(one, name) for one in done)) for name in columns)
        table.add_row(f"{len(done)} recordings", *sums, f"{sum(one.seconds for one in done):.1f}", style="bold")
    return table


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# --- what is there already -----------------------------------------------------------------------------------------


def _remove(path: Path, names: Sequence[str], say: _Say) -> None:
    from segmenter.retrieval import pictures
    from segmenter.retrieval.finder import named
    from segmenter.retrieval.stores import stamp_of, writing

    with writing(path, stamp_of(path), on_wait=say.waiting) as store:
        ids = named(store, names)
        if len(ids) > len(names):
            raise SettingsError("several recordings are called that", hint=f"give their ids: {', '.join(ids)}")
        for recording in ids:
            store.remove(recording)
            say.line(f"{recording} is no longer in {path}")
        pictures.remove(path, ids)
        store.settle()


def _list(path: Path, say: _Say) -> None:
    from segmenter.retrieval.records import KINDS, Where
    from segmenter.retrieval.stores import open_store

    table = Table("id", "recording", "length", *(f"{kind}s" for kind in KINDS[1:]), box=None, pad_edge=False)
    with closing(open_store(path)) as store:
        for unit in store.recordings():
            counts = {kind: store.count(Where(recordings=(unit.recording,), kinds=(kind,))) for kind in KINDS[1:]}
            if say.as_json:
                row = {"id": unit.recording, "title": unit.text, "duration": unit.end, **dict(unit.extra), "units": counts}
                print(json.dumps(row, ensure_ascii=True, allow_nan=False))
            table.add_row(unit.recording, Text(printable(unit.text)), clock(unit.end, 0), *map(str, counts.values()))
    if not say.as_json:
        show.console().print(table)
