"""The fixed replies. Every word of them was written and read by people; none is generated.

They stand in `replies_to_child.yaml` and `replies_in_place_of_model.yaml`, each sentence an entry's
"word". Rules for changing one: at most two short sentences, calm, no blame, no secrecy, no promise,
no question that keeps a child talking about it; where somebody may be in danger, it sends the child
to a grown-up now.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from companion.language.tables import Table
from companion.safety.verdict import Side, Topic, Verdict

_HERE = Path(__file__).parent
_INSTEAD = Table(_HERE / "replies_in_place_of_model.yaml")


def _by_topic(table: Table) -> dict[Topic, tuple[str, ...]]:
    return {cast(Topic, name): table.ordered(name) for name in table.entries if name != "gentle"}


TO_CHILD = _by_topic(Table(_HERE / "replies_to_child.yaml"))
IN_PLACE_OF_MODEL = _by_topic(_INSTEAD)
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
