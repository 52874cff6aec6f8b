"""What a toy may not say of itself because it is not true, and what a child asks it to do.

`of` reads a sentence of the toy alone; `answers` reads it as the answer to a request (`wants`) that
the toy cannot fulfil, where "Sure!" is a claim too.
"""

from __future__ import annotations

from companion.language.en.claims.answers import agrees, answers, denies
from companion.language.en.claims.requests import plays, wants
from companion.language.en.claims.statements import of

__all__ = ["agrees", "answers", "denies", "of", "plays", "wants"]
