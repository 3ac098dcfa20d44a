"""LlamaIndex's own AutoMergingRetriever on the chunks in chunks of `hierarchical`: many found children become their parent."""

from __future__ import annotations

import pytest

from segmenter.records import Sentence
from segmenter.settings import TopicSettings
from segmenter.topics.breaks import Decision, decide

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: pip install 'segmenter[llamaindex]'")
import numpy as np
from llama_index.core import StorageContext
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore

SAID = [Sentence(f"Sentence number {i} is about the river and its mills.", 3.0 * i, 3.0 * i + 2.5) for i in range(120)]
SETTINGS = TopicSettings(rule="hierarchical", hierarchy_tokens=(600, 150, 50))


class Found(BaseRetriever):
    """Answers with the nodes it was given."""

    def __init__(self, nodes: list[TextNode]) -> None:
        super().__init__()
        self.nodes = nodes

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:  # noqa: ARG002 - the base class names it
        return [NodeWithScore(node=node, score=0.9) for node in self.nodes]


def nodes_of(decision: Decision) -> list[TextNode]:
    """A node each passage, related by nothing but the passage's own `parent`."""
    made = [
        TextNode(id_=str(i), text=" ".join(s.text for s in SAID[p.first : p.last + 1])) for i, p in enumerate(decision.passages)
    ]
    for node, passage in zip(made, decision.passages, strict=True):
        if passage.parent is not None:
            parent = made[passage.parent]
            node.relationships[NodeRelationship.PARENT] = parent.as_related_node_info()
            children = parent.relationships.setdefault(NodeRelationship.CHILD, [])
            assert isinstance(children, list)
            children.append(node.as_related_node_info())
    return made


def retrieved(found: list[TextNode], every: list[TextNode]) -> set[str]:
    store = SimpleDocumentStore()
    store.add_documents(every)
    context = StorageContext.from_defaults(docstore=store)
    retriever = AutoMergingRetriever(Found(found), context)  # type: ignore[arg-type]  # any retriever of nodes will do
    return {result.node.node_id for result in retriever.retrieve("mills")}


def test_children_found_together_come_back_as_their_parent() -> None:
    decision = decide(SAID, np.empty((0, 0), np.float32), SETTINGS)
    every = nodes_of(decision)
    leaves = [i for i, p in enumerate(decision.passages) if p.level == 2]
    parent = decision.passages[leaves[0]].parent
    assert parent is not None
    siblings = [i for i in leaves if decision.passages[i].parent == parent]
    assert len(siblings) >= 3
    alone = next(i for i in leaves if decision.passages[i].parent != parent)
    assert retrieved([every[i] for i in (*siblings, alone)], every) == {str(parent), str(alone)}
    assert retrieved([every[siblings[0]], every[alone]], every) == {str(siblings[0]), str(alone)}
    assert every[parent].text == " ".join(every[i].text for i in siblings)
