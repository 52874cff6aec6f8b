"""A figure's value in its document, beside what is written of it and what was promised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def find(document: Any, path: str) -> Any:
    """The value at a path; None when there is none."""
    for key in path.split("."):
        if isinstance(document, Mapping) and key in document:
            document = document[key]
        elif isinstance(document, list) and key.isdigit() and int(key) < len(document):
            document = document[int(key)]
        else:
            return None
    return document


def reached(value: Any, contract: str) -> str:
    """yes or no; nothing where nothing was promised or measured."""
    if not contract or not isinstance(value, int | float):
        return ""
    sign, limit = contract.split()
    return "yes" if (value <= float(limit) if sign == "<=" else value >= float(limit)) else "**no**"


def against(value: Any, written: str) -> str:
    """How many times what is written; nothing where that is no number."""
    try:
        before = float(written.replace(",", "").rstrip("%"))
    except ValueError:
        return ""
    if not isinstance(value, int | float) or before == 0:
        return ""
    return f"{value * (100 if written.endswith('%') else 1) / before:.2f}"
