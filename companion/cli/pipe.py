"""Chat without a terminal: one line in, one reply out.

Notes and progress go to stderr. A line that is refused is named there and, with `--json`,
answered by an object with `error`, so that a program in lock-step never waits in vain.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from companion.assembly.announcing import announce
from companion.assembly.companion import Companion
from companion.cli.call import Call
from companion.cli.diary import show_report
from companion.cli.documents import turn_document
from companion.cli.lines import lines, text_of
from companion.cli.output import note, one_line, write_json_line
from companion.cli.slash import HELP, obey
from companion.cli.talk import Talk, talking
from companion.consolidation.report import Progress, Report
from companion.dialog.turn import TurnResult
from companion.errors import CompanionError, InputError
from companion.records import Recalled


class Notes:
    """Tells on stderr what happens in silence."""

    def progress(self, progress: Progress) -> None:
        pass

    def finished(self, report: Report) -> None:
        if report.sessions:
            show_report(report, file=sys.stderr)

    def failed(self, error: CompanionError) -> None:
        note(f"companion: {error}")


async def converse(call: Call) -> int:
    """Talk until the input ends. Returns 1 when a line was refused, else 0."""
    refused = 0
    recalled: Sequence[Recalled] = ()
    async with talking(call, Notes()) as talk, _announcing(talk, call):
        number = 0
        async for line in lines(sys.stdin.fileno()):
            number += 1
            try:
                text = text_of(line)
                if not text.strip():
                    continue
                if text.strip() in HELP:
                    await obey(text.strip(), talk, recalled, call.clock.wall(), sys.stderr)
                    if text.strip() == "/sleep":
                        await talk.rested()
                    continue
                result = await _answer(talk, text)
            except InputError as error:
                refused += 1
                note(f"companion: line {number}: {error}")
                if call.arguments.json:
                    write_json_line({"error": str(error)})
                continue
            recalled = result.recalled
            if call.arguments.json:
                write_json_line(turn_document(result))
            else:
                print(one_line(result.text), flush=True)
    return 1 if refused else 0


@asynccontextmanager
async def _announcing(talk: Talk, call: Call) -> AsyncIterator[None]:
    """Meanwhile, what is to be said unasked is noted on stderr: stdout is one line for one."""

    async def say(sentence: str) -> None:
        note(f"companion: {one_line(sentence)}")

    if not isinstance(talk, Companion):  # the daemon says its own aloud
        yield
        return
    ringing = asyncio.create_task(announce(talk.phases, call.clock, say))
    try:
        yield
    finally:
        ringing.cancel()
        with suppress(asyncio.CancelledError):
            await ringing


async def _answer(talk: Talk, text: str) -> TurnResult:
    async with talk.answer(text) as reply:
        async for _ in reply:
            pass
    return reply.result
