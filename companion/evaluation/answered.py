"""Reads a reply of the real dialog to its end."""

from __future__ import annotations

from contextlib import aclosing

from companion.dialog.replies import LOST_THREAD
from companion.dialog.turn import Dialog, TurnResult
from companion.errors import EngineError


async def answered(dialog: Dialog, words: str, *, keep: bool) -> TurnResult:
    """The finished turn. keep: see `Dialog.reply`.

    Raises EngineError when the model failed, even in the middle of its answer: the calm sentence
    that a person hears then is not an answer that could be scored.
    """
    stream = dialog.reply(words, keep=keep)
    async with aclosing(stream) as sentences:
        async for _ in sentences:
            pass
    if stream.result.text.endswith(LOST_THREAD):
        raise EngineError("the companion's model gave no reply, or broke it off: is it running?")
    return stream.result
