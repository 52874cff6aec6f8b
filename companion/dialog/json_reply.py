"""Reads the reply out of a JSON object while it is still being written.

In the greeting phase one request both extracts and answers (paper section 4.6), and the listener
should wait no longer than for plain text. So the characters of the string under "reply" are passed
on as they arrive. An answer that is not JSON at all (from a server without grammar support) is
taken as the reply itself. Pure; any split of the same text gives the same characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Literal

OPENING = re.compile(r'"reply"\s*:\s*"')
VALUE = re.compile(r'"(?P<key>\w+)"\s*:\s*(?P<value>null|-?\d+|"(?:[^"\\]|\\.)*")')
ESCAPE = re.compile(r"\\(?:u.{4}|[^u])", re.DOTALL)
JSON_CHARACTER = r'[^"\\\x00-\x1F\x7F] | "\\" ["\\/nt]'


def grammar(keys: Sequence[str]) -> str:
    """GBNF of `{"key":null|"...",...,"reply":"..."}` without white space."""
    pairs = "".join(f'"\\"{key}\\":" value "," ' for key in keys)
    return (
        f'root ::= "{{" {pairs}"\\"reply\\":\\"" character+ "\\"}}"\n'
        'value ::= "null" | [0-9] [0-9]? [0-9]? | "\\"" character{1,40} "\\""\n'
        f"character ::= {JSON_CHARACTER}\n"
    )


class JsonReply:
    """Feed it pieces of the answer; it returns pieces of the reply."""

    def __init__(self) -> None:
        self._state: Literal["before", "plain", "inside", "after"] = "before"
        self._pending = ""
        self.values: dict[str, str] = {}
        """The values before the reply, as text; null and empty values are left out."""

    @property
    def ended(self) -> bool:
        """Whether the reply's closing quote has arrived."""
        return self._state == "after"

    def feed(self, piece: str) -> str:
        """The characters of the reply that this piece contained."""
        if self._state == "plain":
            return piece
        if self._state == "after":
            return ""
        self._pending += piece
        if self._state == "inside" or self._finds_reply():
            return self._decode()
        if self._pending.lstrip()[:1] not in ("", "{", "`"):
            self._state = "plain"
            return self._pending
        return ""

    def _finds_reply(self) -> bool:
        opening = OPENING.search(self._pending)
        if opening is None or self._pending.lstrip()[0] not in "{`":
            return False
        self._state = "inside"
        self.values = _values(self._pending[: opening.start()])
        self._pending = self._pending[opening.end() :]
        return True

    def _decode(self) -> str:
        """Decode the escapes. An incomplete escape waits for its rest; a quote ends the string."""
        decoded = []
        at = 0
        while at < len(self._pending):
            character = self._pending[at]
            if character == '"':
                self._state = "after"
                break
            if character != "\\":
                decoded.append(character)
                at += 1
                continue
            escape = ESCAPE.match(self._pending, at)
            if escape is None:
                break
            decoded.append(_unescaped(escape.group()))
            at = escape.end()
        self._pending = self._pending[at:]
        return "".join(decoded)


def _values(head: str) -> dict[str, str]:
    found = {}
    for match in VALUE.finditer(head):
        if value := _text(match["value"]).strip():
            found[match["key"]] = value
    return found


def _text(value: str) -> str:
    """The text of a value; "" for null and for invalid JSON that a model may write ("O\\'Brien").
    A number keeps its spelling, because the grammar allows 07."""
    if not value.startswith('"'):
        return "" if value == "null" else value
    try:
        return str(json.loads(value, strict=False))
    except ValueError:
        return ""


def _unescaped(escape: str) -> str:
    if escape[1] == "u":
        try:
            character = chr(int(escape[2:], 16))
        except ValueError:
            return ""
        # A lone surrogate is half of an emoji, which is not spoken anyway.
        return "" if "\ud800" <= character <= "\udfff" else character
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(escape[1], escape[1])
