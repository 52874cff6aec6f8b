"""The greeting phase: learning name, then age, then gender (paper section 4.6).

One model request both extracts and answers. Code enforces the rules that a small model breaks:
what the person has said is never asked again. Each missing item is asked for once per session, and
no longer once it has been left unanswered in two sessions (`passed_over`) or the person has said
that they would rather not tell. A person who asks something gets an answer without a question in
return: ours waits for a later turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from companion import language
from companion.dialog import replies
from companion.language.types import ITEMS, CoreStatement
from companion.records import CoreItem, Profile, Turn


class Greeting:
    """What has been asked and learnt in one session."""

    def __init__(
        self,
        companion: str,
        profile: Profile,
        *,
        enabled: bool,
        passed_over: Collection[CoreItem] = (),
    ) -> None:
        """companion: the toy's own name. enabled False: nothing is asked or learnt, and the model's
        own questions for items that are already known are still removed. passed_over: items that
        are no longer asked for."""
        self._companion = companion
        self._enabled = enabled
        self._known: dict[CoreItem, str | int | None] = {
            "name": profile.name,
            "age": profile.age,
            "gender": profile.gender,
        }
        self._asked: set[CoreItem] = set()
        self._declined: set[CoreItem] = set(passed_over)
        self._open_question: CoreItem | None = None
        self._put_off = False
        self._waits = False
        self._words: list[str] = []

    @property
    def item(self) -> CoreItem | None:
        """The item to find out: the one asked for last while it is unanswered, otherwise the next
        one to ask for; None when nothing is left for this session."""
        last = self._open_question if self._enabled else None
        if last is not None and self._known[last] is None and last not in self._declined:
            return last
        return self._next

    @property
    def asks(self) -> bool:
        """Whether the next reply is to ask for something."""
        return self._next is not None and not self._waits

    @property
    def _next(self) -> CoreItem | None:
        if not self._enabled:
            return None
        return next((item for item in ITEMS if not self._is_closed(item)), None)

    def silent(self) -> Greeting:
        """A copy that knows the same and asks for nothing."""
        silent = Greeting(self._companion, Profile(), enabled=False)
        silent._known = dict(self._known)
        return silent

    def follow(self, turns: Iterable[Turn]) -> None:
        """Catch up with a session that is resumed."""
        for turn in turns:
            if turn.user is not None and turn.stopped is None:
                self.add_user_message(turn.user.text)
            if turn.reply is not None:
                self.add_reply(turn.reply.text)

    def add_user_message(self, words: str) -> list[CoreStatement]:
        """Take in a message; returns what it newly tells of its speaker."""
        if not self._enabled:
            return []
        self._words.append(words)
        self._waits = language.question.asking(words) != ""
        asked = self._open_question
        answers: set[CoreItem] = {asked} if asked else set()
        if "gender" in self._asked:
            # "A girl" is clear even a turn after the question; a late "seven" could mean anything.
            answers.add("gender")
        found = language.introduction.said(words, asked=answers, companion=self._companion)
        learnt = [said for said in found if self._learn(said)]
        if asked and self._known[asked] is None and language.introduction.declines(words):
            self._declined.add(asked)
        return learnt

    def take(self, item: CoreItem, value: str) -> CoreStatement | None:
        """Check a value that the model extracted from the last message; None unless the person
        really said it."""
        found = language.introduction.claimed(
            item,
            value,
            self._words[-1:],
            asked=self._open_question == item,
            companion=self._companion,
        )
        return found if found is not None and self._learn(found) else None

    def add_reply(self, reply: str) -> None:
        """Note what a reply asked for."""
        asked = [item for item in ITEMS if item in language.introduction.asks_for(reply)]
        self._asked.update(asked)
        if not self._waits:
            self._put_off = self._next is not None and not asked
        self._open_question = asked[-1] if asked else None

    def ask(self) -> QuestionGate:
        """The gate for the next reply."""
        closed = frozenset(item for item in ITEMS if self._is_closed(item))
        age = self._known["age"]
        return QuestionGate(
            None if self._waits else self._next,
            closed,
            age if isinstance(age, int) else None,
            self._put_off,
            self._waits,
            self._is_theirs,
        )

    def _is_theirs(self, sentence: str) -> bool:
        """Whether a reply claims for the companion what is true of the person: "I'm Mia"."""
        claims = language.introduction.said(sentence, asked=(), companion=self._companion)
        return any(str(self._known[each.item]).lower() == each.value.lower() for each in claims)

    def _is_closed(self, item: CoreItem) -> bool:
        """Whether it is known already, or has been asked for often enough."""
        return self._known[item] is not None or item in self._declined | self._asked

    def _learn(self, said: CoreStatement) -> bool:
        if self._known[said.item] is not None:
            return False
        self._known[said.item] = int(said.value) if said.item == "age" else said.value
        return True


@dataclass(eq=False)
class QuestionGate:
    """Filters the sentences of one reply so that it asks for the right item, and for no other."""

    _item: CoreItem | None
    """What to ask for."""

    _closed: frozenset[CoreItem]
    """What not to ask for."""

    _age: int | None
    _put_off: bool
    """The previous reply should have asked for it but asked a question of its own; this reply may
    not put it off again."""

    _waits: bool
    """The person has asked something, so nothing is asked of them in return."""

    _is_theirs: Callable[[str], bool]
    """Recognises sentences in which a small model speaks as if it were the person."""

    def __post_init__(self) -> None:
        self._greets = self._item is not None
        self._held_back: str | None = None
        self._said = False
        self.asked = False
        """Whether the question has been asked: a good place to stop and listen."""

    def filter(self, sentence: str, *, last: bool) -> list[str]:
        """The sentences to say in place of this one. `last`: the reply has no room for another."""
        if self._is_theirs(sentence):
            sentence = language.second_person.in_second_person(sentence)
        asks = language.introduction.asks_for(sentence)
        if asks & self._closed or (self._item and language.model_speech.offers_help(sentence)):
            return self.end() if last else []
        elif asks and self._waits:
            self._held_back = sentence
            return []
        elif asks and self._greets:
            self.asked = True
        elif sentence.endswith("?") and not self._put_off:
            # One question at a time: the model's goes first, ours comes with the next reply.
            self._item = None
        elif last and self._item is not None:
            return self.end()
        self._said = True
        return [sentence]

    def end(self) -> list[str]:
        """The sentences to add once the model has finished."""
        if self._held_back is not None and not self._said:
            return [self._held_back]  # better than silence
        if self.asked or self._item is None:
            return []
        self.asked = True
        return [replies.question(self._item, self._age)]
