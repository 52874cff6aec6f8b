"""Store, models and phases, opened so that whatever is missing costs only itself.

Without its language model the companion still hears, keeps what it heard, and says that it
cannot think. Without its embedder it talks, and consolidates later. Without its store it talks,
and remembers nothing beyond this life: then the log lies in memory only.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion import runtime
from companion.clock import Clock
from companion.config import Config, LlmSection
from companion.daemon.diary import Diary
from companion.daemon.missing import Missing
from companion.daemon.safe_mode import Safe
from companion.dialog.turn import Dialog
from companion.engines.absent import AbsentEmbedder, AbsentModel
from companion.engines.protocols import Embedder, LanguageModel
from companion.errors import CompanionError, ContextTooSmall, StoreBusy, StoreError
from companion.phases import Phases
from companion.store.database import Store

CANNOT_THINK = "I can't think right now."
CANNOT_LEARN = "I can't learn right now."
CANNOT_REMEMBER = "I can't remember right now."


@dataclass(frozen=True)
class Mind:
    """What thinks and remembers."""

    store: Store
    phases: Phases
    diary: Diary
    models: dict[str, str | None]
    """Role to name; None for one that is not there."""


class Opening:
    """Opens a mind part by part."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        safe: Safe,
        missing: list[Missing],
        tell: Callable[[str], None],
    ) -> None:
        """missing: takes what is not there. tell: is told what is being done."""
        self._config = config
        self._clock = clock
        self._safe = safe
        self._missing = missing
        self._tell = tell

    @asynccontextmanager
    async def mind(self) -> AsyncIterator[Mind]:
        """Open all of it; close it in the opposite order, the running session first.

        Raises StoreBusy when another process owns the store, ConfigError for a guard that the
        embedder does not suit.
        """
        config = self._config
        async with AsyncExitStack() as stack:
            self._tell("opening the memory")
            store = await self._store(stack)
            # Of the models the largest comes first, while memory is in one piece.
            self._tell("loading the language model")
            active = await self._model(stack, config.llm.active, CANNOT_THINK)
            inactive = active
            if active is not None and config.llm.inactive not in (None, config.llm.active):
                assert config.llm.inactive is not None
                inactive = await self._model(stack, config.llm.inactive, CANNOT_LEARN)
            self._tell("loading the embedder")
            embedder = await self._embedder(stack)
            if embedder is not None:
                await runtime.check_guard(config.safety, embedder)
            dialog = await self._dialog(store, active, embedder)
            consolidation = None
            if inactive is not None and embedder is not None and store.directory == config.data_dir:
                consolidation = runtime.consolidation(
                    config, self._clock, store, inactive, embedder
                )
            diary = Diary(self._clock)
            phases = Phases(
                dialog,
                consolidation,
                self._clock,
                lent=active if inactive is active else None,
                inactivity_s=config.consolidation.inactivity_s,
                watcher=diary,
            )
            stack.push_async_callback(phases.close)
            phases.start()
            models: dict[str, str | None] = {
                "active": _name(active),
                "inactive": _name(inactive),
                "embedder": _name(embedder),
            }
            yield Mind(store, phases, diary, models)

    async def _store(self, stack: AsyncExitStack) -> Store:
        config = self._config
        if self._safe is Safe.OFF:
            try:
                return await stack.enter_async_context(
                    runtime.store(config, self._clock, mode="owner")
                )
            except StoreBusy:
                raise
            except StoreError as error:
                self._missing.append(Missing(CANNOT_REMEMBER, str(error)))
        directory = stack.enter_context(in_memory(config.data_dir))
        passing = config.model_copy(update={"data_dir": directory})
        return await stack.enter_async_context(runtime.store(passing, self._clock, mode="owner"))

    async def _model(
        self, stack: AsyncExitStack, section: LlmSection, otherwise: str
    ) -> LanguageModel | None:
        if self._safe is Safe.NO_MODEL:
            return None
        try:
            return await stack.enter_async_context(runtime.language_model(self._config, section))
        except CompanionError as error:
            self._missing.append(Missing(otherwise, str(error)))
            return None

    async def _embedder(self, stack: AsyncExitStack) -> Embedder | None:
        try:
            return await stack.enter_async_context(runtime.embedder(self._config))
        except CompanionError as error:
            self._missing.append(Missing(CANNOT_LEARN, str(error)))
            return None

    async def _dialog(
        self, store: Store, model: LanguageModel | None, embedder: Embedder | None
    ) -> Dialog:
        """Ready to talk, or to say that it cannot think."""
        vectors = embedder or AbsentEmbedder(CANNOT_LEARN)
        if model is not None:
            dialog = runtime.dialog(self._config, self._clock, store, model, vectors)
            try:
                await dialog.open()
                prefix = runtime.prefix(self._config)
                if prefix is not None:
                    self._tell("reading the persona")
                    await prefix.load(model)
                return dialog
            except ContextTooSmall as error:
                self._missing.append(Missing(CANNOT_THINK, str(error)))
        plain = self._config.persona.model_copy(update={"greeting": False, "examples": False})
        # What it says now is fixed, so that no classifier has to judge it.
        safety = self._config.safety.model_copy(update={"guard": "patterns"})
        config = self._config.model_copy(update={"persona": plain, "safety": safety})
        absent = AbsentModel(CANNOT_THINK, context_tokens=config.llm.active.context_tokens)
        dialog = runtime.dialog(config, self._clock, store, absent, vectors)
        await dialog.open()
        return dialog


def _name(part: LanguageModel | Embedder | None) -> str | None:
    return None if part is None else part.name


@contextmanager
def in_memory(data_dir: Path) -> Iterator[Path]:
    """A directory in RAM for a store that nothing is to be left of.

    Always the same one for a data directory: what a killed daemon left there is removed first.
    """
    name = hashlib.sha256(bytes(data_dir.resolve())).hexdigest()[:16]
    base = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0] or "/dev/shm"
    directory = Path(base) / f"companion-{os.getuid()}-{name}"
    shutil.rmtree(directory, ignore_errors=True)
    try:
        # Not `exist_ok`: in a directory that others may write to, it may be somebody else's.
        directory.mkdir(mode=0o700)
    except OSError as error:
        raise StoreError(f"{directory}: cannot be made: {error.strerror}") from None
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
