"""The form by which a reader grades memories, blind to the variant that made them.

Made from one or more documents of `companion eval memories --json`, of the same life. Every memory
is an item with an opaque id, in shuffled order; one that several variants made from the same words
is read once. What an id stands for is in the key, which readers are not given.
`tests/memories/HOW.md` tells readers what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from pydantic import BaseModel, Field

from companion.errors import InputError
from companion.evaluation.forms import (
    chance,
    fingerprint,
    ids,
    on_one_line,
    read_document,
    write_pair,
)
from companion.evaluation.lives import Status
from companion.evaluation.memories.kept import PROFILE


class Said(BaseModel):
    """A message, and the turn that it belongs to."""

    turn: int
    role: str
    text: str


class Cited(BaseModel):
    """Words that a memory was made from, and the talk around them."""

    session: str
    turn: int
    quote: str
    around: list[Said] = []


class Later(BaseModel):
    """What was said later of a memory, and on which day."""

    said: date
    text: str


class Remembered(BaseModel):
    """A memory of a variant."""

    id: int
    text: str
    event_time: str | None = None
    later: list[Later] = []
    sources: list[Cited] = []


class GoldFact(BaseModel):
    """A fact that should be remembered, or (any status but `current`) should not."""

    id: str
    text: str
    status: Status
    lasting: bool


class Result(BaseModel):
    """What a form needs of a document of `companion eval memories --json`."""

    user: str
    profile: dict[str, str | int | None]
    memories: list[Remembered]
    gold: list[GoldFact]


class Held(BaseModel):
    """Whose an item is."""

    variant: str
    memory: int | str
    """A memory's id, or `profile`."""


class Key(BaseModel):
    """What the ids of a form stand for. Not for readers."""

    form: str
    """SHA-256 of the form's text."""

    user: str
    variants: list[str]
    items: dict[str, list[Held]]
    gold: list[GoldFact] = Field(min_length=1)


def read_result(path: Path) -> Result:
    """A saved document of `companion eval memories --json`. Raises InputError."""
    return read_document(path, Result, "a document of `companion eval memories --json`")


def read_key(path: Path) -> Key:
    """Raises InputError."""
    return read_document(path, Key, "the key of a form")


def write_form(path: Path, variants: Mapping[str, Result]) -> Path:
    """Write the form, and its key beside it; returns the key's path.

    Raises InputError when one of them is there already (grades may refer to it), cannot be
    written, or when the variants are not of one life.
    """
    return write_pair(path, *made(variants))


def made(variants: Mapping[str, Result]) -> tuple[str, Key]:
    """The form's text and its key: the same for the same variants. Raises InputError."""
    (first, *others) = variants.values()
    if any((each.user, each.gold) != (first.user, first.gold) for each in others):
        raise InputError("the variants of a form must be of one life, with the same gold facts")
    items: dict[str, list[Held]] = {}
    for variant, result in variants.items():
        for id, entry in _entries(result):
            items.setdefault(entry, []).append(Held(variant=variant, memory=id))
    entries = sorted(items)
    dice = chance(*variants, *entries)
    dice.shuffle(entries)
    named = ids(dice, len(entries))
    text = _text(first, dict(zip(named, entries, strict=True)))
    key = Key(
        form=fingerprint(text),
        user=first.user,
        variants=list(variants),
        items={id: items[entry] for id, entry in zip(named, entries, strict=True)},
        gold=first.gold,
    )
    return text, key


def _entries(result: Result) -> list[tuple[int | str, str]]:
    """Each memory, and the profile, with its text in the form."""
    found: list[tuple[int | str, str]] = [(each.id, _entry(each)) for each in result.memories]
    known = [f"{item} {value}" for item, value in result.profile.items() if value is not None]
    return found + ([(PROFILE, f"> (profile) {', '.join(known)}\n")] if known else [])


def _entry(memory: Remembered) -> str:
    lines = [f"> {on_one_line(memory.text)}"]
    lines += [f"> — Later, on {_day(str(e.said))}: {on_one_line(e.text)}" for e in memory.later]
    if memory.event_time is not None:
        lines.append(f"> (day: {memory.event_time})")
    for source in memory.sources:
        lines += ["", f'From {_day(source.session)}, the words "{on_one_line(source.quote)}":', ""]
        for said in source.around:
            here = said.turn == source.turn and said.role == "user"
            who = "person" if said.role == "user" else "toy"
            lines.append(
                f"- {'**' if here else ''}{who}{'**' if here else ''}: {on_one_line(said.text)}"
            )
    return "\n".join(lines) + "\n"


def _text(result: Result, entries: Mapping[str, str]) -> str:
    current = [each for each in result.gold if each.status == "current"]
    changed = [each for each in result.gold if each.status == "superseded"]
    others = [each for each in result.gold if each.status not in ("current", "superseded")]
    parts = [
        f"# What is remembered of {result.user}\n",
        f"{len(entries)} memories to grade. Grades: `good`, `trivial`, `wrong`, `garbled`. "
        "HOW.md, which you were given with this, says what they mean and how to write them down.\n",
        "## What a friend would remember\n",
        *(f"- {each.id}: {each.text}{' (lasting)' if each.lasting else ''}" for each in current),
        "\n## What changed: no longer true at the end\n",
        *(f"- {each.id}: {each.text}" for each in changed),
        "\n## What should not be remembered as it stands\n",
        *(f"- {each.id}: {each.text} ({each.status})" for each in others),
        "\n## The memories\n",
        *(f"### {id}\n\n{entry}" for id, entry in entries.items()),
    ]
    return "\n".join(parts)


def _day(session: str) -> str:
    try:
        day = date.fromisoformat(session)
    except ValueError:
        return session
    return f"{day:%A} {day.isoformat()}"
