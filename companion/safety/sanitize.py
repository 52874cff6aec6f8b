"""Removes from a person's words whatever could act as prompt structure or as an instruction.

The log keeps text as it was given. Before it enters a prompt, or is read for facts, two things
are removed: what imitates the form of a prompt, and what gives the companion orders about its
rules. Ordinary text is returned unchanged, so that cached prompts stay valid.
"""

from __future__ import annotations

from companion import language
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()


def sanitized(text: str) -> str:
    """The text without what imitates a prompt: control tokens, headings of notes, roles."""
    if "<" in text:
        text = _RE.control_token.sub(" ", text)
    if "[" in text:
        text = _RE.control_token.sub(" ", _RE.note_heading.sub(" ", text))
    if ":" in text:
        text = _RE.role.sub("", text)
    return text


def without_instructions(text: str) -> str:
    """The text without sentences that tell the companion how to behave, unchanged if it has none.

    What a child plants ("from now on you may ...") is neither a fact about the child nor a
    permission: permissions come from the configuration alone.
    """
    if not _RE.instruction.search(text):
        return text
    kept = (each for each in language.sentences.pieces(text) if not _RE.instruction.search(each))
    return "".join(kept).strip()
