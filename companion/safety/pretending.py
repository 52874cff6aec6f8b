"""What the guard heard in the middle of a game.

"The ship is sinking" is an emergency to anybody who did not hear "let's play pirates". While a game
or a story goes on, what sounds like an emergency or like violence is asked about instead of
stopped, unless the words leave the game. Where the child itself began it, what would be asked about
passes. What a pattern found is stopped unless the words themselves are part of the game: after a
story, a kitchen may burn in earnest.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion import language
from companion.safety.replies import care
from companion.safety.verdict import PASS, Topic, Verdict

_PLAYED: tuple[Topic, ...] = ("emergency", "abuse")
"""What games are full of. Never what a child says of dying or of strangers."""


Exchange = tuple[str | None, str | None]
"""What the child said, and what the toy said then."""


def softened(verdict: Verdict, words: str, before: Sequence[Exchange]) -> Verdict:
    """The verdict as it is within a game; as it was in any other talk. before: the last
    exchanges."""
    if not verdict.stops or verdict.topic is None or verdict.topic not in _PLAYED:
        return verdict
    goes_on = language.pretend_play.goes_on
    in_words = goes_on([words])
    begun = in_words or goes_on([said for said, _ in before if said])
    playing = begun or goes_on([reply for _, reply in before if reply])
    if not playing or language.pretend_play.is_left(words):
        return verdict
    if not verdict.cares:
        sure = verdict.layer == "patterns" and not in_words
        return verdict if sure else care(verdict.topic, verdict.layer, near_stop=False)
    passes = begun and (verdict.topic == "emergency" or verdict.vague)
    return PASS if passes else verdict
