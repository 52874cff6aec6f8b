"""Questions about a life: written ones of its character, and ones that the judge makes.

A written question is asked when everything it needs was said: the same for every arm, as far as
the talks went the same way. The judge's are made from the arm's own talk, as in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from companion import language
from companion.consolidation.structured import Absurd, parse_json
from companion.evaluation.keywords import normalised
from companion.evaluation.simulation import prompts
from companion.evaluation.simulation.asking import Asker
from companion.evaluation.simulation.by_words import spoken
from companion.evaluation.simulation.character import Character, QuestionType
from companion.evaluation.simulation.fitting import fitted
from companion.evaluation.simulation.journal import Record
from companion.evaluation.simulation.life import numbered

LEAST_LINES: dict[QuestionType, int] = {
    "specific": 1,
    "inferred": 1,
    "multi-hop": 2,
    "aggregation": 2,
}
"""Different lines of the person that a question of the type must rest on."""

MOST_LINES: dict[QuestionType, int] = {
    "specific": 2,
    "inferred": 3,
    "multi-hop": 3,
    "aggregation": 6,
}


@dataclass(frozen=True)
class Question:
    """One question to be asked of an arm."""

    id: str
    source: str
    """`made` by the judge, or `written` with the character."""

    type: str
    ask: str
    expected: str


class _Made(BaseModel):
    model_config = ConfigDict(extra="ignore")
    question: str = Field(min_length=6, max_length=300)
    answer: str = Field(min_length=1, max_length=300)
    lines: list[int]


class _AllMade(BaseModel):
    model_config = ConfigDict(extra="ignore")
    questions: list[_Made]


def written(character: Character, talks: Sequence[Record]) -> list[Question]:
    """The character's questions whose facts were all said."""
    said = spoken(talks)
    told = {item.id for item in character.items() if item.told_in(said)}
    found = [
        Question(f"written/{fact.id}", "written", "specific", fact.ask, fact.answer)
        for fact in character.facts
        if fact.id in told
    ]
    return found + [
        Question(f"written/{each.id}", "written", each.type, each.ask, each.answer)
        for each in character.questions
        if told.issuperset(each.needs)
    ]


async def made(
    asker: Asker, type: QuestionType, talks: Sequence[Record], toy: str, number: int, seed: int
) -> list[dict[str, Any]]:
    """Questions of one type by the judge, each resting on lines that are there. Raises Parked."""
    lines: list[str] = []
    texts: dict[int, str] = {}
    for line, talk, role, text in numbered(list(talks)):
        if role == "user":
            texts[line] = text
        lines.append(f"[{line}, day {talk['day']}] {'Person' if role == 'user' else toy}: {text}")
    own = list(texts)
    if len(own) < LEAST_LINES[type]:
        return []  # nobody could ask such a question
    answer_tokens = 60 + 90 * number
    messages, _ = fitted(
        asker.model,
        lines,
        lambda talk: prompts.questions(type, talk, number),
        answer_tokens=answer_tokens,
    )

    def accept(answer: str) -> list[dict[str, Any]]:
        """Raises Malformed or Absurd when no question can be used."""
        found: dict[str, dict[str, Any]] = {}
        for each in parse_json(answer, _AllMade).questions[:number]:
            rests_on = sorted(set(each.lines) & set(own))
            said = " ".join(texts[line] for line in rests_on)
            if len(rests_on) >= LEAST_LINES[type] and _fits(each, said, type):
                kept = {"ask": each.question, "expected": each.answer, "lines": rests_on}
                found.setdefault(each.question.lower(), kept)
        if not found:
            raise Absurd("no question rests on what the person said")
        return list(found.values())

    questions, _ = await asker.ask(
        messages, accept, max_tokens=answer_tokens, schema=_schema(own, number, type), seed=seed
    )
    return questions


def _fits(each: _Made, said: str, type: QuestionType) -> bool:
    """Whether a question does not answer itself, and is about what was said: small models copy
    the examples, and invent."""
    if normalised(each.answer).strip(" .!") in normalised(each.question):
        return False
    told = set(language.words.content(said))
    if type == "inferred":
        return True
    if type == "specific" and not told & set(language.words.content(each.question)):
        return False
    counted = type == "aggregation" and bool(language.words.numbers(each.answer))
    return counted or bool(told & set(language.words.content(each.answer)))


def _schema(own: list[int], number: int, type: QuestionType) -> dict[str, Any]:
    text = {"type": "string", "maxLength": 160}
    line = {"type": "integer", "enum": own}
    least = LEAST_LINES[type]
    lines = {"type": "array", "items": line, "minItems": least, "maxItems": MOST_LINES[type]}
    one = {
        "type": "object",
        "properties": {"question": text, "answer": text, "lines": lines},
        "required": ["question", "answer", "lines"],
        "additionalProperties": False,
    }
    many = {"type": "array", "items": one, "minItems": number, "maxItems": number}
    return {
        "type": "object",
        "properties": {"questions": many},
        "required": ["questions"],
        "additionalProperties": False,
    }
