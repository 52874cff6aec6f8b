"""The types that the modules of a language return, the same for every language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, get_args

from companion.records import CoreItem

GapKind = Literal["list", "name", "surname", "number", "time", "place", "asked", "other"]
"""What is missing where somebody stopped. `surname`: the name after a name; `asked`: they said that
they cannot think of it; `other`: a word is missing, and rules do not tell which."""

Days = tuple[date, date]
"""First and last day, both included."""

ITEMS: tuple[CoreItem, ...] = ("name", "age", "gender")
"""What people are asked about themselves, in this order."""

Side = Literal["person", "companion", "both"]
"""Whose words a question asks for."""


@dataclass(frozen=True)
class DateSpan:
    """The days that some words mean."""

    start: date
    end: date
    """Included; equal to `start` for a single day."""

    text: str
    """The words, as written in the sentence."""

    at: int
    """Where in the sentence they begin."""

    @property
    def iso(self) -> str:
        """As `Memory.event_time` stores it: a day, or `start/end`."""
        if self.start == self.end:
            return self.start.isoformat()
        return f"{self.start.isoformat()}/{self.end.isoformat()}"


@dataclass(frozen=True)
class CoreStatement:
    """One core item, as a person said it."""

    item: CoreItem
    value: str
    """A name; an age in figures; `female`, `male` or `non-binary`."""

    quote: str
    """The words that say it, as written in the message."""


@dataclass(frozen=True)
class Slot:
    """A value of which there is one at a time, as a sentence tells it."""

    kind: str
    """`favourite`, `becomes`, `part`, `name`, `record`, or a state such as `tooth` or `lost`."""

    of: frozenset[str]
    """Stems of what or whom it is of: "colour", "band", a name. Empty where there is only one."""

    value: frozenset[str]
    """Stems of the value."""


@dataclass(frozen=True)
class Remark:
    """What a person says, and what the other one had said before it."""

    text: str
    before: str


@dataclass(frozen=True)
class Correction:
    """What a message that puts something right, or changes it, says of what was told before."""

    denied: frozenset[str]
    """Stems of what is so no longer: a day, a number, a thing."""

    about: frozenset[str]
    """Stems of the things that it speaks of."""

    names: frozenset[str]
    """Stems of the people and places that it names."""

    whose: frozenset[str]
    """Those of the names whom its own sentence is about; what is told of others stays."""

    words: str
    """The words that say so, with those around them that they need."""

    taste: bool = False
    """Whether it is a liking that has changed."""

    doubted: bool = False
    """Whether the other one had asked after what was told before."""

    counted: frozenset[str] = frozenset()
    """Stems of the things of which it says how many there are now."""

    moves: bool = False
    """Whether it says another day."""

    moved: frozenset[str] = frozenset()
    """Stems of what is then, as far as the sentence with the day names it."""

    was: frozenset[str] = frozenset()
    """Stems of the days that the line before it names: as it was believed until then."""

    guessed: bool = False
    """Whether it does not say itself what is so no longer: `denied` is then all that was spoken
    of, and a text has to share more than a word with it."""

    slots: tuple[Slot, ...] = ()
    """What it puts into slots that hold one value at a time."""


@dataclass(frozen=True)
class Happening:
    """Something that somebody is about to do."""

    about: str
    """The word for it, in small letters."""

    said: str
    """The sentence that tells of it."""

    at: int
    """Where in the sentence it stands."""

    before: str
    """How one asks the day before."""

    after: str
    """How one asks when it is over."""


@dataclass(frozen=True)
class AskedDay:
    """A question for the day of something that was told."""

    kind: str
    """`when`, `how_long_ago`, `how_long`, `how_many`, `is_today`, `last_talk`."""

    plain: str
    """The question in small letters."""

    about: tuple[str, ...]
    """Stems of the words that say what it was."""


@dataclass(frozen=True)
class ToldDay:
    """The day that a telling gives."""

    day: date
    time: datetime | None
    """When it was told, where the telling names no day of its own."""

    weekdays: tuple[int, ...]
    """0 to 6, of what is every week."""


@dataclass(frozen=True)
class Exchanged:
    """What somebody said, what the companion answered, and when."""

    said: str
    reply: str
    time: datetime


@dataclass(frozen=True)
class Scene:
    """What a telling is about."""

    name: str
    """Of the entry in the table: `tooth_out`, `new_pet`."""

    thing: str
    """The word for what it is about, as it was said: "snail"; "" where none stands for it."""


@dataclass(frozen=True)
class Gap:
    """What is missing at the end of what was said."""

    kind: GapKind
    lead: str
    """The sentence up to the gap; of a list, what stands before its first thing."""

    told: tuple[str, ...]
    """The things of an open list that were said."""

    about: str
    """Of what the name, number or place is."""

    question: str
    """As a person would ask for it; "" where that is not known."""


Sought = Literal["hour", "day", "number", "colour", "name", "thing"]
"""What a question may ask for."""


@dataclass(frozen=True)
class Span:
    """Something in a text that may be an answer."""

    start: int
    end: int
    """Excluded."""

    kind: Sought


@dataclass(frozen=True)
class Line:
    """Something said in a talk."""

    own: bool
    """By the person; otherwise by the companion."""

    text: str


@dataclass(frozen=True)
class Relation:
    """What somebody who is named is to somebody else."""

    own: bool
    """To the speaker; otherwise to another."""

    relation: str
    """The stem of its word."""

    name: str
    """The stem of the name."""


@dataclass(frozen=True)
class Question:
    """A person's words, read as a query to memory."""

    text: str
    """The text to embed: the query, preceded by the previous words if it says little by itself."""

    content: tuple[tuple[int, int], ...]
    """Where its content words stand in `text`, each from a character to the one after its last."""

    side: Side
    """Whose words it asks for; `both` also where nothing tells."""

    of_asking: bool
    """Whether it asks what was asked before."""

    asks: bool
    """Whether it asks anything. Whatever is asked may have been told before, so all questions are
    looked up; what is shown of other talk must be closer to it."""

    about_past: bool
    """Whether it certainly asks for something that was said before."""

    @property
    def words(self) -> list[str]:
        """Its content words, in order."""
        return [self.text[start:end] for start, end in self.content]


