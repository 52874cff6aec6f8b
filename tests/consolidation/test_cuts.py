"""Power cuts: wherever a night is cut, the next one ends with the same memories."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.store import history, intermediate, memories, pending, profile
from companion.store.database import Store
from tests.consolidation.child import Nights, night, nursery
from tests.consolidation.conftest import START, World

STEPS = {
    "embed": "claimed parsed before-commit after-commit",
    "embed-memory": "claimed parsed before-commit after-commit",
    "chunk": "claimed parsed before-commit after-commit",
    "summarize": "claimed prompted parsed before-commit after-commit",
    "draft": "claimed prompted parsed before-commit after-commit",
    "merge": "claimed parsed before-commit after-commit",
    "refine": "claimed prompted parsed before-commit after-commit",
    "sort": "claimed parsed before-commit after-commit",
    "follow": "claimed parsed before-commit after-commit",
    "profile": "claimed prompted parsed before-commit after-commit",
    "revise": "claimed parsed before-commit after-commit",
    "finish": "claimed parsed before-commit after-commit",
    "openers": "claimed parsed before-commit after-commit",
    "forget": "claimed before-commit after-commit",
}
POINTS = [f"{step}:{point}" for step, points in STEPS.items() for point in points.split()]

DAYS = (
    (
        "My name is Emily, and I am 7 years old. I live in Leeds with my parents.",
        "Lovely! What do you like?",
        "I like painting dragons in the garden when the sun shines on the old apple tree.",
        "Dragons!",
        "I have a dog named Rex. I have a dog named Rex!",
        "Woof.",
    ),
    (
        "I live in York with my parents. My swimming test is tomorrow. I like the long river and "
        "the boats that go down to the sea in the evening with their lamps lit, "
        "and I am a little afraid of the dark water under the bridge.",
        "Good luck! " + "You will float like a leaf on the water. " * 7,
        "I have 2 bicycles and I have a red kite that flies over the roofs of the town.",
        "Wow. " + "A kite sees the whole town from up there. " * 7,
        "I have a secret den named Castle under the stairs.",
        "Oh!",
        "Forget that, please.",
        "Forgotten.",
        "I like painting dragons in the garden when the sun shines on the old apple tree.",
        "I remember.",
    ),
)


@pytest.mark.slow
async def test_a_night_cut_at_each_of_its_points_in_turn_ends_as_if_uncut(
    tmp_path: Path, nights: Nights
) -> None:
    directory = tmp_path / "cut"
    await talk(directory, "day-0", DAYS[0])
    await night(directory)
    await talk(directory, "day-1", DAYS[1])
    await _add_without_vector(directory)
    uncut = tmp_path / "uncut"
    shutil.copytree(directory, uncut)
    await night(uncut)
    expected = await state_of(uncut)
    assert len(expected["active"]) >= 5
    assert len(expected["superseded"]) == 1
    assert len(expected["evidence"]) == 2
    for point in POINTS:
        assert nights.run(directory, fault=point) == -9, f"{point} was never reached"
    assert nights.run(directory) == 0
    assert await state_of(directory) == expected


async def test_a_correction_cut_at_each_point_takes_its_sentence_away_once(
    tmp_path: Path, nights: Nights
) -> None:
    directory = tmp_path / "cut"
    await talk(
        directory,
        "day-0",
        ("My cousin Bea lives in Hull. My best crisps are paprika ones.", "Crunchy!"),
    )
    await night(directory, mode="words")
    await talk(directory, "day-1", ("I've gone right off paprika crisps.", "Oh."))
    uncut = tmp_path / "uncut"
    shutil.copytree(directory, uncut)
    await night(uncut, mode="words")
    expected = await state_of(uncut)
    assert len(expected["active"]) == 2
    assert len(expected["superseded"]) == 1
    for step in ("merge", "refine"):
        for point in STEPS[step].replace("prompted ", "").split():
            assert nights.run(directory, fault=f"{step}:{point}", mode="words") == -9
    assert nights.run(directory, mode="words") == 0
    assert await state_of(directory) == expected


@pytest.mark.slow
async def test_fifty_cuts_at_random_moments_leave_no_trace(tmp_path: Path, nights: Nights) -> None:
    chance = random.Random(7)
    directory, uncut = tmp_path / "cut", tmp_path / "uncut"
    cuts = finished = 0
    while cuts < 50:
        day = f"day-{finished}"
        for each in (directory, uncut):
            await talk(each, day, DAYS[finished % 2])
        await night(uncut)
        while True:
            code = nights.run(
                directory, kill_after_s=chance.uniform(0.02, 0.2), seconds_per_token=0.0005
            )
            if code == 0:
                break
            assert code == -9
            cuts += 1
        finished += 1
        assert await state_of(directory) == await state_of(uncut)


@pytest.fixture
def nights() -> Iterator[Nights]:
    with nursery() as running:
        yield running


async def talk(directory: Path, session: str, said: tuple[str, ...]) -> None:
    clock = ManualClock(START)
    store = await Store.open(directory, StoreSection(), clock)
    await World(store, clock).talk(session, *said)
    await store.close()


async def _add_without_vector(directory: Path) -> None:
    """As after a change of the embedder: one memory waits for its vector."""
    store = await Store.open(directory, StoreSection(), ManualClock(START))

    def add(c: apsw.Connection) -> None:
        memories.add(
            c,
            "The user can whistle.",
            kind="fact",
            sources=[],
            vector=None,
            embedder="",
            now=START,
        )

    await store.write(add)
    await store.close()


async def state_of(directory: Path) -> dict[str, Any]:
    """Everything that consolidation leaves behind."""
    store = await Store.open(directory, StoreSection(), ManualClock(START))
    try:
        return {
            "active": await store.read(memories.list_memories),
            "superseded": await store.read(memories.list_memories, "superseded"),
            "profile": await store.read(profile.versions),
            "evidence": await store.read(intermediate.evidence),
            "sessions": await store.read(history.sessions),
            "drafts": await store.read(pending.unrefined),
            "waiting": await store.read(pending.unfinished),
        }
    finally:
        await store.close()
