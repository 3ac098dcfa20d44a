"""Where units are kept and found: the protocol that every store keeps, the table of stores, and opening one.

A store is a folder: `store.json`, which says how it was made and where it lies, the folder that it lies in, which is the
back end's own, and a lock that one writer at a time holds.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from segmenter.errors import NotAFile, SegmenterError, SettingsError
from segmenter.retrieval.records import ALL, Rows, Scored, Unit, Where
from segmenter.table import Row, load

FORMAT = 1  # of the rows; raised when an older segmenter's rows can no longer be read
STAMP, LOCK, _DATA = "store.json", "store.lock", "data-"

Vectors = NDArray[np.float32]

_REBUILD = "build it anew: segmenter index --store PATH --rebuild"
_REBUILD_FROM = "build it anew: segmenter index DIR... --store PATH --rebuild"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a store was made with. Vectors of two embedders cannot be compared, so a store takes those of one alone."""

    backend: str  # a name in STORES
    embedder: str  # a name in the table of embedders, or the path of weights
    version: str  # which weights: a hash, or a server's address and its model's name
    dimension: int
    representation: str = "plain"  # how a unit's text became what is embedded
    address: str = ""  # of the server, for a back end that has one


class Store(Protocol):
    """Units with their vectors. A recording's change is seen whole or not at all, and outlives the process once written."""

    stamp: Stamp

    def write(self, recording: str, units: Sequence[Unit], vectors: Vectors, gone: Sequence[str] = ()) -> None:
        """Puts `units` (new, or instead of those of the same id) and takes away the ids `gone`, in one commit.

        All belong to `recording`. `vectors`, shape (len(units), dimension), unit length; rows of units with nothing
        embedded are not looked at.
        """

    def remove(self, recording: str) -> None:
        """Takes away all units of a recording; there need be none."""

    def recordings(self) -> tuple[Unit, ...]:
        """The `recording` unit of each recording, by id."""

    def units(self, ids: Sequence[str]) -> list[Unit]:
        """The units with these ids, in this order; unknown ids are left out."""

    def scan(self, where: Where = ALL) -> Rows:
        """All units that count, in order, with their vectors."""

    def count(self, where: Where = ALL) -> int:
        """How many units count."""

    def nearest(self, vector: NDArray[np.float32], where: Where = ALL, k: int = 10) -> list[Scored]:
        """At most `k` units whose vectors are most like `vector`, shape (dimension,), by falling cosine."""

    def words(self, terms: Sequence[str], where: Where = ALL, k: int = 10) -> list[Scored]:
        """At most `k` units whose `terms` hold any of these, by falling BM25 score over the whole store."""

    def settle(self) -> None:
        """Brings the indexes up to date after many writes; nothing that is found depends on it, only how fast."""

    def close(self) -> None:
        """Lets go of files and connections."""


STORES: dict[str, Row] = {
    "lancedb": Row("segmenter.retrieval.lancedb_store:open_lancedb", "a folder; the default", ("lancedb",), "retrieval"),
    "milvus": Row("segmenter.retrieval.milvus_store:open_milvus", "a Milvus Lite file, or a cluster", ("pymilvus",), "milvus"),
    "chroma": Row("segmenter.retrieval.chroma_store:open_chroma", "a Chroma folder", ("chromadb",), "chroma"),
    "faiss": Row("segmenter.retrieval.faiss_store:open_faiss", "exact search in memory", ("faiss",), "faiss"),
}


@dataclass(frozen=True, slots=True)
class _Held:
    """What `store.json` says: how the store was made, and in which of the folder's own folders it lies."""

    stamp: Stamp
    data: str

    @staticmethod
    def read(folder: Path) -> _Held:
        try:
            found = json.loads((folder / STAMP).read_text(encoding="utf-8"))
            if found["format"] != FORMAT:
                raise SettingsError("a store of another version of segmenter", path=folder, hint=_REBUILD)
            return _Held(Stamp(**found["stamp"]), str(found["data"]))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotAFile("no store there", path=folder, hint="make one: segmenter index DIR... --store PATH") from error
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise NotAFile(f"{STAMP} is damaged", path=folder, hint=_REBUILD_FROM) from error

    def write(self, folder: Path) -> None:
        text = json.dumps({"format": FORMAT, "stamp": asdict(self.stamp), "data": self.data}, indent=1) + "\n"
        fresh = folder / f"{STAMP}.new"
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(folder / STAMP)


