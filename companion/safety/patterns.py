"""The guard's patterns as data: for what a child says, and for what a model may not say.

They are in `input_patterns/` and `output_patterns/`, a few subjects to a file, and match words as
`normalize` spells them. `companion.language.tables` describes the form of an entry; these keys are
added:

- `topic`: decides the fixed reply;
- `unless`: exempts a sentence in which this matches as well: a game, a story, an accident;
- `stops`, `passes`: examples, written as a child (or a model) says them.

One test reads all examples. A pattern matches whole words only, in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

from companion.language.tables import Table
from companion.safety.verdict import Side, Topic

HERE = Path(__file__).parent

_TABLE = Table.beside(__file__)


@dataclass(frozen=True)
class Pattern:
    """Several ways to say the same thing."""

    topic: Topic
    regex: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    """Exempts a sentence in which this matches as well."""

    def matches(self, sentence: str) -> bool:
        """Whether it matches. sentence: one, in plain spelling."""
        return self.regex.search(sentence) is not None and not (
            self.unless and self.unless.search(sentence)
        )


def tables(folder: str) -> list[Table]:
    """The tables of a folder: `input_patterns` or `output_patterns`."""
    return [Table(path) for path in sorted((HERE / folder).glob("*.yaml"))]


def read(table: Table) -> Iterator[tuple[str, Pattern]]:
    """The patterns of a table, each with the name of its entry. Raises KeyError, re.error."""
    for name, entry in table.entries.items():
        if not entry.get("part"):
            regex = _between_words(table.source(name))
            unless = _between_words(table.composed(entry["unless"])) if "unless" in entry else None
            yield name, Pattern(cast(Topic, entry["topic"]), regex, unless)


def _between_words(source: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{source})\b")


@lru_cache(maxsize=2)
def of_side(side: Side) -> tuple[Pattern, ...]:
    """All patterns for a child's words (`in`) or a model's sentences (`out`), in the order in which
    they are tried.

    Read and compiled once, in about 50 ms for `in`. Raises what `read` raises."""
    topics = _TABLE.ordered(side)
    folder = "input_patterns" if side == "in" else "output_patterns"
    found = [pattern for table in tables(folder) for _, pattern in read(table)]
    return tuple(sorted(found, key=lambda pattern: topics.index(pattern.topic)))
