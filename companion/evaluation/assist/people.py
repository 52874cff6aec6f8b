"""A person of a set: what they told or heard on several days, and what is asked of it.

One JSON document a person: `{person, memories: [{time, text}], query: [{context, query, answer,
all_of, max_chars}], queryless: [{context, need, answer, all_of, max_chars}], unanswerable:
[{context, query}]}`. `need` says, for readers, what is missing; it is not shown to anybody who
answers.
"""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from companion.errors import InputError


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Told(_Part):
    """Something that was said."""

    time: datetime
    text: str = Field(min_length=1)

    @property
    def aware(self) -> datetime:
        return self.time if self.time.tzinfo else self.time.replace(tzinfo=timezone.utc)


class Answerable(_Part):
    """A request with one right answer; "" where the right one is to say nothing."""

    context: str
    answer: str
    all_of: list[list[str]]
    max_chars: int = Field(ge=0)

    @model_validator(mode="after")
    def _can_be_marked(self) -> Answerable:
        if bool(self.answer) != bool(self.all_of):
            raise ValueError("all_of: expected a group of keywords, or none for the answer ''")
        return self


class Asked(Answerable):
    """With a query."""

    query: str = Field(min_length=1)


class Touched(Answerable):
    """Without one."""

    need: str


class Unanswerable(_Part):
    """Of what nobody ever told."""

    context: str
    query: str = Field(min_length=1)


class Person(_Part):
    """One file."""

    person: str = Field(min_length=1)
    memories: list[Told] = Field(min_length=1)
    query: list[Asked] = []
    queryless: list[Touched] = []
    unanswerable: list[Unanswerable] = []


def read_person(path: Path) -> Person:
    """Raises InputError naming what is wrong, and where."""
    try:
        return Person.model_validate(json.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{path}: not JSON: nested too deeply") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(f"{path}: {where}: {first['msg']}") from None
