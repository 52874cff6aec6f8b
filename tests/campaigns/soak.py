"""Months of talk in simulated time: does the process grow, does the store?

The real dialog, recall, consolidation, forgetting, sweeping and backups, on a real encrypted
store; a scripted model, and an embedder that hashes. A day is some turns and a night.
"""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import Sequence
from contextlib import aclosing
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from companion.assembly.consolidation import build_consolidation
from companion.assembly.dialog import build_dialog
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.engines.protocols import ChatMessage
from companion.evaluation.bench.resident import resident
from companion.store import history, memories
from tests.campaigns.outcome import Outcome
from tests.consolidation.scribe import scribe
from tests.fakes import HashEmbedder, ScriptedModel

START = datetime(2026, 1, 5, 9, 0, tzinfo=timezone.utc)
TURNS_A_DAY = 25
WARM_UP_DAYS = 65
"""Raw turns and the archive reach their length after 30 days each; then what comes equals what
goes. A soak that is shorter reports its last half, and judges neither memory nor size."""

MOST_MB_A_WEEK = 1.0
MOST_GROWTH = 1.25
"""The largest the store may be in the last quarter, of its largest in the quarter before."""

_THINGS = "dog cat kite drum ball boat drawing garden tower puzzle story cake bike snail".split()
_COLOURS = "red blue green yellow white purple silver brown orange".split()
_PLACES = "park school river beach kitchen forest attic harbour library market".split()
_PEOPLE = "Mia Theo Ida Noah Zoe Finn Lena Omar Ruth Sami".split()


def soak(folder: Path, chance: random.Random, count: int) -> Outcome:
    """count: nights."""
    return asyncio.run(_soak(folder, chance, count))


async def _soak(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome, clock = Outcome(), ManualClock(START)
    config = Config.model_validate(
        {"data_dir": folder / "data", "safety": {"guard": "patterns"}, "persona": {"name": "Pip"}}
    )
    model, embedder = ScriptedModel(_model, context_tokens=8192), HashEmbedder(384)
    rss: list[float] = []
    sizes: list[float] = []
    turns = 0
    async with open_store(config, clock, mode="owner") as store:
        dialog = build_dialog(config, clock, store, model, embedder)
        consolidation = build_consolidation(config, clock, store, model, embedder)
        await dialog.open()
        for _ in range(count):
            for _ in range(TURNS_A_DAY):
                async with aclosing(dialog.reply(_said(chance))) as reply:
                    async for _ in reply:
                        pass
                clock.advance(60)
                turns += 1
                for recorded in (model.calls, model.options, model.warmed):
                    recorded.clear()  # It would be the test that grows.
            await dialog.close()
            await consolidation.run()
            clock.advance(86_400 - TURNS_A_DAY * 60)
            gc.collect()
            rss.append(resident().total / 2**20)
            sizes.append(_bytes_in(config.data_dir) / 2**20)
        sessions = await store.read(history.sessions)
        kept = [t for s in sessions for t in await store.read(history.turns, s.id)]
        oldest = (clock.wall() - min(turn.time for turn in kept)).days
        active = len(await store.read(memories.list_memories))
        archived = len(await store.read(memories.list_memories, "archived"))
    warm_up = min(WARM_UP_DAYS, count // 2)
    slope = _slope(rss[warm_up:]) * 7
    quarter = max(1, count // 4)
    last, before = max(sizes[-quarter:]), max(sizes[-2 * quarter : -quarter] or sizes)
    if count >= WARM_UP_DAYS + 14 and slope > MOST_MB_A_WEEK:
        outcome.violations.append(f"resident memory grows by {slope:.2f} MB a week")
    if count >= WARM_UP_DAYS * 2 and last > MOST_GROWTH * before:
        outcome.violations.append(f"the store grows: {before:.1f} MB, then {last:.1f} MB")
    if oldest > config.forgetting.turn_days + 2:
        outcome.violations.append(f"a raw turn is {oldest} days old")
    outcome.report = {
        "turns": turns,
        "nights": count,
        "warm_up_nights": warm_up,
        "resident_mb_per_week": round(slope, 4),
        "resident_mb": [round(rss[i], 1) for i in (0, warm_up, -1)],
        "directory_mb": [round(sizes[i], 2) for i in (0, warm_up, -1)],
        "directory_mb_largest": round(max(sizes), 2),
        "oldest_raw_turn_days": oldest,
        "raw_turns": len(kept),
        "memories": {"active": active, "archived": archived},
    }
    outcome.figures = (
        f"{turns} turns and {count} nights: resident memory {slope:+.3f} MB a week after "
        f"{warm_up} nights, now {rss[-1]:.0f} MB; data directory {sizes[-1]:.1f} MB, at most "
        f"{max(sizes):.1f}; {len(kept)} raw turns, the oldest {oldest} days old, {active} memories"
    )
    return outcome


def _slope(samples: list[float]) -> float:
    """Least squares, per sample; 0 of one alone."""
    if len(samples) < 2:
        return 0.0
    return float(np.polyfit(np.arange(len(samples)), samples, 1)[0])


def _bytes_in(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())


def _said(chance: random.Random) -> str:
    """What a child says: some of it tells something, some asks, some is chatter."""
    thing, colour = chance.choice(_THINGS), chance.choice(_COLOURS)
    place, friend = chance.choice(_PLACES), chance.choice(_PEOPLE)
    return chance.choice(
        (
            f"I have a {colour} {thing} and I like it a lot.",
            f"My friend {friend} and I went to the {place} today.",
            f"I like painting a {colour} {thing} with {friend} in the {place}.",
            f"Yesterday I lost my {colour} {thing} at the {place}.",
            f"Do you remember my {colour} {thing}?",
            f"What did I do at the {place} with {friend}?",
            f"Why is the {place} so {colour}?",
            f"I live near the {place}, and {friend} lives next to the {thing} shop.",
            "Tell me a story.",
            "Hello! How are you?",
            "I am a bit tired now.",
        )
    )


def _model(messages: Sequence[ChatMessage]) -> str:
    if messages[0].text.startswith("You are "):
        return "That sounds lovely. What happened then?"
    return scribe(messages)
