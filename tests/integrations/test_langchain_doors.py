"""LangChain's own packages over our loader, splitter and retriever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from finished import runs as runs
from finished import store as store
from hypothesis import given
from hypothesis import strategies as st
from wordy import word_tools

pytest.importorskip("langchain_text_splitters")
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from segmenter.errors import NotAFile
from segmenter.integrations.langchain import SegmenterLoader, SegmenterRetriever, TopicTextSplitter
from segmenter.retrieval.records import Where
from segmenter.settings import TopicSettings


class Words(Embeddings):
    """Texts that share words are alike."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = word_tools().embedder.embed(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_a_document_for_each_chunk_with_plain_values(runs: Path) -> None:
    documents = SegmenterLoader(runs / "r1").load()
    assert [(d.metadata["start"], d.metadata["end"]) for d in documents] == [(0.0, 12.0), (12.0, 30.0), (30.0, 90.0)]
    assert documents[0].page_content.startswith("The pump is worn out.")
    assert documents[2].page_content == "2 people, 1 car, 14 s"
    assert documents[2].metadata["labels"] == "person, car"
    assert documents[0].metadata["source"] == "/films/r1.mp4"
    assert all(isinstance(v, (str, int, float, bool)) for d in documents for v in d.metadata.values())
    json.dumps([d.metadata for d in documents], allow_nan=False)


def test_what_a_killed_run_has_left_is_no_result(runs: Path) -> None:
    (runs / "r2").rename(runs / ".segmenter-new-r2")
    assert {d.metadata["recording"] for d in SegmenterLoader(runs).load()} == {"r1"}
    (runs / "r1").rename(runs / ".segmenter-new-r1")
    with pytest.raises(NotAFile, match="no results"):
        SegmenterLoader(runs).load()


def test_a_folder_of_results_is_all_of_them(runs: Path) -> None:
    assert {d.metadata["recording"] for d in SegmenterLoader(runs).lazy_load()} == {"r1", "r2"}


def found_in_faiss(documents: list[Document], _place: Path) -> Any:
    from langchain_community.vectorstores import FAISS

    return FAISS.from_documents(documents, Words())


def found_in_chroma(documents: list[Document], place: Path) -> Any:
    chroma = pytest.importorskip("langchain_chroma")
    from chromadb.config import Settings

    quiet = Settings(anonymized_telemetry=False, is_persistent=True, persist_directory=str(place))
    return chroma.Chroma.from_documents(documents, Words(), client_settings=quiet, persist_directory=str(place))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("make", [found_in_faiss, found_in_chroma])
def test_vector_stores_take_the_documents_and_give_them_back(runs: Path, tmp_path: Path, make: Any) -> None:
    documents = SegmenterLoader(runs / "r1").load()
    vectors = make(documents, tmp_path / "vectors")
    (best,) = vectors.similarity_search("the travel budget", k=1)
    assert best.metadata["start"] == 12.0
    assert best.metadata["speakers"] == "Ann, Ben"


TWO_TOPICS = (
    "Ann: The pump is worn out. The pump bearing is worn. The pump must be replaced.\n"
    "Ben: We order the pump on Monday. The pump comes on Friday.\n"
    "Ann: Travel is over budget. The travel budget is cut. The budget for travel is agreed. The budget is closed.\n"
)


def test_the_splitter_cuts_where_the_topic_changes_and_keeps_the_text() -> None:
    splitter = TopicTextSplitter(Words(), TopicSettings(topics_count=2), add_start_index=True)
    first, second = splitter.create_documents([TWO_TOPICS], [{"source": "notes.txt"}])
    assert first.page_content.endswith("comes on Friday.")
    assert second.page_content.startswith("Ann: Travel is over budget.")
    assert second.metadata == {"source": "notes.txt", "start_index": TWO_TOPICS.index("Ann: Travel")}


def test_it_stands_where_a_splitter_of_langchain_stands() -> None:
    splitter = TopicTextSplitter(Words(), TopicSettings(topics_count=2))
    pieces = splitter.split_documents([Document(page_content=TWO_TOPICS, metadata={"id": 7})])
    assert len(pieces) == 2
    assert all(piece.metadata == {"id": 7} for piece in pieces)


@given(st.text(max_size=300))
def test_no_letter_is_lost_or_made(text: str) -> None:
    pieces = TopicTextSplitter(Words(), TopicSettings(rule="fixed", budget_tokens=5)).split_text(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_the_retriever_finds_passages_with_times_and_link(store: Path) -> None:
    retriever = SegmenterRetriever(store=store, budget=20, where=Where(recordings=("r1",)))
    best = retriever.invoke("Who orders the new pump?")[0]
    assert "order a new pump" in best.page_content
    assert best.metadata["recording"] == "r1"
    assert best.metadata["link"] == f"out/report.html#t={best.metadata['start']:g}"


def test_it_stands_in_a_chain(store: Path) -> None:
    from langchain_core.runnables import RunnableLambda

    def sources(documents: list[Document]) -> list[str]:
        return [d.metadata["source"] for d in documents]

    chain: Any = SegmenterRetriever(store=store, budget=30) | RunnableLambda(sources)
    assert "/films/r1.mp4" in chain.invoke("pump")
