"""What a fact is about: by its words at first, which is enough for what must never fade; later by
the examples that it is like in meaning."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.language.en.dietary import concerns_health
from companion.language.en.verbs import HAPPENED
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()
_EXAMPLES = Table(Path(__file__).with_name("kind_examples.yaml"))


@cache
def examples() -> dict[str, tuple[str, ...]]:
    """Sentences of each kind that a memory can have: `person`, `pet`, `home`, `birthday`, `health`,
    `taste`, `fear`, `habit`, `milestone`, `event`, `plan`, `mood`, `trivia`."""
    return {kind: _EXAMPLES.ordered(kind) for kind in _EXAMPLES.entries}


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
