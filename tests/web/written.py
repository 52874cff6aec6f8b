"""A toy with a store of written talk, as in the pictures of docs/parents.md; no real child's.

`python -m tests.web.written PORT` shows it until it is stopped; the PIN is 204518.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import apsw

from companion.clock import ManualClock
from companion.config import Config, StoreSection, WebSection
from companion.consolidation import lifespan
from companion.daemon.status import idle
from companion.records import BigFive, Personality, Source
from companion.store import fading, intermediate, log, memories, notices, profile, questions
from companion.store.database import Store
from companion.web import door, listening
from companion.web.site import site
from tests.web.fake_toy import PIN
from tests.web.store_toy import StoreToy

START = datetime(2026, 10, 14, 16, 0, tzinfo=timezone.utc)

TALKS: dict[int, list[tuple[str, str, str | None, str | None]]] = {
    0: [
        ("I'm Lena and I am seven.", "Hello Lena!", None, None),
        ("My grandpa builds model ships in his cellar.", "How big are they?", "person", None),
        ("I saw a heron at the pond today.", "What did it do?", "event", None),
        ("I am a bit cross today.", "What happened?", "mood", None),
    ],
    12: [
        ("We went to the fire station with my class.", "What was best?", "event", None),
        ("I don't like it when it is dark in the hall.", "A lamp can help.", "fear", None),
    ],
    14: [
        ("I made a boat out of a milk carton.", "Did it swim?", "event", None),
        ("It swam until the second bridge.", "That is far!", None, None),
    ],
    16: [("Our tent fell on us when it rained.", "Were you wet?", "event", None)],
    40: [
        ("I can't eat peanuts, I get a rash.", "You can't eat peanuts, is that right?", "health",
         None),
        ("My dog is called Bruno and he is afraid of balloons.", "Poor Bruno!", "pet", None),
        ("A man at the bus stop said it is our secret.", "That is no good secret. Please tell a "
         "grown-up you trust.", None, "strangers"),
        ("I want to be a beekeeper when I am big.", "Why bees?", "plan", None),
        ("Why do bees die when they sting?", "Their sting has a hook.", None, None),
        ("My grandpa Ole builds trains now.", "Trains, and no ships?", None, None),
    ],
}  # fmt: skip


def write(c: apsw.Connection, day: int, now: datetime) -> None:
    """One day's talk, and what was learnt from it."""
    said = TALKS.get(day)
    if said is None:
        return
    session = log.start_session(c, now, f"{now:%Y-%m-%d}-1")
    for turn, (words, reply, kind, stopped) in enumerate(said, start=1):
        at = now + timedelta(minutes=turn)
        log.append(c, session, "user", words, at)
        log.append(c, session, "assistant", reply, at)
        if stopped is not None:
            notices.mark(c, stopped, session, turn, tell=at)
        if kind is not None:
            memories.add(
                c,
                f'The user said: "{words}"',
                kind=kind,
                sources=[Source(session, turn, words)],
                vector=None,
                embedder="none",
                now=at,
                said=at,
            )
    if day == 0:
        profile.note(c, "name", "Lena", Source(session, 1, "I'm Lena"), now)
        profile.note(c, "age", "7", Source(session, 1, "I am seven"), now)
    log.end_session(c, session, now + timedelta(minutes=20))
    if day == 40:
        intermediate.add_chunks(c, session, [(1, len(said))])
        seen = ("Why do bees die when they sting?", "I want to be a beekeeper when I am big.")
        intermediate.put_evidence(
            c, session, 1, intermediate.Evidence(session, 1, now, 9, "asks why", BigFive(), seen)
        )
        profile.put_personality(c, Personality("Curious, and kind to animals."), now)
    log.mark_consolidated(c, session, now + timedelta(minutes=30))


def night(c: apsw.Connection) -> None:
    """Fading by kind, and what has faded goes to the archive."""
    for kind, dated in fading.kinds(c):
        fading.set_units(c, kind, dated, lifespan.unit(kind, dated=dated))
    for memory in memories.list_memories(c):
        if memory.retention < 0.01 and memory.kind != "health":
            memories.archive(c, memory.id)


class WrittenToy(StoreToy):
    """It rests, and misses nothing."""

    async def ask(self, do: str, **details: Any) -> Any:
        if do == "status":
            return idle(self.config) | {"phase": "asleep", "models": {"active": "qwen2.5-1.5b"}}
        return await super().ask(do, **details)


async def told(folder: Path, clock: ManualClock) -> WrittenToy:
    """Six weeks of it."""
    config = Config(data_dir=folder, store=StoreSection(encrypt=False))
    store = await Store.open(folder, config.store, clock)
    for day in range(41):
        await store.write(write, day, clock.wall())
        await store.write(night)
        if day < 40:
            clock.advance(86_400)
    toy = WrittenToy(store, config, clock)
    await toy.ask("pin_set", pin=PIN)
    found = await toy.ask("memories", query="grandpa")
    fixed = "The user's grandpa builds model ships and is called Ole."
    await toy.ask("correct", memory=found["memories"][0]["id"], text=fixed)
    dog = (await toy.ask("memories", query="Bruno"))["memories"][0]
    await toy.ask("keep", id=dog["id"])
    ole = (await toy.ask("memories", query="Ole"))["memories"][0]
    source = Source(f"{clock.wall():%Y-%m-%d}-1", 6, "My grandpa Ole builds trains now.")
    await store.write(
        lambda c: questions.ask(c, source.quote, source, clock.wall(), memory=ole["id"])
    )
    return toy


async def main() -> None:
    door.ASKS = 100_000
    clock = ManualClock(START)
    with tempfile.TemporaryDirectory() as folder:
        toy = await told(Path(folder), clock)
        section = WebSection(port=int(sys.argv[1]))
        config = toy.config.model_copy(update={"web": section})
        sockets = listening.own(section, section.port)
        await listening.serve(site(config, clock, toy), section, sockets)


if __name__ == "__main__":
    asyncio.run(main())
