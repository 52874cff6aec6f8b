"""The second layer: a small classifier over the embedder that is loaded anyway.

A softmax regression over the embedding and the hashed n-grams of `char_ngrams`, trained by
`scripts/train_guard.py`; its result is corrected by the nearest of the training sentences
(`classifier_weights`). It judges sentence by sentence; what a second network makes of the message
as a whole is weighed with it (`whole_message`). It finds what no pattern foresaw, and is the second
witness of what one found (`witnesses`).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from companion import language
from companion.engines.embedding.probe import is_of
from companion.engines.protocols import Embedder, TextClassifier
from companion.errors import ConfigError, EngineError
from companion.safety.classifier_weights import Danger, Weights, shipped
from companion.safety.normalize import plain, sentences
from companion.safety.not_now import asked_back, weighed
from companion.safety.replies import care, stop
from companion.safety.verdict import CRISIS, PASS, Side, Verdict
from companion.safety.whole_message import combined, stretches, weighing

logger = logging.getLogger(__name__)

CARE = 0.29
"""What is more unsafe than this is cared about: tests/safety/figures.md has the curve."""

ATTENTIVE = 0.6
"""What is more unsafe than this is stopped while the guard is attentive, instead of cared about."""

CERTAIN = 0.95
"""Where the classifier is less sure of a topic than this, what is said in care names none. Of what
one hand's guard cared about, nearly all that was grave is over it, and most that was not under."""

MOST_WORDS = 24
"""A sentence with more words is judged in windows of `WINDOW` words, `STRIDE` words apart."""

WINDOW = 12
STRIDE = 6


class Classifier:
    """Judges what a child says. The model's sentences are left to the patterns, because a good
    answer to a grave question is close to it in meaning."""

    def __init__(
        self,
        embedder: Embedder,
        weights: Weights | None = None,
        *,
        of_others: bool = False,
        asks: Callable[[str], Awaitable[float]] | None = None,
        whole: TextClassifier | None = None,
    ) -> None:
        """weights: by default those that are shipped. of_others: it judges what others say among
        themselves (`not_now.weighed`). asks: how likely words ask for what was told, 0 to 1.
        whole: what reads a message as a whole; None: only its sentences are judged."""
        self._asks = asks
        self._whole = whole
        self.of_others = of_others
        self._embedder = embedder
        self._weights = weights or shipped()
        self._checked = False

    async def judge(self, text: str, *, side: Side) -> Verdict:
        """Raises EngineError when the embedder fails, and what `check` raises."""
        if side == "out":
            return PASS
        danger = await self.danger(text)
        found = verdict_on(text, danger, self._weights.threshold, of_others=self.of_others)
        if found.stops and self._asks is not None and language.question.asking(text):
            danger = asked_back(danger, await self._asks(text))
            found = verdict_on(text, danger, self._weights.threshold, of_others=self.of_others)
        return found

    async def danger(
        self, text: str, parts: Sequence[str] = (), *, matched: bool = False
    ) -> Danger:
        """How unsafe a text is. matched: whether a pattern did; parts: in which, in plain spelling.
        Raises what `judge` raises."""
        if not self._checked:
            await self.check()
        spelled = plain(text)
        read = [*windows(spelled), *parts]
        found = self._weights.danger(read, await self._embedder.embed(read))
        alone = matched and len(sentences(spelled)) == 1
        if self._whole is None or alone:
            return found  # pattern and sentence are two witnesses of all that was said
        try:
            return combined(
                found, await self._whole.classify(stretches(spelled)), weighing(spelled)
            )
        except EngineError as error:
            # The sentences alone raise more alarms, not fewer. An error's text may hold words.
            logger.error("safety: messages are not read whole (%s)", type(error).__name__)
            return found

    async def check(self) -> None:
        """Raises ConfigError when the embedder is not the one of the weights, EngineError."""
        if not await is_of(self._embedder, self._weights.probe):
            raise ConfigError(
                f"safety.guard: full works with MiniLM only, not with {self._embedder.name}: "
                "set embedder.model to minilm-int8, or safety.guard to patterns"
            )
        self._checked = True


def verdict_on(text: str, found: Danger, threshold: float, *, of_others: bool = False) -> Verdict:
    """What becomes of words in which no pattern matched."""
    found = weighed(found, text, found.topic, of_others=of_others)
    if found.unsafe > threshold:
        return stop(found.topic, "in", "meaning")
    worries = found.unsafe > CARE and found.topic in CRISIS
    if not worries or language.question.for_a_fact(text):
        return PASS
    near, vague = found.unsafe > ATTENTIVE, found.certainty < CERTAIN
    return care(found.topic, "meaning", near_stop=near, vague=vague)


def windows(text: str) -> list[str]:
    """The sentences of a text; a long one as overlapping windows, so that its length hides
    nothing."""
    found: list[str] = []
    for sentence in sentences(text):
        words = sentence.split()
        if len(words) <= MOST_WORDS:
            found.append(sentence)
        else:
            starts = range(0, len(words) - WINDOW + STRIDE, STRIDE)
            found += [" ".join(words[at : at + WINDOW]) for at in starts]
    return found or [text]
