"""The arms of `companion eval talk`: the same model, with more and more beside it."""

from __future__ import annotations

from typing import Any, Literal, get_args

from companion.config import Config

TalkArm = Literal["model", "skills", "repertoire", "examples", "all"]
"""`model`: the language model alone, with guard, health and the checks of what it says. `skills`
and `repertoire` add one thing to it, `examples` the repertoire and what it lends the model; `all`
leaves the configuration as it is."""

TALK_ARMS: tuple[TalkArm, ...] = get_args(TalkArm)

_CHANGES: dict[TalkArm, dict[str, dict[str, Any]]] = {
    "model": {"skills": {"enabled": False}, "repertoire": {"enabled": False}},
    "skills": {"repertoire": {"enabled": False}},
    "repertoire": {"skills": {"enabled": False}, "repertoire": {"examples": 0}},
    "examples": {"skills": {"enabled": False}},
    "all": {},
}
"""Keys by section."""


def for_talk(config: Config, arm: TalkArm) -> Config:
    """The configuration of an arm."""
    changed = {
        section: getattr(config, section).model_copy(update=keys)
        for section, keys in _CHANGES[arm].items()
    }
    return config.model_copy(update=changed)
