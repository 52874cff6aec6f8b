"""A small simulated world for the benchmark's tests: everybody follows a script."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from companion import config as configuration
from companion.assembly.models import Models
from companion.config import Config
from companion.engines.protocols import ChatMessage
from companion.evaluation.simulation.asking import Asker
from companion.evaluation.simulation.character import Character
from companion.evaluation.simulation.run import Cast, Settings, run
from tests.fakes import HashEmbedder, ScriptedModel, with_labels

SMALL = Settings(users=1, days=2, sessions=1, turns=2, questions=1, arms=("raw", "hybrid"))
TWO_DAYS = Settings(users=1, days=2, sessions=1, turns=1, questions=1, arms=("hybrid",))
BRIEF = Settings(users=1, days=1, sessions=1, turns=1, questions=1, arms=("hybrid",))

PERSON = Character.model_validate(
    {
        "name": "Ana Lund",
        "age": 8,
        "gender": "girl",
        "personality": "Cheerful and a little impatient, fond of animals.",
        "manner": "Short, quick sentences.",
        "myers_briggs": "ESFP",
        "big_five": {
            "openness": 4,
            "conscientiousness": 2,
            "extraversion": 5,
            "agreeableness": 4,
            "neuroticism": 2,
        },
        "facts": [
            {
                "id": id,
                "about": "pets",
                "text": text,
                "ask": f"What did I tell about {word}?",
                "answer": word,
                "words": [[word]],
            }
            for id, text, word in (
                ("parrot", "I have a parrot called Rio.", "rio"),
                ("kite", "I have a kite with green stripes.", "green"),
                ("drum", "I have a drum made of tin.", "tin"),
                ("boat", "I have a boat called Wanda.", "wanda"),
                ("shoes", "I have a pair of lucky shoes.", "lucky"),
                ("stone", "I have a stone from Iceland.", "iceland"),
            )
        ],
        "topics": [
            {"name": "your parrot and toys", "facts": ["parrot", "kite", "drum"]},
            {"name": "your treasures", "facts": ["boat", "shoes", "stone"]},
        ],
        "events": [{"day": 2, "what": "a picnic at the lake", "words": [["picnic"]]}],
        "questions": [
            {
                "id": "two",
                "type": "multi-hop",
                "ask": "What is the colour of the thing I fly next to my bird?",
                "answer": "green",
                "needs": ["parrot", "kite"],
            }
        ],
    }
)


def asker(replies: Sequence[str]) -> Asker:
    """A model that answers so, and is not waited for."""
    return Asker(ScriptedModel(replies, context_tokens=20_000), pauses_s=())


def child(messages: Sequence[ChatMessage]) -> str:
    """Says the facts of its sheet one after the other."""
    system = messages[0].text
    if "You sum up talks" in system:
        return "You told about your things."
    said = {each.text for each in messages if each.role == "assistant"}
    fact: str
    for fact in re.findall(r"^- (I have .+)$", system, re.MULTILINE):
        if fact not in said:
            return fact
    return f"What shall we do now, number {len(messages)}?"


def companion(messages: Sequence[ChatMessage]) -> str:
    """Talks, and notes what the person has."""
    if messages[0].text.startswith("You keep a notebook"):
        told = messages[-1].text
        return told.replace("I have", "The user has") if "I have" in told else "none"
    return f"That is nice to hear, friend. I like thing {len(messages[-1].text)}."


def judge(messages: Sequence[ChatMessage]) -> str:
    """Marks everything in the middle, and counts what it is asked to count."""
    task, material = messages[0].text, messages[-1].text
    if '"score"' in task:
        return json.dumps({"reasons": [], "score": 3})
    if '"used"' in task:
        return json.dumps({"used": ["the parrot"], "forgotten": []})
    if '"questions"' in task:
        one = {"question": "Which parrot?", "answer": "parrot Rio or kite", "lines": [1, 3]}
        return json.dumps({"questions": [one]})
    listed = re.findall(r"^(\d+)\. ", material.rpartition("\n\n")[2], re.MULTILINE)
    return json.dumps(dict.fromkeys(listed or ["1"], "partly"))


def quiet(item: str) -> None:
    pass


class Cut(BaseException):
    """The power is gone."""


class World:
    """Everybody, counted, and cut off when their answers are used up."""

    def __init__(
        self,
        *,
        answers: int | None = None,
        user: Callable[[Sequence[ChatMessage]], str] = child,
        judged: Callable[[Sequence[ChatMessage]], str] = judge,
        toy: Callable[[Sequence[ChatMessage]], str] = companion,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        """answers: of user and judge together, then the power fails."""
        self._left = answers
        self.companion = ScriptedModel(toy, name="toy")
        self.user = ScriptedModel(self._counted(user), name="child", context_tokens=20_000)
        self.judge = ScriptedModel(self._counted(judged), name="judge", context_tokens=20_000)
        self._sleep = sleep or _at_once

    async def run(
        self, folder: Path, settings: Settings = SMALL, config: Config | None = None
    ) -> dict[str, Any]:
        engines = Models(self.companion, self.companion, HashEmbedder())
        cast = Cast(engines, self.asker(self.user), self.asker(self.judge))
        return await run(
            config or small_config(),
            settings,
            cast,
            folder,
            characters=[PERSON],
            on_progress=quiet,
        )

    def asker(self, model: ScriptedModel) -> Asker:
        return Asker(model, sleep=self._sleep)

    @property
    def asked(self) -> int:
        return len(self.user.calls) + len(self.judge.calls)

    def _counted(
        self, script: Callable[[Sequence[ChatMessage]], str]
    ) -> Callable[[Sequence[ChatMessage]], str]:
        def answer(messages: Sequence[ChatMessage]) -> str:
            if self._left is not None:
                if self._left == 0:
                    raise Cut
                self._left -= 1
            return script(messages)

        return answer


def small_config() -> Config:
    loaded = with_labels(configuration.load())
    safety = loaded.safety.model_copy(update={"guard": "patterns"})
    return loaded.model_copy(update={"safety": safety})


async def _at_once(seconds: float) -> None:
    pass
