"""The nouns of the system, as frozen dataclasses. No behaviour beyond small properties."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

CoreItem = Literal["name", "age", "gender"]
"""What a greeting asks for: the core characteristics of a profile."""

Role = Literal["user", "assistant"]
"""Who spoke: the person (`user`) or the companion (`assistant`)."""

MemoryStatus = Literal["active", "superseded", "archived"]
"""`superseded`: a newer memory took its place. `archived`: faded, awaiting removal."""


@dataclass(frozen=True)
class Message:
    """One thing said, as it stands in the append-only log."""

    seq: int
    """Order of all messages in the store; never reused. The only order that counts."""

    session: str
    turn: int
    """Number of the turn in its session, from 1. A user message opens a turn."""

    role: Role
    text: str
    time: datetime
    """Wall time, timezone-aware. For showing and for dates, never for ordering."""

    confidence: float | None = None
    """0 to 1 when a transcriber heard it; None when it was typed."""

    cut: bool = False
    """True when the reply was interrupted; `text` is the part that was heard."""


@dataclass(frozen=True)
class Turn:
    """One back-and-forth: what the person said and what the companion answered."""

    session: str
    number: int
    user: Message | None
    """None when the companion spoke first."""

    reply: Message | None
    """None when the turn was interrupted before a reply."""

    stopped: str | None = None
    """The topic for which a guard stopped it: it is in no prompt and no memory is made of it."""

    @property
    def time(self) -> datetime:
        """When the turn began."""
        message = self.user or self.reply
        assert message is not None, "a turn has at least one message"
        return message.time


@dataclass(frozen=True)
class Session:
    """A continuous conversation without long breaks (paper section 4.2)."""

    id: str
    started: datetime
    ended: datetime | None
    turns: int
    consolidated: bool


@dataclass(frozen=True)
class Source:
    """Where a memory comes from: a turn and words that occur in its user message."""

    session: str
    turn: int
    quote: str


@dataclass(frozen=True)
class FollowUp:
    """What a person said later about a memory."""

    session: str
    turn: int
    text: str
    """Their words in a plain frame, with the companion's line where they need it."""

    said: datetime


@dataclass(frozen=True)
class Memory:
    """A long-term memory: (m, e_m, T_insert, T_last_use, S) of paper section 4.3."""

    id: int
    text: str
    kind: str
    """What it is about, and so how long it lasts: by the words of a draft `profile` (for good),
    `plan`, `preference`, `relation`, `event` or `fact`, and since its first night, unless it is for
    good, one of `language.kinds.examples`, or `fact` where these do not tell."""

    created: datetime
    """When it was told (T_insert); of one made otherwise, when it was stored."""

    last_used: datetime
    strength: float
    """S: 1 at first, +1 per retrieval."""

    retention: float
    """R = exp(-t/S), t in lived days since last use."""

    event_time: str | None = None
    """ISO date (or date range `start/end`) of what the memory is about, when known."""

    pinned: bool = False
    """A parent asked to keep it: it never fades."""

    status: MemoryStatus = "active"
    superseded_by: int | None = None
    sources: tuple[Source, ...] = ()
    told_by_parent: bool = False
    """A parent put it right: `text` is the parent's, `sources` are those of what it replaced."""

    later: tuple[FollowUp, ...] = ()
    """What the person said of it since then, in that order; the surest few."""


@dataclass(frozen=True)
class BigFive:
    """Estimates from 1 (low) to 5 (high); None while there is no evidence."""

    openness: float | None = None
    conscientiousness: float | None = None
    extraversion: float | None = None
    agreeableness: float | None = None
    neuroticism: float | None = None


@dataclass(frozen=True)
class Personality:
    """Paper section 4.3: a short summary, two scales, and words that support them."""

    summary: str | None = None
    myers_briggs: str | None = None
    big_five: BigFive = field(default_factory=BigFive)
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Profile:
    """What is always in the prompt: core characteristics and personality."""

    name: str | None = None
    age: int | None = None
    gender: str | None = None
    personality: Personality = field(default_factory=Personality)
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notice:
    """What a parent is told of a turn that a guard stopped: no words of it."""

    id: int
    time: datetime
    topic: str
    session: str
    turn: int


@dataclass(frozen=True)
class Recalled:
    """One thing shown to the model before an answer."""

    id: str
    """`m12` for memory 12, `2026-11-21-1#3` for turn 3 of that session."""

    kind: Literal["memory", "turn"]
    text: str
    score: float
