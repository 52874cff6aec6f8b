"""Lives of the real daemon on a disk that forgets what was not synced (tests/store/lazy_disk.c).

`python -m tests.campaigns.daemon_lives`, with the disk preloaded, forks a life for every order on
stdin, as `tests.store.power_cuts` does. Everything of the daemon is real, its control socket and
its nights too; only the models are small stand-ins. What a life prints was acknowledged to whoever
asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from companion.assembly import models
from companion.clock import SystemClock
from companion.config import Config, LlmSection
from companion.daemon.client import Client
from companion.daemon.daemon import Daemon
from companion.daemon.notify import Notifier
from companion.engines.protocols import ChatMessage, Embedder, LanguageModel
from companion.errors import CompanionError
from companion.safety.pattern_guard import PatternGuard
from tests.consolidation.scribe import scribe
from tests.fakes import HashEmbedder, ScriptedModel, of_no_weights
from tests.store.power_cuts import serve

SAID, WITHDRAWN, TAKEN_BACK, SLEPT = "said", "withdraws", "taken-back", "slept"
"""What a life tells, each but the last with the name of a thing that nothing else says."""

TURNS = 3
"""Between two nights."""

NIGHTS = 2
THING = re.compile(r"\bK[0-9a-f]{8}\b")


def thing(seed: int, n: int) -> str:
    """The nth thing that a life speaks of. No two begin alike: an index would store their common
    beginning once, and no search of its bytes would find them."""
    return "K" + blake2b(f"{seed} {n}".encode(), digest_size=4).hexdigest()


def config_of(directory: Path, seed: int) -> Config:
    """Of a plain store, so that every byte of it can be searched. Every second life keeps what a
    model drafts by night."""
    return of_no_weights(
        Config.model_validate(
            {
                "data_dir": directory,
                "store": {"encrypt": False},
                "persona": {"greeting": False, "examples": False},
                "consolidation": {"inactivity_s": 3600, "mode": ("words", "turns")[seed % 2]},
                "repertoire": {"enabled": False},
                "safety": {"guard": "patterns"},
                "stt": {"directory": "/nowhere"},
                "tts": {"directory": "/nowhere"},
            }
        )
    )


async def live(directory: Path, seed: int, begin: Callable[[], None]) -> None:
    """Talk, take something back, sleep; twice. The disk may go bad from the start on."""
    begin()
    config = config_of(directory, seed)
    daemon = Daemon(config, SystemClock(), Notifier({}), stopping=lambda failed: None)
    running = asyncio.create_task(daemon.run())
    with contextlib.suppress(CompanionError):
        await _days(config, seed)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def _days(config: Config, seed: int) -> None:
    client = await _client(config)
    for n in range(NIGHTS * TURNS):
        name = thing(seed, n)
        if await _ask(client, f"I have a kite named {name} at home."):
            _tell(SAID, name)
        if n % TURNS == 1:
            learnt = await _learnt(client)
            back = learnt[0] if learnt else name
            _tell(WITHDRAWN, back)
            words = f"what I said about {back}" if learnt else "that"
            if await _ask(client, f"Forget {words}, please."):
                _tell(TAKEN_BACK, back)
        if n % TURNS == TURNS - 1:
            async for _ in client.events("sleep", wait=True):
                pass
            _tell(SLEPT, "")


async def _ask(client: Client, words: str) -> bool:
    """Whether the daemon says that the turn is kept."""
    done: dict[str, Any] = {}
    async for event in client.events("chat", text=words):
        done = event.get("done", done)
    return done.get("turn") is not None


async def _learnt(client: Client) -> list[str]:
    """The things that nights have made memories of, which are in backups, too."""
    async for event in client.events("memories"):
        texts = [each["text"] for each in event["done"]]
    return [found[0] for text in texts if (found := THING.search(text))]


async def _client(config: Config) -> Client:
    for _ in range(1000):
        if (found := await Client.find(config)) is not None:
            return found
        await asyncio.sleep(0.01)
    os._exit(1)


def _tell(what: str, name: str) -> None:
    print(f"{what} {name}", flush=True)


def _answer(messages: Sequence[ChatMessage]) -> str:
    """Talks of the thing that it is told of; takes notes as a scribe does."""
    if not messages[0].text.startswith("You are "):
        return scribe(messages)
    found = THING.findall(messages[-1].text)
    return f"A kite like {found[-1]} sounds lovely." if found else "That is nice."


@asynccontextmanager
async def _language_model(config: Config, section: LlmSection) -> AsyncIterator[LanguageModel]:
    yield ScriptedModel(_answer, context_tokens=8192)


@asynccontextmanager
async def _embedder(config: Config) -> AsyncIterator[Embedder]:
    yield HashEmbedder(64)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # a toy without ears says so at every start
    asyncio.run(PatternGuard().judge("Everything is read once, before lives.", side="in"))
    models.open_language_model = _language_model
    models.open_embedder = _embedder
    serve(sys.argv[1], {"daemon": live})
