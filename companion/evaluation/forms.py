"""What all forms for blind readers share: opaque ids, file and key, and reading both back."""

from __future__ import annotations

import hashlib
import json
import random
from itertools import product
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from companion.errors import InputError

M = TypeVar("M", bound=BaseModel)

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
