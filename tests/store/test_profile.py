from __future__ import annotations

import json
from datetime import timedelta

from companion.records import BigFive, Personality, Profile, Source
from companion.store import log, memories, profile
from companion.store.database import Store
from companion.store.export import export

from .conftest import START

SOURCE = Source("s", 1, "I am Mia")
LATER = START + timedelta(days=2)


async def test_an_empty_store_knows_nobody(store: Store) -> None:
    assert await store.read(profile.current) == Profile()
    assert await store.read(profile.versions) == profile.Versions((), ())


async def test_each_item_is_kept_with_its_source_and_time(store: Store) -> None:
    await store.write(profile.note, "name", "Mia", SOURCE, START)
    await store.write(profile.note, "name", "Mia", SOURCE, LATER)
    await store.write(profile.note, "age", "7", None, LATER)
    await store.write(profile.note, "name", "Maya", SOURCE, LATER)
    current = await store.read(profile.current)
    assert (current.name, current.age, current.gender) == ("Maya", 7, None)
    versions = (await store.read(profile.versions)).core
    assert [(v.item, v.value, v.source, v.time) for v in versions] == [
        ("name", "Mia", SOURCE, START),
        ("age", "7", None, LATER),
        ("name", "Maya", SOURCE, LATER),
    ]


async def test_the_newest_personality_counts_and_older_ones_are_kept(store: Store) -> None:
    first = Personality("Curious.", "INFP", BigFive(openness=4.5), ("why is the sky blue?",))
    second = Personality("Curious and brave.", None, BigFive(4.0, 3.0, 2.0, 1.0, 5.0), ())
    assert await store.write(profile.put_personality, first, START) == 1
    assert await store.write(profile.put_personality, second, LATER) == 2
    assert (await store.read(profile.current)).personality == second
    versions = (await store.read(profile.versions)).personality
    assert [version.personality for version in versions] == [first, second]


async def test_the_export_holds_everything_of_every_status(store: Store) -> None:
    await store.write(
        log.import_messages, "s", [("user", "I am Mia", START), ("assistant", "Hi", LATER)]
    )
    ids = [
        await store.write(
            memories.add,
            f"fact {n}",
            kind="profile",
            sources=[SOURCE],
            vector=None,
            embedder="e",
            now=START,
        )
        for n in range(3)
    ]
    await store.write(memories.supersede, ids[0], ids[1])
    await store.write(memories.archive, ids[2])
    await store.write(profile.note, "name", "Mia", SOURCE, START)
    await store.write(profile.put_personality, Personality("Curious."), START)
    document = json.loads(json.dumps(await store.read(export)))
    assert [
        (memory["text"], memory["status"], memory["sources"]) for memory in document["memories"]
    ] == [
        (f"fact {n}", status, [{"session": "s", "turn": 1, "quote": "I am Mia"}])
        for n, status in enumerate(["superseded", "active", "archived"])
    ]
    (session,) = document["sessions"]
    assert [(m["seq"], m["turn"], m["role"], m["text"]) for m in session["messages"]] == [
        (1, 1, "user", "I am Mia"),
        (2, 1, "assistant", "Hi"),
    ]
    assert document["profile"]["current"]["name"] == "Mia"
    assert document["profile"]["current"]["facts"] == ["fact 1"]
    assert document["profile"]["core"][0]["source"]["quote"] == "I am Mia"
    assert document["profile"]["personality"][0]["personality"]["summary"] == "Curious."
