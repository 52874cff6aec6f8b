"""The closed list of what a parent may set, and which file it stands in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FILE = "settings.yaml"
"""In `data_dir`."""


@dataclass(frozen=True)
class Setting:
    """One key of the list."""

    key: str
    what: str
    """For people, in half a sentence."""

    kind: Literal["str", "int", "float", "bool"]
    at_once: bool = False
    """It holds from the next sentence on; else from the next start."""

    narrows: bool = False
    """Only a smaller number than in the configuration file holds, and never 0."""

    @property
    def place(self) -> tuple[str, str]:
        """Section and name."""
        section, _, name = self.key.rpartition(".")
        return section, name


SETTINGS = (
    Setting("service.quiet", "quiet hours, such as 20:00-07:00", "str", at_once=True),
    Setting(
        "service.minutes_a_day",
        "minutes of talk a day; 0: as many as you like",
        "int",
        at_once=True,
    ),
    Setting(
        "safety.break_minutes", "minutes of talk before it proposes a break", "int", narrows=True
    ),
    Setting("persona.name", "the toy's name", "str"),
    Setting("persona.character", "its character, told to it in a few sentences", "str"),
    Setting("tts.model", "its voice", "str"),
    Setting("tts.speed", "how fast it speaks; 1: as recorded", "float"),
    Setting(
        "consolidation.personality",
        "whether it draws a picture of the personality",
        "bool",
        at_once=True,
    ),
)
