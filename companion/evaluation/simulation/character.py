"""A characterisation of a user (paper section 5.1): who the simulated person is.

What a test can ask about stands in facts, each with its question, its answer and the keywords by
which code can tell that it was said or kept. Files are YAML; five are shipped beside this module.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from companion.config.errors import explain
from companion.config.yaml_file import YamlFile
from companion.errors import ConfigError, InputError
from companion.evaluation.keywords import is_right

About = Literal["family", "friends", "pets", "interests", "school", "dislikes", "wishes", "home"]
QuestionType = Literal["specific", "inferred", "multi-hop", "aggregation"]
QUESTION_TYPES: tuple[QuestionType, ...] = ("specific", "inferred", "multi-hop", "aggregation")

SHIPPED = Path(__file__).resolve().parent / "characters"
MYERS_BRIGGS = re.compile(r"[EI][NS][FT][JP]")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fact(_Part):
    """Something that is true of the person, as the person says it."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=40)
    about: About
    text: str = Field(min_length=8, max_length=200)
    """In the first person."""

    ask: str = Field(min_length=8, max_length=200)
    """What the person asks, to see whether it is still known."""

    answer: str = Field(min_length=1, max_length=120)
    words: list[list[str]] = Field(min_length=1)
    """Groups of alternatives: it is told where each group has one (`evaluation.keywords`)."""


class Topic(_Part):
    """What a session is about."""

    name: str = Field(min_length=3, max_length=80)
    facts: list[str] = Field(min_length=1)


class Event(_Part):
    """Something planned for a day."""

    day: int = Field(ge=1, le=60)
    """1 is the first day of talk."""

    what: str = Field(min_length=4, max_length=120)
    """Without verb or time, as it stands in a diary: "my piano recital in the school hall"."""

    words: list[list[str]] = Field(min_length=1)


class WrittenQuestion(_Part):
    """A question that several facts together answer."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    type: QuestionType
    ask: str = Field(min_length=8, max_length=200)
    answer: str = Field(min_length=1, max_length=200)
    needs: list[str] = Field(min_length=1)
    """The facts without which nobody can know it."""


class BigFiveMarks(_Part):
    """From 1 (low) to 5 (high)."""

    openness: float = Field(ge=1, le=5)
    conscientiousness: float = Field(ge=1, le=5)
    extraversion: float = Field(ge=1, le=5)
    agreeableness: float = Field(ge=1, le=5)
    neuroticism: float = Field(ge=1, le=5)


@dataclass(frozen=True)
class Item:
    """One piece of information of a characterisation, standing alone (paper B.13.2)."""

    id: str
    text: str
    words: tuple[tuple[str, ...], ...] = ()
    """Empty where no keyword tells: personality."""

    def told_in(self, text: str) -> bool:
        """Whether its keywords are in the text; never where it has none."""
        return bool(self.words) and is_right(text, self.words)


class Character(_Part):
    """One simulated person."""

    name: str = Field(min_length=2, max_length=40, pattern=r"^\w")
    age: int = Field(ge=3, le=99)
    gender: Literal["girl", "boy", "woman", "man"]
    personality: str = Field(min_length=20, max_length=400)
    manner: str = Field(min_length=10, max_length=300)
    """How the person talks."""

    myers_briggs: str = Field(pattern=f"^{MYERS_BRIGGS.pattern}$")
    big_five: BigFiveMarks
    facts: list[Fact] = Field(min_length=6, max_length=60)
    topics: list[Topic] = Field(min_length=2)
    events: list[Event] = []
    questions: list[WrittenQuestion] = []

    @model_validator(mode="after")
    def _hangs_together(self) -> Character:
        ids = [fact.id for fact in self.facts]
        asked = ids + [question.id for question in self.questions]  # A fact is asked for, too.
        if twice := sorted({id for id in asked if asked.count(id) > 1}):
            raise ValueError(f"two facts or questions have the id {twice[0]!r}")
        named = [(f"topic {t.name!r}", id) for t in self.topics for id in t.facts]
        named += [(f"question {q.id!r}", id) for q in self.questions for id in q.needs]
        for place, id in named:
            if id not in ids:
                raise ValueError(f"{place} names a fact {id!r} that is not there")
        untold = sorted(set(ids) - {id for topic in self.topics for id in topic.facts})
        if untold:
            raise ValueError(f"the fact {untold[0]!r} is in no topic and would never be told")
        for fact in self.facts:
            if not is_right(fact.text, fact.words):
                raise ValueError(f"the words of the fact {fact.id!r} do not occur in its text")
        return self

    @property
    def slug(self) -> str:
        """The name as a folder has it."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") or "person"

    @property
    def first_name(self) -> str:
        return self.name.split()[0]

    def fact(self, id: str) -> Fact:
        """The fact of this id, which must be there."""
        return next(fact for fact in self.facts if fact.id == id)

    def items(self) -> tuple[Item, ...]:
        """Every piece of information, each standing alone."""
        return tuple(self._items())

    def _items(self) -> Iterator[Item]:
        yield Item("name", f"My name is {self.first_name}.", ((self.first_name,),))
        ages = (f"{self.age} years", f"am {self.age}", f"i'm {self.age}", f"age is {self.age}")
        yield Item("age", f"I am {self.age} years old.", (ages,))
        yield Item("gender", f"I am a {self.gender}.", ((f"a {self.gender}",),))
        yield Item("personality", f"About my character: {self.personality}")
        for fact in self.facts:
            yield Item(fact.id, fact.text, tuple(map(tuple, fact.words)))
        for number, event in enumerate(self.events, start=1):
            words = tuple(map(tuple, event.words))
            yield Item(f"event-{number}", f"I had plans: {event.what}.", words)

    def sheet(self) -> str:
        """Everything at once, for a judge."""
        big_five = ", ".join(f"{key} {mark:g}" for key, mark in self.big_five.model_dump().items())
        lines = [
            f"{self.name}, {self.age} years old, {self.gender}",
            f"Character: {self.personality}",
            f"Way of talking: {self.manner}",
            f"Myers-Briggs {self.myers_briggs}; Big Five (1 to 5): {big_five}",
            *(f"Says: {fact.text}" for fact in self.facts),
            *(f"Planned for day {event.day}: {event.what}" for event in self.events),
        ]
        return "\n".join(lines)


def shipped() -> list[Character]:
    """The five that come with the program, in order of their file names."""
    return [read(path) for path in sorted(SHIPPED.glob("*.yaml"))]


def read(path: Path) -> Character:
    """Read and check one. Raises InputError with file, line and what was expected."""
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file; a character is a YAML file as in {SHIPPED}")
    try:
        file = YamlFile.read(path)
        try:
            return Character.model_validate(file.tree)
        except ValidationError as error:
            raise explain(error, file, Character, None) from None
    except ConfigError as error:
        raise InputError(str(error)) from None
