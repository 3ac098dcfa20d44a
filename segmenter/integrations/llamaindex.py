"""LlamaIndex: a reader, a node parser whose parents are chunks and whose children are passages, the passages of a topic rule
as nodes, and a retriever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.node_parser import NodeParser
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import BaseNode, Document, NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode
from pydantic import Field

from segmenter.integrations.documents import Plain, chunks, of_hit, passages, segmentations
from segmenter.records import Segmentation, Sentence
from segmenter.retrieval.finder import Finder
from segmenter.retrieval.records import ALL, Where
from segmenter.settings import Settings
from segmenter.topics.material import packed, tokens

_SENTENCES = "sentences"  # of a document's metadata: start and end of each line of its text
_UNREAD = [_SENTENCES, "recording", "id", "previous", "next", "link", "source", "file_path"]  # say nothing to a model


class SegmenterReader(BaseReader):
    """A document for each chunk of recordings, or of the results of `segmenter run`; for the errors, see `segment`.

    Each sentence is a line of the text. The metadata holds `file_name`, `file_path`, `start` and `end` in seconds,
    `title`, `labels`, `speakers`, why the chunk begins and ends, and the times of the lines.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings

    def lazy_load_data(self, *paths: str | Path, **_: Any) -> Iterator[Document]:
        for found, _folder in segmentations(paths, self._settings):
            yield from _documents(found)

    def load_data(self, *paths: str | Path, **_: Any) -> list[Document]:
        return list(self.lazy_load_data(*paths))


def _documents(found: Segmentation) -> Iterator[Document]:
    for chunk, (text, values) in zip(found.chunks, chunks(found), strict=True):
        yield _document(found, chunk.sentences, text, values)


def _document(found: Segmentation, span: tuple[int, int] | None, text: str, values: Plain) -> Document:
    said: Sequence[Sentence] = found.sentences[span[0] : span[1] + 1] if span else ()
    path = Path(found.recording.path)
    more: Plain = {"file_name": path.name, "file_path": str(path)}
    more[_SENTENCES] = [[round(s.start, 3), round(s.end, 3)] for s in said]
    lines = "\n".join(" ".join(s.text.split()) for s in said) or text
    return Document(
        id_=values["id"],
        text=lines,
        metadata={**values, **more},
        excluded_embed_metadata_keys=[*_UNREAD, "start", "end", "timestamp", "duration"],
        excluded_llm_metadata_keys=_UNREAD,
    )


class SegmenterNodeParser(NodeParser):
    """Documents of `SegmenterReader` to a parent node each, with children of whole sentences.

    As AutoMergingRetriever expects: put all nodes into the document store, and the leaves into the index. A document of
    another kind is cut at its lines. Parents and children name each other, their document, and their neighbours.
    """

    child_tokens: int = Field(default=128, gt=0, description="Tokens of a child at most; a longer line stands alone.")

    @classmethod
    def class_name(cls) -> str:
        return "SegmenterNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:  # noqa: ARG002
        made: list[BaseNode] = []
        for document in nodes:
            parent, children = _family(document, self.child_tokens)
            made += [parent, *children]
        return made

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:  # noqa: ARG002
        return nodes  # parents and children are neighbours of their own kind alone, and have all their values


def _family(document: BaseNode, child_tokens: int) -> tuple[TextNode, list[TextNode]]:
    lines = document.get_content().split("\n")
    times = document.metadata.get(_SENTENCES) or []
    shared = {name: value for name, value in document.metadata.items() if name != _SENTENCES}
    source = document.as_related_node_info()
    cuts = packed([tokens(line) for line in lines], child_tokens)
    spans = [(a + 1, b) for a, b in pairwise([-1, *cuts, len(lines) - 1])]

    def node(name: str, first: int, last: int) -> TextNode:
        timed = {"start": times[first][0], "end": times[last][1]} if len(times) == len(lines) else {}
        return TextNode(
            id_=f"{document.node_id}-{name}",
            text="\n".join(lines[first : last + 1]),
            metadata={**shared, **timed} if name != _PARENT else shared,
            excluded_embed_metadata_keys=document.excluded_embed_metadata_keys,
            excluded_llm_metadata_keys=document.excluded_llm_metadata_keys,
            relationships={NodeRelationship.SOURCE: source},
        )

    parent = node(_PARENT, 0, len(lines) - 1)
    children = [node(str(number), *span) for number, span in enumerate(spans, 1)]
    _relate(parent, children)
    return parent, children


