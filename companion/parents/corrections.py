"""What a parent says: a memory or an item of the profile put right, and answers to questions."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict
from typing import Any, cast

import apsw

from companion import language
from companion.clock import Clock, unsure
from companion.config import Config
from companion.errors import InputError
from companion.language.types import ITEMS
from companion.parents import memory_document, person
from companion.parents.request import (
    MOST_CHARACTERS,
    Change,
    Read,
    Request,
    flag,
    require_kept,
    whole,
)
from companion.records import CoreItem
from companion.store import corrections, memories, profile, questions
from companion.store.database import Store
from companion.store.questions import Question

MOST_YEARS = 120
LONGEST_NAME = 40
GENDERS = ("female", "male", "non-binary")


async def correct(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """A memory by its id and new text, or a field of the profile and its value."""
    require_kept(store)
    if "field" in request:
        item, value = _field(request)

        def tell(c: apsw.Connection) -> dict[str, Any]:
            profile.note(c, item, value, None, clock.wall())
            return person.who_document(c, config)

        return await store.write(tell)
    id, text = whole(request, "memory"), sentence(request)

    def put_right(c: apsw.Connection) -> dict[str, Any]:
        return {"memory": _corrected(c, id, text, config, clock)}

    return await store.write(put_right)


async def answer(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """A question: accept, and it is as the child says; else it stays as the parent has told."""
    require_kept(store)
    id, accept = whole(request, "question"), flag(request, "accept")

    def settle(c: apsw.Connection) -> dict[str, Any]:
        question = questions.get(c, id)
        now = clock.wall()
        questions.answered(c, id, now)
        if accept and question.item is not None:
            profile.note(c, question.item, question.text, None, now)
        if not accept or question.memory is None:
            return {"answered": id}
        memory = _corrected(c, question.memory, question.text, config, clock)
        return {"answered": id, "memory": memory}

    return await store.write(settle)


async def asked(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """What the child has said otherwise than a parent has told, oldest first."""
    return await store.read(questions_document, config, clock)


def questions_document(c: apsw.Connection, config: Config, clock: Clock) -> dict[str, Any]:
    """`questions` about memories, `profile_questions` about name, age and gender."""
    found = questions.open_questions(c)
    told = memories.get_all(c, [each.memory for each in found if each.memory is not None])
    full = memory_document.full(c, list(told.values()), config, clock)
    shown = {each["id"]: each for each in full}
    known = profile.current(c)
    return {
        "questions": [
            _row(each) | {"memory": shown[each.memory]} for each in found if each.memory in shown
        ],
        "profile_questions": [
            _row(each) | {"item": each.item, "told": getattr(known, each.item)}
            for each in found
            if each.item is not None
        ],
    }


def _row(each: Question) -> dict[str, Any]:
    source = asdict(each.source)
    return {
        "id": each.id,
        "text": each.text,
        "said": source.pop("quote"),
        **source,
        "time": each.time.isoformat(),
    }


def _corrected(
    c: apsw.Connection, id: int, text: str, config: Config, clock: Clock
) -> dict[str, Any]:
    old = memories.get(c, id)
    day = None if old is None else old.event_time
    now = clock.wall()
    if not unsure(now):
        days = language.dates.in_statement(text, now)
        day = days[0].iso if days else day
    id = corrections.correct(c, id, text, now, event_time=day)
    (document,) = memory_document.full(c, list(memories.get_all(c, [id]).values()), config, clock)
    return document | {"corrected": memory_document.corrected(c, id)}


def sentence(request: Request) -> str:
    """The text of a correction, on one line. Raises InputError."""
    text = request.get("text")
    if not isinstance(text, str):
        raise InputError("the request needs text: what it should say")
    plain = "".join(" " if each in "\n\r\t\v\f\u2028\u2029" else each for each in text)
    plain = " ".join("".join(each for each in plain if _may_stand(each)).split())
    if not any(map(str.isalnum, plain)):
        raise InputError("a correction needs words: to let it go, erase the memory")
    if len(plain) > MOST_CHARACTERS:
        raise InputError(
            f"a memory has at most {MOST_CHARACTERS:,} characters; this is {len(plain):,}"
        )
    return plain


def _may_stand(character: str) -> bool:
    """No control characters, no halves, and nothing that turns the line around."""
    kind = unicodedata.category(character)
    return kind not in ("Cc", "Cs", "Cn", "Co") and character not in _TURNING


_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _field(request: Request) -> tuple[CoreItem, str]:
    """Raises InputError."""
    field, value = request.get("field"), request.get("value")
    if field not in ITEMS:
        raise InputError(f"the profile has {', '.join(ITEMS)}, and no other field")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise InputError(f"the request needs value: the {field}")
    plain = " ".join("".join(filter(_may_stand, value)).split())
    return cast(CoreItem, field), {"name": _name, "age": _age, "gender": _gender}[field](plain)


def _name(value: str) -> str:
    if not value.isprintable() or not any(map(str.isalpha, value)) or len(value) > LONGEST_NAME:
        raise InputError(f"a name is one line of at most {LONGEST_NAME} characters with a letter")
    return value


def _age(value: str) -> str:
    if not value.isdecimal() or len(value) > 3 or not 1 <= int(value) <= MOST_YEARS:
        raise InputError(f"an age is a number of years from 1 to {MOST_YEARS}")
    return str(int(value))


def _gender(value: str) -> str:
    if value.lower() in GENDERS:
        return value.lower()
    said = language.introduction.said(value.lower(), asked={"gender"}, companion="")
    for each in said:
        if each.item == "gender":
            return each.value
    raise InputError(f"a gender is {', '.join(GENDERS[:-1])} or {GENDERS[-1]}")


READS: dict[str, Read] = {"questions": asked}
CHANGES: dict[str, Change] = {"correct": correct, "answer": answer}
