"""One person's days with one arm, on a clock that moves only by what happens.

A session is talked in a copy of the store; its record in the journal is the mark that it was.
So a cut leaves either the store of the day before, or the whole session. Consolidation follows
in the new store, where it is resumable by itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from companion import faults
from companion.assembly.consolidation import build_consolidation
from companion.assembly.models import Models
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.errors import EngineError
from companion.evaluation.arms import Arm
from companion.evaluation.simulation.asking import Parked
from companion.evaluation.simulation.calendar import Sitting
from companion.evaluation.simulation.character import Character
from companion.evaluation.simulation.journal import Journal, Record
from companion.evaluation.simulation.known import known
from companion.evaluation.simulation.person import SUMMARIES, Line, Person
from companion.evaluation.simulation.seat import Seat, arm_config, seat

WORDS_PER_S = 2.5
"""How fast people and toys speak."""

PAUSE_S = 2.0
"""Between two who speak in turn."""

OnStep = Callable[[str], None]
"""Told after each item: what was done."""


@dataclass(frozen=True)
class Setting:
    """Where a life takes place."""

    config: Config
    engines: Models
    folder: Path
    """Of the whole run."""

    talks: Journal
    """Sessions, and what was known after them."""

    turns: int
    """Of each session."""


class Life:
    """A character with an arm."""

    def __init__(
        self, setting: Setting, character: Character, arm: Arm, person: Person, plan: list[Sitting]
    ) -> None:
        self.key = f"{character.slug}/{arm}"
        self.character = character
        self.arm = arm
        self.person = person
        self.plan = plan
        self.setting = setting
        self.config = arm_config(setting.config, arm)
        self._folder = setting.folder / character.slug / arm

    async def live(self, on_step: OnStep) -> None:
        """Every session that was not had yet. Raises Parked at the first that cannot be."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for sitting in self.plan:
            if self._known_key(sitting) not in self.setting.talks:
                if self._talk_key(sitting) not in self.setting.talks:
                    await self._talk(sitting)
                on_step(f"{self.key}: session {sitting.number} talked")
                self._take_over(sitting)
                await self._sleep(sitting)
            on_step(f"{self.key}: session {sitting.number} slept on")

    def talks(self) -> list[Record]:
        """The sessions that were had, in order."""
        keys = [self._talk_key(sitting) for sitting in self.plan]
        return [self.setting.talks[key] for key in keys if key in self.setting.talks]

    def known_after(self, number: int) -> list[str]:
        """What the arm knew after a session."""
        return list(self.setting.talks[f"{self.key}/known/{number}"]["statements"])

    def clock_after(self) -> ManualClock:
        """A clock that stands a day after the last session."""
        return ManualClock(self.plan[-1].start + timedelta(days=1))

    def copy_of_last(self) -> Path:
        """The store as the last session left it, to be used and thrown away."""
        copy = self._folder / "trying"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self._store_after(self.plan[-1].number), copy)
        return copy

    async def _talk(self, sitting: Sitting) -> None:
        talking = self._folder / "talking"
        shutil.rmtree(talking, ignore_errors=True)
        before = self._store_after(sitting.number - 1)
        if before.exists():
            shutil.copytree(before, talking)
        clock = ManualClock(sitting.start)
        summaries = [talk["summary"] for talk in self.talks()][-SUMMARIES:]
        lines: list[Line] = []
        by_code = evaluated = 0
        async with seat(self.config, self.arm, self.setting.engines, talking, clock) as companion:
            for _ in range(self.setting.turns):
                words = await self.person.tell(sitting, summaries, lines)
                by_code += words.by_code
                evaluated += await exchange(companion, clock, words.text, lines)
            await companion.leave()
        summary = await self.person.summarize(sitting.topic.name, lines)
        faults.point("eval:talked")
        self.setting.talks.put(
            self._talk_key(sitting),
            session=sitting.number,
            day=sitting.day,
            topic=sitting.topic.name,
            lines=lines,
            summary=summary,
            by_code=by_code,
            tokens=_tokens(self.setting.engines.active, lines),
            evaluated_tokens=evaluated,
            ended=clock.wall().isoformat(),
        )
        faults.point("eval:recorded")

    def _take_over(self, sitting: Sitting) -> None:
        """Let the store of the session take the place of the one before."""
        after, talking = self._store_after(sitting.number), self._folder / "talking"
        if not after.exists() and talking.exists():
            os.replace(talking, after)
        shutil.rmtree(self._store_after(sitting.number - 1), ignore_errors=True)

    async def _sleep(self, sitting: Sitting) -> None:
        """Consolidate, once nobody has spoken for long enough. Raises Parked."""
        clock = ManualClock(sitting.start)
        talk = self.setting.talks[self._talk_key(sitting)]
        clock.set_wall(sitting.start.fromisoformat(talk["ended"]))
        clock.advance(self.config.consolidation.inactivity_s)
        figures: Record = {}
        folder = self._store_after(sitting.number)
        placed = self.config.model_copy(update={"data_dir": folder})
        async with open_store(placed, clock, mode="owner") as store:
            if self.arm != "raw":
                engines = self.setting.engines
                consolidation = build_consolidation(
                    placed, clock, store, engines.inactive, engines.embedder
                )
                try:
                    figures = (await consolidation.run()).figures()
                except EngineError as error:
                    raise Parked(str(error)) from None
            statements = await known(store)
        faults.point("eval:slept")
        self.setting.talks.put(
            self._known_key(sitting), statements=statements, consolidation=figures
        )

    def _store_after(self, number: int) -> Path:
        return self._folder / f"after-{number:03}"

    def _talk_key(self, sitting: Sitting) -> str:
        return f"{self.key}/talk/{sitting.number}"

    def _known_key(self, sitting: Sitting) -> str:
        return f"{self.key}/known/{sitting.number}"


async def exchange(companion: Seat, clock: ManualClock, words: str, lines: list[Line]) -> int:
    """One turn, added to the lines; the tokens that were evaluated for it."""
    clock.advance(len(words.split()) / WORDS_PER_S + PAUSE_S)
    result = await companion.say(words)
    clock.advance(len(result.text.split()) / WORDS_PER_S + PAUSE_S)
    lines.append(("user", words))
    if result.text:
        lines.append(("assistant", result.text))
    return result.evaluated_tokens


def numbered(talks: list[Record]) -> Iterator[tuple[int, Record, str, str]]:
    """Every line of all sessions: its number from 1, its talk, who said it, what."""
    number = 0
    for talk in talks:
        for role, text in talk["lines"]:
            number += 1
            yield number, talk, role, text


def _tokens(model: LanguageModel, lines: list[Line]) -> int:
    """Tokens of what was said, by both."""
    nothing = model.count([ChatMessage("user", "")])
    return sum(model.count([ChatMessage("user", text)]) - nothing for _, text in lines)
