"""What is needed: a question that was asked, or one that the end of the talk leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from companion import language
from companion.language.types import Gap, Sought


@dataclass(frozen=True)
class Need:
    """What to look for."""

    question: str
    """As a person would ask it; where rules see only that a word is missing, the words before it
    and "what"."""

    gap: Gap | None
    """What is open at the end of the context, for reading the answer without a model."""

    asked: bool
    """Whether a person asked, or it was inferred."""

    @property
    def kinds(self) -> tuple[Sought, ...]:
        """What kinds of things may be the answer."""
        if self.asked or self.gap is None:
            return language.sought.asked(self.question)
        return language.sought.goes_on(self.gap.lead, time=self.gap.kind == "time")


def read(query: str | None, context: str) -> Need | None:
    """None where nothing was asked and nothing is open: a wrong word is worse than none."""
    gap = language.gaps.find(context)
    if query is not None:
        of = language.gaps.other_name(query) or _of(gap, query)
        if of is None and language.sought.rest(query):
            of = language.gaps.listed(context)
        return Need(query, of, asked=True)
    if gap is None:
        return None
    return Need(gap.question, gap, asked=False)


def _of(gap: Gap | None, query: str) -> Gap | None:
    """The gap that a query is about: the one at the end of the talk, where the query says little by
    itself ("What else?") or names the same thing."""
    if gap is None:
        return None
    if gap.kind != "list" and language.sought.rest(query):
        return None
    asked = language.gaps.asked_of(query)
    same = set(language.words.content(gap.lead)) | {
        stem for item in gap.told for stem in language.words.stems(item)
    }
    return gap if asked <= same else None
