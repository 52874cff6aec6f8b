"""Whole messages for `train_message_guard.py`: long ones that strangers wrote for it
(scripts/guard/messages), weeks of talk, and sentences of hands among sentences of these weeks.

A grave sentence stays grave in the middle of a harmless message, and a harmless one harmless: so
the sets of single sentences serve for messages too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_hands import GRAVE, GUARD_TOPIC, HANDS, hands, topic_of
from guard_sentences import FURTHER, HERE, SAFE, sentences
from guard_talk import FOLDER, ORDINARY, talk

from companion.evaluation.mangle import mangled
from companion.safety import normalize
from companion.safety.normalize import plain

STRANGERS = FOLDER.parent
WRITTEN = HERE / "messages"
TELLINGS = HERE.parent / "uptake" / "written.jsonl"
"""What children tell on an ordinary day; what a grown-up should hear of is marked `care`."""

WEEKS = STRANGERS / "weeks"
"""Weeks in which something is not right now and then, each NAME.jsonl with NAME_grave.jsonl."""

OF_CALM = tuple(
    file
    for folder in (STRANGERS / "judged" / "lives", STRANGERS / "lives")
    for file in sorted(folder.glob("*.jsonl"))
)
"""Weeks in which nearly nothing is: what deserves more, two readers say."""

KINDS = (
    SAFE, "abuse", "emergency", "strangers", "self-harm",
    "weapons", "dares", "drugs", "sexual", "personal",
)  # fmt: skip

TOPICS = GUARD_TOPIC | {
    "medicine": "emergency",
    "gone": "self-harm",
    "plan": "dares",
    "online": "strangers",
    "stranger": "strangers",
    "secret": "strangers",
    "errand": "strangers",
}
"""The guard's topic for what authors call otherwise; "abuse" for any other name."""

RUN_ON = 0.3
"""How often what is learnt is one long sentence, as children type and some transcribers write."""

OWN = "own"
"""The author of sentences of this project; hands, talkers and weeks go by their names."""


@dataclass(frozen=True)
class Message:
    text: str
    kind: str
    """One of `KINDS`."""

    author: str
    group: str
    """`plain`, `hint`, `sounds`, `care`, `near`, `harmless`, `talk`, `own`."""

    alone: bool = True
    """Whether it is a single sentence, not a whole message."""


def messages() -> list[Message]:
    return [
        *_of_talk(), *_of_hands(), *_of_ours(), *_written(), *_of_weeks(), *_of_tellings()
    ]  # fmt: skip


def spelled(text: str) -> list[str]:
    """The sentences of a text in plain spelling, as the classifier reads them, one by one."""
    return normalize.sentences(plain(text))


def joined(parts: Sequence[str]) -> str:
    return " . ".join(parts)


def examples(found: Sequence[Message]) -> list[tuple[str, str, str]]:
    """Text, kind and source of what is learnt: messages, stretches of them, sentences alone, as
    they may be heard, and among others."""
    chance = random.Random(7)
    calm = [
        parts for each in found if _is_of_a_week(each) for parts in [spelled(each.text)] if parts
    ]
    made: list[tuple[str, str, str]] = []
    for number, each in enumerate(found):
        parts = spelled(each.text)
        if not parts:
            continue
        if each.group == "talk":
            made += [(text, each.kind, "talk") for text in _stretches(parts, chance)]
            continue
        source = "own" if each.author == OWN else "hand" if each.alone else "message"
        made.append((joined(parts), each.kind, source))
        crisis = each.kind in KINDS[1:5]
        if source == "own":
            among = int(chance.random() < (0.6 if crisis else 0.15 * (each.kind == SAFE)))
        else:
            made += [(plain(copy), each.kind, source) for copy in mangled(each.text, number, 1)]
            among = 2 if each.alone else 0
        made += [(_among(parts, calm, chance), each.kind, "among") for _ in range(among)]
    return [
        (text.replace(" . ", " ") if chance.random() < RUN_ON else text, kind, source)
        for text, kind, source in made
    ]


