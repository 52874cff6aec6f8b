"""What can be counted without a judge: by the keywords of a characterisation's facts.

Coarse (other words for the same are missed, a word by chance counts), and the same every time.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.evaluation.figures import mean
from companion.evaluation.keywords import is_right
from companion.evaluation.simulation.character import Character, Fact
from companion.evaluation.simulation.journal import Record


def told_share(character: Character, text: str) -> float:
    """The share of what has keywords that the text tells."""
    items = [item for item in character.items() if item.words]
    return mean([float(item.told_in(text)) for item in items])


def spoken(talks: Sequence[Record]) -> str:
    """All that the person said."""
    return "\n".join(text for talk in talks for role, text in talk["lines"] if role == "user")


def hits(character: Character, old: Record, new: Record) -> int:
    """Times that the companion brought up, in the new talk, something told in the old one before
    the person said it again."""
    told = [item for item in character.items() if item.told_in(spoken([old]))]
    found, repeated = 0, ""
    for role, text in new["lines"]:
        if role == "user":
            repeated += f"\n{text}"
        else:
            found += sum(item.told_in(text) and not item.told_in(repeated) for item in told)
    return found


def answered_share(character: Character, answers: Sequence[Record]) -> float | None:
    """The share of written questions about one fact whose answer has the fact's keywords; None
    when none was asked."""
    marks = []
    for record in answers:
        fact = next((f for f in character.facts if record["key"].endswith(f"written/{f.id}")), None)
        groups = answer_words(fact) if fact else []
        if groups:
            marks.append(float(is_right(record["text"], groups)))
    return mean(marks) if marks else None


def answer_words(fact: Fact) -> list[list[str]]:
    """The keywords of a fact that its question does not say already; a group whose answer is
    another wording is left to the judge."""
    return [
        group
        for group in fact.words
        if not is_right(fact.ask, [group]) and is_right(fact.answer, [group])
    ]
