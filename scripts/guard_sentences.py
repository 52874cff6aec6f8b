"""The sentences that the guard's classifier is trained from: scripts/guard/*.txt, and those of
scripts/guard/further beside the hands of strangers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from guard_sets import OWN, SETS, lines

HERE = Path(__file__).parent / "guard"
FURTHER = HERE / "further"
SAFE = "safe"

FORMS = 10
"""Most sentences that are made of a line with choices."""

_CHOICE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Sentence:
    text: str
    topic: str
    """`SAFE` or a topic of the guard."""

    family: int
    """Sentences alike, which are held back together or not at all."""

    author: str = ""
    """The hand that wrote it; "" for our own."""


def sentences(folder: Path = HERE) -> list[Sentence]:
    """All of a folder. In files called safe* every topic is `SAFE`; in others "== topic" names it.
    A blank line ends a family, and a line with choices, "{one|other}", is one by itself. What also
    stands in one of the sets of tests/safety is left out."""
    tested = {_key(line) for name, _ in OWN for line in lines(SETS / f"{name}.txt")}
    found: list[Sentence] = []
    family = 0
    for path in sorted(folder.glob("*.txt")):
        topic = SAFE
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("=="):
                topic = SAFE if path.name.startswith("safe") else line.strip("= ")
            elif not line.strip() or _CHOICE.search(line):
                family += 1
            if line.strip() and not line.startswith(("#", "==")):
                made = _made_of(line.strip())
                found += [Sentence(t, topic, family) for t in made if _key(t) not in tested]
    return found


def _key(text: str) -> str:
    return text.casefold().strip(".!? ")


def _made_of(line: str) -> Iterator[str]:
    if not _CHOICE.search(line):
        return iter([line])
    chance = random.Random(line)
    return iter(sorted({_chosen(line, chance) for _ in range(FORMS)}))


def _chosen(line: str, chance: random.Random) -> str:
    while choice := _CHOICE.search(line):
        one = chance.choice(choice[1].split("|"))
        line = f"{line[: choice.start()]}{one}{line[choice.end() :]}"
    return " ".join(line.split())