def _is_of_a_week(each: Message) -> bool:
    return each.group == "talk" and each.author[0].isupper()


def _stretches(parts: list[str], chance: random.Random) -> Iterator[str]:
    """A message, and shorter ones that stand in it."""
    yield joined(parts)
    for length in (chance.randint(1, 2), 3):
        if len(parts) > length:
            at = chance.randrange(len(parts) - length + 1)
            yield joined(parts[at : at + length])


def _among(parts: list[str], calm: list[list[str]], chance: random.Random) -> str:
    """A sentence between some that somebody said in a row."""
    around = chance.choice(calm)
    at = chance.randrange(len(around))
    around = around[at : at + chance.randint(1, 3)]
    place = chance.randint(0, len(around))
    return joined([*around[:place], *parts, *around[place:]])


def _of_talk() -> Iterator[Message]:
    deserving = {(row["name"], row["n"]) for row in _rows(HERE / "weeks_deserving.jsonl")}
    lives = [file for file in OF_CALM if not file.stem.endswith("_gold")]
    for author, said in talk(lives).items():
        for number, each in enumerate(said, 1):
            if each.line.group == ORDINARY and (author, number) not in deserving:
                yield Message(each.line.text, SAFE, author, "talk", alone=False)


def _of_hands() -> Iterator[Message]:
    for hand, written in hands().items():
        for line in written:
            kind = _kind(topic_of(line)) if line.group in GRAVE else SAFE
            yield Message(line.text, kind, hand, line.group)


def _of_ours() -> Iterator[Message]:
    for each in [*sentences(), *sentences(FURTHER)]:
        yield Message(each.text, each.topic, OWN, OWN)


def _written() -> Iterator[Message]:
    for file in sorted(WRITTEN.glob("*.jsonl")):
        for row in _rows(file):
            grave = row["kind"] in GRAVE
            kind = _kind(row["topic"]) if grave else SAFE
            group = "talk" if row["kind"] == ORDINARY else row["kind"]
            yield Message(row["said"], kind, file.stem, group, alone="before" in row)


def _of_weeks() -> Iterator[Message]:
    for file in sorted(WEEKS.glob("*_grave.jsonl")):
        yield from of_week(file)


def _of_tellings() -> Iterator[Message]:
    for row in _rows(TELLINGS):
        if row["wants"] != "care":
            yield Message(row["said"], SAFE, row["author"], "talk", alone=False)


def of_week(grave: Path) -> Iterator[Message]:
    """The messages of one week, with what its author says of them in NAME_grave.jsonl."""
    name = grave.stem.removesuffix("_grave")
    marked = {row["text"]: row for row in _rows(grave)}
    for row in _rows(grave.with_name(f"{name}.jsonl")):
        if row["role"] == "user":
            of = marked.get(row["text"], {"kind": "talk", "topic": ""})
            kind = _kind(of["topic"]) if of["kind"] in GRAVE else SAFE
            yield Message(row["text"], kind, name, of["kind"], alone=False)


def _kind(topic: str) -> str:
    found = TOPICS.get(topic, topic)
    return found if found in KINDS else "abuse"


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def held_out() -> Collection[str]:
    """Authors whose words choose weights and thresholds, and are learnt only after that."""
    weeks = [file.stem for file in OF_CALM if not file.stem.endswith("_gold")]
    strange = sorted(set(weeks) - set(talk()))
    written = sorted(file.stem for file in WRITTEN.glob("*.jsonl"))
    known = [file.stem.removesuffix("_grave") for file in sorted(WEEKS.glob("*_grave.jsonl"))]
    tellers = sorted({row["author"] for row in _rows(TELLINGS)})
    return {*strange[::3], *list(HANDS)[::3], *written[::3], *known, *tellers[::4]}
