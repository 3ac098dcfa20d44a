"""The MCP server as an assistant meets it: the real client, over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from indexed import segmentation

from segmenter.formats import folder
from segmenter.weights import locate

mcp = pytest.importorskip("mcp")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two recordings, indexed by the program itself with the real embedder."""
    from segmenter.errors import ModelMissing

    try:
        locate("all-MiniLM-L6-v2")
    except ModelMissing as error:
        pytest.skip(str(error))
    from typer.testing import CliRunner

    from segmenter.cli.app import app

    place = tmp_path_factory.mktemp("mcp")
    for name in ("r1", "r2"):
        folder.write(segmentation(name, f"Meeting {name}"), place / "runs")
    done = CliRunner().invoke(app, ["index", str(place / "runs"), "--store", str(place / "store"), "--backend", "faiss"])
    assert done.exit_code == 0, done.output
    return place / "store"


def asked(store: Path, talk: Callable[[Any], Awaitable[Any]]) -> Any:
    """What comes of a talk with a server that was started as an assistant starts it."""
    parameters = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "segmenter", "mcp", "--store", str(store)], env=dict(os.environ)
    )

    async def run() -> Any:
        async with mcp.stdio_client(parameters) as (read, write), mcp.ClientSession(read, write) as session:
            await session.initialize()
            return await talk(session)

    with ThreadPoolExecutor(1) as apart:  # this thread may have a loop of its own, of a browser that is driven
        return apart.submit(asyncio.run, run()).result()


def value(result: Any) -> Any:
    assert not result.is_error, result.content
    held = result.structured_content
    return held["result"] if set(held) == {"result"} else held


def test_an_assistant_searches_and_reads(store: Path) -> None:
    async def talk(session: Any) -> dict[str, Any]:
        tools = (await session.list_tools()).tools
        hits = value(await session.call_tool("search", {"query": "Who orders the new pump?", "budget": 60, "recording": "r1"}))
        chunk = {"recording": hits[0]["recording"], "chunk": hits[0]["chunk"]}
        return {
            "tools": tools,
            "hits": hits,
            "recordings": value(await session.call_tool("list_recordings", {})),
            "chunk": value(await session.call_tool("read_chunk", chunk)),
            "transcript": value(await session.call_tool("read_transcript", {"recording": "r1", "after": 5.0, "before": 13.0})),
            "events": value(await session.call_tool("list_events", {"recording": "Meeting r2"})),
            "wrong": await session.call_tool("read_chunk", {"recording": "r1", "chunk": "../../etc/passwd"}),
            "unknown": await session.call_tool("read_transcript", {"recording": "/etc/passwd"}),
            "bad": [
                (await session.call_tool("search", given)).content[0].text
                for given in ({}, {"query": "pump", "budget": 0}, {"query": "pump", "after": "soon", "recording": 3})
            ],
            "hostile": value(await session.call_tool("search", {"query": "'; DROP TABLE units; --\x00", "speaker": "' OR 1=1"})),
        }

    told = asked(store, talk)
    assert {tool.name for tool in told["tools"]} == {
        *("list_recordings", "search", "read_chunk", "read_transcript", "list_events")
    }
    assert all(tool.annotations.read_only_hint for tool in told["tools"])
    assert "new pump on Monday" in json.dumps(told["hits"][0])
    assert [(r["id"], r["title"], r["duration"], r["chunks"]) for r in told["recordings"]] == [
        ("r1", "Meeting r1", 90.0, 3),
        ("r2", "Meeting r2", 90.0, 3),
    ]
    assert told["chunk"]["start"] <= told["hits"][0]["best"] < told["chunk"]["end"]
    assert told["chunk"]["text"].startswith({0.0: "The pump is", 12.0: "Now the budget"}[told["chunk"]["start"]])
    assert [line["start"] for line in told["transcript"]["lines"]] == [4.0, 8.0, 12.0]
    assert told["transcript"]["next"] is None
    assert [(line["start"], line["end"], line["labels"]) for line in told["events"]["lines"]] == [(60.0, 74.0, ["person", "car"])]
    assert told["wrong"].is_error
    assert "no chunk '../../etc/passwd'" in told["wrong"].content[0].text
    assert told["unknown"].is_error
    assert told["hostile"] == []
    assert told["bad"] == [
        "search cannot use query: field required",
        "search cannot use budget: input should be greater than or equal to 1",
        "search cannot use recording: input should be a valid string; "
        "after: input should be a valid number, unable to parse string as a number",
    ]


def test_a_store_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from segmenter.cli.app import app
    from segmenter.errors import NotAFile

    result = CliRunner().invoke(app, ["mcp", "--store", str(tmp_path / "none")])
    assert isinstance(result.exception, NotAFile)
    assert "segmenter index" in str(result.exception)
