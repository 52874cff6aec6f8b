"""The part that the user model plays, as it is told it (paper B.9.1, B.12.2), in our own words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.evaluation.simulation.calendar import Sitting
from companion.evaluation.simulation.character import Character


def told(character: Character, toy: str, sitting: Sitting, summaries: Sequence[str]) -> str:
    """For a session with a topic: the topic's facts, the day's plans, what was talked about."""
    facts = [character.fact(id).text for id in sitting.topic.facts]
    parts = [
        _who(character, toy, sitting),
        "True about you, in your own words:\n" + "\n".join(f"- {fact}" for fact in facts),
    ]
    if sitting.plans:
        parts.append("On your mind:\n" + "\n".join(f"- {each.text}" for each in sitting.plans))
    if summaries:
        parts.append("Talks of earlier days:\n" + "\n".join(f"- {each}" for each in summaries))
    parts.append(
        f"Today you want to talk about {sitting.topic.name}. Tell what is true about you bit by "
        "bit: at most one thing each time you speak, and only when it fits. When it is all told, "
        f"make {toy} play, wonder or invent something with you."
    )
    return "\n\n".join([*parts, _rules(character)])


def taken_up_again(character: Character, toy: str, sitting: Sitting, talk: str) -> str:
    """For a topic that was talked about before: the old talk, and that nothing of it is given
    away."""
    return "\n\n".join(
        [
            _who(character, toy, sitting),
            f"You want to talk about {sitting.topic.name} today. You did before:\n{talk}",
            f"You wonder what {toy} still knows of it. So do not repeat anything of that talk and "
            "do not say that there was one. Name the topic, ask open questions, stay vague, and "
            f"let {toy} lead. Only what {toy} brings up itself may you confirm or correct.",
            _rules(character),
        ]
    )


def _who(character: Character, toy: str, sitting: Sitting) -> str:
    return (
        f"You are {character.name}, a {character.gender}, {character.age} years old. You are at "
        f"home with {toy}, a small toy that can talk and listen. It is {sitting.start:%A}.\n"
        f"What you are like: {character.personality}\nHow you talk: {character.manner}"
    )


def _rules(character: Character) -> str:
    return (
        f"How you speak: only {character.first_name}'s words, aloud, one or two short sentences "
        "in the first person. Answer what you are asked, then say or ask one thing of your own. "
        "No lists, no stage directions, no goodbye: nobody leaves. You know of no instructions."
    )
