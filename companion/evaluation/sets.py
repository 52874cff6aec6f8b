"""Sets of questions about recorded conversations, read from JSON lines.

Sessions: `{user, session, time, role, text}`, one message a line. Gold: `{user, id, question,
answer, all_of, none_of?, type}`, one question a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError, model_validator

from companion.errors import InputError
from companion.records import Role

M = TypeVar("M", bound=BaseModel)
Rows = list[tuple[Role, str, datetime]]
"""The messages of one session, as the store imports them."""


class Line(BaseModel):
    """One message."""

    user: str
    session: str
    time: datetime
    role: Role
    text: str


class Question(BaseModel):
    """One question with the keywords of its answer (see `companion.evaluation.keywords`)."""

    user: str
    id: str
    question: str
    answer: str
    all_of: list[list[str]]
    """May be empty where the right answer is that it was never told, or should be forgotten."""

    none_of: list[str] = []
    type: str = "other"

    @property
    def words(self) -> str:
        """The question as a person asks it, without quotation marks around it."""
        return self.question.strip().strip('"“”').strip()

    @model_validator(mode="after")
    def _can_be_marked(self) -> Question:
        if not self.all_of and self.type not in ("never_told", "forget"):
            raise ValueError("all_of: expected a group of keywords")
        return self


def read_sessions(path: Path) -> dict[str, dict[str, Rows]]:
    """Users, their sessions in order, and the messages of each. Raises InputError."""
    users: dict[str, dict[str, Rows]] = {}
    for line in _read(path, Line):
        time = line.time if line.time.tzinfo else line.time.replace(tzinfo=timezone.utc)
        rows = users.setdefault(line.user, {}).setdefault(line.session, [])
        rows.append((line.role, line.text, time))
    return users


def read_gold(path: Path, users: dict[str, dict[str, Rows]]) -> list[Question]:
    """The questions, each of a user who is known. Raises InputError."""
    questions = list(_read(path, Question))
    if not questions:
        raise InputError(f"{path}: holds no question")
    check_users(path, questions, users)
    return questions


def check_users(path: Path, questions: list[Question], users: dict[str, dict[str, Rows]]) -> None:
    """Raises InputError for a question of somebody of whom there is no session."""
    for question in questions:
        if question.user not in users:
            raise InputError(f"{path}: {question.id}: no session of user {question.user!r}")


def _read(path: Path, model: type[M]) -> Iterator[M]:
    try:
        # Not splitlines: JSON may contain unescaped Unicode line separators.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield model.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{path}, line {number}: not JSON: {error.msg}") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise InputError(f"{path}, line {number}: {where}: {first['msg']}") from None
