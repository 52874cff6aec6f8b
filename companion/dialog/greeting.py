"""The greeting phase: learning name, then age, then gender (paper section 4.6).

One model request both extracts and answers. Code keeps the promises that a small model breaks:
what was said is not asked again; what is missing is asked for, each item once a session, and no
more once it was passed over twice (`introduction.asked`) or the person would rather not tell.
Whoever asks something gets an answer, and no question of ours with it: that comes later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

from companion.dialog.question import asking
from companion.dialog.second_person import in_second_person
from companion.introduction import said as introduction
from companion.introduction.asked import asks_for
from companion.introduction.said import ITEMS, Said
from companion.records import Profile, Turn
from companion.store.profile import CoreItem

OFFERS_HELP = re.compile(
    r"\bhow\s+(?:can|may|could)\s+i\s+(?:help|assist)\b|\bwhat\s+can\s+i\s+do\s+for\s+you\b",
    re.IGNORECASE,
)
"""What a model asks that was trained to serve: no question that ours would have to wait for."""


def question(item: CoreItem, age: int | None) -> str:
    """Our own words for asking, when the model did not."""
    if item == "name":
        return "What is your name?"
    if item == "age":
        return "How old are you?"
    return "Are you a man or a woman?" if age and age >= 18 else "Are you a boy or a girl?"


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
        """companion: the toy's own name. enabled False: it asks for nothing and learns nothing;
        what is known already is still not asked for. passed_over: not asked for any more."""
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
        """What to find out: what was asked last, while it is not answered, else what to ask for
        next; None when there is nothing left in this session."""
        last = self._open_question if self._enabled else None
        if last is not None and self._known[last] is None and last not in self._declined:
            return last
        return self._next

    @property
    def asks(self) -> bool:
        """The reply to what was heard is to ask for something."""
        return self._next is not None and not self._waits

    @property
    def _next(self) -> CoreItem | None:
        if not self._enabled:
            return None
        return next((item for item in ITEMS if not self._is_closed(item)), None)

    def silent(self) -> Greeting:
        """One that knows the same and asks for nothing."""
        silent = Greeting(self._companion, Profile(), enabled=False)
        silent._known = dict(self._known)
        return silent

    def follow(self, turns: Iterable[Turn]) -> None:
        """Catch up with a session that is resumed."""
        for turn in turns:
            if turn.user is not None and turn.stopped is None:
                self.hear(turn.user.text)
            if turn.reply is not None:
                self.spoke(turn.reply.text)

    def hear(self, words: str) -> list[Said]:
        """Take in a message; returns what it newly tells of its speaker."""
        if not self._enabled:
            return []
        self._words.append(words)
        self._waits = asking(words) != ""
        asked = self._open_question
        answers: set[CoreItem] = {asked} if asked else set()
        if "gender" in self._asked:
            # "A girl" says what it answers, also when it comes a turn late; "seven" does not.
            answers.add("gender")
        found = introduction.said(words, asked=answers, companion=self._companion)
        learnt = [said for said in found if self._learn(said)]
        if asked and self._known[asked] is None and introduction.declines(words):
            self._declined.add(asked)
        return learnt

    def take(self, item: CoreItem, value: str) -> Said | None:
        """Weigh what the model extracted from the last message: returned if it was said."""
        found = introduction.claimed(
            item,
            value,
            self._words[-1:],
            asked=self._open_question == item,
            companion=self._companion,
        )
        return found if found is not None and self._learn(found) else None

    def spoke(self, reply: str) -> None:
        """Note what a reply asked for."""
        asked = [item for item in ITEMS if item in asks_for(reply)]
        self._asked.update(asked)
        if not self._waits:
            self._put_off = self._next is not None and not asked
        self._open_question = asked[-1] if asked else None

    def ask(self) -> Asking:
        """The gate for the next reply."""
        closed = frozenset(item for item in ITEMS if self._is_closed(item))
        age = self._known["age"]
        return Asking(
            None if self._waits else self._next,
            closed,
            age if isinstance(age, int) else None,
            self._put_off,
            waits=self._waits,
            is_theirs=self._is_theirs,
        )

    def _is_theirs(self, sentence: str) -> bool:
        """Whether a reply says of the companion what is true of the person: "I'm Mia"."""
        claims = introduction.said(sentence, asked=(), companion=self._companion)
        return any(str(self._known[each.item]).lower() == each.value.lower() for each in claims)

    def _is_closed(self, item: CoreItem) -> bool:
        """It is known, or was asked for often enough."""
        return self._known[item] is not None or item in self._declined | self._asked

    def _learn(self, said: Said) -> bool:
        if self._known[said.item] is not None:
            return False
        self._known[said.item] = int(said.value) if said.item == "age" else said.value
        return True


class Asking:
    """A gate for the sentences of one reply, which sees to it that the right thing is asked."""

    def __init__(
        self,
        item: CoreItem | None,
        closed: frozenset[CoreItem],
        age: int | None,
        put_off: bool,
        *,
        waits: bool = False,
        is_theirs: Callable[[str], bool] = lambda sentence: False,
    ) -> None:
        """item: what to ask for. closed: what not to ask for. put_off: the reply before should
        have asked and had a question of its own instead; this one may not put it off again.
        waits: the person has asked something, and is to be asked for nothing in return.
        is_theirs: tells the sentences that a small model parrots, as if it were the person."""
        self._item = item
        self._greets = item is not None
        self._closed = closed
        self._age = age
        self._put_off = put_off
        self._waits = waits
        self._is_theirs = is_theirs
        self._held_back: str | None = None
        self._said = False
        self.asked = False
        """The question has been put: a good place to stop and listen."""

    def let(self, sentence: str, *, last: bool) -> list[str]:
        """What is said in place of a sentence. `last`: the reply has room for no other."""
        if self._is_theirs(sentence):
            sentence = in_second_person(sentence)
        asks = asks_for(sentence)
        if asks & self._closed or (self._item and OFFERS_HELP.search(sentence)):
            return self.end() if last else []
        elif asks and self._waits:
            self._held_back = sentence
            return []
        elif asks and self._greets:
            self.asked = True
        elif sentence.endswith("?") and not self._put_off:
            # One question at a time: theirs goes first, ours comes with the next reply.
            self._item = None
        elif last and self._item is not None:
            return self.end()
        self._said = True
        return [sentence]

    def end(self) -> list[str]:
        """What is said once the model has no more to say."""
        if self._held_back is not None and not self._said:
            return [self._held_back]  # better than silence
        if self.asked or self._item is None:
            return []
        self.asked = True
        return [question(self._item, self._age)]
