"""What is said to a telling by what it is about, with nothing of it said back.

The lines are in scenes.yaml; which scene a telling is, `companion.language.scenes` tells.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from companion import language
from companion.repertoire.replies import asks, unsaid

FILE = Path(__file__).with_name("scenes.yaml")

THING = "{thing}"

ENOUGH = 4
"""Words of a remark that may stand without its question."""

NOT_ASKED = 0.3
"""How often a question is left out after one that the child has just answered."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Lines:
    """Of one scene."""

    told: tuple[str, ...] = ()
    """For tellings that trouble nobody."""

    sorry: tuple[str, ...] = ()
    """For those that do."""


def shipped(path: Path = FILE) -> dict[str, Lines]:
    """By the scene's name. Raises OSError, yaml.YAMLError, TypeError."""
    with path.open(encoding="utf-8") as file:
        tree = yaml.load(file, _LOADER)
    return {
        name: Lines(*(tuple(each.get(key, ())) for key in ("told", "sorry")))
        for name, each in tree.items()
    }


def line(
    scenes: Mapping[str, Lines],
    words: str,
    previous: str,
    lately: Sequence[str],
    chance: random.Random,
    *,
    sorry: bool,
) -> tuple[str, ...] | None:
    """The sentences that fit what is told; None where no scene does, or all that is written for it
    was said lately. previous: what the companion said last. sorry: whether it troubles the child.
    """
    scene = language.scenes.of(words)
    if scene is None or scene.name not in scenes:
        return None
    lines = scenes[scene.name]
    written = lines.sorry if sorry else lines.told
    filled = [each.replace(THING, scene.thing or THING) for each in written]
    left = unsaid([each for each in filled if THING not in each], lately)
    if not left:
        return None
    sentences = tuple(language.sentences.split(chance.choice(left)))
    remark = tuple(each for each in sentences if not asks(each))
    long_enough = len(" ".join(remark).split()) >= ENOUGH
    if asks(previous) and long_enough and chance.random() < NOT_ASKED:
        return remark  # not an interrogation
    return sentences
