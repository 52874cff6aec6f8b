"""`companion eval forgetting`: a year of weekend use, in simulated time.

On one Saturday a child tells things of every kind (`told.yaml`). From then on the toy is used on
Saturdays and Sundays, and lies in a drawer on other days and through the holidays. Every evening
of use the inactive phase runs as it is, with kinds told by meaning and with forgetting, on a real
store; no language model is needed, since nothing new is said. What is active in the store is
remembered.

Two ways of use: nothing comes up ever again; or each thing that is remembered comes up on one
weekend in five, by chance, whatever it is about, which counts as a use. A thing that has faded does
not come up: a child who has to tell it again finds a toy that forgot.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

import apsw
import yaml

from companion import language
from companion.assembly.consolidation import build_consolidation
from companion.assembly.models import absent_model
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.consolidation.phase import Consolidation
from companion.engines.protocols import Embedder
from companion.evaluation.figures import mean
from companion.records import Source
from companion.store import memories
from companion.store.database import Store

Rule = Literal["paper", "lifespan"]
RULES: tuple[Rule, ...] = get_args(Rule)

TOLD = Path(__file__).with_name("told.yaml")
FIRST = date(2026, 1, 3)
"""A Saturday."""

AFTER = (7, 30, 180, 365)
"""Days after which is counted what is still remembered."""

HOLIDAYS = (
    (date(2026, 3, 28), date(2026, 4, 12)),
    (date(2026, 7, 25), date(2026, 8, 30)),
    (date(2026, 12, 19), date(2027, 1, 3)),
)
"""First and last days without use."""

COMES_UP = 0.1
"""Chance that a thing comes up on a day of use: on about one weekend in five."""

SEED = 0
_MORNING, _EVENING = time(10, tzinfo=timezone.utc), time(18, tzinfo=timezone.utc)


async def run(
    config: Config, embedder: Embedder, *, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `--json`. Raises EngineError, StoreError."""
    told: dict[str, list[str]] = yaml.safe_load(TOLD.read_text(encoding="utf-8"))
    texts = [text for each in told.values() for text in each]
    arms = []
    for rule in RULES:
        for comes_up in (False, True):
            how = "comes up again" if comes_up else "never comes up again"
            on_progress(f"  a year by {rule}: what was told {how}")
            with TemporaryDirectory() as folder:
                lasted = await _year(config, rule, embedder, texts, Path(folder), comes_up=comes_up)
            shares, curve = _shares(told, lasted), _curve(told, lasted)
            arms.append({"rule": rule, "comes_up": comes_up, **shares, "curve": curve})
    return {
        "told": {kind: len(texts) for kind, texts in told.items()},
        "days": list(AFTER),
        "days_of_use": len(list(days_of_use())),
        "comes_up": COMES_UP,
        "arms": arms,
        "embedder": embedder.name,
        "seed": SEED,
    }


def days_of_use(length: int | None = None) -> Iterator[date]:
    """Saturdays and Sundays of a year, or of so many days, from the first day on, without the
    holidays."""
    last = max(AFTER) if length is None else length
    for day in (FIRST + timedelta(days=n) for n in range(last + 1)):
        away = any(first <= day <= last for first, last in HOLIDAYS)
        if day.weekday() >= 5 and not away:
            yield day


async def _year(
    config: Config,
    rule: Rule,
    embedder: Embedder,
    texts: list[str],
    folder: Path,
    *,
    comes_up: bool,
) -> dict[str, int]:
    """Days after which each thing was found forgotten; of one that lasted the year, more."""
    chance = random.Random(SEED)
    settings = config.model_copy(
        update={
            "data_dir": folder,
            "store": config.store.model_copy(update={"encrypt": False, "backups": 0}),
            "forgetting": config.forgetting.model_copy(update={"rule": rule, "enabled": True}),
        }
    )
    clock = ManualClock(datetime.combine(FIRST, _MORNING))
    lasted = dict.fromkeys(texts, max(AFTER) + 1)
    async with open_store(settings, clock, mode="owner") as store:
        night = build_consolidation(settings, clock, store, absent_model(settings), embedder)
        ids = await store.write(_tell, texts, clock.wall())
        for day in days_of_use():
            again = comes_up and day > FIRST
            active = await _day(store, clock, night, day, chance if again else None)
            for text, id in ids.items():
                if id not in active:
                    lasted[text] = min(lasted[text], (day - FIRST).days)
    return lasted


async def _day(
    store: Store, clock: ManualClock, night: Consolidation, day: date, chance: random.Random | None
) -> set[int]:
    """One day of use and its night; returns the memories that are active after it."""
    move_to(clock, datetime.combine(day, _MORNING))
    known = [memory.id for memory in await store.read(memories.list_memories)]
    used = [id for id in known if chance is not None and chance.random() < COMES_UP]
    await store.write(memories.touch, used, clock.wall())
    move_to(clock, datetime.combine(day, _EVENING))
    await night.run()
    return {memory.id for memory in await store.read(memories.list_memories)}


def move_to(clock: ManualClock, moment: datetime) -> None:
    """Move a clock on to a moment."""
    clock.advance((moment - clock.wall()).total_seconds())


def _tell(c: apsw.Connection, texts: list[str], now: datetime) -> dict[str, int]:
    """Store what was told as the night before would have: dated and with a kind by its words."""
    ids = {}
    for number, text in enumerate(texts, start=1):
        days = language.dates.in_statement(text, now)
        event_time = days[0].iso if days else None
        ids[text] = memories.add(
            c,
            language.dates.with_dates(text, now),
            kind=language.kinds.kind_of(text, event_time),
            sources=[Source("told", number, text)],
            vector=None,
            embedder="",
            now=now,
            event_time=event_time,
        )
    return ids


def _shares(told: Mapping[str, list[str]], lasted: Mapping[str, int]) -> dict[str, Any]:
    """Of each kind and of all, the share that is remembered after so many days."""

    def after(texts: list[str]) -> dict[str, float]:
        return {str(days): mean([lasted[text] > days for text in texts]) for days in AFTER}

    return {
        "kinds": {kind: after(texts) for kind, texts in told.items()},
        "all": after([text for texts in told.values() for text in texts]),
    }


def _curve(told: Mapping[str, list[str]], lasted: Mapping[str, int]) -> list[dict[str, Any]]:
    """For each day of use: its number and the share of each kind that is remembered after it."""
    return [
        {
            "day": n,
            **{kind: mean([lasted[text] > n for text in texts]) for kind, texts in told.items()},
        }
        for n in ((day - FIRST).days for day in days_of_use())
    ]
