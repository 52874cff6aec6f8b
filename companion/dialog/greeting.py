"""Getting to know each other: name, then age, then gender (paper section 4.6), without a model.

Rules over the person's own words find what they tell of themselves; a written question asks for
what is missing, and only in a lull: at a greeting, or after a short remark that the reply has
answered without a question of its own. Nobody who asks, wants, tells or feels something is asked in
return, two questions stand some turns apart, and after a turn that a guard stopped there is none
for a while. Each missing item is asked for once per session, and no longer once it has been left
unanswered in two sessions (`passed_over`) or the person has said that they would rather not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from companion import language
from companion.answering import UNREAD, Reading
from companion.dialog import replies
from companion.language.types import ITEMS, CoreStatement
from companion.records import CoreItem, Profile, Turn

TURNS_BETWEEN = 3
"""Turns from one question to the next: an interrogation asks at every turn."""

ASKED_AFTER = ("greeting", "good_news", "telling", "thanks", "love", "one_word")
"""What somebody may do and be asked who they are: not who plays, wants, grieves, leaves or asks."""

LEAST_OPEN = 0.5
"""How likely it has to be one of these."""

WORDS_OF_AN_ITEM = 4
"""Words with which somebody says no more than a name or an age, one for all besides: "well my name
is Mia"."""

TURNS_AFTER_STOP = 6
"""Turns without a question after one that a guard stopped."""


class Greeting:
    """What has been asked and learnt in one session."""

    def __init__(
        self,
        companion: str,
        profile: Profile,
        *,
        enabled: bool,
        ask: Collection[CoreItem] = ITEMS,
        passed_over: Collection[CoreItem] = (),
    ) -> None:
        """companion: the toy's own name. enabled False: nothing is asked or learnt, and the model's
        own questions for items that are already known are still removed. ask: the items that may be
        asked for at all. passed_over: items that are no longer asked for."""
        self._companion = companion
        self._enabled = enabled
        self._known: dict[CoreItem, str | int | None] = {
            "name": profile.name,
            "age": profile.age,
            "gender": profile.gender,
        }
        self._asked: set[CoreItem] = set()
        self._closed: set[CoreItem] = {*passed_over, *(set(ITEMS).difference(ask))}
        if not enabled:
            self._closed.clear()
        self._learnt: dict[CoreItem, str] = {}
        self._open_question: CoreItem | None = None
        self._has_asked = False
        self._wait = 0
        self._lull = not enabled

    @property
    def item(self) -> CoreItem | None:
        """What the next reply is to ask for; None when there is nothing, or this is no moment."""
        if not self._enabled or not self._lull:
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
            if turn.stopped is not None:
                self.add_stopped()
            elif turn.user is not None:
                self.add_user_message(turn.user.text)
            if turn.reply is not None:
                self.add_reply(turn.reply.text)

    def add_user_message(self, words: str, reading: Reading = UNREAD) -> list[CoreStatement]:
        """Take in a message; returns what it newly tells of its speaker. reading: what it does."""
        if not self._enabled:
            return []
        self._wait = max(0, self._wait - 1)
        asked = self._open_question
        answers: set[CoreItem] = {asked} if asked else set()
        if "gender" in self._asked:
            # "A girl" is clear even a turn after the question; a late "seven" could mean anything.
            answers.add("gender")
        found = language.introduction.said(words, asked=answers, companion=self._companion)
        learnt = [said for said in found if self._learn(said)]
        self._learnt = {each.item: each.value for each in learnt}
        # Who introduces themselves goes on with it.
        self._lull = (
            self._wait == 0
            and (bool(learnt) or _is_open(reading))
            and language.lull.leaves_room(
                words, self._companion, asked=self._has_asked or bool(learnt)
            )
        )
        if asked and self._known[asked] is None and language.introduction.declines(words):
            self._closed.add(asked)
        return learnt

    def add_stopped(self) -> None:
        """Note that a guard stopped a message: this is no time for questions of ours."""
        self._wait = TURNS_AFTER_STOP
        self._lull = not self._enabled

    def add_reply(self, reply: str) -> None:
        """Note what a reply asked for."""
        asked = [item for item in ITEMS if item in language.introduction.asks_for(reply)]
        self._asked.update(asked)
        self._open_question = asked[-1] if asked else None
        self._has_asked = reply.endswith("?")
        if asked:
            self._wait = max(self._wait, TURNS_BETWEEN)

    def hello(self, words: str) -> tuple[str, ...]:
        """The whole reply to a bare "hi" of somebody whose name is to be asked for; else ()."""
        if self.item != "name" or not language.lull.greets(words, self._companion):
            return ()
        return replies.hello(self._companion), replies.question("name", None)

    def met(self, words: str) -> tuple[str, ...]:
        """The whole reply to somebody who has just said who they are, and no more; else ()."""
        told = self._learnt
        if not told or len(words.split()) > WORDS_OF_AN_ITEM * len(told) + 1:
            return ()
        if language.question.asking(words):
            return ()
        age = told.get("age")
        return (replies.nice_to_meet(told.get("name"), int(age) if age else None),)

    def question(self) -> str:
        """The question to end a reply with; "" for none."""
        age = self._known["age"]
        item = self.item
        question = replies.question(item, age if isinstance(age, int) else None) if item else ""
        return replies.by_the_way(question) if question else ""

    def gate(self) -> QuestionGate:
        """The gate for the next reply."""
        closed = frozenset(item for item in ITEMS if self._is_closed(item))
        return QuestionGate(self.question(), closed, self._lull, self._is_theirs)

    def _is_theirs(self, sentence: str) -> bool:
        """Whether a reply claims for the companion what is true of the person: "I'm Mia"."""
        claims = language.introduction.said(sentence, asked=(), companion=self._companion)
        return any(str(self._known[each.item]).lower() == each.value.lower() for each in claims)

    def _is_closed(self, item: CoreItem) -> bool:
        """Whether it is known already, or not to be asked for (again)."""
        return self._known[item] is not None or item in self._closed | self._asked

    def _learn(self, said: CoreStatement) -> bool:
        if self._known[said.item] is not None:
            return False
        self._known[said.item] = int(said.value) if said.item == "age" else said.value
        return True


