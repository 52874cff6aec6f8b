"""The PIN of the parents' page: its hash, and what wrong tries cost.

Five wrong ones cost a minute, five more two minutes, and so on up to a day. The time is lived time
(`companion.store.lived`), so that neither a restart nor a jump of the clock forgives anything;
while the clock cannot be trusted the wait stands still, and a new PIN, set at the device, ends it.

A try is counted before it is looked at: many at once are no more tries than one after the other.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Literal

import apsw

from companion.errors import InputError
from companion.store import lived, notices

SCHEMA = """
CREATE TABLE access (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL DEFAULT 0,   -- of the PIN: raised whenever it is set
  salt BLOB,
  hash BLOB,                            -- NULL: no PIN was set
  wrong INTEGER NOT NULL DEFAULT 0,     -- tries since the last right one
  blocked_lived_s REAL NOT NULL DEFAULT 0,
  code BLOB,                            -- hash of a code that lets a first PIN be set
  code_lived_s REAL NOT NULL DEFAULT 0  -- until when
) STRICT;
INSERT INTO access (id) VALUES (1);
"""

TOPIC = "wrong-pin"
"""The topic of the notice about wrong tries."""

LEAST_DIGITS, MOST_DIGITS = 6, 32
IN_A_ROW = 5
"""Wrong tries that cost a wait."""

FIRST_WAIT_S = 60.0
LONGEST_WAIT_S = lived.DAY_S
CODE_S = 600.0
"""Lived seconds that a one-time code is good for."""

CodeTry = Literal["right", "wrong", "none", "wait"]
"""none: no code is good now. wait: none may be tried now."""

_COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}


@dataclass(frozen=True)
class State:
    """What may be known of the PIN."""

    set: bool
    wait_s: float
    """Lived seconds before it can be tried again."""

    version: int
    """Another number: another PIN was set, and whoever came in with the old one has to leave."""


@dataclass(frozen=True)
class Trying:
    """A try that is counted, and what it has to be compared with."""

    number: int
    salt: bytes
    hash: bytes


def digits(pin: str) -> str:
    """The digits of a PIN as typed or pasted: in any script, with blanks between them.

    Raises InputError when it holds anything else.
    """
    found = []
    for character in pin[: 8 * MOST_DIGITS]:
        if character.isspace() or unicodedata.category(character) in ("Cf", "Cc", "Zs"):
            continue
        value = unicodedata.decimal(character, None)
        if value is None:
            raise InputError("a PIN is made of digits only")
        found.append(str(value))
    return "".join(found)


def checked(pin: str) -> str:
    """The digits of a PIN that may be set. Raises InputError with what is wrong with it."""
    plain = digits(pin)
    if not LEAST_DIGITS <= len(plain) <= MOST_DIGITS:
        raise InputError(f"a PIN has {LEAST_DIGITS} to {MOST_DIGITS} digits")
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(plain)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise InputError("this PIN is guessed first: take one that does not count up or down")
    return plain


def scrypt(plain: str, salt: bytes) -> bytes:
    """The hash of a PIN; slow on purpose, 50 to 300 ms and 16 MB."""
    return hashlib.scrypt(plain.encode(), salt=salt, **_COST)


def salted(plain: str) -> tuple[bytes, bytes]:
    """A new salt, and the hash with it."""
    salt = os.urandom(16)
    return salt, scrypt(plain, salt)


def state(c: apsw.Connection) -> State:
    """As of the last write."""
    version, hash, blocked = c.execute("SELECT version, hash, blocked_lived_s FROM access").get
    return State(hash is not None, max(0.0, blocked - lived.now(c)), version)


def put(c: apsw.Connection, salt: bytes, hash: bytes) -> None:
    """Set the PIN; what was tried before is forgiven, and a code is used up."""
    c.execute(
        "UPDATE access SET version = version + 1, salt = ?, hash = ?, wrong = 0, "
        "blocked_lived_s = 0, code = NULL",
        (salt, hash),
    )


def begin_try(c: apsw.Connection) -> Trying | None:
    """Count a try; None when there is no PIN, or none may be tried now."""
    salt, hash, wrong, blocked = c.execute(
        "SELECT salt, hash, wrong, blocked_lived_s FROM access"
    ).get
    now = lived.now(c)
    if hash is None or now < blocked:
        return None
    wrong += 1
    c.execute("UPDATE access SET wrong = ?, blocked_lived_s = ?", (wrong, now + _wait_s(wrong)))
    return Trying(wrong, salt, hash)


def right(trying: Trying, plain: str) -> bool:
    """Whether the PIN is the right one; slow."""
    return hmac.compare_digest(scrypt(plain, trying.salt), trying.hash)


def end_try(c: apsw.Connection, trying: Trying, ok: bool, time: datetime) -> bool:
    """Forgive what was tried, or tell the parents of it. Returns whether the PIN is (still) right:
    another one may have been set meanwhile."""
    if ok:
        c.execute("UPDATE access SET wrong = 0, blocked_lived_s = 0 WHERE hash = ?", (trying.hash,))
        return bool(c.changes())
    if trying.number % IN_A_ROW == 0:
        notices.add_apart(c, TOPIC, time)
    return False


def make_code(c: apsw.Connection) -> str:
    """A code of six digits that lets a PIN be set once, for ten minutes; the toy speaks it."""
    code = f"{secrets.randbelow(10**6):06}"
    c.execute(
        "UPDATE access SET code = ?, code_lived_s = ?",
        (hashlib.sha256(code.encode()).digest(), lived.now(c) + CODE_S),
    )
    return code


def try_code(c: apsw.Connection, code: str, time: datetime) -> CodeTry:
    """Try a code; a wrong one counts as a wrong PIN does. The right one is used up by it, and so is
    any by five wrong tries."""
    held, until, wrong, blocked = c.execute(
        "SELECT code, code_lived_s, wrong, blocked_lived_s FROM access"
    ).get
    now = lived.now(c)
    if now < blocked:
        return "wait"
    if held is None or now > until:
        drop_code(c)
        return "none"
    if hmac.compare_digest(held, hashlib.sha256(code.encode()).digest()):
        drop_code(c)
        return "right"
    wrong += 1
    c.execute("UPDATE access SET wrong = ?, blocked_lived_s = ?", (wrong, now + _wait_s(wrong)))
    if wrong % IN_A_ROW == 0:
        drop_code(c)
        notices.add_apart(c, TOPIC, time)
    return "wrong"


def drop_code(c: apsw.Connection) -> None:
    """Whatever code was made is good for nothing from now on."""
    c.execute("UPDATE access SET code = NULL")


def _wait_s(wrong: int) -> float:
    """Lived seconds that the last of so many wrong tries costs."""
    if wrong % IN_A_ROW:
        return 0.0
    return min(FIRST_WAIT_S * 2.0 ** min(wrong // IN_A_ROW - 1, 30), LONGEST_WAIT_S)
