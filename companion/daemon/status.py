"""How the companion fares, as one document: for people, scripts and the parents' page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from companion.assembly.companion import Companion
from companion.config import Config
from companion.daemon.diary import Diary
from companion.store.counts import counts
from companion.store.database import Store

Stage = Literal["starting", "ready", "stopping"]


@dataclass(frozen=True)
class Snapshot:
    """A running daemon at one moment."""

    config: Config
    pid: int
    uptime_s: float
    stage: Stage
    safe_mode: str | None
    """What it means, and how to leave it; None when all is as it should be."""

    missing: list[str]
    companion: Companion | None
    """None until it is opened."""

    diary: Diary
    page: bool
    """Whether the parents' page is on."""

    voice: dict[str, object] | None
    """The state of the voice loop; None when there is none."""


async def of_daemon(now: Snapshot) -> dict[str, Any]:
    """While it runs, also while it starts and stops."""
    document = idle(now.config) | {
        "running": True,
        "pid": now.pid,
        "uptime_s": round(now.uptime_s, 1),
        "phase": now.stage,
        "safe_mode": now.safe_mode,
        "missing": now.missing,
        "page": now.page,
        "voice": now.voice,
    }
    if now.companion is not None:
        phases = now.companion.phases
        document |= await _of_store(now.companion.store)
        document |= {
            "models": now.companion.models.names,
            "listening": _listening(now.companion),
            "last_consolidation": now.diary.last,
            "problem": phases.trouble or now.diary.problem,
        }
        if now.stage == "ready":
            talking = document["memory"]["talking"]
            document["phase"] = (
                "consolidating" if phases.consolidating else "awake" if talking else "asleep"
            )
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
        "page": False,
        "voice": None,
        "listening": None,
        "memory": None,
        "last_consolidation": None,
        "problem": None,
    }


async def _of_store(store: Store) -> dict[str, Any]:
    return {"memory": asdict(await store.read(counts))}


def _listening(companion: Companion) -> dict[str, Any] | None:
    """None while nobody is overheard."""
    listening = companion.listening
    if not listening.running:
        return None
    return {"left_s": round(listening.left_s, 1), "waiting": listening.waiting}
