"""How the guard's doubt is answered: with a calm sentence, each time another one, and with
attention. For some turns after it, less is needed to stop what is said about the same topic.

A doubt of which not even the topic is clear begins no attention: one misfire must not make
another."""

from __future__ import annotations

from dataclasses import replace

from companion import language
from companion.safety.replies import caring, stop
from companion.safety.verdict import Topic, Verdict

TURNS = 5


class Attention:
    """One child's; in RAM only, and of one session."""

    def __init__(self) -> None:
        self._left = 0
        self._topic: Topic | None = None
        self._cared = 0

    def end(self) -> None:
        self._left = 0

    def applied(self, verdict: Verdict, words: str) -> Verdict:
        """The verdict on these words as it is now: what the guard would only care about may be
        stopped."""
        if not verdict.cares or verdict.topic is None:
            return verdict
        if self._left and verdict.near_stop and verdict.topic == self._topic:
            return stop(verdict.topic, "in", verdict.layer)
        asked = bool(language.question.asking(words))
        reply = caring(verdict.topic, self._cared, vague=verdict.vague, asked=asked)
        return replace(verdict, reply=reply)

    def note(self, verdict: Verdict) -> None:
        """Count a turn of the session, with the verdict on it."""
        self._left = max(0, self._left - 1)
        if verdict.cares and not verdict.vague:
            self._left, self._topic = TURNS, verdict.topic
        self._cared += verdict.cares
