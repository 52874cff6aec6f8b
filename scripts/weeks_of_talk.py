"""Weeks of talk that strangers wrote, by the name of who talks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STRANGERS = Path(__file__).resolve().parent.parent / "tests" / "strangers"
FOLDERS = tuple(
    STRANGERS / each for each in ("lives", "judged/lives", "judged/weeks", "weeks", "sealed")
)


def week(name: str) -> list[dict[str, Any]]:
    """Its messages, in order, with `session`, `role` and `text`."""
    [file] = [found for folder in FOLDERS if (found := folder / f"{name}.jsonl").exists()]
    return rows(file)


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
