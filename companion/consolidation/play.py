"""Pretend play and jokes: what is said in them is not true of the child.

A game goes on for some turns after it was opened, until something ends it. Missing a true
sentence said within a game is the smaller harm, and health is never a game (see `HEALTH`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.records import Turn

_OPENS = re.compile(
    r"""
    \b(?: (?:let['’]?s|let\ us|we(?:['’]re)?|i(?:['’]m)?|can\ we|you)\ (?:all\ )?(?:play(?:ing)?\ )?
          pretend(?:ing)?
      | pretend\ (?:that|to|you|i|we|the|it|this|my) | make[-\ ]believe | role\ ?play
      | imagine\ (?:that|i|we|you|if) | once\ upon\ a\ time
      | in\ (?:my|our|the|this)\ (?:story|game|dream|play)
      | let['’]?s\ (?:say|be) | you\ be\ the | i['’]ll\ be\ the
      | i(?:['’]m|\ am)\ (?:a|an|the)\ (?:\w+\ )?(?:pirate|dragon|robot|princess|prince|king|queen|
        superhero|wizard|witch|unicorn|dinosaur|monster|ghost|fairy|knight|astronaut|alien|
        mermaid|vampire|zombie|ninja|cat|dog|kitten|puppy|lion|tiger|bear|bunny|horse)
    )\b""",
    re.I | re.X,
)
_CLOSES = re.compile(
    r"\b(?:stop pretending|not pretending|no more pretend|(?:the )?game(?:['’]s| is) over|"
    r"done playing|stop playing|for real|in real life|real(?:ly)? (?:me|now)|"
    r"my (?:real )?(?:mum|mom|dad|teacher|school)|at school|tomorrow|yesterday)\b",
    re.I,
)
_JOKE = re.compile(
    r"\b(?:(?:just|only|was|i['’]m|am) (?:just |only )?(?:kidding|joking)|just a joke|"
    r"it was a joke|april fools?|i (?:made|was making) (?:that|it) up|not true|i lied|"
    r"i was (?:only )?(?:lying|teasing))\b",
    re.I,
)
_TURNS_OF_A_GAME = 3
"""How long a game is taken to last when nothing ends it."""

HEALTH = re.compile(
    r"\b(?:allerg\w+|asthma\w*|diabet\w*|epilep\w*|seizures?|inhaler|epi ?pen|medicine|"
    r"intoleran\w+|wheelchair|hearing aids?|celiac|coeliac|anaphyla\w*)\b",
    re.I,
)
"""Words that a caring adult would want remembered for good."""


def is_play(turns: Sequence[Turn], number: int) -> bool:
    """Whether turn `number`, among its neighbours, is part of a game or taken back as a joke.

    turns: some before it and the one after it, in order.
    """
    since_opened: int | None = None
    for turn in turns:
        if turn.user is None:
            continue
        text = turn.user.text
        if turn.number > number:
            return _JOKE.search(text) is not None
        if _OPENS.search(text):
            since_opened = 0
        elif since_opened is not None:
            since_opened += 1
            if _CLOSES.search(text) or since_opened > _TURNS_OF_A_GAME:
                since_opened = None
        if turn.number == number:
            if _JOKE.search(text):
                return True
            if since_opened is not None:
                return HEALTH.search(text) is None
    return False
