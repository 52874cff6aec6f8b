"""Skills of others: packages that name a class under the entry points `companion.skills`.

They are kept at arm's length: they get a `Request` and their own state, nothing else; they have
LIMIT_S for an answer; and whatever they raise is one line in the log, without what was said. The
guard judges their sentences like all others.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from companion.skills.protocol import NO, Reply, Request, Skill, State
from companion.store.skill_state import MOST_CHARACTERS

T = TypeVar("T")
logger = logging.getLogger(__name__)

GROUP = "companion.skills"
LIMIT_S = 0.3
"""For an answer."""

WANTS_LIMIT_S = 0.05
"""For saying whether words are meant for it."""

MOST_SENTENCES = 8
MOST_SENTENCE = 300
"""Characters of a sentence; a longer answer is not said at all."""


class Plugin:
    """A skill of somebody else, with its limits. Each call has a thread of its own: what hangs
    there keeps nobody waiting, and is not asked again until the next start."""

    def __init__(self, skill: Skill, name: str) -> None:
        self._skill = skill
        self.name = name
        self._hangs = False

    def wants(self, request: Request, state: State) -> float:
        if self._hangs:
            return NO
        sure = float(
            self._within(WANTS_LIMIT_S, lambda: self._skill.wants(request, _copied(state)))
        )
        return sure if NO <= sure <= 1 else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        """Raises ValueError or TypeError for what is no answer, TimeoutError for a late one."""

        def answered() -> Reply | None:
            return asyncio.run(_awaited(self._skill.answer(request, _copied(state))))

        reply = await asyncio.to_thread(self._within, LIMIT_S, answered)
        return None if reply is None else _checked(reply)

    def _within(self, limit_s: float, work: Callable[[], T]) -> T:
        """What `work` returns or raises; TimeoutError when it takes longer."""
        done: Future[T] = Future()
        threading.Thread(target=_settle, args=(done, work), daemon=True).start()
        try:
            return done.result(limit_s)
        except FutureTimeout:
            self._hangs = True
            raise TimeoutError from None


def _settle(done: Future[T], work: Callable[[], T]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:
        done.set_exception(error)


async def _awaited(answer: Awaitable[T]) -> T:
    return await answer


def load(taken: Iterable[str], off: Iterable[str] = ()) -> list[Plugin]:
    """Every plug-in that is installed, can be loaded, and is not off, by name. taken: names of our
    own skills, which no plug-in may take."""
    found: dict[str, Plugin] = {}
    forbidden = {*taken, *off}
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        if entry.name not in forbidden and entry.name not in found:
            plugin = _loaded(entry)
            if plugin is not None:
                found[entry.name] = plugin
        elif entry.name not in set(off):
            logger.error("skill %s is left out: its name is taken", entry.name)
    return list(found.values())


def _loaded(entry: EntryPoint) -> Plugin | None:
    try:
        return Plugin(entry.load()(), entry.name)
    except Exception as error:
        reason = type(error).__name__
        logger.error("skill %s (%s) cannot be loaded: %s", entry.name, entry.value, reason)
        return None


def _copied(state: State) -> State:
    copied: State = json.loads(json.dumps(state))
    return copied


def _checked(reply: Reply) -> Reply:
    """The answer, if it is one. Raises ValueError, TypeError."""
    sentences = tuple(reply.sentences)
    if not all(isinstance(each, str) and 0 < len(each) <= MOST_SENTENCE for each in sentences):
        raise ValueError("sentences of up to 300 characters are wanted")
    if len(sentences) > MOST_SENTENCES:
        raise ValueError("too many sentences")
    spoken = tuple(" ".join(each.split()) for each in sentences)
    state = reply.state
    if state is not None:
        text = json.dumps(state)
        if not isinstance(state, dict) or len(text) > MOST_CHARACTERS // 2:
            raise ValueError("a small object is wanted as state")
        state = json.loads(text)
    return Reply(spoken, state, bool(reply.runs), bool(reply.waits))
