"""From pieces of a model's answer to the sentences that are said: the rules of one reply.

Puts together what each of `json_reply`, `sentences` and `greeting` knows. Pure.
"""

from __future__ import annotations

from companion.dialog import json_reply
from companion.dialog.greeting import Asking, Greeting
from companion.dialog.json_reply import JsonReply
from companion.dialog.sentences import Sentences
from companion.introduction.said import ITEMS, Said


class Speech:
    """One reply in the making."""

    def __init__(
        self, limit: int, name: str, greeting: Greeting, *, json: bool, clauses: bool
    ) -> None:
        """limit: most sentences. name: the companion's own, which a model may write before its
        words. json: the answer is an object that holds the reply beside what was extracted.
        clauses: the first clause of a reply may come before the rest of its sentence."""
        self._greeting = greeting
        self._item = greeting.item
        # Asking takes a sentence of its own, beside the one that answers.
        self._left = max(2, limit) if greeting.asks else limit
        # Sentences that are dropped for asking again do not count: hence some to spare.
        self._sentences = Sentences(self._left + len(ITEMS), names=(name,))
        self._json = JsonReply() if json else None
        self._asking: Asking | None = None
        # While something is to be asked, whole sentences decide whether it was.
        self._early = clauses and self._item is None
        self._finished = False
        self.learnt: list[Said] = []
        """What the model's answer told of the person, beside the reply."""

    @property
    def grammar(self) -> str | None:
        """What the model's answer is held to: an object with what is to be extracted beside the
        reply; None for plain words."""
        if self._json is None:
            return None
        return json_reply.grammar([self._item] if self._item else [])

    @property
    def done(self) -> bool:
        """Nothing that the model may yet write will be said."""
        ended = self._json is not None and self._json.ended
        return self._finished or ended or self._sentences.done

    def feed(self, piece: str) -> list[str]:
        """The sentences that this piece completed."""
        text = self._json.feed(piece) if self._json else piece
        said = self._let(self._sentences.feed(text))
        if self._early and not said and (clause := self._sentences.clause()):
            said = [clause]
        self._early = self._early and not said
        return said

    def finish(self, *, complete: bool) -> list[str]:
        """What is left when the model has ended, by itself (`complete`) or cut."""
        whole = complete or (self._json is not None and self._json.ended)
        sentences = self._let(self._sentences.finish(complete=whole))
        if not self._finished:
            sentences += self._gate().end()
        self._finished = True
        return sentences

    def _let(self, sentences: list[str]) -> list[str]:
        said: list[str] = []
        for sentence in sentences:
            if self._finished:
                break
            allowed = self._gate().let(sentence, last=self._left == 1)
            self._left -= len(allowed)
            self._finished = self._left == 0 or self._gate().asked
            said += allowed
        return said

    def _gate(self) -> Asking:
        """What may be asked, once it is known what the model extracted: that comes first."""
        if self._asking is None:
            value = self._json.values.get(self._item) if self._json and self._item else None
            found = self._greeting.take(self._item, value) if self._item and value else None
            self.learnt = [found] if found else []
            self._asking = self._greeting.ask()
        return self._asking
