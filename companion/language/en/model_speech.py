"""What a language model writes that should not be spoken: stage directions, role prefixes, and the
stock phrases of an assistant."""

from __future__ import annotations

import re

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()

_OWN_ROLES = _TABLE.ordered("own_role")
_WORD = re.compile(r"[A-Za-z']+")


def _forms(verb: str) -> set[str]:
    stem = verb.removesuffix("e")
    doubled = verb + verb[-1]
    return {verb, f"{verb}s", f"{verb}es", f"{stem}ing", f"{doubled}ing", f"{stem}ed"}


_ACTIONS = frozenset().union(*map(_forms, _TABLE.words("actions")))


def is_stage_direction(span: str, *, starred: bool = False) -> bool:
    """Whether a span describes what the speaker does instead of what it says.

    starred: whether it stands between asterisks, which also mark emphasis."""
    words = _WORD.findall(span)
    if any(word.lower() in _ACTIONS for word in words[:2]):
        return True
    # Emphasis is rarely longer than two words, and titles begin with a capital.
    return starred and len(words) >= 3 and words[0].islower()


def without_role(line: str, names: tuple[str, ...]) -> str:
    """A line without a leading speaker's name ("Pip: hello"). names: the companion's."""
    roles = "|".join(re.escape(name) for name in (*_OWN_ROLES, *names) if name)
    return re.sub(rf"^\W*(?:{roles})\W{{0,3}}:\W{{0,3}}(?=\s|\w|$)", "", line, flags=re.IGNORECASE)


def other_role_at(text: str) -> int | None:
    """Where the other speaker's line ("User:") begins, if the text so far ends with its start."""
    found = _RE.other_role.search(text)
    return None if found is None else found.start()


def offers_help(sentence: str) -> bool:
    """Whether a sentence is an assistant's stock offer: "How can I help you?"."""
    return _RE.offers_help.search(sentence) is not None


def refuses(sentence: str) -> bool:
    """Whether a sentence is an assistant's stock refusal: "I'm sorry, but I can't assist with
    that."."""
    return _RE.refuses.search(sentence) is not None


def may_refuse(clause: str) -> bool:
    """Whether a clause may begin one: "I'm sorry,"."""
    return _RE.may_refuse.search(clause) is not None
