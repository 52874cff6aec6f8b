"""The interface of a guard: topics, sides, and the verdict that it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from companion.config.sections import NoticeTopic

Side = Literal["in", "out"]
"""`in`: what the child said. `out`: a sentence that the model wrote."""

Topic = Literal[NoticeTopic, "goodbye", "machine", "unkind", "unsure"]
"""Topics of which a parent can be told, and besides them: `goodbye`, `machine` and `unkind`, which
are faults in the model's manners, and `unsure`, for a guard that failed."""

GRAVE: tuple[Topic, ...] = (*get_args(NoticeTopic), "unsure")
"""A turn stopped for one of these is marked: it is not learnt from, not recalled, and in no
prompt."""

CRISIS: tuple[Topic, ...] = ("self-harm", "abuse", "emergency", "strangers")
"""Missing one of these is worse than stopping too much."""


@dataclass(frozen=True)
class Verdict:
    """Whether words may pass, and what is said in their place if not."""

    action: Literal["pass", "care", "reply"] = "pass"
    """`care`: something may be wrong, or nothing; a person's calm sentence asks."""

    topic: Topic | None = None
    reply: tuple[str, ...] = ()
    """Whole fixed sentences; none of them was generated."""

    layer: str = ""
    """Which layer stopped the words."""

    near_stop: bool = False
    """Of `care`: whether they are stopped while the guard is attentive (`dialog.attention`)."""

    vague: bool = False
    """Of `care`: whether the topic is too unsure to be asked about."""

    @property
    def stops(self) -> bool:
        """Whether the words reach no model, and `reply` is said."""
        return self.action != "pass"

    @property
    def cares(self) -> bool:
        return self.action == "care"

    @property
    def marks(self) -> bool:
        """Whether the turn is to be kept out of memory and prompts."""
        return self.topic in GRAVE

    @property
    def mark(self) -> str | None:
        """What the turn is marked with, and named in a notice: the topic, or `WORRY`."""
        return WORRY if self.cares else self.topic


WORRY = "worry"
"""In place of a topic where the guard was in doubt: which topic it would be is a guess."""

PASS = Verdict()


class Guard(Protocol):
    """Judges one utterance at a time and keeps no state: turn 50 is judged exactly as turn 1."""

    async def judge(self, text: str, *, side: Side) -> Verdict:
        """The verdict on one text. Callers need not handle errors: see `guard_chain.GuardChain`."""
