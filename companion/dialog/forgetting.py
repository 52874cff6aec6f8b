"""What a dialog lets go of when something was erased, corrected or brought back.

The running talk is brought in line with the log, and nothing held in RAM outlives its row.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.answering import Answerer, Forgets
from companion.dialog.conversation import Conversation
from companion.dialog.gate import Gate
from companion.dialog.responder import Responder
from companion.records import Turn


async def forget(
    talk: Conversation, gate: Gate, responder: Responder, answerers: Sequence[Answerer]
) -> list[Turn]:
    """The turns that the running session has now; none when it was erased. Raises StoreFailing."""
    responder.forget()
    for each in answerers:
        if isinstance(each, Forgets):
            each.forget()
    before = talk.session
    turns = await talk.forget()
    if talk.session != before:
        gate.forget()
    return turns
