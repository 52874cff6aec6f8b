"""What an arm knows of its person, as statements that a judge can mark one by one."""

from __future__ import annotations

from companion.store import memories, profile
from companion.store.database import Store


async def known(store: Store) -> list[str]:
    """Profile first, then the memories that are in force, oldest first."""
    who = await store.read(profile.current)
    held = await store.read(memories.list_memories)
    personality = who.personality
    statements = [
        f"The name is {who.name}." if who.name else "",
        f"The age is {who.age} years." if who.age is not None else "",
        f"It is a {who.gender}." if who.gender else "",
        f"Personality: {personality.summary}" if personality.summary else "",
        f"Myers-Briggs type: {personality.myers_briggs}" if personality.myers_briggs else "",
    ]
    return [each for each in statements if each] + [memory.text for memory in held]
