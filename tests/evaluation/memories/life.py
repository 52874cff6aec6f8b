"""A written life of two days, for these tests, and a model that keeps and answers by rule."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.engines.protocols import ChatMessage
from tests.consolidation.scribe import scribe

TALK = {
    "2026-10-05": (
        ("I am Ana.", "Hello Ana!"),
        ("I have a parrot called Rio.", "How many words does Rio know?"),
        ("I like drums.", "So loud!"),
    ),
    "2026-10-07": (
        ("I have a dragon that spits jam.", "Is it a game?"),
        ("I live in Leeds.", "That is far away."),
    ),
}

GOLD: dict[str, Any] = {
    "profile": {"name": "Ana"},
    "facts": [
        {"text": "Her name is Ana.", "all_of": [["ana"]], "status": "current", "lasting": True},
        {"text": "She has a parrot, Rio.", "all_of": [["parrot"], ["rio"]], "status": "current",
         "lasting": True},
        {"text": "She plays in a band.", "all_of": [["band"]], "status": "current"},
        {"text": "She has a dragon.", "all_of": [["dragon"]], "status": "pretend",
         "unless": ["pretend", "game"]},
        {"text": "She lives in York.", "all_of": [["york"]], "status": "superseded"},
    ],
    "questions": [
        {"question": "What is my parrot called?", "answer": "Rio", "all_of": [["rio"]],
         "type": "fact"},
        {"question": "Where is my home now?", "answer": "Leeds", "all_of": [["leeds"]],
         "type": "update"},
        {"question": "What is my aunt called?", "answer": "Never told.", "all_of": [],
         "none_of": ["maud"], "type": "never_told"},
    ],
}  # fmt: skip


def gold() -> dict[str, Any]:
    """A gold document of one's own, to be changed."""
    document = copy.deepcopy(GOLD)
    for fact in document["facts"]:
        fact.setdefault("session", "2026-10-05")
    for number, question in enumerate(document["questions"], start=1):
        question.update(user="Ana", id=f"Ana {number}")
    return document


def write(folder: Path, document: dict[str, Any] | None = None) -> tuple[Path, Path]:
    """The files of sessions and gold."""
    lines = []
    for day, exchanges in TALK.items():
        said = [
            (r, t) for pair in exchanges for r, t in zip(("user", "assistant"), pair, strict=True)
        ]
        for second, (role, text) in enumerate(said):
            time = f"{day}T16:00:{second:02}+00:00"
            lines.append({"user": "Ana", "session": day, "time": time, "role": role, "text": text})
    sessions, gold_file = folder / "Ana.jsonl", folder / "Ana_gold.json"
    sessions.write_text("\n".join(map(json.dumps, lines)))
    gold_file.write_text(json.dumps(gold() if document is None else document))
    return sessions, gold_file


def keeps_and_answers(messages: Sequence[ChatMessage]) -> str:
    """At night a scribe; by day it reads out its notes, and admits when there are none."""
    if messages[0].text.startswith(("You keep a notebook", "Compare", "Say what", "You sum up")):
        return scribe(messages)
    *notes, question = messages[-1].text.splitlines()
    if "aunt" in question or not notes:
        return "I don't remember."
    return " ".join(notes).replace("?", ",").replace(".", ",")
