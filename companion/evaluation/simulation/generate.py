"""A new characterisation, made by the user model piece by piece and checked like a written one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.consolidation.structured import Absurd, Shape, parse_json
from companion.engines.protocols import ChatMessage
from companion.evaluation.keywords import is_right
from companion.evaluation.simulation.asking import Asker, Parked
from companion.evaluation.simulation.character import MYERS_BRIGGS, About, BigFiveMarks, Character
from companion.evaluation.simulation.judgement import object_schema

THEMES: tuple[tuple[str, About], ...] = (
    ("a hobby", "interests"),
    ("the family", "family"),
    ("a pet, or an animal that is wished for", "pets"),
    ("school and friends", "school"),
)
FACTS = 3
"""Of each theme."""

TRAITS = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")

_SMALL = frozenset(
    "a an and are at by for from has have her his i in is it its my of on or our she he that the "
    "their they to was we were with".split()
)


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Core(_Loose):
    name: str = Field(min_length=2, max_length=40, pattern=r"^\w")
    age: int = Field(ge=4, le=12)
    gender: str = Field(pattern="^(girl|boy)$")
    personality: str = Field(min_length=20, max_length=400)
    manner: str = Field(min_length=10, max_length=300)
    myers_briggs: str = Field(pattern=f"^{MYERS_BRIGGS.pattern}$")
    big_five: BigFiveMarks


class _FactDraft(_Loose):
    text: str = Field(min_length=8, max_length=200)
    ask: str = Field(min_length=8, max_length=200)
    answer: str = Field(min_length=1, max_length=120)


class _ThemeDraft(_Loose):
    topic: str = Field(min_length=3, max_length=80)
    facts: list[_FactDraft] = Field(min_length=2)


class _EventDraft(_Loose):
    what: str = Field(min_length=4, max_length=120)


async def generate(asker: Asker, *, seed: int, taken: tuple[str, ...]) -> Character:
    """A new child, not of a name that is taken. Raises Parked when the model makes none."""
    core = await _core(asker, seed, taken)
    facts: list[dict[str, Any]] = []
    topics: list[dict[str, Any]] = []
    for number, (theme, about) in enumerate(THEMES, start=1):
        draft = await _theme(asker, core, theme, seed + number)
        drafts = [
            {**each.model_dump(), "words": keywords(each.text, each.answer)}
            for each in draft.facts[:FACTS]
        ]
        ids = [f"{about}-{number}-{place}" for place in range(1, len(drafts) + 1)]
        facts += [{"id": id, "about": about, **each} for id, each in zip(ids, drafts, strict=True)]
        topics.append({"name": draft.topic, "facts": ids})
    event = await _event(asker, core, seed)
    tree = {
        **core.model_dump(),
        "facts": facts,
        "topics": topics,
        "events": [event],
    }
    try:
        return Character.model_validate(tree)
    except ValidationError as error:
        raise Parked(f"the pieces make no person: {error.errors()[0]['msg']}") from None


def save(character: Character, path: Path) -> None:
    """Write it as a file that `character.read` reads; whole, or not at all."""
    part = path.with_suffix(".part")
    tree = character.model_dump()
    part.write_text(yaml.safe_dump(tree, allow_unicode=True, sort_keys=False), encoding="utf-8")
    part.replace(path)


def keywords(text: str, answer: str) -> list[list[str]]:
    """By which words it is known that the fact was told: those of the answer that its text has,
    else its two longest words."""
    said = re.findall(r"[\w'-]+", answer.lower())
    found = [[word] for word in said if word not in _SMALL and is_right(text, [[word]])]
    if found:
        return found[:4]
    longest = sorted(set(re.findall(r"[\w'-]+", text.lower())), key=lambda word: -len(word))
    return [[word] for word in longest[:2]]


async def _core(asker: Asker, seed: int, taken: tuple[str, ...]) -> _Core:
    text = {"type": "string", "maxLength": 240}
    mark = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    types = [f"{e}{n}{t}{j}" for e in "EI" for n in "NS" for t in "FT" for j in "JP"]
    schema = object_schema(
        name={"type": "string", "maxLength": 40},
        age={"type": "integer", "enum": list(range(4, 13))},
        gender={"type": "string", "enum": ["girl", "boy"]},
        personality=text,
        manner=text,
        myers_briggs={"type": "string", "enum": types},
        big_five=object_schema(**dict.fromkeys(TRAITS, mark)),
    )

    def accept(answer: str) -> _Core:
        """Raises Malformed, Absurd."""
        core = parse_json(answer, _Core)
        if core.name.split()[0] in taken:
            raise Absurd("a name that is taken")
        return core

    task = (
        "Invent a child who will talk with a toy: first and last name, age, gender, "
        '"personality" (one sentence with weak sides too), "manner" (how it talks), '
        '"myers_briggs", "big_five" (1 to 5 each). Not one of: ' + ", ".join(taken or ("nobody",))
    )
    core, _ = await asker.ask(
        _messages(task), accept, max_tokens=320, schema=schema, temperature=0.8, seed=seed
    )
    return core


async def _theme(asker: Asker, core: _Core, theme: str, seed: int) -> _ThemeDraft:
    text = {"type": "string", "maxLength": 140}
    fact = object_schema(text=text, ask=text, answer={"type": "string", "maxLength": 80})
    facts = {"type": "array", "items": fact, "minItems": FACTS, "maxItems": FACTS}
    task = (
        f"{core.name} is a {core.gender} of {core.age} years: {core.personality}\nInvent what "
        f'{core.name} can tell about {theme}. "topic": two to five words, as in: your model '
        f'trains. "facts": {FACTS} unusual details with names, numbers, colours or places, each '
        'with "text" (one sentence that the child says, with I or my), "ask" (the question by '
        'which the child tests whether a friend remembers it) and "answer" (a few words of '
        '"text").'
    )
    schema = object_schema(topic={"type": "string", "maxLength": 60}, facts=facts)
    return await _ask(asker, task, _ThemeDraft, schema, seed)


async def _event(asker: Asker, core: _Core, seed: int) -> dict[str, Any]:
    task = (
        f"{core.name} is a {core.gender} of {core.age} years. Invent one thing that is planned "
        'for the day after tomorrow. "what": as in a diary, without a verb or a time, as in: '
        "my swimming test at the blue pool."
    )
    schema = object_schema(what={"type": "string", "maxLength": 80})
    what = (await _ask(asker, task, _EventDraft, schema, seed)).what.strip(" .")
    return {"day": 3, "what": what, "words": keywords(what, what)}


async def _ask(
    asker: Asker, task: str, shape: type[Shape], schema: dict[str, Any], seed: int
) -> Shape:
    found, _ = await asker.ask(
        _messages(task),
        lambda answer: parse_json(answer, shape),
        max_tokens=420,
        schema=schema,
        temperature=0.8,
        seed=seed,
    )
    return found


def _messages(task: str) -> list[ChatMessage]:
    return [ChatMessage("system", "You answer with one JSON object."), ChatMessage("user", task)]
