"""Skills over a real store and a clock that is moved by hand, without any dialog."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from companion.answering import Heard
from companion.clock import ManualClock
from companion.config import StoreSection
from companion.records import Profile
from companion.skills.all import all_skills
from companion.skills.skills import Skills
from companion.store import log
from companion.store.database import Store

START = datetime(2026, 11, 23, 15, 40, tzinfo=timezone.utc)  # a Monday
ELSE = "That is nice."
"""Stands for whatever a model would say."""


@dataclass
class Play:
    """A child, a toy, and what was said between them."""

    skills: Skills
    store: Store
    clock: ManualClock
    session: str
    profile: Profile = field(default_factory=lambda: Profile(name="Mia", age=7))
    previous: str = ""
    by: str = ""

    async def say(self, words: str, *, cut_after: int | None = None, dies: bool = False) -> str:
        """The skill's answer, "" when it left the message to others. cut_after: so many sentences
        are heard; dies: the power fails before the reply is stored."""
        now = self.clock.wall()
        message = await self.store.write(
            log.append, self.session, role="user", text=words, time=now, confidence=None, cut=False
        )
        turn = (self.session, message.turn)
        answer = await self.skills.answer(Heard(words, turn, self.previous, self.profile))
        if dies:
            return "" if answer is None else " ".join(answer.sentences)
        self.by = "" if answer is None else answer.by
        said = (ELSE,) if answer is None else answer.sentences
        heard = said if cut_after is None else said[:cut_after]
        self.previous = " ".join(heard)
        if heard:
            await self.store.write(
                log.append,
                self.session,
                role="assistant",
                text=self.previous,
                time=now,
                confidence=None,
                cut=len(heard) < len(said),
            )
        return "" if answer is None else " ".join(said)

    async def rings(self) -> list[str]:
        """What is due now; it counts as said."""
        due = await self.skills.due()
        for ring in due:
            await self.skills.announced(ring)
        return [" ".join(ring.sentences) for ring in due]


@asynccontextmanager
async def playing(
    directory: Path,
    *,
    clock: ManualClock | None = None,
    off: tuple[str, ...] = (),
    seed: int = 0,
    profile: Profile | None = None,
    same_session: str | None = None,
    ends: bool = True,
) -> AsyncIterator[Play]:
    """Open the store, begin a session (or continue one), and close it again. ends: the session
    ends with the block; else the power fails there."""
    clock = clock or ManualClock(START)
    store = await Store.open(directory, StoreSection(encrypt=False, backups=0), clock)
    try:
        session = same_session or str(await store.write(log.start_session, clock.wall(), None))
        skills = all_skills(store, clock, name="Pip", off=off, seed=seed)
        play = Play(skills, store, clock, session)
        if profile is not None:
            play.profile = profile
        yield play
        if same_session is None and ends:
            await store.write(log.end_session, session, clock.wall())
    finally:
        await store.close()
