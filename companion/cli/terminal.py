"""Chat in a terminal: sentences as they come, Ctrl-C stops a reply, silence is put to use.

What a child said stays out of every history file: the line editor remembers it in memory only.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from rich.console import Console
from rich.text import Text

from companion.assembly.announcing import announce
from companion.assembly.companion import Companion
from companion.cli.call import Call
from companion.cli.diary import in_words, summary
from companion.cli.output import clean, note
from companion.cli.slash import HELP, obey
from companion.cli.talk import Reply, Talk, talking
from companion.consolidation.report import Progress, Report
from companion.errors import CompanionError, InputError
from companion.records import Recalled


async def converse(call: Call) -> int:
    """Talk until the person leaves."""
    console = Console(highlight=False)
    margin = Margin()
    async with AsyncExitStack() as stack:
        with console.status("Waking up"):
            talk = await stack.enter_async_context(talking(call, margin))
        terminal = Terminal(call, talk, margin, console)
        ringing = asyncio.create_task(terminal.announce())
        try:
            await terminal.converse()
        finally:
            ringing.cancel()
            with suppress(asyncio.CancelledError):
                await ringing
    return 0


class Margin:
    """The quiet line at the right of the prompt: what happens in silence."""

    def __init__(self) -> None:
        self.text = ""
        self.prompt: PromptSession[str] = PromptSession(rprompt=lambda: self.text)

    def show(self, text: str) -> None:
        self.text = text
        self.prompt.app.invalidate()

    def progress(self, progress: Progress) -> None:
        self.show(in_words(progress))

    def finished(self, report: Report) -> None:
        self.show(summary(report))

    def failed(self, error: CompanionError) -> None:
        self.show(clean(str(error)))


class Terminal:
    """One conversation between a person at a keyboard and the companion."""

    def __init__(self, call: Call, talk: Talk, margin: Margin, console: Console) -> None:
        self._clock = call.clock
        self._name = call.config.persona.name
        self._talk = talk
        self._margin = margin
        self._console = console
        self._recalled: Sequence[Recalled] = ()
        self._reply: asyncio.Task[None] | None = None
        self._leaving = False
        """Ctrl-C was the last thing that happened: another one leaves."""

    async def converse(self) -> None:
        """Until Ctrl-D, or Ctrl-C twice."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._interrupt)
        self._console.print("/help shows what can be asked, Ctrl-D leaves", style="dim")
        while True:
            try:
                # Its own SIGINT handler would take ours away for good.
                line = await self._margin.prompt.prompt_async("you › ", handle_sigint=False)
            except EOFError:
                return
            except KeyboardInterrupt:
                if self._leaving:
                    return
                self._leaving = True
                self._console.print("Ctrl-C again, or Ctrl-D, leaves", style="dim")
                continue
            self._leaving = False
            self._margin.text = ""
            await self._take(line)

    async def announce(self) -> None:
        """Show what is to be said unasked. The daemon says its own aloud."""
        if isinstance(self._talk, Companion):
            await announce(self._talk.phases, self._clock, self._show)

    async def _show(self, sentence: str) -> None:
        text = Text.assemble((f"{self._name} › ", "cyan"), clean(sentence))
        if self._margin.prompt.app.is_running:
            await run_in_terminal(lambda: self._console.print(text))
        else:
            self._console.print(text)

    async def _take(self, line: str) -> None:
        text = line.strip()
        if text in HELP:
            await obey(text, self._talk, self._recalled, self._clock.wall(), sys.stdout)
        elif text.startswith("/"):
            self._console.print(f"There is no such command; try {', '.join(HELP)}", style="dim")
        elif text:
            await self._answer(line)

    async def _answer(self, line: str) -> None:
        self._console.print(Text(f"{self._name} › ", style="cyan"), end="")
        # Waking is no part of what Ctrl-C stops: a line that was entered is not to be lost.
        async with self._talk.answer(line) as reply:
            self._reply = asyncio.create_task(self._speak(reply))
            try:
                await self._reply
            except asyncio.CancelledError:
                if not self._leaving:  # it was not Ctrl-C: the whole program is being stopped
                    raise
            except InputError as error:
                note(f"companion: {error}")
            finally:
                self._reply = None
                self._console.print()

    async def _speak(self, reply: Reply) -> None:
        async for sentence in reply:
            self._console.print(Text(clean(sentence)), end=" ", soft_wrap=True)
        self._recalled = reply.result.recalled

    def _interrupt(self) -> None:
        if self._reply is not None:
            self._leaving = True
            self._reply.cancel()
        elif self._margin.prompt.app.is_running:
            self._margin.prompt.app.exit(exception=KeyboardInterrupt())
