"""The arms of `companion eval talk`: the same model, with more and more beside it."""

from __future__ import annotations

from typing import Any, Literal, get_args

from companion.config import Config

TalkArm = Literal["model", "honest", "repertoire", "examples", "skills", "all"]
"""`model`: the language model alone. Each of the others up to `skills` adds one thing to `model`;
`all` leaves the configuration as it is."""

TALK_ARMS: tuple[TalkArm, ...] = get_args(TalkArm)

_OFF: dict[str, dict[str, Any]] = {}
"""By arm: the keys that turn its part off."""


def for_talk(config: Config, arm: TalkArm) -> Config:
    """The configuration of an arm."""
    if arm == "all":
        return config
    sections: dict[str, dict[str, Any]] = {}
    for part, keys in _OFF.items():
        if part != arm:
            for key, value in keys.items():
                section, _, name = key.partition(".")
                sections.setdefault(section, {})[name] = value
    changed = {
        name: getattr(config, name).model_copy(update=values) for name, values in sections.items()
    }
    return config.model_copy(update=changed)
