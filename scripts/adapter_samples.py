"""What an adapter is trained on: lines that people wrote, in the program's own prompts."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.assist import answer
from companion.config import PersonaSection
from companion.consolidation import prompts
from companion.dialog import notes_prompt
from companion.dialog.abilities import Abilities
from companion.dialog.persona import head_of
from companion.dialog.prompt import now_line, user_text
from companion.engines.protocols import ChatMessage
from companion.records import Profile

WITH_DAY, WITH_NOTES = 0.35, 0.1
"""How often a talk's first message begins with the day, and any with notes beside the point."""

UNORDERED = 0.7
"""How often notes of earlier days stand in another order than that of time."""

YEAR = re.compile(r"(?<=\w) 20\d\d(?= \()")

MOMENTS = ("morning", "afternoon", "evening", "night")
NAMES = ("Ida", "Sam", "Noor", "Luca", "Wren", "Tariq", "Mei", "Jonas")


@dataclass(frozen=True)
class Sample:
    """What stands behind the head, and the answer that is learnt."""

    head: str
    """Which head: samples of one head are packed together."""

    messages: tuple[ChatMessage, ...]
    answer: str


def heads(ages: Iterable[int], chance: random.Random) -> dict[str, tuple[ChatMessage, ...]]:
    """The beginnings of prompts, by name: for each age, and for notes."""
    persona = PersonaSection(examples=False)
    able = Abilities(skills=frozenset(("timers", "stories", "games")))
    made = {"unknown": head_of(persona, Profile(), 2, able)}
    for age in sorted(set(ages)):
        name = chance.choice(NAMES)
        made[f"age {age}"] = head_of(persona, Profile(name=name, age=age), 2, able)
    for name in prompts.SPEAKER_NAMES:
        text = prompts.DRAFT_INSTRUCTIONS.format(name=name)
        made[f"notes of {name}"] = (ChatMessage("system", text),)
    made["whisper"] = (ChatMessage("system", answer.SYSTEM),)
    made["reading"] = (ChatMessage("system", notes_prompt.SYSTEM),)
    made["asked"] = notes_prompt.head()
    return made


def samples(files: Sequence[Path], chance: random.Random) -> Iterator[Sample]:
    """Every line of the files, as it would be asked."""
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines() if line]
    notes = [each["notes"] for each in lines if "reply" in each and "notes" in each]
    for line in lines:
        if "message" in line:  # as `adapter_prompts.py` wrote it
            message = ChatMessage("user", line["message"])
            yield Sample(line["head"], (message,), line["answer"])
            continue
        if "asked" in line:
            yield _reading(line, chance)
            continue
        if "reply" not in line:
            yield _drafting(line, chance) if "said" in line else _whispering(line)
            continue
        head = f"age {line['age']}" if chance.random() < 0.5 else "unknown"
        block = "\n".join(line.get("notes", ()))
        before = line.get("before", ())
        if not block and notes and chance.random() < WITH_NOTES:
            block = "\n".join(chance.choice(notes)[:2])
        now = ""
        if not before and not block and "[Now" not in line["said"] and chance.random() < WITH_DAY:
            now = now_line(_day(chance), "")
        turns = [m for said, reply in before for m in _exchange(said, reply)]
        said = user_text(line["said"], block, now)
        if "[Now" in line["said"]:
            said = line["said"]
        yield Sample(head, (*turns, ChatMessage("user", said)), line["reply"])


def _drafting(line: dict[str, Any], chance: random.Random) -> Sample:
    text = json.dumps(line)
    name = chance.choice([each for each in prompts.SPEAKER_NAMES if each not in text] or ["Kim"])
    named = json.loads(text.replace("Kim", name))
    asked = prompts.talk(named["before"], named["said"], name)
    noted = "\n".join(named["notes"]) or prompts.NOTHING
    return Sample(f"notes of {name}", (ChatMessage("user", asked),), noted)


def _reading(line: dict[str, Any], chance: random.Random) -> Sample:
    """As recall shows notes: days without a year, in no order of time, the running talk last."""
    notes = [YEAR.sub("", note, count=1) for note in line["notes"]]
    told = [note for note in notes if not note.startswith("Just now")]
    if chance.random() < UNORDERED:
        chance.shuffle(told)
    told += [note for note in notes if note.startswith("Just now")]
    asked = notes_prompt.message("\n".join(told), (), line["asked"])
    return Sample("reading", (ChatMessage("user", asked),), line["answer"])


def _whispering(line: dict[str, Any]) -> Sample:
    notes = "\n".join(f"- {each}" for each in line["notes"])
    asked = answer.asked(notes, line["context"], line["question"])
    return Sample("whisper", (ChatMessage("user", asked),), line["answer"])


def _exchange(said: str, answer: str) -> tuple[ChatMessage, ChatMessage]:
    return ChatMessage("user", said), ChatMessage("assistant", answer)


def _day(chance: random.Random) -> str:
    moment = time.localtime(1_780_000_000 + chance.randrange(3 * 365) * 86_400)
    return f"{time.strftime('%A', moment)} {moment.tm_mday} {time.strftime('%B %Y', moment)}, " + (
        chance.choice(MOMENTS)
    )
