"""Written sessions of children with what is to be learnt from them, and what is not.

A YAML file is a child: `child`, `split`, `about`, `profile` (what is known of name, age and gender
at the end) and `sessions`, each with `id`, `time`, `talk` (`C:` the child, `P:` the companion),
`facts`, `traps` and `harmless`. A fact or trap says in words `what` it is, and by which words a
memory of it is known:

- `match`, a list: each entry must be in the memory, in one of its spellings, which are divided by
  `/`; a star stands for any ending or beginning ("allerg*");
- `without`: none of these may be in it;
- `about`: likewise like an entry of `match`, of a fact about somebody else than the child.

A fact may have a `date` (a day, `first/last`, several with `or`; `none` among them: undated is
right too) and, when a later session makes it untrue, `until` (that session) and `why`. Traps count
for memories of their own session only. `harmless` are texts of entries with commas: a memory that
has all entries of one is neither right nor wrong.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from companion.errors import InputError
from companion.evaluation.keywords import normalised
from companion.evaluation.sets import Rows
from companion.records import Role

SHIPPED = Path(__file__).resolve().parent / "children"
"""The set of this package."""

Split = Literal["dev", "held-out"]
"""Changes are tuned on `dev`, and kept when they win on `held-out` too."""

TrapKind = Literal[
    "suggestion",
    "play",
    "joke",
    "story",
    "someone else's",
    "negation",
    "question",
    "command",
    "correction",
    "cancelled",
]

_SPEAKERS: dict[str, Role] = {"C: ": "user", "P: ": "assistant"}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, ignored_types=(cached_property,))


def _entries(value: Any) -> Any:
    """`["cat", "grey/gray"]` as patterns; pydantic says what is wrong with anything else."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return value
    return [_pattern(each) for each in value]


def _pattern(entry: str) -> re.Pattern[str]:
    spellings = [normalised(each) for each in entry.split("/")]
    if not all(spelling.strip("*") for spelling in spellings):
        raise ValueError(f"expected words divided by '/', not {entry!r}")
    parts = (r"\w*".join(re.escape(part) for part in each.split("*")) for each in spellings)
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")


Entries = Annotated[tuple[re.Pattern[str], ...], BeforeValidator(_entries)]


def _checked(entry: str) -> str:
    _pattern(entry)  # what is wrong with it is said when it is read, not after hours
    return entry


class Words(_Part):
    """By which words a memory is known."""

    match: Entries = Field(min_length=1)
    without: Entries = ()

    def fit(self, text: str) -> bool:
        """Whether a memory's text has what is asked, and nothing of what may not be in it."""
        said = normalised(text)
        return all(each.search(said) for each in self.match) and not any(
            each.search(said) for each in self.without
        )


class Fact(Words):
    """Something to be learnt."""

    what: str
    about: Annotated[str, AfterValidator(_checked)] | None = None
    date: str | None = None
    until: str | None = None
    why: Literal["correction", "change", "cancelled"] | None = None

    def fit(self, text: str) -> bool:
        """Whether a memory says it, and of the right one."""
        return super().fit(text) and (self._subject is None or bool(self._subject.search(text)))

    @cached_property
    def _subject(self) -> re.Pattern[str] | None:
        return None if self.about is None else re.compile(_pattern(self.about).pattern, re.I)

    @cached_property
    def dates(self) -> frozenset[str | None]:
        """Event times that are right; empty when none is asked for."""
        if self.date is None:
            return frozenset()
        given = (part.strip() for part in self.date.split(" or "))
        return frozenset(None if part == "none" else part for part in given)


class Trap(Words):
    """Something that must not be learnt."""

    what: str
    kind: TrapKind


