"""`segmenter mcp`: the store for assistants, over standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

from segmenter.cli import topic_options
from segmenter.cli.search import StorePath
from segmenter.errors import PackageMissing
from segmenter.retrieval.finder import Finder


def mcp(store: StorePath, config: topic_options.Config = None) -> None:
    """Let an assistant search and read a store by the Model Context Protocol; read-only, on standard input and output."""
    if find_spec("mcp") is None:
        raise PackageMissing("mcp", "mcp")
    from segmenter.integrations.mcp_server import serve

    with Finder(store, topic_options.settings_of(config)) as finder:
        serve(finder)
