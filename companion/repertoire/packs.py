"""Packs: what children say and what is said back, a YAML file a theme (docs/repertoire.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from companion.errors import InputError, first_line
from companion.safety.wording import wording

SHIPPED = Path(__file__).with_name("packs")

MOST_BYTES = 256 * 1024
MOST_ENTRIES = 200
MOST_TEXTS = 60
"""Texts in one list of an entry."""

MOST_CHARACTERS = 400
"""Characters of one text."""

NAME = "{name}"
FAMILY = ("santa-keep", "santa-tell", "fairy-keep", "fairy-tell")

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_KEYS = ("id", "says", "not", "replies", "follow", "ages", "family", "after_question", "alone")


@dataclass(frozen=True)
class Entry:
    """One thing that children say, and what is said back."""

    id: str
    """Pack and entry: "teeth/tooth-wobbly"."""

    says: tuple[str, ...]
    """Wordings, in the spelling of `wording`."""

    unlike: tuple[str, ...]
    """Wordings that sound alike and want another answer (`not` in the file)."""

    replies: tuple[str, ...]
    follow: tuple[str, ...] = ()
    """Questions of which one may come after a reply."""

    ages: tuple[int, int] | None = None
    """From and to, years."""

    family: str | None = None
    """The choice of the parents that it is for, one of FAMILY."""

    after_question: bool = False
    """Whether it may also answer a short message after a question of the companion."""

    alone: bool = False
    """Whether it answers only where the companion has said nothing before: what "maybe" or "but
    why" means depends on that."""

    @property
    def pack(self) -> str:
        return self.id.partition("/")[0]

    def suits(self, age: int | None) -> bool:
        """Whether it is for somebody of this age; None: not known."""
        return age is None or self.ages is None or self.ages[0] <= age <= self.ages[1]


