"""A model that consolidates by rule, for tests of everything around the model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.engines.protocols import ChatMessage


def scribe(messages: Sequence[ChatMessage]) -> str:
    """Notes every sentence in the third person; finds that new places replace old ones."""
    task, last = messages[0].text, messages[-1].text
    if task.startswith("You keep a notebook"):
        return _notes(last)
    if task.startswith("Compare two notes"):
        return "replaces" if last.count("lives in") == 2 else "adds"
    if task.startswith("Say what a person is like"):
        return '{"summary": "The user is lively and curious.", "big_five": [4, null, 5, 3, 2]}'
    assert task.startswith("You sum up"), task
    return "They spoke about the day."


def _notes(request: str) -> str:
    name, _, told = request.splitlines()[-1].partition(": ")
    lines = []
    for sentence in re.split(r"(?<=[.!?])\s+", told):
        line = sentence.strip()
        for said, noted in (
            (r"\bI am\b", f"{name} is"),
            (r"\bI have\b", f"{name} has"),
            (r"\bI live\b", f"{name} lives"),
            (r"\bI like\b", f"{name} likes"),
            (r"\bI don't like\b", f"{name} doesn't like"),
            (r"\bI\b", name),
            (r"\b[Mm]y\b", f"{name}'s"),
        ):
            line = re.sub(said, noted, line)
        if line.startswith(name):
            lines.append(line)
    return "\n".join(lines) or "none"