def parse_iso(event_time: str) -> Days:
    """First and last day of a stored event time (see DateSpan.iso). Raises ValueError."""
    start, _, end = event_time.partition("/")
    return date.fromisoformat(start), date.fromisoformat(end or start)


ClaimKind = Literal[
    "timer",
    "calls",
    "device",
    "looks_up",
    "sings",
    "sees",
    "hears",
    "date",
    "time",
    "fetches",
    "moves",
    "human",
    "remembers",
    "does",
]
"""What a toy may claim to do, to perceive or to be. `timer`: also to remind and to wake; `calls`:
to reach somebody who is not there; `fetches`: also to buy, make and draw; `looks_up`: also weather,
news and places; `moves`: to come, go, touch or hold; `human`: to be, or to live as, a person or an
animal; `date`: also the part of the day; `remembers`: something of an earlier talk;
`does`: whatever else needs hands."""

CLAIM_KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)
"""In the order in which they are looked for: the first that fits wins."""


IN_GAMES: frozenset[ClaimKind] = frozenset({"fetches", "moves", "human", "sings", "does"})
"""What belongs to a game when it is asked for in one: "come to my ship", "do you have a sword"."""

IN_EARNEST: frozenset[ClaimKind] = frozenset({"calls", "timer", "looks_up"})
"""What a child may rely on in pretend play too: that somebody is called, that something rings."""

IN_A_LIFE: frozenset[ClaimKind] = frozenset({"sees", "hears", "human", "does", "moves"})
"""What people tell of themselves, and a toy cannot."""


@dataclass(frozen=True)
class Claim:
    """What a sentence says of its speaker."""

    kind: ClaimKind
    of_ability: bool
    """Whether it only says that the speaker can: "I can set timers"."""