def _is_open(reading: Reading) -> bool:
    """Whether a message does what may be answered with a question; so where nothing has read it."""
    return not reading.probabilities or reading.of(*ASKED_AFTER) >= LEAST_OPEN


@dataclass(eq=False)
class QuestionGate:
    """Filters the sentences of one reply so that it asks for the right item, and for no other."""

    question: str
    """What to end the reply with unless it asks something itself; "" for nothing."""

    _closed: frozenset[CoreItem]
    """What not to ask for."""

    _lull: bool
    """Whether this is a moment to ask for anything of the person."""

    _is_theirs: Callable[[str], bool]
    """Recognises sentences in which a small model speaks as if it were the person."""

    def __post_init__(self) -> None:
        self._held_back: str | None = None
        self._said = False
        self.asked = False
        """Whether the question has been asked: a good place to stop and listen."""

    def filter(self, sentence: str) -> list[str]:
        """The sentences to say in place of this one."""
        if self._is_theirs(sentence):
            sentence = language.second_person.in_second_person(sentence)
        asks = language.introduction.asks_for(sentence)
        if asks & self._closed:
            return []
        if self.question and language.model_speech.offers_help(sentence):
            return []
        if asks and not self._lull:
            self._held_back = sentence
            return []
        self.asked = self.asked or bool(asks and self.question)
        if sentence.endswith("?"):
            self.question = ""  # One at a time: ours waits for a later lull.
        self._said = True
        return [sentence]

    def end(self) -> list[str]:
        """The sentences to add once the model has finished."""
        if self._held_back is not None and not self._said:
            return [self._held_back]  # better than silence
        return [self.question] if self.question and self._said and not self.asked else []
