"""Word lists and patterns of a language as data: a YAML file beside the module that reads it.

An entry of such a file says what it finds, what a wrong guess costs, and gives examples; one test
(`tests/language/test_tables.py`) reads the examples of every file:

    cannot_eat:
      what: Somebody says that they cannot eat or drink something.
      cost: A miss lets a model give leave to eat; a false find asks a grown-up once too often.
      pattern: \\b(?:allerg\\w+|intoleran\\w+)\\b
      matches: [I'm allergic to nuts]
      spares: [I like nuts]

`pattern` is a regular expression, or a list of alternatives; it ignores case unless the entry has
`case: true`. `words` is a list of words separated by blanks (or a YAML list, for entries that
contain blanks), and `map` maps words to other words. Within a pattern, `(?&name)` stands for
another entry's pattern, its words or the left side of its map, like the call of a named group in
Perl; `(?&file.name)` refers to another file in the same folder, or in the one above. `part: true`
marks an entry that only serves others and has no examples of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader in C is ten times as fast, but not every build of PyYAML has it."""

_REFERENCE = re.compile(r"\(\?&(?:(?P<file>\w+)\.)?(?P<name>\w+)\)")


class Table:
    """The entries of one file, which is read when the first of them is needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, module_file: str) -> Table:
        """The table of a module: `dietary.yaml` beside `dietary.py`."""
        return cls(Path(module_file).with_suffix(".yaml"))

    @cached_property
    def entries(self) -> dict[str, dict[str, Any]]:
        """Every entry by its name, as it is written in the file."""
        with self.path.open(encoding="utf-8") as file:
            read: dict[str, dict[str, Any]] = yaml.load(file, _LOADER)
        return read

    def pattern(self, name: str) -> re.Pattern[str]:
        """The compiled pattern of an entry. Raises KeyError, re.error."""
        flags = 0 if self.entries[name].get("case") else re.IGNORECASE
        return re.compile(self.source(name), flags)

    def patterns(self) -> Patterns:
        """Every pattern of the file that is not part of others, compiled. Raises re.error."""
        whole = (n for n, each in self.entries.items() if "pattern" in each and "part" not in each)
        return Patterns({name: self.pattern(name) for name in whole})

    def source(self, name: str) -> str:
        """The regular expression of an entry as text, to be used within another one."""
        entry = self.entries[name]
        if "pattern" not in entry:
            words = self.mapping(name) if "map" in entry else self.words(name)
            longest_first = sorted(words, key=lambda word: (-len(word), word))
            return "|".join(map(re.escape, longest_first))
        return self.composed(entry["pattern"])

    def composed(self, pattern: str | list[str]) -> str:
        """A pattern or its alternatives as one expression, with every `(?&name)` expanded."""
        text = pattern if isinstance(pattern, str) else "|".join(pattern)
        return _REFERENCE.sub(self._expanded, text)

    def words(self, name: str) -> frozenset[str]:
        """The words of an entry."""
        return frozenset(self.ordered(name))

    def ordered(self, name: str) -> tuple[str, ...]:
        """The words of an entry, in the order of the file."""
        words = self.entries[name]["words"]
        return tuple(words.split() if isinstance(words, str) else words)

    def mapping(self, name: str) -> dict[str, str]:
        """The map of an entry: from each word to the one that stands for it."""
        found: dict[str, str] = self.entries[name]["map"]
        return found

    def _expanded(self, reference: re.Match[str]) -> str:
        file, name = reference["file"], reference["name"]
        table = self if file is None else _shared(self._other(file))
        return f"(?:{table.source(name)})"

    def _other(self, file: str) -> Path:
        """Another file in the same folder, or in the one above."""
        beside = self.path.with_name(f"{file}.yaml")
        return beside if beside.exists() else self.path.parent.with_name(f"{file}.yaml")


class Patterns:
    """The patterns of a file, each an attribute that is called as its entry is."""

    def __init__(self, compiled: Mapping[str, re.Pattern[str]]) -> None:
        vars(self).update(compiled)

    def __getattr__(self, name: str) -> re.Pattern[str]:
        raise AttributeError(f"the file has no pattern {name!r}")


@lru_cache(maxsize=64)
def _shared(path: Path) -> Table:
    """The table at `path`, cached, so that one that others refer to is read only once."""
    return Table(path)
