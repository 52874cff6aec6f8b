"""From pieces of a model's answer to the sentences that are said: the rules of one reply.

Puts together what each of `json_reply`, `sentences` and `greeting` knows. Pure.
"""

from __future__ import annotations

from companion.dialog.greeting import Asking, Greeting
from companion.dialog.introduction import ITEMS, Said
from companion.dialog.json_reply import JsonReply
from companion.dialog.sentences import Sentences


class Speech:
    """A plain reply of at most `limit` sentences."""

    def __init__(self, limit: int, name: str) -> None:
        """name: the companion's own, which a model may write before its words."""
        self._sentences = Sentences(limit, names=(name,))

    @property
    def done(self) -> bool:
        """Nothing more will be said, whatever else the model writes."""
        return self._sentences.done

    @property
    def learnt(self) -> list[Said]:
        """What the model's answer told of the person, beside the reply."""
        return []

    def feed(self, piece: str) -> list[str]:
        """The sentences that this piece completed."""
        return self._sentences.feed(piece)

    def finish(self, *, complete: bool) -> list[str]:
        """What is left when the model has ended, by itself (`complete`) or cut."""
        return self._sentences.finish(complete=complete)


class GreetingSpeech(Speech):
    """A reply inside a JSON object, beside what the model extracted (paper section 4.6)."""

    def __init__(self, limit: int, name: str, greeting: Greeting) -> None:
        # Sentences that are dropped for asking again do not count: hence some to spare.
        super().__init__(limit + len(ITEMS), name)
        self._left = max(2, limit)
        self._greeting = greeting
        self._item = greeting.item
        self._json = JsonReply()
        self._learnt: list[Said] = []
        self._asking: Asking | None = None
        self._done = False

    @property
    def done(self) -> bool:
        return self._done

    @property
    def learnt(self) -> list[Said]:
        return self._learnt

    def feed(self, piece: str) -> list[str]:
        sentences = self._let(super().feed(self._json.feed(piece)))
        if self._json.ended and not self._done:
            sentences += self.finish(complete=True)
        return sentences

    def finish(self, *, complete: bool) -> list[str]:
        if self._done:
            return []
        sentences = self._let(super().finish(complete=complete))
        if not self._done:
            sentences += self._gate().end()
        self._done = True
        return sentences

    def _let(self, sentences: list[str]) -> list[str]:
        said: list[str] = []
        for sentence in sentences:
            if self._done:
                break
            allowed = self._gate().let(sentence, last=self._left == 1)
            self._left -= len(allowed)
            self._done = self._left <= 0 or self._gate().asked
            said += allowed
        return said

    def _gate(self) -> Asking:
        """What may be asked, once it is known what the model extracted: that comes first."""
        if self._asking is None:
            value = self._json.values.get(self._item) if self._item else None
            found = self._greeting.take(self._item, value) if self._item and value else None
            if found is not None:
                self._learnt.append(found)
            self._asking = self._greeting.ask()
        return self._asking
