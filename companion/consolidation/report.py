"""What an inactive phase did: figures for machines, a diary for people."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

Change = Literal["learnt", "changed", "faded"]


@dataclass(frozen=True)
class Entry:
    """One line of the diary."""

    change: Change
    what: Literal["memory", "profile"]
    text: str
    """What is known now; for a faded memory, what it said."""

    before: str | None = None
    """What a changed memory or profile item said before."""

    id: int | None = None
    """The memory's id."""

    sources: tuple[tuple[str, int], ...] = ()
    """Session and turn of the words it is based on."""


@dataclass(frozen=True)
class Effects:
    """What one committed step did."""

    counts: dict[str, int] = field(default_factory=dict)
    diary: tuple[Entry, ...] = ()
    dropped: tuple[str, ...] = ()
    """Why drafts were dropped: one reason for each."""


@dataclass
class Retries:
    """Counts of structured answers that needed a retry (paper section 4.5)."""

    soft: int = 0
    full: int = 0
    parked: int = 0


@dataclass
class Report:
    """One run: counts of what it committed. An interrupted run leaves no report."""

    sessions: int = 0
    turns: int = 0
    drafted: int = 0
    grounded: int = 0
    dropped: int = 0
    added: int = 0
    replaced: int = 0
    duplicates: int = 0
    forgotten: int = 0
    retries: Retries = field(default_factory=Retries)
    duration_s: float = 0.0
    model_calls: int = 0

    diary: list[Entry] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    """Dropped drafts by reason."""

    asked: int = 0
    """Structured answers asked for; those that needed no retry are `first_try`."""

    first_try: int = 0
    invalid: int = 0
    """Answers that could not be parsed."""

    wrong: int = 0
    """Answers that could be parsed but were impossible."""

    parked: list[str] = field(default_factory=list)
    """Units given up for this run, as `step session#number`."""

    def add(self, effects: Effects) -> None:
        """Add the effects of a committed step."""
        for name, count in effects.counts.items():
            setattr(self, name, getattr(self, name) + count)
        self.dropped += len(effects.dropped)
        self.reasons.update(effects.dropped)
        self.diary.extend(effects.diary)

    def figures(self) -> dict[str, Any]:
        """Every count, for evaluation, without the diary and without anything that was said."""
        told = ("diary", "parked", "reasons")
        counts = {each.name: getattr(self, each.name) for each in fields(self)}
        kept = {name: value for name, value in counts.items() if name not in told}
        return {**kept, "retries": asdict(self.retries), "reasons": dict(self.reasons)}

    def as_json(self) -> dict[str, Any]:
        """The document of `companion consolidate --json`."""
        figures = (
            "sessions turns drafted grounded dropped added replaced duplicates forgotten "
            "retries duration_s model_calls diary"
        )
        tree = asdict(self)
        return {name: tree[name] for name in figures.split()}


@dataclass(frozen=True)
class Progress:
    """Reported after every committed unit."""

    step: str
    """`embed`, `embed-memory`, `embed-block`, `chunk`, `summarize`, `draft`, `merge`, `refine`,
    `sort`, `profile`, `revise`, `finish`, `openers`, `forget`."""

    done: int
    """Units of this step done in this run."""

    left: int
    """Units of this step still to do, as far as is known."""
