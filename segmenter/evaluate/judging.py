"""A language model as judge of what was retrieved, by ragas (Es et al. 2023); each score is from 0 to 1.

Context recall: the share of the reference answer's statements that the passages hold. Context precision: whether the
passages that help stand before those that do not. Faithfulness: the share of the statements in an answer, which `ask`
makes of the passages, that rest on them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np

from segmenter.errors import PackageMissing, SettingsError
from segmenter.evaluate.joined import Joined
from segmenter.retrieval.asking import answer, evidence
from segmenter.retrieval.filling import passages
from segmenter.retrieval.records import Unit, unit_id
from segmenter.retrieval.search import Hit, hit_of
from segmenter.settings import AskSettings

JUDGED = ("context_recall", "context_precision", "faithfulness")
_MOST_TOKENS = 4000  # of one verdict: a reason for each statement of a long answer


class Judge:
    """The model on the server that `ask` uses. A question costs five requests and one more for each passage.

    Raises:
        SettingsError: no server is named.
        PackageMissing: ragas is not installed.
    """

    def __init__(self, settings: AskSettings) -> None:
        if not settings.server_url:
            raise SettingsError("a judge needs a server", hint="set server_url and server_model in the table [ask]")
        if find_spec("ragas") is None:
            raise PackageMissing("ragas", "ragas")
        self._settings = settings

    def scores(self, question: str, reference: str, hits: Sequence[Hit]) -> dict[str, float]:
        """What can be judged of it: without a reference answer faithfulness alone, with nothing found nothing.

        Raises:
            SettingsError: the server does not answer, or not as it is asked to.
        """
        if not hits:
            return {}
        said = " ".join(claim.text for claim in answer(question, evidence(hits), self._settings))
        texts = [hit.text for hit in hits]
        try:
            with ThreadPoolExecutor(1) as beside:  # where this runs, a notebook may already run a loop of its own
                return beside.submit(lambda: asyncio.run(self._judged(question, reference, said, texts))).result()
        except Exception as error:  # whatever ragas and its client make of a server's answer
            what = f"no verdict from {self._settings.server_url} ({type(error).__name__})"
            raise SettingsError(what, hint="check that it runs, and that its model can answer in JSON") from error

    async def _judged(self, question: str, reference: str, said: str, contexts: list[str]) -> dict[str, float]:
        os.environ.setdefault("RAGAS_DO_NOT_TRACK", "true")  # read at import: it would report its use to its makers
        from openai import AsyncOpenAI
        from ragas.llms import llm_factory
        from ragas.metrics.collections import ContextPrecision, ContextRecall, Faithfulness

        key = os.environ.get("OPENAI_API_KEY") or "none"
        async with AsyncOpenAI(base_url=self._settings.server_url, api_key=key) as client:
            model = llm_factory(self._settings.server_model, client=client, temperature=0, max_tokens=_MOST_TOKENS)
            found = {}
            if reference:
                asked: dict[str, Any] = {"user_input": question, "reference": reference, "retrieved_contexts": contexts}
                found["context_recall"] = await ContextRecall(llm=model).ascore(**asked)
                found["context_precision"] = await ContextPrecision(llm=model).ascore(**asked)
            if said:
                rests = Faithfulness(llm=model)
                found["faithfulness"] = await rests.ascore(user_input=question, response=said, retrieved_contexts=contexts)
        return {name: float(one.value) for name, one in found.items() if np.isfinite(one.value)}


def hits_of(joined: Joined, taken: Sequence[int]) -> list[Hit]:
    """The sentences that were taken, best first, as the passages that a reader gets."""
    places = {i: place for place, i in reversed(list(enumerate(taken)))}
    spans = sorted(passages(taken, joined.recordings), key=lambda span: min(places[i] for i in range(span[0], span[1] + 1)))
    return [hit_of(_units(joined, *span), np.zeros(span[1] - span[0] + 1), set(), _titles(joined), {}) for span in spans]


def _units(joined: Joined, first: int, last: int) -> list[Unit]:
    number = int(joined.recordings[first])
    asked, offset = joined.materials[number].asked, int(joined.offsets[number])
    return [
        Unit(
            unit_id(asked.id, "sentence", said.start, said.end),
            asked.id,
            "sentence",
            said.start,
            said.end,
            i,
            said.text,
            speakers=(said.speaker,) if said.speaker else (),
        )
        for i, said in enumerate(asked.sentences[first - offset : last - offset + 1])
    ]


def _titles(joined: Joined) -> dict[str, Unit]:
    ids = [one.asked.id for one in joined.materials]
    return {one: Unit(unit_id(one, "recording", 0, 0), one, "recording", 0, 0, 0, one) for one in ids}
