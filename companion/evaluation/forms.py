"""What all forms for blind readers share: opaque ids, file and key, and reading both back."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from companion.errors import InputError

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

_LETTERS = "bcdfghjkmnpqrtvwxz"
"""Of which ids are made: none that makes a word."""


def chance(*seeds: str) -> random.Random:
    """The same for the same texts."""
    return random.Random(hashlib.sha256("\n".join(seeds).encode()).hexdigest())


def ids(dice: random.Random, number: int) -> list[str]:
    """Different ids of three letters, in random order."""
    return dice.sample(["".join(each) for each in product(_LETTERS, repeat=3)], number)


def fingerprint(text: str) -> str:
    """Of a form's text, by which its key knows it."""
    return hashlib.sha256(text.encode()).hexdigest()


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def write_pair(path: Path, text: str, key: BaseModel) -> Path:
    """Write a form, and its key beside it; returns the key's path.

    Raises InputError when one of them is there already (grades may refer to it), or cannot be
    written.
    """
    key_path = path.with_suffix(".key.json")
    for file, content in ((path, text), (key_path, key.model_dump_json(indent=1) + "\n")):
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(content)
        except FileExistsError:
            raise InputError(f"{file}: is there already; choose another name") from None
        except OSError as error:
            raise InputError(f"{file}: cannot be written: {error.strerror}") from None
    return key_path


def read_document(path: Path, model: type[M], what: str) -> M:
    """A JSON file as a model. what: named in the message. Raises InputError."""
    try:
        return model.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValidationError, ValueError):
        raise InputError(f"{path}: is not {what}") from None


def check_key(form: Path, key: Path, known: str) -> None:
    """known: the fingerprint that the key holds. Raises InputError when it is of another form."""
    if fingerprint(text_of(form)) != known:
        raise InputError(f"{form}: {key} is not its key, or the form was changed")


def text_of(path: Path) -> str:
    """Raises InputError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def readings(paths: Sequence[Path], read: Callable[[Path], T]) -> dict[str, T]:
    """Each reader's grades, by the name of the file. Raises InputError when two are called alike,
    and whatever `read` raises."""
    found = {path.name: read(path) for path in paths}
    if len(found) < len(paths):
        raise InputError("two files of grades have the same name: that is how readers are told")
    return found


def graded_lines(
    path: Path, ids: Collection[str], what: str, grades: Sequence[str]
) -> Iterator[tuple[str, str, str, frozenset[str]]]:
    """One reader's lines: where each stands, its id, its grade, and what follows it. What stands
    after `#` is the reader's own.

    ids: of the form; each must have exactly one line. what: such an id stands for ("reply").
    Raises InputError, which names the line, or at the end the ids without one.
    """
    seen: set[str] = set()
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        words = re.split(r"[\s,;|]+", line.partition("#")[0].lower().strip(" \t-*|`"))
        if words == [""]:
            continue
        where = f"{path}, line {number}"
        id, grade = words[0].strip(":`"), "".join(words[1:2])
        if id not in ids:
            raise InputError(f"{where}: the form has no {what} {id!r}")
        if id in seen:
            raise InputError(f"{where}: a second grade for {id}")
        if grade not in grades:
            raise InputError(f"{where}: expected {', '.join(grades)} after {id}, not {grade!r}")
        seen.add(id)
        yield where, id, grade, frozenset(words[2:])
    if missing := [id for id in ids if id not in seen]:
        raise InputError(f"{path}: no grade for {', '.join(missing)}")
