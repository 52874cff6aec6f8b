"""Turns the pieces of a model's answer into the sentences of one reply.

Combines the rules of `sentences`, `held`, `greeting` and `honesty`. Pure.
"""

from __future__ import annotations

from companion import language
from companion.dialog.greeting import Greeting
from companion.dialog.held import HeldAnswer
from companion.dialog.honesty import ClaimCheck
from companion.dialog.known_people import KnownPeople
from companion.dialog.sentences import Sentences
from companion.dialog.spoken import closed
from companion.language.types import ITEMS


class Speech:
    """One reply while it is being generated."""

    def __init__(
        self,
        limit: int,
        name: str,
        greeting: Greeting,
        claims: ClaimCheck,
        people: KnownPeople,
        *,
        clauses: bool,
    ) -> None:
        """limit: the most sentences of the model. name: the companion's own, which a model may
        write before its words. claims: judges each sentence. people: whom it may name. clauses: the
        first clause of a reply may be returned before the rest of its sentence."""
        self._gate = greeting.gate()
        self._claims = claims
        self._people = people
        self._begun = ""
        self._unspoken = ""
        self._left = limit
        # Sentences dropped for asking again do not count towards the limit, so allow a few more.
        self._sentences = Sentences(limit + len(ITEMS), names=(name,))
        # Where a question is to follow, only whole sentences show whether the model asks one.
        self._early = clauses and not self._gate.question
        self._finished = False
        self._held: HeldAnswer | None = None
        self.refused = False
        """Whether the model refused, which is not said."""

    def hold(self, held: HeldAnswer) -> None:
        """Let only sentences pass that are borne out: whole ones, since no clause shows that. They
        are about the person, not the toy."""
        self._held = held
        self._early = False
        self._claims.stand_back()

    @property
    def done(self) -> bool:
        """Whether nothing that the model may still write will be said."""
        held = self._held is not None and self._held.ended
        return self._finished or held or self._sentences.done

    def feed(self, piece: str) -> list[str]:
        """The sentences that this piece completed."""
        said = self._filtered(self._sentences.feed(piece))
        if (
            self._early
            and not said
            and not self._claims.waiting
            and (clause := self._sentences.clause())
        ):
            self._early = False
            if self._may_begin(clause):
                self._begun = clause
                return [clause]
            self._unspoken = clause
        self._early = self._early and not said
        return said

    def finish(self, *, complete: bool) -> list[str]:
        """The remaining sentences once the model has ended, by itself (`complete`) or cut off, and
        the question that may follow them."""
        sentences = self._filtered(self._sentences.finish(complete=complete))
        if not self._finished:
            if self._unspoken:  # nothing that can be said followed its first clause
                sentences += self._filtered([""])
            sentences += self._claims.end()
        self._finished = True
        return sentences + self._gate.end()

    def question_after(self, written: tuple[str, ...]) -> list[str]:
        """The question that may follow a reply that somebody has written."""
        question = self._gate.question
        return [question] if question and not any("?" in each for each in written) else []

    def _may_begin(self, clause: str) -> bool:
        refuses = language.model_speech.may_refuse(clause)
        return not refuses and self._claims.begins(clause) and not self._people.misnames(clause)

    def _filtered(self, sentences: list[str]) -> list[str]:
        said: list[str] = []
        if self._held is not None:
            sentences = self._held.filter(sentences)
        for sentence in sentences:
            if self._finished:
                break
            if self._unspoken:
                sentence = closed(f"{self._unspoken} {sentence}")
            begun, self._begun, self._unspoken = self._begun, "", ""
            if not begun and language.model_speech.refuses(sentence):
                self.refused = True
                continue
            if self._people.misnames(sentence):
                self._finished = True  # what follows goes on about the same one
                break
            last = self._left - self._claims.waiting <= 1
            for each in self._gate.filter(sentence):
                allowed = self._claims.filter(each, begun=begun, last=last)
                self._left -= len(allowed)
                said += allowed
            self._finished = self._left <= 0 or self._gate.asked
        return said