def read_file(path: Path) -> tuple[Entry, ...]:
    """The entries of a pack. Raises InputError: the file, the entry, what is wrong, what to do."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: a pack has at most {MOST_BYTES:,} bytes: make two of it")
    try:
        tree = yaml.load(data.decode("utf-8"), _LOADER)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 text (byte {error.start + 1}): save it as UTF-8"
        ) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or first_line(error)
        raise InputError(f"{path}{where}: not a plain YAML file: {problem}") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path}: not a plain YAML file: {first_line(error)}") from None
    if not isinstance(tree, dict) or not isinstance(tree.get("entries"), list):
        raise InputError(f"{path}: a pack is `theme: ...` and `entries:` with a list of entries")
    for key in tree:
        if key not in ("theme", "entries"):
            raise InputError(f"{path}: unknown key {key!r}: a pack has theme and entries")
    if len(tree["entries"]) > MOST_ENTRIES:
        raise InputError(f"{path}: a pack has at most {MOST_ENTRIES} entries: make two of it")
    entries = [_entry(path, each, at) for at, each in enumerate(tree["entries"], start=1)]
    if alike := clash(entries):
        raise InputError(f"{path}: {alike}")
    return tuple(entries)


def files(folder: Path) -> list[Path]:
    """The packs of a folder. Raises InputError when there is no such folder."""
    folder = folder.expanduser()
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder: put packs there, or set repertoire.packs")
    return sorted(folder.glob("*.yaml"))


def texts(entries: Iterable[Entry]) -> list[str]:
    """Every wording of which a vector is needed."""
    return [text for entry in entries for text in (*entry.says, *entry.unlike)]


def clash(entries: Sequence[Entry]) -> str | None:
    """The first two entries of one pack that have an id or a wording in common and may both be
    asked, in words; None when there are none."""
    ids: set[str] = set()
    owners: dict[tuple[str, str | None], Entry] = {}
    for entry in entries:
        if entry.id in ids:
            return f"two entries are called {entry.id.partition('/')[2]!r}: give each its own id"
        ids.add(entry.id)
        for said in entry.says:
            other = owners.setdefault((said, entry.family), entry)
            if other is not entry and _same_age(entry, other):
                return (
                    f"entries {other.id.partition('/')[2]!r} and {entry.id.partition('/')[2]!r} "
                    f"both have {said!r}: leave it to one of them"
                )
    return None


def _same_age(one: Entry, other: Entry) -> bool:
    if one.ages is None or other.ages is None:
        return True
    return one.ages[0] <= other.ages[1] and other.ages[0] <= one.ages[1]


def _entry(path: Path, found: Any, number: int) -> Entry:
    """Check one entry of a file. Raises InputError."""
    name = found.get("id") if isinstance(found, dict) else None
    reader = _Reader(f"{path}: entry {name!r}" if name else f"{path}: entry {number}", found)
    if not isinstance(found, dict):
        raise reader.error("must have the keys id, says and replies")
    for key in found:
        if key not in _KEYS:
            raise reader.error(f"unknown key {key!r}: an entry has {', '.join(_KEYS)}")
    if not isinstance(name, str) or not name.replace("-", "").isalnum() or name != name.lower():
        raise reader.error("id must be lower-case words with hyphens, such as tooth-wobbly")
    says = reader.wordings("says", least=3)
    unlike = reader.wordings("not")
    if both := set(says) & set(unlike):
        raise reader.error(f"{min(both)!r} stands under says and under not: choose one")
    family = found.get("family")
    if family is not None and family not in FAMILY:
        raise reader.error(f"family must be one of {', '.join(FAMILY)}, but it is {family!r}")
    after, alone = reader.flag("after_question"), reader.flag("alone")
    if after and alone:
        raise reader.error("after_question and alone exclude each other: choose one")
    replies = reader.texts("replies", least=1)
    follow = reader.texts("follow")
    if len(set(replies)) < len(replies):
        raise reader.error("two replies are the same: let them differ")
    for text in (*replies, *follow):
        if "{" in text.replace(NAME, "") or "}" in text.replace(NAME, ""):
            raise reader.error(f"{text[:40]!r}: {NAME} is the only slot")
    if all(NAME in reply for reply in replies):
        raise reader.error(f"every reply has {NAME}: add some for whose name is not known")
    id = f"{path.stem}/{name}"
    return Entry(id, says, unlike, replies, follow, reader.ages(), family, after, alone)


@dataclass(frozen=True)
class _Reader:
    """Reads the lists of one entry."""

    where: str
    found: Any

    def error(self, problem: str) -> InputError:
        return InputError(f"{self.where}: {problem}")

    def texts(self, key: str, least: int = 0) -> tuple[str, ...]:
        """Raises InputError."""
        texts = self.found.get(key) or []
        if not isinstance(texts, list):
            raise self.error(f"{key} must be a list, one text a line after a hyphen")
        if not least <= len(texts) <= MOST_TEXTS:
            raise self.error(f"{key} has {len(texts)} texts: give {least} to {MOST_TEXTS}")
        for text in texts:
            if not isinstance(text, str):
                raise self.error(f"{key}: {text!r} is not text: put it in quotes")
            if not text.strip() or not text.isprintable():
                raise self.error(f"{key}: {text[:40]!r} is not one line of text")
            if len(text) > MOST_CHARACTERS:
                raise self.error(f"{key}: a text of {len(text)} characters: {text[:40]!r}")
        return tuple(text.strip() for text in texts)

    def wordings(self, key: str, least: int = 0) -> tuple[str, ...]:
        """Raises InputError."""
        texts = self.texts(key, least)
        if len({text.casefold() for text in texts}) < len(texts):
            low = [text.casefold() for text in texts]
            twice = next(text for text in low if low.count(text) > 1)
            raise self.error(f"{key}: {twice!r} stands there twice: drop one")
        # Two spellings of the same words ("night night", "nite nite") are one wording.
        spelled = dict.fromkeys(wording(text) for text in texts)
        if "" in spelled:
            raise self.error(f"{key}: a text has no word in it: children's words are plain text")
        return tuple(spelled)

    def flag(self, key: str) -> bool:
        """Raises InputError."""
        value = self.found.get(key, False)
        if not isinstance(value, bool):
            raise self.error(f"{key} must be true or false")
        return value

    def ages(self) -> tuple[int, int] | None:
        """Raises InputError."""
        ages = self.found.get("ages")
        if ages is None:
            return None
        whole = isinstance(ages, list) and len(ages) == 2 and all(type(n) is int for n in ages)
        if not whole or not 0 <= ages[0] <= ages[1] <= 120:
            raise self.error(f"ages must be [from, to] in years, but it is {ages!r}")
        return ages[0], ages[1]
