"""A whole companion, but for its voice: what chat and daemon both open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass

from companion.assembly.assist import build_assistant, build_listening
from companion.assembly.missing import Policy, Step
from companion.assembly.models import Models, open_models
from companion.assembly.phases import open_phases
from companion.assembly.store import store_or_ram
from companion.assist.assistant import Assistant, Assisted
from companion.assist.listening import Listening
from companion.clock import Clock
from companion.config import Config
from companion.dialog.reply import ReplyStream
from companion.phases import Phases, Watcher
from companion.records import Memory, Profile
from companion.store import history, profile
from companion.store.database import Store
from companion.store.memories import list_memories

READ_AGAIN_S = 2.0
"""After somebody took the model back."""


@dataclass(frozen=True)
class Companion:
    """What thinks and remembers."""

    store: Store
    models: Models
    phases: Phases
    assistant: Assistant
    listening: Listening

    async def assist(
        self,
        query: str | None,
        context: str,
        at_work: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Assisted | None:
        """The word that is missing, while nobody talks with the companion; None where somebody
        began to meanwhile. Nothing is stored. context: what was said last; "" for what was
        overheard, or said to the companion, last. at_work: entered while it looks for the word.
        Raises what `Assistant.assist` raises."""

        async def work() -> Assisted:
            said = context
            with at_work():
                if not said.strip():
                    said = self.listening.context or await self.store.read(history.last_words)
                return await self.assistant.assist(query, said)

        return await self.phases.errand(work)

    async def read_ahead(self, words: str) -> None:
        """Others are saying these words: read what a touch may ask for. Only by who has the floor.
        Raises what `Assistant.read_ahead` raises."""
        await self.assistant.read_ahead(f"{self.listening.context} {words}")

    async def read_on(self) -> None:
        """Go on with that while nobody talks."""
        await self.phases.errand(lambda: self.assistant.read_ahead(self.listening.context))

    async def get_ready(self) -> None:
        """Read what every request begins with, while nobody talks; returns once it is read."""
        while not self.assistant.ready:
            await self.phases.errand(self.assistant.get_ready)
            await asyncio.sleep(0 if self.assistant.ready else READ_AGAIN_S)

    @asynccontextmanager
    async def answer(self, words: str) -> AsyncIterator[ReplyStream]:
        """The companion, awake, and its reply; leaving the block early stops the reply."""
        async with self.phases.awake() as dialog, aclosing(dialog.reply(words)) as reply:
            yield reply

    async def memories(self) -> list[Memory]:
        """The active ones, oldest first."""
        return await self.store.read(list_memories)

    async def profile(self) -> Profile:
        """What is known of the person."""
        return await self.store.read(profile.current)

    async def sleep(self) -> None:
        """Let it go inactive now."""
        await self.phases.sleep()

    async def rested(self) -> None:
        """Wait until it has learnt what there is to learn."""
        await self.phases.rested()


@asynccontextmanager
async def open_companion(
    config: Config,
    clock: Clock,
    policy: Policy,
    watcher: Watcher,
    *,
    memory: bool = True,
    think: bool = True,
) -> AsyncIterator[Companion]:
    """Own the store, load the models, begin the first silence; on leaving, the session ends, then
    the models are freed, then the store is closed.

    Where the policy goes on, whatever is missing costs only itself. Without its language model it
    still hears, keeps what it heard, and says that it cannot think. Without its embedder it
    consolidates later. Without its store it talks, and remembers nothing beyond this run.
    memory, think: False leaves store or language models out (safe mode).
    Raises StoreBusy when another process owns the store, ConfigError for a guard that the embedder
    does not suit, and what the policy raises.
    """
    policy.on_step(Step.MEMORY)
    async with (
        store_or_ram(config, clock, policy, memory=memory) as store,
        open_models(config, policy, think=think) as models,
        open_phases(config, clock, store, models, policy, watcher) as phases,
    ):
        assistant = build_assistant(config, store, models.active, models.embedder)
        listening = build_listening(config, clock, store, models.embedder)
        try:
            yield Companion(store, models, phases, assistant, listening)
        finally:
            await listening.stop()
