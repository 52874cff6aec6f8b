"""Which of an entry's replies is said: none that was said within a week, then as it is written."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from companion import language
from companion.errors import StoreFailing
from companion.repertoire.packs import NAME, Entry
from companion.store.database import Store
from companion.store.history import said_since

WEEK = timedelta(days=7)

JUST_SAID = 3
"""Replies after which a line may come again, when all were said within a week."""

FOLLOWED = 0.5
"""How often a question comes after a reply to which one was written."""


class Said:
    """What the companion said within a week: read from the log once, then kept up in RAM."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._logged: list[tuple[datetime, str]] | None = None
        self._own: list[tuple[datetime, str]] = []

    async def within_a_week(self, now: datetime) -> list[str]:
        """While the log cannot be read: what was said since the start."""
        if self._logged is None:
            with contextlib.suppress(StoreFailing):
                self._logged = await self._store.read(said_since, now - WEEK)
        # Where the clock was set back, what seems to come from the future still counts.
        self._logged = self._logged and [each for each in self._logged if now - each[0] < WEEK]
        self._own = [each for each in self._own if now - each[0] < WEEK]
        return [text for _, text in (*(self._logged or ()), *self._own)]

    def add(self, text: str, now: datetime) -> None:
        self._own.append((now, text))

    def forget(self) -> None:
        """Some of it may have been erased: it is read again."""
        self._logged, self._own = None, []


def choose(
    entry: Entry,
    name: str | None,
    said: Sequence[str],
    chance: random.Random,
    *,
    ask: bool,
) -> tuple[str, ...] | None:
    """The sentences of a reply that was not said lately, sometimes with a question after it;
    None when every one was. said: what was said lately; ask: whether a question may follow."""

    def fresh(texts: Sequence[str]) -> list[str]:
        filled = (text.replace(NAME, name or NAME) for text in texts)
        ready = (text for text in filled if NAME not in text)
        return unsaid(list(ready), said)

    replies = fresh(entry.replies)
    if not replies:
        return None
    reply = chance.choice(replies)
    sentences = language.sentences.split(reply)
    questions = fresh(entry.follow)
    if ask and questions and not asks(reply) and chance.random() < FOLLOWED:
        sentences.append(chance.choice(questions))
    return tuple(sentences)


def unsaid(texts: Sequence[str], said: Sequence[str]) -> list[str]:
    """Those of which nothing was said lately."""
    return [text for text in texts if not any(text in each for each in said)]


def fresh(lines: Sequence[str], said: Sequence[str]) -> Sequence[str]:
    """Those that were not said within a week; where all were, those not said just now; else all, so
    that nobody is left to the model because all was said once. said: within a week."""
    return unsaid(lines, said) or unsaid(lines, said[-JUST_SAID:]) or lines


def asks(text: str) -> bool:
    """Whether it ends in a question."""
    return text.rstrip(" \"'”’)").endswith("?")
