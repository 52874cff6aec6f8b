"""Banks: what may be said to a message by what it does (`companion.acts`), a YAML file an act.

`exchanges` are lent to the model where no pack has anything near: they show how such a message is
answered. `replies` are said as they are, to a message that surely is of this act, and so fit every
such message. `asked` holds such replies by what is asked for (`companion.language.claims`), by the
part of the day, or by the variant of the act (`companion.language.variants`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from companion.repertoire.packs import Entry
from companion.repertoire.vectors import StoredVectors
from companion.safety.wording import wording

SHIPPED = Path(__file__).with_name("banks")

Exchange = tuple[str, str]
"""What a child said, in the spelling of `wording`, and what was answered."""

VERY = 0.8
"""Least probability of an act for its replies to be said, where its bank names none."""

FEW_ENOUGH = 8
"""Words of a message of which the act alone may decide the reply, where its bank names none."""

FURTHER = 2
"""So many more of the nearest are looked at for short ones."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Bank:
    """Of one act."""

    act: str
    exchanges: tuple[Exchange, ...]
    replies: tuple[str, ...] = ()
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By what the message asks for, or, of greetings and goodbyes, by the part of the day."""

    sure: float = VERY
    """Least probability of the act for a reply to be said."""

    most_words: int = FEW_ENOUGH
    """Of a message that a reply answers."""

    def written(self, wanted: str | None) -> Entry | None:
        """What is said as it is; None: the model answers. wanted: what decides which reply."""
        replies = self.asked.get(wanted, ()) if wanted else self.replies
        return Entry(f"{self.act}/{wanted or 'any'}", (), (), replies) if replies else None

    def nearest(
        self, vector: NDArray[np.float32], known: StoredVectors, most: int
    ) -> Sequence[Exchange]:
        """The nearest exchange, then the shortest of the next nearest, since they are read before
        the first word. vector: of a message, shape (d,)."""
        if not self.exchanges:
            return ()
        cosines = [float(known.of(said) @ vector) for said, _ in self.exchanges]
        order = np.argsort([-each for each in cosines], kind="stable")[: most + FURTHER]
        first, *others = (self.exchanges[at] for at in order)
        return [first, *sorted(others, key=_length)[: most - 1]]


def _length(exchange: Exchange) -> int:
    return sum(map(len, exchange))


def read(path: Path) -> Bank:
    """A bank from its file. Raises OSError, yaml.YAMLError, KeyError, TypeError."""
    with path.open(encoding="utf-8") as file:
        tree = yaml.load(file, _LOADER)
    pairs = tree.get("exchanges") or []
    return Bank(
        str(tree["act"]),
        tuple((wording(each["child"]), str(each["toy"])) for each in pairs),
        tuple(tree.get("replies") or ()),
        {kind: tuple(texts) for kind, texts in (tree.get("asked") or {}).items()},
        float(tree.get("sure", VERY)),
        int(tree.get("most_words", FEW_ENOUGH)),
    )


def shipped() -> dict[str, Bank]:
    """The banks that come with the program, by act."""
    found = [read(path) for path in sorted(SHIPPED.glob("*.yaml"))]
    return {bank.act: bank for bank in found}


OPINIONS = Path(__file__).with_name("opinions.yaml")


def opinions(path: Path = OPINIONS) -> dict[str, Entry]:
    """What the toy says of its taste, by the kind of thing. Raises OSError, yaml.YAMLError."""
    return by_kind(path, "opinion")


def by_kind(path: Path, name: str) -> dict[str, Entry]:
    """Entries that are replies alone, by the kinds of a file. Raises OSError, yaml.YAMLError."""
    with path.open(encoding="utf-8") as file:
        tree = yaml.load(file, _LOADER)
    return {kind: Entry(f"{name}/{kind}", (), (), tuple(lines)) for kind, lines in tree.items()}


def texts(banks: Mapping[str, Bank]) -> list[str]:
    """Every wording of which a vector is needed."""
    return [said for bank in banks.values() for said, _ in bank.exchanges]
