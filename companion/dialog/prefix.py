"""Stores the model's KV state for the unchanging beginning of every prompt in a file.

Persona, rules and examples are about a thousand tokens, which a small machine needs many seconds
to evaluate. The resulting KV state is stored once, and later starts load it. The file holds nothing
about any person: what is known of the person comes after this part of the prompt.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.config import DialogSection, PersonaSection
from companion.dialog.abilities import ONLY_TALK, Abilities
from companion.dialog.persona import lasting
from companion.engines.protocols import ChatMessage, LanguageModel, Snapshot


class StoredState:
    """One model's state for one unchanging beginning of a prompt."""

    def __init__(
        self, file: Path, weights: str, messages: Sequence[ChatMessage], *, trained: bool = False
    ) -> None:
        """file: where the state is kept; it is written anew when messages or weights change.
        weights: identifies the model file and its context size. trained: see `Options.trained`."""
        self._trained = trained
        self._file = file
        self._messages = tuple(messages)
        self._key = _key(weights, self._messages)

    @property
    def exists(self) -> bool:
        """Whether anything is stored; whether it fits is known only once it is loaded."""
        return self._file.exists()

    async def load(self, model: LanguageModel) -> Snapshot | None:
        """Load the stored state into the model, or evaluate the beginning once and store the
        result, which is returned. An engine without snapshots is left as it is: None.

        If the disk cannot be written, the next start evaluates it again. Raises EngineError.
        """
        snapshot = await asyncio.to_thread(_read, self._file, self._key)
        if snapshot is not None:
            snapshot.trained = self._trained
        if snapshot is not None and await model.restore(snapshot):
            return snapshot
        await model.warm(self._messages, trained=self._trained)
        snapshot = await model.snapshot()
        if snapshot is not None:
            await asyncio.to_thread(_write, self._file, self._key, snapshot)
        return snapshot


class StoredPrefix(StoredState):
    """One model's state for one persona."""

    def __init__(
        self,
        file: Path,
        weights: str,
        persona: PersonaSection,
        dialog: DialogSection,
        abilities: Abilities = ONLY_TALK,
    ) -> None:
        """As of `StoredState`; written anew when persona or skills change."""
        super().__init__(file, weights, lasting(persona, dialog.sentences, abilities))


def _key(weights: str, messages: Sequence[ChatMessage]) -> str:
    return hashlib.sha256(repr((weights, tuple(messages))).encode()).hexdigest()


def _read(file: Path, key: str) -> Snapshot | None:
    """The state stored under this key; None when there is none, or when it is damaged.

    numpy and zipfile report damage in many ways: EOFError for an empty file; for a flipped bit
    RuntimeError (a password is missing) or NotImplementedError (an unknown compression).
    """
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            if str(stored["key"]) != key:
                return None
            return Snapshot(tuple(stored["ids"].tolist()), stored["state"].tobytes())
    except (OSError, EOFError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile):
        return None


def _write(file: Path, key: str, snapshot: Snapshot) -> None:
    partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            np.savez(
                stream,
                key=np.array(key),
                ids=np.array(snapshot.token_ids, dtype=np.int32),
                state=np.frombuffer(snapshot.state, dtype=np.uint8),
            )
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink()
