"""The settings that a parent may change, and the picture of the personality switched on or off."""

from __future__ import annotations

import contextlib
from typing import Any

from companion.clock import Clock
from companion.config import Config, settings
from companion.config.document import with_settings
from companion.errors import ConfigError, InputError
from companion.parents.request import Change, Read, Request, flag, require_kept, word
from companion.store import erase
from companion.store.database import Store
from companion.weights.manifest import Manifest

VOICE = "tts.model"
PERSONALITY = "consolidation.personality"


async def shown(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """All of them, with where each value comes from."""
    return settings_document(config)


async def put(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Set one, or with null take it back; all of them as they are then."""
    require_kept(store)
    return set_one(config, word(request, "key"), request.get("value"))


def set_one(config: Config, key: str, value: Any) -> dict[str, Any]:
    """The same without a store, which it does not need. Raises InputError, StoreFailing."""
    if value is not None and not isinstance(value, (str, int, float)):
        raise InputError("the request needs value: a text, a number, true or false, or null")
    setting = settings.named(key)
    if key == VOICE and value is not None and value not in (there := voices(config)):
        known = ", ".join(there) or "none"
        raise InputError(f"{key}: there is no such voice on this machine; there are: {known}")
    settings.change(config, setting.key, value)
    return settings_document(config)


async def personality(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Switch the picture of the personality on or off, and erase what was drawn."""
    require_kept(store)
    on = flag(request, "on", True)
    settings.change(config, PERSONALITY, on)
    if flag(request, "erase"):
        await erase.erase_personality(store)
    return {"on": on, "erased": flag(request, "erase")}


def settings_document(config: Config) -> dict[str, Any]:
    """`applies`: "now", or "start" for the next start."""
    return {
        "keys": [
            {
                "key": each.setting.key,
                "value": each.value,
                "default": each.default,
                "from": each.held_in,
                "what": each.setting.what,
                "kind": each.setting.kind,
                "choices": voices(config) if each.setting.key == VOICE else [],
                "applies": "now" if each.setting.at_once else "start",
            }
            for each in settings.held(config)
        ]
    }


def voices(config: Config) -> list[str]:
    """The names of the voices whose files are on this machine."""
    with contextlib.suppress(ConfigError):
        manifest = Manifest.load()
        return [
            entry.name
            for entry in manifest
            if entry.role == "tts" and manifest.path(entry.name, config.models_dir).exists()
        ]
    return []


def current(config: Config) -> Config:
    """The configuration with what is set now; as it was at the start where that has a mistake."""
    with contextlib.suppress(ConfigError):
        return with_settings(config.without_settings)
    return config


READS: dict[str, Read] = {"settings": shown}
CHANGES: dict[str, Change] = {"set": put, "personality": personality}
TAKE_NOTHING = ("set",)
