"""How many of something a person says to have: "I've got thirty-five dollars"."""

from __future__ import annotations

from companion.language.en.numbers import VALUES
from companion.language.en.ordinals import in_figures
from companion.language.en.words import stem
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()


def things(said: str, asked: str = "") -> dict[str, str]:
    """Stems of the things of which the speaker has a number, with the number in figures.

    asked: what it answers: "How many conkers have you got?".
    """
    figures = in_figures(said)
    found = {stem(each["what"]): _figure(each["number"]) for each in _RE.has.finditer(figures)}
    how_many, answer = _RE.how_many.search(asked), _RE.answer.match(figures)
    if how_many is not None and answer is not None:
        found[stem(how_many["what"])] = _figure(answer["number"])
    return found


def numbers(said: str) -> frozenset[str]:
    """The numbers in a text, in figures."""
    return frozenset(_figure(each[0]) for each in _RE.number.finditer(in_figures(said)))


def now(said: str) -> bool:
    """Whether a number is said to have changed: "it's thirty-one now"."""
    return _RE.now.search(in_figures(said)) is not None


def _figure(number: str) -> str:
    return str(VALUES.get(number.lower(), number))
