"""A reply of the dialog that talks with people, read to its end."""

from __future__ import annotations

from contextlib import aclosing

from companion.dialog.responder import LOST_THREAD
from companion.dialog.turn import Dialog, TurnResult
from companion.errors import EngineError


async def answered(dialog: Dialog, words: str, *, keep: bool) -> TurnResult:
    """The whole turn; keep: as `Dialog.reply` has it.

    Raises EngineError when the model failed, be it amid its answer: the calm sentence that a
    person then hears is no answer that could be marked.
    """
    stream = dialog.reply(words, keep=keep)
    async with aclosing(stream) as sentences:
        async for _ in sentences:
            pass
    if stream.result.text.endswith(LOST_THREAD):
        raise EngineError("the companion's model gave no reply, or broke it off: is it running?")
    return stream.result
