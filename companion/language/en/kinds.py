"""What a fact is about, by its words: enough for listings and for what must never fade."""

from __future__ import annotations

from companion.language.en.dietary import concerns_health
from companion.language.en.verbs import HAPPENED
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()


def kind_of(text: str, event_time: str | None) -> str:
    """`profile` (for good: health, birthday), `plan`, `preference`, `relation`, `event`, `fact`."""
    if concerns_health(text) or _RE.lasting.search(text):
        return "profile"
    if _RE.plan.search(text):
        return "plan"
    if _RE.preference.search(text):
        return "preference"
    past = HAPPENED.search(text) is not None
    if event_time is not None and past:
        return "event"
    if _RE.relation.search(text):
        return "relation"
    return "event" if event_time is not None or past else "fact"
