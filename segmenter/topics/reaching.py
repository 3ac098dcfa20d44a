"""Whether the server that topic breaks will need can be used, asked before any long work begins."""

from __future__ import annotations

from segmenter.settings import TopicSettings
from segmenter.topics.breaks import check_rule
from segmenter.topics.embedder import EMBEDDERS
from segmenter.topics.embedding_server import ServerEmbedder
from segmenter.topics.server import greet


def check_server(settings: TopicSettings) -> None:
    """One small request to the server of the rule or of its embedder; none where neither needs one.

    Raises:
        ServerError: it is not there, refuses, or does not answer as such a server does.
    """
    needs = check_rule(settings.rule).needs
    if needs == "server":
        greet(settings.server_url, settings.server_model)
    elif needs == "vectors" and not EMBEDDERS[settings.embedder].weights:
        _ = ServerEmbedder(settings.server_url, settings.server_embedder).probe
