"""Turns the pieces of a model's answer into the sentences of one reply.

Combines the rules of `json_reply`, `sentences`, `greeting` and `honesty`. Pure.
"""

from __future__ import annotations

from companion.dialog import json_reply
from companion.dialog.greeting import Greeting, QuestionGate
from companion.dialog.honesty import ClaimCheck
from companion.dialog.json_reply import JsonReply
from companion.dialog.sentences import Sentences
from companion.dialog.spoken import closed
from companion.language.types import ITEMS, CoreStatement


class Speech:
    """One reply while it is being generated."""

    def __init__(
        self,
        limit: int,
        name: str,
        greeting: Greeting,
        claims: ClaimCheck,
        *,
        json: bool,
        clauses: bool,
    ) -> None:
        """limit: the most sentences. name: the companion's own, which a model may write before its
        words. claims: judges each sentence. json: the answer is an object with the reply and the
        extracted items. clauses: the first clause of a reply may be returned before the rest of
        its sentence."""
        self._greeting = greeting
        self._claims = claims
        self._begun = ""
        self._unspoken = ""
        self._item = greeting.item
        # The question of QuestionGate needs a sentence of its own, besides the answer.
        self._left = max(2, limit) if greeting.asks else limit
        # Sentences dropped for asking again do not count towards the limit, so allow a few more.
        self._sentences = Sentences(self._left + len(ITEMS), names=(name,))
        self._json = JsonReply() if json else None
        self._asking: QuestionGate | None = None
        # While an item is to be asked for, only whole sentences show whether it was.
        self._early = clauses and self._item is None
        self._finished = False
        self.learnt: list[CoreStatement] = []
        """What the model extracted about the person, besides the reply."""

    @property
    def grammar(self) -> str | None:
        """The grammar of the model's answer: an object with the item to be extracted and the
        reply; None for plain text."""
        if self._json is None:
            return None
        return json_reply.grammar([self._item] if self._item else [])

    @property
    def done(self) -> bool:
        """Whether nothing that the model may still write will be said."""
        ended = self._json is not None and self._json.ended
        return self._finished or ended or self._sentences.done

    def feed(self, piece: str) -> list[str]:
        """The sentences that this piece completed."""
        text = self._json.feed(piece) if self._json else piece
        said = self._filtered(self._sentences.feed(text))
        if (
            self._early
            and not said
            and not self._claims.waiting
            and (clause := self._sentences.clause())
        ):
            self._early = False
            if self._claims.begins(clause):
                self._begun = clause
                return [clause]
            self._unspoken = clause
        self._early = self._early and not said
        return said

    def finish(self, *, complete: bool) -> list[str]:
        """The remaining sentences once the model has ended, by itself (`complete`) or cut off."""
        whole = complete or (self._json is not None and self._json.ended)
        sentences = self._filtered(self._sentences.finish(complete=whole))
        if not self._finished:
            if self._unspoken:  # nothing that can be said followed its first clause
                sentences += self._filtered([""])
            sentences += [*self._claims.end(), *self._gate().end()]
        self._finished = True
        return sentences

    def _filtered(self, sentences: list[str]) -> list[str]:
        said: list[str] = []
        for sentence in sentences:
            if self._finished:
                break
            if self._unspoken:
                sentence = closed(f"{self._unspoken} {sentence}")
            begun, self._begun, self._unspoken = self._begun, "", ""
            last = self._left - self._claims.waiting <= 1
            for each in self._gate().filter(sentence, last=last):
                allowed = self._claims.filter(each, begun=begun, last=last)
                self._left -= len(allowed)
                said += allowed
            self._finished = self._left <= 0 or self._gate().asked
        return said

    def _gate(self) -> QuestionGate:
        """The question gate, created once the model has written the items it extracted."""
        if self._asking is None:
            value = self._json.values.get(self._item) if self._json and self._item else None
            found = self._greeting.take(self._item, value) if self._item and value else None
            self.learnt = [found] if found else []
            self._asking = self._greeting.ask()
        return self._asking
