"""LlamaIndex's own packages over our reader, node parser and retriever."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from finished import runs as runs
from finished import store as store
from wordy import word_tools

pytest.importorskip("llama_index.core")
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import MetadataMode, NodeRelationship
from llama_index.core.storage.docstore import SimpleDocumentStore

from segmenter.formats.folder import write
from segmenter.integrations.llamaindex import SegmenterNodeParser, SegmenterReader, SegmenterRetriever, passage_nodes
from segmenter.pipeline import Segmenter
from segmenter.settings import Settings


class Words(BaseEmbedding):
    """Texts that share words are alike."""

    def _get_text_embedding(self, text: str) -> list[float]:
        vector: list[float] = word_tools().embedder.embed([text])[0].tolist()
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def test_a_document_for_each_chunk_a_line_for_each_sentence(runs: Path) -> None:
    documents = SegmenterReader().load_data(runs / "r1")
    assert [(d.metadata["start"], d.metadata["end"]) for d in documents] == [(0.0, 12.0), (12.0, 30.0), (30.0, 90.0)]
    assert documents[0].text.split("\n")[1] == "Its bearing must be replaced."
    assert documents[0].metadata["sentences"][1] == [4.0, 8.0]
    assert documents[2].text == "2 people, 1 car, 14 s"
    assert documents[0].metadata["file_name"] == "r1.mp4"
    json.dumps([d.metadata for d in documents], allow_nan=False)


def test_parents_and_children_name_each_other(runs: Path) -> None:
    documents = SegmenterReader().load_data(runs / "r1")
    nodes = SegmenterNodeParser(child_tokens=13).get_nodes_from_documents(documents)
    parents, leaves = get_root_nodes(nodes), get_leaf_nodes(nodes)
    assert [n.get_content() for n in parents] == [d.text for d in documents]
    first = [n for n in leaves if n.parent_node and n.parent_node.node_id == parents[0].node_id]
    assert [r.node_id for r in parents[0].child_nodes or ()] == [n.node_id for n in first]
    assert "\n".join(n.get_content() for n in first) == parents[0].get_content()
    assert [(n.metadata["start"], n.metadata["end"]) for n in first] == [(0.0, 8.0), (8.0, 12.0)]
    assert first[0].next_node is not None
    assert first[0].next_node.node_id == first[1].node_id
    assert NodeRelationship.NEXT not in first[1].relationships
    assert all(n.ref_doc_id == documents[0].id_ for n in first)


def test_ids_are_the_same_each_time(runs: Path) -> None:
    def ids() -> list[str]:
        return [n.node_id for n in SegmenterNodeParser().get_nodes_from_documents(SegmenterReader().load_data(runs))]

    assert ids() == ids()
    assert len(set(ids())) == len(ids())


def test_auto_merging_gives_the_parent_where_its_children_are_found(runs: Path) -> None:
    nodes = SegmenterNodeParser(child_tokens=7).get_nodes_from_documents(SegmenterReader().load_data(runs / "r1"))
    kept = SimpleDocumentStore()
    kept.add_documents(nodes)
    context = StorageContext.from_defaults(docstore=kept)
    index = VectorStoreIndex(get_leaf_nodes(nodes), storage_context=context, embed_model=Words())
    leaves: Any = index.as_retriever(similarity_top_k=3)
    found = AutoMergingRetriever(leaves, context).retrieve("pump bearing replaced order new worn")
    assert found[0].node.get_content() == get_root_nodes(nodes)[0].get_content()


def test_other_documents_are_cut_at_their_lines() -> None:
    nodes = SegmenterNodeParser(child_tokens=4).get_nodes_from_documents([Document(text="one two three\nfour five six", id_="d")])
    assert [n.get_content() for n in nodes] == ["one two three\nfour five six", "one two three", "four five six"]


def test_what_a_model_reads_beside_the_text_is_for_readers(runs: Path) -> None:
    document = SegmenterReader().load_data(runs / "r1")[0]
    shown = document.get_content(MetadataMode.LLM)
    assert "speakers: Ann, Ben" in shown
    assert "[[0.0" not in shown


def test_the_retriever_finds_passages_with_times_and_link(store: Path) -> None:
    found: Any = SegmenterRetriever(store, budget=40).retrieve("Who orders the new pump?")
    assert any("order a new pump" in one.node.get_content() for one in found)
    best = found[0]
    assert best.node.metadata["file_name"] in {"r1.mp4", "r2.mp4"}
    assert best.node.metadata["link"] == f"out/report.html#t={best.node.metadata['start']:g}"
    assert best.score is not None


def cut(folder: Path, rule: str) -> Path:
    """A transcript of two topics, cut by a rule whose chunks overlap or lie in each other, and written."""
    subjects = ["pump bearing oil"] * 12 + ["budget travel money"] * 12
    cues = [f"00:{i:02}:00.000 --> 00:{i:02}:50.000\nThe {said} of number {i}.\n" for i, said in enumerate(subjects)]
    path = folder / "talk.vtt"
    path.write_text("WEBVTT\n\n" + "\n".join(cues), encoding="utf-8")
    settings = Settings().changed("topics", rule=rule, hierarchy_tokens=(120, 40, 20), budget_tokens=40, stride_tokens=20)
    return write(Segmenter(settings).segment(path), folder / "out")


def test_chunks_in_chunks_are_related_as_auto_merging_expects(tmp_path: Path) -> None:
    nodes = passage_nodes(cut(tmp_path, "hierarchical"))
    roots, leaves = get_root_nodes(nodes), get_leaf_nodes(nodes)
    assert "\n".join(n.get_content() for n in roots).split() == " ".join(n.get_content() for n in leaves).split()
    assert {n.metadata["level"] for n in leaves} == {2}
    known = {n.node_id: n for n in nodes}
    for node in nodes:
        for child in node.child_nodes or ():
            parent = known[child.node_id].parent_node
            assert parent is not None
            assert parent.node_id == node.node_id
    assert [n.next_node.node_id for n in leaves[:-1] if n.next_node] == [n.node_id for n in leaves[1:]]
    json.dumps([n.metadata for n in nodes], allow_nan=False)


def test_auto_merging_over_chunks_in_chunks(tmp_path: Path) -> None:
    nodes = passage_nodes(cut(tmp_path, "hierarchical"))
    kept = SimpleDocumentStore()
    kept.add_documents(nodes)
    context = StorageContext.from_defaults(docstore=kept)
    index = VectorStoreIndex(get_leaf_nodes(nodes), storage_context=context, embed_model=Words())
    leaves: Any = index.as_retriever(similarity_top_k=6)
    found = AutoMergingRetriever(leaves, context).retrieve("pump bearing oil")
    assert any(one.node.metadata["level"] < 2 for one in found)
    assert all("pump" in one.node.get_content() for one in found)


def test_windows_are_nodes_beside_each_other(tmp_path: Path) -> None:
    nodes = passage_nodes(cut(tmp_path, "sliding"))
    assert all(n.parent_node is None for n in nodes)
    assert len(nodes) > 2
    assert all(n.prev_node and n.prev_node.node_id == before.node_id for before, n in pairwise(nodes))


def test_where_chunks_do_not_overlap_they_are_the_parents(runs: Path) -> None:
    nodes = passage_nodes(runs)
    documents = SegmenterReader().load_data(runs)
    assert [n.get_content() for n in get_root_nodes(nodes)] == [d.text for d in documents]
