"""The form by which a reader grades replies, blind to the variant that gave them.

Made from documents of `companion eval talk --json` over the same set. Below each message stand the
replies of all variants in random order, each with an opaque id; what several variants answered
alike is read once. `tests/talk/HOW.md` tells readers what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
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


class Answered(BaseModel):
    """A message and what a variant answered."""

    said: str
    before: list[tuple[str, str]] = []
    age: int | None = None
    kind: str = ""
    good: str = ""
    reply: str
    by: str


class Replies(BaseModel):
    """What a form needs of a document of `companion eval talk --json`."""

    replies: list[Answered] = Field(min_length=1)


class Item(BaseModel):
    """A reply in the form."""

    message: int
    """Number of the message, from 1."""

    variants: dict[str, str]
    """Those that gave it, each with who of it answered (`Answered.by`)."""


class Key(BaseModel):
    """What the ids of a form stand for. Not for readers."""

    form: str
    """SHA-256 of the form's text."""

    variants: list[str]
    kinds: list[str]
    """Of each message, in order."""

    items: dict[str, Item]


def read_replies(path: Path) -> Replies:
    """A saved document of `companion eval talk --json`. Raises InputError."""
    return read_document(path, Replies, "a document of `companion eval talk --json`")


def read_key(path: Path) -> Key:
    """Raises InputError."""
    return read_document(path, Key, "the key of a form of replies")


def write_form(path: Path, variants: Mapping[str, Replies]) -> Path:
    """Write the form, and its key beside it; returns the key's path. Raises InputError, also when
    the variants did not answer the same messages."""
    return write_pair(path, *made(variants))


def made(variants: Mapping[str, Replies]) -> tuple[str, Key]:
    """The form's text and its key: the same for the same variants. Raises InputError."""
    asked = {
        name: [(each.said, each.before) for each in result.replies]
        for name, result in variants.items()
    }
    (first, *others) = asked.values()
    if any(each != first for each in others):
        raise InputError("the variants of a form must have answered the same messages")
    messages = next(iter(variants.values())).replies
    dice = chance(*variants, *(each.reply for one in variants.values() for each in one.replies))
    given: list[tuple[int, str, dict[str, str]]] = []
    for number in range(len(messages)):
        alike: dict[str, dict[str, str]] = {}
        for name, result in variants.items():
            answer = result.replies[number]
            alike.setdefault(on_one_line(answer.reply), {})[name] = answer.by
        shuffled = sorted(alike.items())
        dice.shuffle(shuffled)
        given += [(number + 1, reply, owners) for reply, owners in shuffled]
    named = ids(dice, len(given))
    parts = [
        f"# Replies of a talking toy\n\n{len(messages)} messages, {len(given)} replies to grade. "
        "HOW.md, which you were given with this, says how.\n"
    ]
    last = 0
    for id, (number, reply, _) in zip(named, given, strict=True):
        if number != last:
            parts.append(_message(number, messages[number - 1]))
            last = number
        parts.append(f"- `{id}` {reply or '(says nothing)'}\n")
    text = "\n".join(parts)
    items = {
        id: Item(message=number, variants=owners)
        for id, (number, _, owners) in zip(named, given, strict=True)
    }
    kinds = [each.kind for each in messages]
    return text, Key(form=fingerprint(text), variants=list(variants), kinds=kinds, items=items)


def _message(number: int, message: Answered) -> str:
    lines = [f"## {number}" + (f" (age {message.age})" if message.age is not None else "") + "\n"]
    for said, reply in message.before:
        lines += [f"> child: {on_one_line(said)}", f"> toy: {on_one_line(reply)}"]
    lines.append(f"> **child: {on_one_line(message.said)}**")
    if message.good:
        lines.append(f"\nA good answer: {on_one_line(message.good)}")
    return "\n".join(lines) + "\n"
