"""How the companion fares, as one document: for people, scripts and the parents' page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from companion.config import Config
from companion.store.counts import counts
from companion.store.database import Store

if TYPE_CHECKING:
    from companion.daemon.life import Life


async def of_daemon(life: Life) -> dict[str, Any]:
    """While it runs, also while it starts and stops."""
    mind = life.mind
    document = idle(life.config) | {
        "running": True,
        "pid": life.pid,
        "uptime_s": round(life.uptime_s, 1),
        "phase": life.stage,
        "safe_mode": life.safe_line,
        "missing": [str(each) for each in life.missing if each.still()],
    }
    if mind is not None:
        document |= await _of_store(mind.store)
        document |= {
            "models": mind.models,
            "last_consolidation": mind.diary.last,
            "problem": mind.phases.trouble or mind.diary.problem,
        }
        if life.stage == "ready":
            talking = document["memory"]["talking"]
            document["phase"] = (
                "consolidating" if mind.phases.consolidating else "awake" if talking else "asleep"
            )
    if life.voice is not None:
        document["voice"] = life.voice.state()
    return document


async def of_store(config: Config, store: Store) -> dict[str, Any]:
    """When no daemon runs."""
    return idle(config) | await _of_store(store)


def idle(config: Config) -> dict[str, Any]:
    """Every field, with nothing running and nothing known."""
    return {
        "running": False,
        "pid": None,
        "uptime_s": None,
        "phase": None,
        "persona": config.persona.name,
        "profile": config.profile,
        "data_dir": str(config.data_dir),
        "safe_mode": None,
        "missing": [],
        "models": {},
        "voice": None,
        "memory": None,
        "last_consolidation": None,
        "problem": None,
    }


async def _of_store(store: Store) -> dict[str, Any]:
    return {"memory": asdict(await store.read(counts))}
