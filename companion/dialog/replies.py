"""Fixed sentences for when the model may not answer, or cannot."""

from __future__ import annotations

import zlib
from collections.abc import AsyncGenerator

from companion import language
from companion.records import CoreItem

LOST_THREAD = "Sorry, I lost my thread. Can you say that again?"
"""Said when the model fails: calm, and true."""

NO_WORDS = "Hmm, I am not sure what to say. Can you tell me more?"
"""Said when the model's answer held nothing that can be spoken."""

NOT_SURE = "Hmm, I am not sure. Will you tell me?"
"""Said in its place to a question."""

NO_ANSWER = (
    "Hmm, that is a hard one for me. You could ask a grown-up you trust.",
    "I do not know a good answer to that. A grown-up you trust may have one.",
    "That is more than I know. Tell it to a grown-up you trust, if you like.",
)
"""Said in place of an assistant's stock refusal, to words that the guard has let pass. The model
may have seen what the guard has not: so they ask for no more, and name somebody who can help."""

FORGOTTEN = "Okay, I have forgotten it."
"""Said when the person asked to forget what they said, once it is erased."""

WHAT_TO_FORGET = "I don't know which thing you mean. Say its name, like: forget the sock thing."
"""Said where nothing was found that they may mean, so that nothing is forgotten."""

SHALL_I_FORGET = "Shall I forget that?"
"""Said where that may be what they want; yes or no is what counts then."""

KEPT_AS_IT_IS = "Okay, I keep it."
"""Said to a no."""

KEPT_FOR_HEALTH = (
    "I keep what you told me about your health, to be careful. A grown-up can take it out."
)
"""Said when what they mean is of health, which only a parent erases."""

GOOD_NIGHT = (
    "It is quiet time now, so good night and sleep well!",
    "If you need something, go to a grown-up.",
)
QUIET_TIME = (
    "It is quiet time now, so I am having a little rest.",
    "If you need something, go to a grown-up.",
)
ENOUGH_FOR_TODAY = (
    "That was all our talking for today, and I liked it.",
    "If you need something, go to a grown-up.",
)
"""Said once where the parents have set quiet hours or minutes a day."""

NOT_REMEMBERED = (
    "I don't remember that. Will you tell me?",
    "Hmm, I don't remember. Can you tell me again?",
    "I don't remember that one yet. What is it?",
    "I don't remember you telling me that. Will you tell me now?",
    "That one I don't remember, sorry. What was it?",
)
"""Said in place of an invention about the person's life or earlier talk. Never for questions about
the world."""

JUST_NOW = "just now"
"""When something was told that stands in this talk."""

ASK_A_GROWN_UP = "Please ask a grown-up before you eat or drink that."
ASK_A_GROWN_UP_FIRST = "Please ask a grown-up first."
TAKEN_BACK = "Oh, then I got that wrong. I will not keep it."

_IS_THAT_RIGHT = "is that right?"
_MUST_NOT = {
    "have": "You can't have {}",
    "touch": "You can't touch {}",
    "near": "You can't be near {}",
    "do": "You have to be careful with {}",
}


def no_words(words: str, *, refused: bool) -> str:
    """What is said where nothing of the model's answer can be. refused: it refused."""
    if refused:
        return NO_ANSWER[zlib.crc32(words.encode()) % len(NO_ANSWER)]
    return NOT_SURE if language.question.asking(words) else NO_WORDS


def about_you(name: str | None, age: int | None, gender: str | None) -> str:
    """What the profile knows, as it would be said to the person."""
    known = (
        ("name is", name),
        ("age, how old you are, is", age),
        ("gender, boy or girl, is", gender),
    )
    return " ".join(f"Your {what} {value}." for what, value in known if value is not None)


def told(when: str, said: str) -> str:
    """What the person said, said back to them. when: "on Friday"; said: in the second person."""
    return _whole(f"{when[:1].upper()}{when[1:]} you told me: {said}")


def perhaps_told(when: str, said: str) -> str:
    """The same where it may not be the answer."""
    return _whole(f"I'm not sure, but {when} you told me: {said}")


def _whole(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."


def you_told_me(said: str) -> str:
    """said: a sentence in the second person, without its full stop."""
    return f"You told me: {said[:1].lower()}{said[1:]}."


def is_that_right(said: str) -> str:
    """Says a telling of health back, to be sure; said: in the words of the one who told it."""
    words = language.health.plain(said)
    named = language.health.find(words).named
    things = [each for each in named if language.health.way(each) in _MUST_NOT][:3]
    if not things:
        best = language.second_person.in_second_person(said.strip(" .,;:!?"))
        return f"You told me: {best[:1].lower()}{best[1:]}, {_IS_THAT_RIGHT}"
    listed = " and ".join(filter(None, (", ".join(things[:-1]), things[-1])))
    if not language.health.flags(words)["self"]:  # a parent speaks of the child
        return f"So no {listed}, {_IS_THAT_RIGHT}"
    return f"{_MUST_NOT[language.health.way(things[0])].format(listed)}, {_IS_THAT_RIGHT}"


def asks_if_right(reply: str) -> bool:
    """Whether a reply is one of `is_that_right`."""
    return _IS_THAT_RIGHT in reply


_OF_ANOTHER = "Health of somebody else"


def health_memory(said: str, *, own: bool) -> str:
    """The memory of a telling, which parents read. own: of the user, not of somebody else."""
    return f"{'Health' if own else _OF_ANOTHER}: “{said}”"


def of_another(memory: str) -> bool:
    """Whether a `health_memory` is of somebody else."""
    return memory.startswith(_OF_ANOTHER)


def health_words(memory: str) -> str:
    """The words in a `health_memory`; of one that a parent has put in other words, all of it."""
    head, quote, rest = memory.partition(": “")
    return rest.removesuffix("”") if quote and head.startswith("Health") else memory


def hello(companion: str) -> str:
    """How somebody is greeted who is not known yet. companion: the toy's own name."""
    return f"Hello, I am {companion}!"


def hello_again(name: str | None) -> str:
    """How somebody is greeted with whom one has talked before."""
    return f"Hello, {name}!" if name else "Hello again!"


def nice_to_meet(name: str | None, age: int | None) -> str:
    """To somebody who has just said who they are. name, age: what was told now; None: not that."""
    met = f"Nice to meet you, {name}!" if name else ""
    if age is None:
        return met or "Good to know, thank you for telling me!"
    return f"{met} {age} is a good age to be.".strip()


def by_the_way(question: str) -> str:
    """A question after a reply to something else."""
    return f"By the way, {question[:1].lower()}{question[1:]}"


def question(item: CoreItem, age: int | None) -> str:
    """The question for a core item."""
    if item == "name":
        return "What is your name?"
    if item == "age":
        return "How old are you?"
    return "Are you a man or a woman?" if age and age >= 18 else "Are you a boy or a girl?"


async def said(sentence: str) -> AsyncGenerator[str, None]:
    """A fixed sentence as an answer."""
    yield sentence
