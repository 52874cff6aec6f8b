"""What a guard is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from companion.sections import NoticeTopic

Side = Literal["in", "out"]
"""`in`: what the child said. `out`: a sentence that the model wrote."""

Topic = Literal[NoticeTopic, "goodbye", "machine", "unkind", "unsure"]
"""Those that a parent can be told of; `goodbye`, `machine` and `unkind` are manners of the model;
`unsure`: a guard that failed."""

GRAVE: tuple[Topic, ...] = (*get_args(NoticeTopic), "unsure")
"""A turn stopped for one of these is marked: not learnt from, not recalled, in no prompt."""

CRISIS: tuple[Topic, ...] = ("self-harm", "abuse", "emergency", "strangers")
"""Missing one of these is worse than stopping too much."""


@dataclass(frozen=True)
class Verdict:
    """Whether words may go on, and what is said in their place if not."""

    action: Literal["pass", "reply"] = "pass"
    topic: Topic | None = None
    reply: tuple[str, ...] = ()
    """Whole sentences in our own words; no model has touched them."""

    layer: str = ""
    """Which layer stopped it."""

    @property
    def stops(self) -> bool:
        return self.action != "pass"

    @property
    def marks(self) -> bool:
        """The turn is to be kept out of memory and of prompts."""
        return self.topic in GRAVE


PASS = Verdict()


class Guard(Protocol):
    """Judges one utterance at a time, and keeps nothing: turn 50 is judged as turn 1 is."""

    async def judge(self, text: str, *, side: Side) -> Verdict:
        """Raises nothing that a caller has to know: see `layers.Layers`."""
