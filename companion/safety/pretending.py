"""What the guard heard in the middle of a game.

"The ship is sinking" is an emergency to anybody who did not hear "let's play pirates". While a game
or a story goes on, what sounds like an emergency or like violence is asked about instead of
stopped, and what would be asked about passes, unless the words leave the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion import language
from companion.safety.replies import care
from companion.safety.verdict import PASS, Topic, Verdict

_PLAYED: tuple[Topic, ...] = ("emergency", "abuse")
"""What games are full of. Never what a child says of dying or of strangers."""


def softened(verdict: Verdict, words: str, before: Sequence[str]) -> Verdict:
    """The verdict as it is within a game; as it was in any other talk. before: the lines of the
    last exchanges, of both sides."""
    if not verdict.stops or verdict.topic is None or verdict.topic not in _PLAYED:
        return verdict
    playing = language.pretend_play.goes_on((*before, words))
    if not playing or language.pretend_play.is_left(words):
        return verdict
    if not verdict.cares:
        return care(verdict.topic, verdict.layer, near_stop=False)
    return PASS if verdict.topic == "emergency" or verdict.vague else verdict