_PARENT = "parent"


def _relate(parent: TextNode, children: Sequence[TextNode]) -> None:
    known: list[RelatedNodeInfo] = [child.as_related_node_info() for child in children]
    parent.relationships[NodeRelationship.CHILD] = known
    for i, child in enumerate(children):
        child.relationships[NodeRelationship.PARENT] = parent.as_related_node_info()
        if i > 0:
            child.relationships[NodeRelationship.PREVIOUS] = known[i - 1]
        if i + 1 < len(children):
            child.relationships[NodeRelationship.NEXT] = known[i + 1]


def passage_nodes(*paths: str | Path, settings: Settings | None = None) -> list[BaseNode]:
    """A node for each passage of recordings, or of the results of `segmenter run`, cut by a topic rule whose chunks overlap or
    lie in each other (`sliding`, `sentences`, `hierarchical`); of others, chunks and their children.

    As AutoMergingRetriever expects: put all nodes into the document store, and the leaves into the index. Parents and
    children name each other, and their neighbours on the same level. For the errors, see `segment`.
    """
    made: list[BaseNode] = []
    for found, _folder in segmentations(paths, settings):
        if found.passages:
            made += _passages(found)
        else:
            made += SegmenterNodeParser().get_nodes_from_documents(list(_documents(found)))
    return made


def _passages(found: Segmentation) -> Iterator[TextNode]:
    path = Path(found.recording.path)
    source = RelatedNodeInfo(node_id=found.recording.id)
    nodes = {
        values["id"]: TextNode(
            id_=values["id"],
            text=text,
            metadata={**values, "file_name": path.name, "file_path": str(path)},
            excluded_embed_metadata_keys=[*_UNREAD, "sentences", "level", "parent", "start", "end", "timestamp", "duration"],
            excluded_llm_metadata_keys=[*_UNREAD, "sentences", "level", "parent"],
            relationships={NodeRelationship.SOURCE: source},
        )
        for text, values in passages(found)
    }
    children: dict[str, list[RelatedNodeInfo]] = {}
    for node in nodes.values():
        for name, relation in _BESIDE.items():
            if name in node.metadata:
                node.relationships[relation] = nodes[node.metadata[name]].as_related_node_info()
        if "parent" in node.metadata:
            children.setdefault(node.metadata["parent"], []).append(node.as_related_node_info())
    for parent, below in children.items():
        nodes[parent].relationships[NodeRelationship.CHILD] = below
    yield from nodes.values()


_BESIDE = {
    "parent": NodeRelationship.PARENT,
    "previous": NodeRelationship.PREVIOUS,
    "next": NodeRelationship.NEXT,
}


class SegmenterRetriever(BaseRetriever):
    """Passages from a store that `segmenter index` made, best first.

    `budget` is how many tokens are returned at most, `k` how many passages; `where` narrows by recording, time, label
    or speaker. For the errors, see `Finder`.
    """

    def __init__(
        self,
        store: str | Path,
        settings: Settings | None = None,
        budget: int | None = None,
        k: int | None = None,
        where: Where = ALL,
    ) -> None:
        super().__init__()
        self._finder, self._budget, self._most, self._where = Finder(store, settings), budget, k, where

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._finder.search(query_bundle.query_str, self._where, self._budget, self._most)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=f"{hit.recording}-{round(hit.start * 1000)}-{round(hit.end * 1000)}",
                    text=hit.text,
                    metadata={**of_hit(hit), "file_name": Path(hit.path).name, "file_path": hit.path},
                    excluded_embed_metadata_keys=_UNREAD,
                    excluded_llm_metadata_keys=_UNREAD,
                ),
                score=hit.score,
            )
            for hit in hits
        ]
