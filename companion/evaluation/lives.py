"""A written life: a person's week of talk, and by whom the talk was written, what of it is true.

The talk is a set of sessions (`companion.evaluation.sets`) of one person. Its gold is a JSON
document `{profile, facts, questions}`:

- a fact is `{text, all_of, session, status, lasting, unless?}`. `status` is `current`, or says why
  nobody should remember it: `superseded`, `trap`, `pretend`, `forget`. A memory tells it when the
  memory holds one alternative of every group of `all_of`; of one that should not be remembered,
  `unless` lists the words with which the memory is right all the same ("not", "used to", "game");
- a question is `{question, answer, all_of, none_of?, type}`, asked on the day after the last.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from companion.errors import InputError
from companion.evaluation.keywords import is_right
from companion.evaluation.sets import Question, Rows, read_sessions

Status = Literal["current", "superseded", "trap", "pretend", "forget"]


class Fact(BaseModel):
    """Something that was told, or that it would be wrong to remember."""

    text: str
    all_of: list[list[str]] = Field(min_length=1)
    session: str
    status: Status
    lasting: bool = False
    unless: list[str] = []
    note: str | None = None

    def told_by(self, memory: str) -> bool:
        """Whether a memory tells it; of one that should not be remembered, in the wrong way."""
        return is_right(memory, self.all_of, () if self.status == "current" else self.unless)


class Gold(BaseModel):
    """What is true of a person after a week, and what is asked then."""

    profile: dict[str, Any]
    facts: list[Fact] = Field(min_length=1)
    questions: list[Question] = Field(min_length=1)

    @property
    def current(self) -> dict[str, Fact]:
        """What a friend would remember, as `f1`, `f2`, …"""
        facts = (fact for fact in self.facts if fact.status == "current")
        return {f"f{number}": fact for number, fact in enumerate(facts, start=1)}

    @property
    def traps(self) -> dict[str, Fact]:
        """What should not be remembered as it stands, as `t1`, `t2`, …"""
        facts = (fact for fact in self.facts if fact.status != "current")
        return {f"t{number}": fact for number, fact in enumerate(facts, start=1)}


@dataclass(frozen=True)
class Life:
    """One person's talk, and the gold of it."""

    user: str
    sessions: dict[str, Rows]
    gold: Gold


def read_life(sessions: Path, gold: Path) -> Life:
    """Raises InputError naming what is wrong, and where."""
    users = read_sessions(sessions)
    if len(users) != 1:
        found = ", ".join(users) or "nobody"
        raise InputError(f"{sessions}: a life is the talk of one person; here speak: {found}")
    ((user, talk),) = users.items()
    read = read_life_gold(gold, user)
    for number, fact in enumerate(read.facts):
        if fact.session not in talk:
            raise InputError(f"{gold}: facts.{number}.session: {user} has none {fact.session!r}")
    return Life(user, talk, read)


def read_life_gold(path: Path, user: str | None = None) -> Gold:
    """The gold alone. user: whose it is; None: the name in its profile. Raises InputError."""
    try:
        tree = json.loads(path.read_text(encoding="utf-8-sig"))
        owner = user or tree["profile"]["name"]
        for number, question in enumerate(tree["questions"], start=1):
            question.setdefault("user", owner)
            question.setdefault("id", f"{owner} {number}")
        return Gold.model_validate(tree)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{path}: {where}: {first['msg']}") from None
    except (AttributeError, KeyError, TypeError):
        expected = "{profile: {name}, facts: [...], questions: [...]}"
        raise InputError(f"{path}: is not the gold of a life: expected {expected}") from None
