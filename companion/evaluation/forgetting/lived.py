"""A written life on weekends: what a child of that family is still found to have told in a year.

The sessions of a life are laid onto successive Saturdays and Sundays, as they come, with all that
they say again; then a year of use follows in which nothing new is told. Every evening of use the
inactive phase runs as it is, by the words alone (`consolidation.mode: words`, no language model).
A fact counts as found while an active memory, or the profile, tells it by its keywords
(`companion.evaluation.memories.kept`), after so many days since its session. What no memory ever
told is not forgotten, and counts apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.assembly.consolidation import build_consolidation
from companion.assembly.models import absent_model
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.engines.protocols import Embedder
from companion.evaluation.figures import mean
from companion.evaluation.forgetting.year import (
    AFTER,
    COMES_UP,
    RULES,
    SEED,
    Rule,
    days_of_use,
    move_to,
)
from companion.evaluation.lives import Life
from companion.evaluation.memories.kept import Kept
from companion.evaluation.qa import days
from companion.evaluation.sets import Rows
from companion.store import memories, profile

_WEEKS_OF_TALK = 10
"""Longest time, in weeks, in which the sessions of a life are told."""

_GROUPS = {
    "health, birthdays": ("health", "profile", "birthday"),
    "people, pets, home": ("person", "pet", "home", "relation"),
    "tastes, fears, habits": ("taste", "preference", "fear", "habit", "milestone"),
    "events": ("event",),
    "plans": ("plan",),
    "moods, trifles": ("mood", "trivia"),
}
_GROUP_OF = {kind: group for group, kinds in _GROUPS.items() for kind in kinds}
_OTHER = "not sure"


async def run(
    config: Config, lives: Sequence[Life], embedder: Embedder, *, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """`{lives, told, never_kept, days, arms: [{rule, comes_up, kinds, all, lasting}]}`.

    Raises EngineError, StoreError.
    """
    arms, told, never = [], Counter[str](), 0
    for rule in RULES:
        for comes_up in (False, True):
            how = "comes up again" if comes_up else "never comes up again"
            found: list[tuple[str, bool, Mapping[int, bool]]] = []
            for life in lives:
                on_progress(f"  {life.user}: weekends by {rule}, what was told {how}")
                with TemporaryDirectory() as folder:
                    found += await _live(config, rule, embedder, life, Path(folder), comes_up)
            kept = [each for each in found if each[0]]
            told, never = Counter(group for group, _, _ in kept), len(found) - len(kept)
            arms.append({"rule": rule, "comes_up": comes_up, **_shares(kept)})
    return {
        "lives": [life.user for life in lives],
        "told": dict(told),
        "never_kept": never,
        "days": list(AFTER),
        "comes_up": COMES_UP,
        "arms": arms,
        "embedder": embedder.name,
        "seed": SEED,
    }


async def _live(
    config: Config, rule: Rule, embedder: Embedder, life: Life, folder: Path, comes_up: bool
) -> list[tuple[str, bool, Mapping[int, bool]]]:
    """Of each current fact: by what kind of memory it was first told ("" for none), whether it is
    a lasting one, and whether it is found after so many days."""
    chance = random.Random(SEED)
    settings = config.model_copy(
        update={
            "data_dir": folder,
            "store": config.store.model_copy(update={"encrypt": False, "backups": 0}),
            "consolidation": config.consolidation.model_copy(
                update={"mode": "words", "personality": False}
            ),
            "forgetting": config.forgetting.model_copy(update={"rule": rule, "enabled": True}),
        }
    )
    use = list(days_of_use(max(AFTER) + 7 * _WEEKS_OF_TALK))
    told_on = dict(zip(life.sessions, use, strict=False))
    by_day = {day: name for name, day in told_on.items()}
    facts = life.gold.current
    groups: dict[str, str] = {}
    seen: dict[str, dict[int, bool]] = {id: {} for id in facts}
    clock = ManualClock(datetime.combine(use[0], time(9), _zone(life)))
    async with open_store(settings, clock, mode="owner") as store:
        night = build_consolidation(settings, clock, store, absent_model(settings), embedder)
        for day in use:
            move_to(clock, datetime.combine(day, time(9), _zone(life)))
            if day in by_day:
                rows = _moved(life.sessions[by_day[day]], clock.wall())
                await days.replay(settings, store, clock, by_day[day], rows)
            elif comes_up:
                known = [each.id for each in await store.read(memories.list_memories)]
                used = [id for id in known if chance.random() < COMES_UP]
                await store.write(memories.touch, used, clock.wall())
            await night.run()
            kept = Kept(await store.read(memories.list_memories), await store.read(profile.current))
            kinds: dict[int | str, str] = {each.id: each.kind for each in kept.memories}
            for id, fact in facts.items():
                since = (day - told_on[fact.session]).days
                if since < 0:
                    continue
                tellers = kept.telling(fact)
                if tellers and id not in groups and since < AFTER[0]:
                    groups[id] = _GROUP_OF.get(kinds.get(tellers[0], "profile"), _OTHER)
                for after in AFTER:
                    if since <= after:
                        seen[id][after] = bool(tellers)  # the last evening up to then counts
    return [(groups.get(id, ""), fact.lasting, seen[id]) for id, fact in facts.items()]


def _moved(rows: Rows, morning: datetime) -> Rows:
    """The messages of a session as if they were said from this moment on."""
    by = morning - rows[0][2]
    return [(role, text, said + by) for role, text, said in rows]


def _zone(life: Life) -> Any:
    return days.first_moment(life.sessions).tzinfo


def _shares(found: Sequence[tuple[str, bool, Mapping[int, bool]]]) -> dict[str, Any]:
    def after(some: Sequence[tuple[str, bool, Mapping[int, bool]]]) -> dict[str, float]:
        return {str(n): mean([seen.get(n, False) for _, _, seen in some]) for n in AFTER}

    groups = [*_GROUPS, _OTHER]
    kinds = {group: [each for each in found if each[0] == group] for group in groups}
    return {
        "kinds": {group: after(some) for group, some in kinds.items() if some},
        "lasting": after([each for each in found if each[1]]),
        "passing": after([each for each in found if not each[1]]),
        "all": after(found),
    }


def curve(shares: Mapping[str, float], width: int = 40) -> str:
    """A share after each number of days, as lines of a small curve in text."""
    return "\n".join(
        f"{days:>5} days {'█' * round(share * width):<{width}} {share:.0%}"
        for days, share in shares.items()
    )
