"""The sentences with which a child's telling is taken up, by tone; they are in listening.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("listening.yaml")

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Tone:
    """How something is taken up."""

    lead: tuple[str, ...]
    """With a place for what is said back."""

    bare: tuple[str, ...]
    """What stands before a question where nothing is said back."""

    follow: Mapping[str, tuple[str, ...]]
    """Questions and thoughts, by what a telling turns on; `any` fits all."""

    unsaid: tuple[str, ...]
    """Where nothing can be said back."""

    after: tuple[str, ...] = ()
    """What fits whatever the model has said back."""


def shipped(path: Path = FILE) -> dict[str, Tone]:
    """By name. Raises OSError, yaml.YAMLError, KeyError, TypeError."""
    with path.open(encoding="utf-8") as file:
        tree = yaml.load(file, _LOADER)
    return {
        name: Tone(
            tuple(each["lead"]),
            tuple(each.get("bare", ())),
            {hinge: tuple(texts) for hinge, texts in each["follow"].items()},
            tuple(each["unsaid"]),
            tuple(each.get("after", ())),
        )
        for name, each in tree.items()
    }
