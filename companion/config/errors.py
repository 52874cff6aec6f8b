"""From what pydantic found wrong with a configuration to one line that helps."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ValidationError

from companion.config.yaml_file import YamlFile
from companion.errors import ConfigError


def explain(
    error: ValidationError, file: YamlFile, root: type[BaseModel], profile: str | None
) -> ConfigError:
    """The first problem: file, line, key, what is wrong, and the nearest key.

    root: the model of the whole file. profile: the overlay that was applied to the file's own
    keys, if one was; a key that it has is looked for there.
    """
    first = error.errors()[0]
    place = tuple(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        problem = _unknown(place[-1], _section_at(root, place[:-1]))
    elif first["type"] in ("dict_type", "model_type"):
        problem = f"must be a section of keys, but it is {reprlib.repr(first['input'])}"
    elif first["type"] == "path_type":
        problem = f"must be a path, but it is {reprlib.repr(first['input'])}; put it in quotes"
    else:
        problem = first["msg"].removeprefix("Value error, ").replace("valid tuple", "list: [a, b]")
        if not isinstance(first["input"], dict):
            problem += f", but it is {reprlib.repr(first['input'])}"
        if first["type"] == "string_type":
            problem += "; put it in quotes"
    in_overlay = ("profiles", profile or "", *place)
    if profile is not None and has_key(file.tree, in_overlay):
        place = in_overlay
    return ConfigError(f"{file.at(place)}: {'.'.join(place)}: {problem}")


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing when no known word is like this one."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def has_key(tree: Any, place: tuple[str, ...]) -> bool:
    """Whether a tree of sections has this key."""
    for key in place:
        if not isinstance(tree, dict) or key not in tree:
            return False
        tree = tree[key]
    return True


def _unknown(key: str, section: type[BaseModel] | None) -> str:
    gone: dict[str, str] = getattr(section, "gone", {})
    if key in gone:
        return gone[key]
    return f"unknown key{nearest(key, section.model_fields if section else ())}"


def _section_at(root: type[BaseModel], place: tuple[str, ...]) -> type[BaseModel] | None:
    """The section that stands at a place; None when none does."""
    section = root
    for key in place:
        field = section.model_fields.get(key)
        candidates = getattr(field.annotation, "__args__", (field.annotation,)) if field else ()
        inner = [c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)]
        if not inner:
            return None
        section = inner[0]
    return section
