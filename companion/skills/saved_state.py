"""What skills keep, as it stands in the store: their state, and how their last answer fared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from companion.skills.protocol import State
from companion.store import history, skill_state


@dataclass(frozen=True)
class Held:
    """What one skill keeps, and how its last answer fared."""

    state: State
    runs: bool
    waits: bool
    said: tuple[str, ...]
    """The sentences of its last answer."""

    session: str
    turn: int
    """Where it was given."""

    passed: int = 0
    """Messages since then that were for others."""

    unheard: int = 0
    """How many of the sentences were not heard to their end; told by the log."""


def document(known: Held) -> dict[str, object]:
    return {
        "of": known.state,
        "runs": known.runs,
        "waits": known.waits,
        "said": list(known.said),
        "passed": known.passed,
    }


def all_held(c: apsw.Connection) -> dict[str, Held]:
    """What every skill keeps. What was not heard of its last answer is told by the log: nothing of
    it where the power failed before, a part where it was interrupted."""
    held = {}
    for kept in skill_state.all_states(c):
        document = kept.state
        said = tuple(document["said"])
        unheard = 0
        if document["runs"] or document["waits"]:
            turn = history.turn(c, kept.session, kept.turn)
            if turn is not None:
                unheard = _unheard(said, "" if turn.reply is None else turn.reply.text)
        held[kept.skill] = Held(
            document["of"],
            document["runs"],
            document["waits"],
            said,
            kept.session,
            kept.turn,
            document["passed"],
            unheard,
        )
    return held


def _unheard(said: Sequence[str], heard: str) -> int:
    """How many sentences are not in what was heard to their end."""
    for number, sentence in enumerate(said):
        if sentence not in heard:
            return len(said) - number
    return 0