def _listed(value: Any) -> Any:
    """`["sun", "tooth, soon/fall"]`: each text a list of entries."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return value
    return [{"match": [entry.strip() for entry in each.split(",")]} for each in value]


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


class Talk(_Part):
    """One session."""

    id: str
    time: Annotated[datetime, AfterValidator(_aware)]
    """UTC, where it names no zone."""

    talk: str = Field(min_length=1)
    facts: tuple[Fact, ...] = ()
    traps: tuple[Trap, ...] = ()
    harmless: Annotated[tuple[Words, ...], BeforeValidator(_listed)] = ()

    @cached_property
    def rows(self) -> Rows:
        """The messages, as the store imports them, all of one moment."""
        return [
            (_SPEAKERS[line[:3]], line[3:].strip(), self.time) for line in self.talk.splitlines()
        ]


class Known(_Part):
    """Core characteristics; None: never told."""

    name: str | None = None
    age: int | None = None
    gender: str | None = None


class Child(_Part):
    """One child and everything it says."""

    child: str
    split: Split
    about: str
    profile: Known
    sessions: tuple[Talk, ...] = Field(min_length=1)

    @property
    def facts(self) -> list[Fact]:
        """Those of all sessions, in order."""
        return [fact for session in self.sessions for fact in session.facts]


def read_children(folder: Path) -> list[Child]:
    """The children of a folder's YAML files, by file name.

    Raises InputError naming file, line and what was expected.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.match("*.yaml"))
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    if not files:
        raise InputError(f"{folder}: holds no .yaml file of a child")
    children = [_read(file) for file in files]
    names = [child.child for child in children]
    for n, name in enumerate(names):
        if (first := names.index(name)) != n:
            raise InputError(f"{files[n]}: a second child {name!r}, as in {files[first].name}")
    return children


def _read(path: Path) -> Child:
    try:
        text = path.read_text(encoding="utf-8")
        node = yaml.compose(text, yaml.BaseLoader)
        tree = yaml.load(text, yaml.BaseLoader)
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{path}, line {line}: not YAML: {error.problem}") from None
    except yaml.YAMLError:
        raise InputError(f"{path}: not YAML") from None
    try:
        child = Child.model_validate(tree)
        _check(child)
    except ValidationError as error:
        first = error.errors()[0]
        raise _wrong(path, node, first["loc"], first["msg"]) from None
    except _Misplaced as error:
        raise _wrong(path, node, error.place, str(error), error.below) from None
    return child


class _Misplaced(ValueError):
    """What no single value shows; `below`: lines under the key."""

    def __init__(self, message: str, *place: str | int, below: int = 0) -> None:
        super().__init__(message)
        self.place = place
        self.below = below


def _wrong(
    path: Path, node: yaml.Node | None, place: tuple[str | int, ...], message: str, below: int = 0
) -> InputError:
    where = ".".join(str(part) for part in place)
    line = _line(node, place) + below
    return InputError(f"{path}, line {line}: {where}: {message.removeprefix('Value error, ')}")


def _line(node: yaml.Node | None, place: tuple[str | int, ...]) -> int:
    """Where a value stands, or the innermost thing around it that is there."""
    for part in place:
        inner: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            inner = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            inner = node.value[part] if part < len(node.value) else None
        if inner is None:
            break
        node = inner
    return node.start_mark.line + 1 if node is not None else 1


def _check(child: Child) -> None:
    """What is right by itself and wrong beside the rest. Raises _Misplaced."""
    ids = [session.id for session in child.sessions]
    for n, id in enumerate(ids):
        if ids.index(id) != n:
            raise _Misplaced(f"a second session {id!r}", "sessions", n, "id")
    for n, session in enumerate(child.sessions):
        place: tuple[str | int, ...] = ("sessions", n)
        if n and session.time <= child.sessions[n - 1].time:
            raise _Misplaced("expected a time after that of the session before", *place, "time")
        for number, line in enumerate(session.talk.splitlines(), start=1):
            if line[:3] not in _SPEAKERS or not line[3:].strip():
                expected = "expected 'C: ' (the child) or 'P: ' (the companion) and what was said"
                raise _Misplaced(expected, *place, "talk", below=number)
        for m, fact in enumerate(session.facts):
            place = ("sessions", n, "facts", m)
            if (fact.until is None) != (fact.why is None):
                raise _Misplaced("expected until and why together", *place)
            if fact.until is not None and fact.until not in ids[n:]:
                raise _Misplaced("expected the id of this or a later session", *place, "until")
            for day in fact.dates - {None}:
                _check_days(day or "", *place, "date")


def _check_days(days: str, *place: str | int) -> None:
    try:
        first, _, last = days.partition("/")
        if date.fromisoformat(first) <= date.fromisoformat(last or first):
            return
    except ValueError:
        pass
    raise _Misplaced("expected a day like 2026-09-07, first/last, or none", *place)
