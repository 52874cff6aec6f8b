"""The days of a simulated life: when people talk, about what, and what is planned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from companion.evaluation.simulation.character import Character, Event, Topic

FIRST_DAY = datetime(2026, 3, 2, 16, tzinfo=timezone.utc)
"""A Monday, after school."""

BETWEEN = timedelta(hours=2)
"""From the beginning of one session to that of the next on the same day, at most."""

EVENING = timedelta(hours=8)
"""From the first session until midnight: a day's sessions are of that day, however many."""

AHEAD = 3
"""Days before an event on which it is talked of; one day after it, it still is."""


@dataclass(frozen=True)
class Plan:
    """An event as it is spoken of on a certain day."""

    text: str
    words: tuple[tuple[str, ...], ...]
    """By which it is known that it was told."""

    near: bool
    """Yesterday, today or tomorrow: it comes to mind before most else."""


@dataclass(frozen=True)
class Sitting:
    """One session to be had."""

    number: int
    """From 1, over all days."""

    day: int
    """From 1."""

    start: datetime
    topic: Topic
    plans: tuple[Plan, ...]
    """What is on the person's mind because of the day."""


def sittings(character: Character, *, days: int, sessions: int) -> list[Sitting]:
    """The sessions of so many days, topic after topic, from the first again when all were had."""
    found: list[Sitting] = []
    between = min(BETWEEN, EVENING / sessions)
    for day in range(1, days + 1):
        for place in range(sessions):
            number = len(found) + 1
            start = FIRST_DAY + timedelta(days=day - 1) + place * between
            topic = character.topics[(number - 1) % len(character.topics)]
            plans = tuple(_plans(character.events, day, start))
            found.append(Sitting(number, day, start, topic, plans))
    return found


def _plans(events: list[Event], today: int, now: datetime) -> Iterator[Plan]:
    for event in events:
        away = event.day - today
        on = f"{now + timedelta(days=away):%A}"
        when = {-1: "Yesterday was", 0: "Today is", 1: f"Tomorrow, on {on}, is"}
        if -1 <= away <= AHEAD:
            text = f"{when.get(away, f'On {on} is')} {event.what}."
            yield Plan(text, tuple(map(tuple, event.words)), near=away in when)
