"""A story is broken off at a random sentence: by the power, by questions, or by a night.

The whole companion but for its voice: the real dialog, skills and encrypted store, and real nights;
a scripted model, and an embedder that hashes. Whatever broke it off, "go on" or "where were we"
goes on at the same part: with the first sentence that was not heard.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import Counter
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path

from companion.assembly.consolidation import build_consolidation
from companion.assembly.dialog import build_dialog
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.dialog.turn import Dialog
from companion.skills import story as shelf
from companion.skills.story import Part, Story
from companion.store.database import Store
from tests.campaigns.outcome import Outcome
from tests.fakes import HashEmbedder, ScriptedModel

START = datetime(2026, 11, 23, 15, 40, tzinfo=timezone.utc)
KINDS = ("power", "question", "night")
GOES_ON = ("go on", "where were we", "Go on with the story!", "and then?", "what happens next")
ANSWERS = ("That is nice.", "I wonder about that too. What do you think?")
QUESTIONS = (
    "why do snails have shells",
    "my sister wants to listen too",
    "do you like cake",
    "how far away is the moon",
)


@dataclass
class _Toy:
    """One run of the program over a data directory."""

    config: Config
    clock: ManualClock
    chance: random.Random

    def dialog(self, store: Store) -> Dialog:
        model = ScriptedModel(lambda _: self.chance.choice(ANSWERS), context_tokens=8192)
        return build_dialog(self.config, self.clock, store, model, HashEmbedder(384))

    async def night(self, store: Store, dialog: Dialog) -> None:
        await dialog.close()
        model = ScriptedModel(lambda _: "", context_tokens=8192)
        await build_consolidation(self.config, self.clock, store, model, HashEmbedder(384)).run()
        self.clock.advance(self.chance.choice((12, 24, 72)) * 3600)


@dataclass(frozen=True)
class _Broken:
    """Where a story was broken off: in `part`, after `heard` of its sentences."""

    story: Story
    part: Part
    heard: int

    def goes_on(self, reply: str) -> bool:
        """Whether a reply goes on there: with all that was not heard, and nothing else of it."""
        rest = self.part.sentences[self.heard :]
        if not rest and self.part.ask:
            return self.part.ask in reply
        if not rest:
            following = self.story.part(self.part.goes)
            return following is not None and " ".join(following.sentences) in reply
        told_again = any(each in reply for each in self.part.sentences[: self.heard])
        return " ".join(rest) in reply and not told_again


def stories(folder: Path, chance: random.Random, count: int) -> Outcome:
    """count: stories, each broken off once; the kinds take turns."""
    outcome, well = Outcome(), Counter[str]()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        wrong = asyncio.run(_trial(folder / str(number), chance, kind))
        if wrong:
            outcome.violations.append(f"story {number}, {kind}: {wrong}")
        well[kind] += not wrong
    of = Counter(KINDS[number % len(KINDS)] for number in range(count))
    found = ", ".join(f"by {kind} {well[kind]} of {of[kind]}" for kind in KINDS)
    outcome.figures = f"{count} stories broken off and gone on with at the same part: {found}"
    outcome.report = {kind: {"n": of[kind], "well": well[kind]} for kind in KINDS}
    return outcome


async def _trial(folder: Path, chance: random.Random, kind: str) -> str:
    """What went wrong; "" for nothing."""
    config = Config.model_validate({"data_dir": folder / "data", "safety": {"guard": "patterns"}})
    toy = _Toy(config, ManualClock(START), chance)
    async with open_store(config, toy.clock, mode="owner") as store:
        dialog = toy.dialog(store)
        await dialog.open()
        broken, copied = await _tell(dialog, chance, kind, config.data_dir)
        if copied is None:
            if kind == "night":
                await toy.night(store, dialog)
            for _ in range(chance.randrange(1, 3) if kind == "question" else 0):
                await _say(dialog, chance.choice(QUESTIONS))
            return _judged(broken, await _say(dialog, chance.choice(GOES_ON)))
    toy.config = config.model_copy(update={"data_dir": copied})
    toy.clock.advance(chance.choice((5, 120, 3600)))
    async with open_store(toy.config, toy.clock, mode="owner") as store:
        dialog = toy.dialog(store)
        await dialog.open()
        return _judged(broken, await _say(dialog, chance.choice(GOES_ON)))


def _judged(broken: _Broken, reply: str) -> str:
    if broken.goes_on(reply):
        return ""
    return f"{broken.story.title}, {broken.part.id}, {broken.heard} sentences heard"


async def _tell(
    dialog: Dialog, chance: random.Random, kind: str, data: Path
) -> tuple[_Broken, Path | None]:
    """A story up to a random sentence of a random part. The power takes what is only in RAM: for
    that, the copy of the data directory as it was at that moment."""
    tale = chance.choice(shelf.shelf())
    way = chance.choice(shelf.ways(tale))
    deep = chance.randrange(len(way) - 1)  # not the last: after it nothing is left to go on with
    words = tale.title
    for here, following in pairwise(way[: deep + 1]):
        await _say(dialog, words)
        words = _onwards(tale.part(here), following)
    part = tale.part(way[deep])
    assert part is not None
    opening = 0 if deep else 1  # its title
    most = chance.randrange(len(part.sentences) + 1)
    reply = dialog.reply(words)
    async with aclosing(reply) as sentences:
        if kind != "power" and most == len(part.sentences):
            async for _ in sentences:  # heard to its end
                pass
            return _Broken(tale, part, most), None
        for _ in range(max(most, 1) + opening):
            await anext(sentences)
        if kind == "power":
            copied = data.with_name("copy")
            shutil.copytree(data, copied)
            return _Broken(tale, part, 0), copied
    return _Broken(tale, part, max(most, 1)), None


def _onwards(part: Part | None, following: str) -> str:
    """What a child says to get there."""
    assert part is not None
    return next((each.words[0] for each in part.options if each.goes == following), "go on")


async def _say(dialog: Dialog, words: str) -> str:
    reply = dialog.reply(words)
    async with aclosing(reply) as sentences:
        async for _ in sentences:
            pass
    return reply.result.text
