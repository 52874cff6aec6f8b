"""What was learnt of a child against what was to be learnt: counting, by rule, no judge.

Every memory, superseded ones included, is one of: a trap's (it fits a trap of a session that it
cites), right (it fits a fact), harmless, wrong. A fact is found when a memory that is no trap's
fits it: an active one, unless a later session makes the fact untrue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.evaluation.extraction.gold import Child, Fact
from companion.records import Memory, Profile


@dataclass(frozen=True)
class Judged:
    """A memory and what it is."""

    memory: Memory
    verdict: str
    """`right`, `harmless`, `wrong`, or a trap's kind."""

    says: tuple[str, ...]
    """Of the facts, or the traps, that it fits."""

    @property
    def trapped(self) -> bool:
        return self.verdict not in ("right", "harmless", "wrong")


@dataclass
class Marks:
    """Counts, of one child or of several (`add`)."""

    facts: int = 0
    found: int = 0
    lost: int = 0
    """Facts that only superseded memories say, though nothing made them untrue."""

    memories: int = 0
    right: int = 0
    harmless: int = 0
    wrong: int = 0
    traps: int = 0
    trapped: Counter[str] = field(default_factory=Counter)
    """Memories that fit a trap, by its kind."""

    dates: Counter[str] = field(default_factory=Counter)
    """Found facts that have a gold date: `right`, `wrong`, `missing`."""

    ended: Counter[str] = field(default_factory=Counter)
    """Found facts that a later session makes untrue: `superseded`, or `stale` when a memory that
    says so is still active."""

    core: Counter[str] = field(default_factory=Counter)
    """Name, age and gender at the end: `right`, `wrong`, `missing`."""

    def add(self, other: Marks) -> None:
        """Count another's too."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def recall(self) -> float:
        """Share of the facts that were found."""
        return self.found / self.facts if self.facts else 0.0

    @property
    def precision(self) -> float:
        """Share of right memories among those that are not harmless."""
        counted = self.memories - self.harmless
        return self.right / counted if counted else 0.0

    def as_json(self) -> dict[str, Any]:
        """Every count, and the two shares."""
        counts = {
            name: dict(value) if isinstance(value, Counter) else value
            for name, value in vars(self).items()
        }
        return {"recall": round(self.recall, 4), "precision": round(self.precision, 4), **counts}


HEADINGS = (
    "child",
    "split",
    "facts found",
    "precision",
    "trapped",
    "dates right",
    "ended",
    "profile",
)
"""Of `rows`."""

_GOOD = (("dates", "right"), ("ended", "superseded"), ("core", "right"))


def rows(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """For people: each child, and all children of a split."""
    found = [(name, marks["split"], *_cells(marks)) for name, marks in result["children"].items()]
    whole = [("all of it", split, *_cells(marks)) for split, marks in result["splits"].items()]
    return found + whole


def _cells(marks: dict[str, Any]) -> tuple[str, ...]:
    trapped = ", ".join(f"{n} {kind}" for kind, n in sorted(marks["trapped"].items()))
    return (
        f"{marks['found']} of {marks['facts']}",
        f"{marks['right']} of {marks['memories'] - marks['harmless']}",
        trapped or "0",
        *(f"{marks[name].get(good, 0)} of {sum(marks[name].values())}" for name, good in _GOOD),
    )


def judge(child: Child, memories: Iterable[Memory]) -> list[Judged]:
    """What each memory is."""
    return [_judged(child, memory) for memory in memories]


def mark(child: Child, judged: Sequence[Judged], profile: Profile) -> Marks:
    """Everything that can be counted of one child."""
    verdicts = Counter(each.verdict for each in judged)
    marks = Marks(
        facts=len(child.facts),
        memories=len(judged),
        right=verdicts["right"],
        harmless=verdicts["harmless"],
        wrong=verdicts["wrong"],
        traps=sum(len(session.traps) for session in child.sessions),
        trapped=Counter(each.verdict for each in judged if each.trapped),
    )
    for fact in child.facts:
        fitting = _fitting(fact, judged)
        active = [memory for memory in fitting if memory.status == "active"]
        if fact.until is not None and fitting:
            marks.ended["stale" if active else "superseded"] += 1
        elif not active:
            marks.lost += bool(fitting)
            continue
        marks.found += 1
        if fact.dates:
            marks.dates[_date_mark(fact, fitting)] += 1
    for item in ("name", "age", "gender"):
        marks.core[_core_mark(getattr(child.profile, item), getattr(profile, item))] += 1
    return marks


def missed(child: Child, judged: Sequence[Judged]) -> list[str]:
    """The facts that no memory says, in words."""
    return [fact.what for fact in child.facts if not _fitting(fact, judged)]


def wrong_dates(child: Child, judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """The found facts whose date is not right: `{what, wanted, got}`."""
    found = []
    for fact in child.facts:
        fitting = _fitting(fact, judged)
        if fact.dates and fitting and _date_mark(fact, fitting) != "right":
            got = [memory.event_time for memory in fitting]
            found.append({"what": fact.what, "wanted": fact.date, "got": got})
    return found


def _judged(child: Child, memory: Memory) -> Judged:
    cited = {source.session for source in memory.sources}
    there = [session for session in child.sessions if session.id in cited]
    traps = [trap for session in there for trap in session.traps if trap.fit(memory.text)]
    if traps:
        return Judged(memory, traps[0].kind, tuple(trap.what for trap in traps))
    facts = tuple(fact.what for fact in child.facts if fact.fit(memory.text))
    if facts:
        return Judged(memory, "right", facts)
    harmless = any(each.fit(memory.text) for session in there for each in session.harmless)
    return Judged(memory, "harmless" if harmless else "wrong", ())


def _fitting(fact: Fact, judged: Sequence[Judged]) -> list[Memory]:
    return [each.memory for each in judged if not each.trapped and fact.fit(each.memory.text)]


def _date_mark(fact: Fact, fitting: Sequence[Memory]) -> str:
    """The best of the memories counts."""
    given = {memory.event_time for memory in fitting}
    if given & fact.dates:
        return "right"
    return "missing" if given == {None} else "wrong"


def _core_mark(wanted: object, known: object) -> str:
    if wanted == known:
        return "right"
    return "missing" if known is None else "wrong"