def stamp_of(path: str | Path) -> Stamp:
    """What the store at `path` was made with.

    Raises:
        NotAFile: there is no store.
        SettingsError: a store that this version cannot read.
    """
    return _Held.read(Path(path)).stamp


def check(path: str | Path, held: Stamp, wanted: Stamp) -> None:
    """Makes sure that what is written, or asked, fits what the store holds.

    Raises:
        SettingsError: the store was made with something else.
    """
    for name, value in asdict(wanted).items():
        if (was := getattr(held, name)) != value:
            raise SettingsError(f"the store was made with the {name} {was!r}, not {value!r}", path=path, hint=_REBUILD)


def open_store(path: str | Path) -> Store:
    """The store at `path`, to be read. See `stamp_of` for what is raised."""
    held = _Held.read(Path(path))
    factory = load("store", STORES, held.stamp.backend)
    try:
        store: Store = factory(Path(path) / held.data, held.stamp)
    except SegmenterError:
        raise
    except Exception as error:  # every back end fails in a way of its own
        raise NotAFile(f"a store whose data is lost or damaged: {error}", path=path, hint=_REBUILD_FROM) from error
    return store


# --- writing -------------------------------------------------------------------------------------------------------


class StoreBusy(SegmenterError):
    """Another process writes into the store."""


@contextmanager
def writing(
    path: str | Path,
    stamp: Stamp,
    patience_s: float = -1,
    anew: bool = False,
    on_wait: Callable[[], object] | None = None,
) -> Iterator[Store]:
    """The store at `path`, made where there is none, to be written by nobody else meanwhile.

    Another writer is waited for, after a call of `on_wait`, `patience_s` seconds, negative: without end. A process that
    dies gives it free. With `anew` an empty store is filled, which takes the place of the one that is there when the
    block ends well.

    Raises:
        NotAFile: there is something else.
        SettingsError: the store was made with something else than `stamp` says.
        StoreBusy: somebody else still writes.
    """
    folder, factory = Path(path), load("store", STORES, stamp.backend)
    _usable(folder)
    with _alone(folder, patience_s, on_wait or _in_silence):
        fresh = anew or not (folder / STAMP).exists()
        held = _Held(stamp, _free(folder)) if fresh else _Held.read(folder)
        check(folder, held.stamp, stamp)
        (folder / held.data).mkdir(exist_ok=True)
        with closing(factory(folder / held.data, stamp, make=True)) as store:
            if not anew:
                _settled(folder, held)
            yield store
        if anew:
            _settled(folder, held)


def _settled(folder: Path, held: _Held) -> None:
    """From here on this is the store; what killed processes and earlier stores left is taken away."""
    if not _is(folder, held):
        held.write(folder)
    for entry in folder.glob(f"{_DATA}*"):
        if entry.name != held.data:
            shutil.rmtree(entry, ignore_errors=True)


def _is(folder: Path, held: _Held) -> bool:
    try:
        return _Held.read(folder) == held
    except SegmenterError:  # missing, or damaged
        return False


def _free(folder: Path) -> str:
    return next(name for name in (f"{_DATA}{number}" for number in count(1)) if not (folder / name).exists())


def _usable(folder: Path) -> None:
    """A new store gets a folder of its own: nothing of the user's is ever mixed with it, or taken away with it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {entry.name for entry in folder.iterdir()}
    except OSError as error:
        raise NotAFile(f"no store can be made there: {error.strerror}", path=folder, hint="choose another folder") from error
    if names and not names & {STAMP, LOCK}:  # a lock alone: somebody was killed before the stamp
        raise NotAFile("a folder with other things in it", path=folder, hint="give a new or empty folder, or a store")


@contextmanager
def _alone(folder: Path, patience_s: float, on_wait: Callable[[], object]) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            on_wait()
            lock.acquire(timeout=patience_s)
    except Timeout as error:
        raise StoreBusy("another process is writing into this store", path=folder, hint="try again when it is done") from error
    try:
        yield
    finally:
        lock.release()


def _in_silence() -> None:
    """Nobody is told that somebody waits."""
