"""The paper's recall over a labelled conversation: nearest facts and turns, by meaning alone.

`dialog.recall_paper` looks for turns in the running session only, as the paper does. A labelled
conversation is one long acquaintance and each utterance a turn (both speakers are people), so
here all utterances are searched, and neighbours are those before and after in the same session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.config import RetrievalSection
from companion.engines.protocols import Embedder
from companion.evaluation.retrieval.labelled import LabelledTalk, Utterance

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Shown:
    """What a block holds."""

    block: str
    evidence: frozenset[str]
    """Ids of utterances that stand in it, themselves or as a fact that cites them."""


class DenseRecall:
    """k_long facts and k_short utterances with k_surrounding neighbours, each S_min similar."""

    def __init__(
        self,
        talk: LabelledTalk,
        embedder: Embedder,
        section: RetrievalSection,
        facts: Vectors,
        utterances: Vectors,
    ) -> None:
        """facts, utterances: their vectors in the order of the talk, (n, dimension)."""
        self._talk = talk
        self._embedder = embedder
        self._section = section
        self._facts = facts
        self._utterances = utterances
        self._places = [
            (session, position)
            for session in talk.sessions
            for position in range(len(session.utterances))
        ]

    @classmethod
    async def over(
        cls, talk: LabelledTalk, embedder: Embedder, section: RetrievalSection
    ) -> DenseRecall:
        """Embed the conversation."""
        facts = await embedder.embed([each.text for each in talk.facts])
        said = [each.text for session in talk.sessions for each in session.utterances]
        return cls(talk, embedder, section, facts, await embedder.embed(said))

    async def recall(self, query: str) -> Shown:
        section = self._section
        vector = (await self._embedder.embed([query]))[0]
        lines: list[str] = []
        evidence: set[str] = set()
        for number in self._nearest(self._facts @ vector, section.k_long):
            fact = self._talk.facts[number]
            lines.append(f"{language.dates.spelled_day(fact.time)}: {fact.text}")
            evidence |= fact.cites
        chosen: dict[str, str] = {}
        for number in self._nearest(self._utterances @ vector, section.k_short):
            session, position = self._places[number]
            first = max(0, position - section.k_surrounding)
            for each in session.utterances[first : position + section.k_surrounding + 1]:
                day = language.dates.spelled_day(session.time)
                chosen[each.id] = f"{day}: {self._speaker(each)}: {each.text}"
        return Shown("\n".join([*lines, *chosen.values()]), frozenset(evidence | chosen.keys()))

    def _nearest(self, cosines: Sequence[float] | Vectors, k: int) -> list[int]:
        best = np.argsort(-np.asarray(cosines), kind="stable")[:k]
        return [int(each) for each in best if cosines[each] >= self._section.s_min]

    def _speaker(self, each: Utterance) -> str:
        """As notes call the two."""
        return "They" if each.speaker == self._talk.speakers[0] else "You"
