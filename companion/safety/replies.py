"""The fixed replies. Every word of them was written and read by people; none is generated.

They stand in `replies_to_child.yaml`, `replies_in_place_of_model.yaml` and, with rules of their
own, `replies_of_care.yaml` and `first_aid.yaml` (see `first_aid`), each sentence an entry's
"word". Rules for changing one: at most two short sentences, calm, no blame, no secrecy, no promise,
no question that keeps a child talking about it; where somebody may be in danger, it sends the child
to a grown-up now.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from companion import language
from companion.language.tables import Table
from companion.safety.verdict import Side, Topic, Verdict

_HERE = Path(__file__).parent
_INSTEAD = Table(_HERE / "replies_in_place_of_model.yaml")


def _by_topic(table: Table) -> dict[Topic, tuple[str, ...]]:
    return {cast(Topic, name): table.ordered(name) for name in table.entries if name != "gentle"}


TO_CHILD = _by_topic(Table(_HERE / "replies_to_child.yaml"))
IN_PLACE_OF_MODEL = _by_topic(_INSTEAD)
_CARE = Table(_HERE / "replies_of_care.yaml")
_VAGUE, _VAGUE_ASKED = "whatever", "whatever-asked"
CARE_TOPICS = tuple(each for each in _CARE.entries if each not in (_VAGUE, _VAGUE_ASKED))
GENTLE = _INSTEAD.ordered("gentle")
"""In place of any other sentence of the model."""

BREAK = "We have talked for a good while now, so how about a little break?"


def stop(topic: Topic, side: Side, layer: str) -> Verdict:
    """The verdict that stops words about `topic`."""
    if side == "in":
        reply = TO_CHILD.get(topic, TO_CHILD["unsure"])
    else:
        reply = IN_PLACE_OF_MODEL.get(topic, GENTLE)
    return Verdict("reply", topic, reply, layer)


def care(topic: Topic, layer: str, *, near_stop: bool, vague: bool = False) -> Verdict:
    """The verdict that cares about words about `topic`, one of `CRISIS`, with the first of its
    replies. vague: the topic is a guess, and the reply takes nothing for granted."""
    return Verdict("care", topic, caring(topic, 0, vague=vague), layer, near_stop, vague)


def caring(
    topic: Topic, times: int, *, vague: bool = False, asked: bool = False
) -> tuple[str, ...]:
    """The sentences that care, after so many times: in turn, so that none comes twice in a row.
    asked: they answer a question; it matters where the topic is vague."""
    unclear = _VAGUE_ASKED if asked else _VAGUE
    variants = _CARE.ordered(unclear if vague else topic)
    return tuple(language.sentences.split(variants[times % len(variants)]))


def caring_replies() -> tuple[str, ...]:
    """Every reply that cares."""
    return tuple(reply for entry in _CARE.entries for reply in _CARE.ordered(entry))
