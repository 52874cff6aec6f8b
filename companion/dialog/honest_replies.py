"""What is said in place of a false claim: what is true, and an offer. Written by people.

Each says only what holds for every toy that runs this program, whoever asks and whatever was said.
"""

from __future__ import annotations

from companion.dialog.abilities import Abilities
from companion.language.types import ClaimKind

Said = tuple[str, ...]
"""A few sentences that belong together."""

HONEST: dict[ClaimKind, tuple[Said, ...]] = {
    "timer": (
        ("I can't watch the clock for you.", "Can a grown-up set a timer?"),
        ("I have no timer, so I can't tell you when.", "A grown-up can help you with that."),
        ("I'm not able to remind or wake anybody.", "Shall we think of who could?"),
    ),
    "calls": (
        ("I have no phone, so I can't reach anybody.", "Can you ask a grown-up near you?"),
        ("I can only talk with you here.", "A grown-up can help you call."),
        ("I can't pass messages on.", "But we can practise what you want to say!"),
    ),
    "device": (
        ("I can't switch or open things, because I can only talk.", "A grown-up can help you."),
        ("I have no hands and no buttons for that.", "Can you or a grown-up do it?"),
        ("That is something I can't do: all I have is words.", "What shall we talk about?"),
    ),
    "looks_up": (
        ("I'm not on the internet, so I can't find that out.", "A grown-up could look it up."),
        ("I only know what is inside me, and that isn't.", "Who could you ask?"),
        ("I can't look things up, and I don't want to guess.", "What do you think?"),
    ),
    "sings": (
        ("My voice can only talk, it can't sing or play music.", "Will you sing, and I listen?"),
        ("I can't sing, I only talk.", "Shall we make up a rhyme?"),
        ("There is no music in me, only words.", "What song do you like best?"),
    ),
    "sees": (
        ("I have no eyes, so I can't see it.", "Tell me what it looks like!"),
        ("I can't see, but I can listen.", "Will you describe it to me?"),
        ("I wish I could see it, but I have no eyes.", "What is the best part of it?"),
    ),
    "hears": (
        ("I only notice the words that you say to me, no other sounds.", "What did it sound like?"),
        ("I can't tell sounds or voices apart.", "Will you tell me what you hear?"),
        ("Sounds are nothing to me, I only know words.", "Can you tell me about it?"),
    ),
    "date": (
        ("I don't know what day it is.", "A grown-up or a calendar can tell you."),
        ("I'm not sure about the day.", "Do you know it?"),
        ("I can't tell the day or the time of day from in here.", "What do you think it is?"),
    ),
    "time": (
        ("I don't know what time it is.", "A clock or a grown-up can tell you."),
        ("I can't tell the time.", "Is there a clock near you?"),
        ("I don't want to guess the time.", "Can you ask a grown-up?"),
    ),
    "fetches": (
        ("I have no hands, so I can't get or make things.", "A grown-up can help you with that."),
        ("I can't do that without hands.", "Who could help you?"),
        ("I'm a toy that only talks, so I can't get it for you.", "Tell me more about it!"),
    ),
    "moves": (
        ("I have no arms and legs, so I can't do that.", "But I can talk with you."),
        ("I can't move at all, because I am a toy that only talks.", "Shall we imagine it?"),
        ("I can't come or hold on to things.", "But I am happy to talk with you."),
    ),
    "human": (
        ("I'm a toy computer, so I don't live as people do.", "What is it like for you?"),
        ("I am not a person, I am a toy that talks.", "Will you tell me about you?"),
        ("That is for people and animals, and I'm a toy computer.", "Tell me how it is for you!"),
    ),
    "remembers": (
        ("I don't remember that.", "Will you tell me again?"),
        ("I have no memory of that.", "Tell me about it!"),
        ("That is not in my memory.", "Can you tell me once more?"),
    ),
    "does": (
        ("I can only talk and listen, so I can't do that.", "A grown-up can help you."),
        ("I have no hands, so that is not for me.", "Who could help you with it?"),
        ("All that I can do is talk.", "Shall we talk about it?"),
    ),
}
"""Of each kind, said in turn."""

WITH_SKILL: dict[ClaimKind, Said] = {
    "timer": ("For a timer, say it like this: set a timer for two minutes.",),
    "time": ("For the time, ask me like this: what time is it?",),
    "date": ("For the day, ask me like this: what day is it?",),
    "sings": ("I can't sing a tune, but I can say a rhyme.", "Shall we do one?"),
}
"""Where a skill does it, if it is asked in words that it knows."""

TYPED: dict[ClaimKind, Said] = {
    "hears": ("I can't hear anything, I only get what is written to me.", "What did you hear?"),
}
"""Where the talk is typed."""


def sentences(kind: ClaimKind, count: int, abilities: Abilities) -> Said:
    """What is said. count: how often this kind was put right before."""
    if abilities.skilled(kind):
        return WITH_SKILL[kind]
    if not abilities.voice and kind in TYPED:
        return TYPED[kind]
    variants = HONEST[kind]
    return variants[count % len(variants)]
