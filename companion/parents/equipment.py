"""What the toy hears, speaks and thinks with: devices for sound, and models."""

from __future__ import annotations

import asyncio
from typing import Any

from companion.clock import Clock
from companion.config import Config
from companion.errors import SoundError
from companion.parents.request import Read, Request
from companion.store.database import Store
from companion.voice.devices.device_process import list_devices
from companion.weights.manifest import Manifest
from companion.weights.needed import used
from companion.weights.verify import present


async def devices(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Microphones and speakers that there are now; `trouble` where they cannot be listed."""
    try:
        return {"devices": await list_devices(), "trouble": None}
    except SoundError as error:
        return {"devices": [], "trouble": str(error)}


async def models(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """The models that this configuration uses, and whether they are here."""
    known = await asyncio.to_thread(models_document, config)
    return [each for each in known if each["needed"]]


def models_document(config: Config) -> list[dict[str, Any]]:
    """Every model of the manifest. Raises ConfigError, UsageError."""
    manifest = Manifest.load()
    wanted = used(config, manifest)
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "role": entry.role,
            "bytes": entry.size,
            "licence": entry.licence,
            "present": present(entry, config.models_dir),
            "needed": entry in wanted,
            "folder": str(entry.folder(config.models_dir)),
        }
        for entry in manifest
    ]


READS: dict[str, Read] = {"devices": devices, "models": models}
