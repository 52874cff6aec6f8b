"""Ties a working folder to one run, by noting in it what its content was made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.errors import InputError

SHORT = 40
"""Most characters of a setting that are shown in a refusal."""


def claim(folder: Path, settings: dict[str, Any]) -> None:
    """Note what the folder's content is made from.

    Raises InputError, with the difference, when it was made from something else, and when the
    folder cannot be written.
    """
    note = folder / "made-from.json"
    settings = json.loads(json.dumps(settings))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if note.exists():
            before = json.loads(note.read_text())
            if not isinstance(before, dict):
                raise ValueError
            # A setting that an older version did not note is taken to have its present value.
            other = [key for key in settings if before.get(key, settings[key]) != settings[key]]
            if other:
                found = ", ".join(_difference(key, before.get(key), settings[key]) for key in other)
                raise InputError(
                    f"{folder}: was made with another {found}: choose another --work-dir"
                )
            return
        part = note.with_suffix(".part")
        part.write_text(json.dumps(settings, indent=1))
        part.replace(note)
    except ValueError:
        raise InputError(f"{note}: is damaged; choose another --work-dir") from None
    except OSError as error:
        raise InputError(f"{folder}: cannot be used: {error.strerror}") from None


def _difference(key: str, before: Any, now: Any) -> str:
    shown = [json.dumps(each) for each in (before, now)]
    if max(map(len, shown)) > SHORT:
        return key
    return f"{key} ({shown[0]}, now {shown[1]})"
