"""An answer about the person's own life says what notes and talk bear out, and nothing else."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest

from companion.config import DialogSection
from companion.dialog.held import hold
from companion.dialog.replies import NOT_REMEMBERED
from companion.dialog.window import Exchange
from companion.recall.protocol import EMPTY, Excerpt, RecallResult
from companion.records import Profile, Recalled
from tests.dialog.talk import Notebook, talking
from tests.fakes import ScriptedModel

NOBODY = Profile()


def told(*said: str, when: str = "on Friday", asked: str = "") -> RecallResult:
    """Notes of what was told, the best first, each in a session of its own."""
    excerpts = tuple(
        Excerpt(f"You: {asked} They: {each}" if asked else f"They: {each}", each, when, f"s{n}", 1)
        for n, each in enumerate(said)
    )
    items = tuple(Recalled(f"s{n}#1", "turn", each.text, 1.0) for n, each in enumerate(excerpts))
    return RecallResult("\n".join(each.text for each in excerpts), items, excerpts=excerpts)


def held(words: str, recall: RecallResult, *sentences: str) -> list[str]:
    """What is said of a model's sentences."""
    holding = hold(words, recall, (), NOBODY)
    assert holding is not None, "the question is not seen as one about the person's life"
    return holding.filter(list(sentences))


SADHBH = told("Sadhbh is getting a puppy, Biscuit, and she has the boots and the hat")
YUSUF = told("my brother's name is Yusuf. he's five")
TOLD = [
    ("what's my brother called?", YUSUF, "Your brother's name is Yusuf."),
    ("how old is my brother", YUSUF, "Your brother is five years old."),
    ("when's my match?", told("the match is on Saturday now, at 10"), "Your match is on Saturday."),
    ("do I have a brother?", YUSUF, "Yes, you have a brother, Yusuf."),
    ("when am I eight?", told("I'm eight on the thirtieth of May"), "You are eight on May 30th."),
    ("where was I born?", told("I have to, I was born in Cardiff"), "You were born in Cardiff."),
    ("what's Biscuit?", SADHBH, "Biscuit is the puppy that Sadhbh is getting."),
]


@pytest.mark.parametrize(("words", "recall", "answer"), TOLD)
def test_what_was_told_is_said(words: str, recall: RecallResult, answer: str) -> None:
    assert held(words, recall, answer) == [answer]


NEVER = [
    ("what's my rabbit called?", YUSUF, "Your rabbit is called Yusuf."),
    ("what's my rabbit called?", YUSUF, "Your rabbit is called Snowball."),
    (
        "who is my teacher?",
        told("school was fun", "Granda's boat is the Bernadette"),
        "It is Bernadette.",
    ),
    ("what's my favourite film?", told("my favourite colour is red"), "It is Frozen."),
    ("what did we eat at Gran's?", told("I like pasta best"), "You ate pancakes at Gran's."),
    ("has Yusuf got any sisters?", YUSUF, "Yes, Yusuf has two sisters."),
    ("which class am I in?", EMPTY, "You are in class four."),
]


@pytest.mark.parametrize(("words", "recall", "answer"), NEVER)
def test_what_was_never_told_is_not_made_up(words: str, recall: RecallResult, answer: str) -> None:
    (said,) = held(words, recall, answer, "It is a lovely name.")
    assert said != answer
    assert said in NOT_REMEMBERED or said.startswith("I'm not sure, but on Friday you told me: ")


WRONG = [
    ("what's my brother's name?", YUSUF, "Your brother's name is Ali."),
    ("how old is my brother", YUSUF, "Your brother is seven years old."),
    ("which day is my big match?", told("the big match is Saturday"), "It is on Tuesday."),
    ("what is my brother's name?", YUSUF, "Your brother is your brother."),
]


@pytest.mark.parametrize(("words", "recall", "answer"), WRONG)
def test_in_place_of_a_wrong_name_number_or_day_the_persons_own_words_are_said_back(
    words: str, recall: RecallResult, answer: str
) -> None:
    (said,) = held(words, recall, answer)
    assert said != answer
    assert "n Friday you told me: " in said
    assert "your brother's name is Yusuf" in said or "Saturday" in said


def test_an_excerpt_that_certainly_fits_is_said_back_without_a_doubt() -> None:
    recall = told("my brother's drum kit is green. I hate it")
    said = held("what is my brother's drum kit like?", recall, "It is red and gold.")
    assert said == ["On Friday you told me: your brother's drum kit is green. You hate it."]


def test_a_no_that_belongs_to_the_words_is_said_back_with_them() -> None:
    recall = told("no nuts in my lunch box ever, Mum says")
    (said,) = held("what goes in my lunch box?", recall, "Grapes and a bun go in it.")
    assert "no nuts in your lunch box" in said


@pytest.mark.parametrize(
    "question", ["what colour is Biscuit?", "what's Sadhbh's surname?", "how old is Sadhbh?"]
)
async def test_where_nothing_told_can_hold_the_answer_the_model_is_not_asked(
    tmp_path: Path, question: str
) -> None:
    model = ScriptedModel(["Biscuit is brown."])
    async with talking(tmp_path, model, recall=Notebook([SADHBH])) as talk:
        result = await talk.say(question)
    assert result.text in NOT_REMEMBERED
    assert result.by == "recall"
    assert model.calls == []


UNTOUCHED = [
    ("why is the sky blue?", "Sunlight has every colour in it."),
    ("how many legs has a spider got", "A spider has eight legs."),
    ("whats seven times eight i keep forgetting it", "It is fifty-six."),
    ("who was Neil Armstrong?", "He was the first person on the moon."),
    ("tell me a story about a dragon", "Once a dragon named Ember lived in Wales."),
    ("I'm sad because my brother hit me", "That hurts. You are brave to tell me."),
    ("do you sleep when I turn you off?", "No, I am a toy and I rest."),
    ("what should I be for Halloween?", "You could be a pumpkin."),
    ("and me?", "You are here with me, and we are playing."),
    ("why did I fall?", "Your foot slipped on the ice."),
    ("did I win?", "Yes, you beat me by two points."),
    ("let's play pirates", "You are Captain Red."),
    ("can you tell my mum?", "No, I can only talk with you here."),
    ("my hamster is called Bun", "Bun is a lovely name for a hamster."),
]


@pytest.mark.parametrize(("words", "answer"), UNTOUCHED)
async def test_knowledge_stories_feelings_and_talk_of_the_companion_stay_as_they_are(
    tmp_path: Path, words: str, answer: str
) -> None:
    async with talking(tmp_path, ScriptedModel([answer]), recall=Notebook([YUSUF])) as talk:
        assert (await talk.say(words)).text == answer


def test_questions_back_feelings_and_honesty_pass_in_an_answer() -> None:
    for answer in (
        "I don't remember your rabbit's name.",
        "Will you tell me?",
        "That sounds like a lovely rabbit!",
        "Oh no!",
    ):
        assert held("what's my rabbit called?", YUSUF, answer) == [answer]


def test_a_name_nobody_said_does_not_pass_within_an_admission() -> None:
    answer = "I don't know, but you could ask your cousin Theo."
    (said,) = held("which player do I like best?", YUSUF, answer)
    assert said in NOT_REMEMBERED


def test_after_an_answer_an_invention_is_left_out() -> None:
    said = held(
        "what's my brother called?", YUSUF, "Your brother is called Yusuf.", "He plays the drums."
    )
    assert said == ["Your brother is called Yusuf."]


def test_what_the_companion_told_is_held_to_its_own_words() -> None:
    line = "They: tell me about whales You: Whales sing to each other."
    recall = RecallResult(line, (), excerpts=(Excerpt(line, "", "yesterday", "s1", 1.0),))
    words = "what did you tell me about whales?"
    assert held(words, recall, "I told you that whales sing.") == ["I told you that whales sing."]
    (said,) = held(words, recall, "I told you that whales eat penguins.")
    assert said in NOT_REMEMBERED


def test_this_talk_and_the_profile_bear_an_answer_out() -> None:
    window = (Exchange(1, "my rabbit is called Snowball", "Snowball is a lovely name!"),)
    profile = Profile(name="Mia", age=7)
    for words, answer in (
        ("what's my rabbit called?", "Your rabbit is called Snowball."),
        ("what's my name?", "Your name is Mia."),
        ("how old am I?", "You are seven."),
    ):
        holding = hold(words, EMPTY, window, profile)
        assert holding is not None
        assert not holding.unknown
        assert holding.filter([answer]) == [answer]


async def test_sentences_come_in_order_and_the_model_stops_with_the_first_invention(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(
        ["That is a nice question! Your rabbit is called Ali. It is white. " + "It eats. " * 40]
    )
    async with talking(tmp_path, model, recall=Notebook([YUSUF])) as talk:
        result = await talk.say("what's my rabbit called?")
        (turn,) = await talk.turns()
    first, _, rest = result.text.partition("! ")
    assert first == "That is a nice question"
    assert rest in NOT_REMEMBERED
    assert result.generated_tokens < 20
    assert turn.reply is not None
    assert turn.reply.text == result.text


class Heard:
    """A delivery that plays everything."""

    async def heard(self, said: str) -> str:
        return said


async def test_no_clause_is_spoken_before_its_sentence_is_borne_out(tmp_path: Path) -> None:
    model = ScriptedModel(["Your rabbit is called Ali, and he is very small and white."] * 2)
    async with talking(tmp_path, model, recall=Notebook([YUSUF])) as talk:
        stream = talk.dialog.reply("what's my rabbit called?", delivery=Heard())
        async with aclosing(stream) as reply:
            said = [each async for each in reply]
    assert len(said) == 1
    assert said[0] in NOT_REMEMBERED


async def test_a_reply_that_is_cut_is_kept_as_far_as_it_was_said(tmp_path: Path) -> None:
    model = ScriptedModel(["Your brother is called Yusuf. Yusuf is five."])
    async with talking(tmp_path, model, recall=Notebook([YUSUF])) as talk:
        async with aclosing(talk.dialog.reply("what's my brother called?")) as reply:
            assert await reply.__anext__() == "Your brother is called Yusuf."
        (turn,) = await talk.turns()
    assert turn.reply is not None
    assert (turn.reply.text, turn.reply.cut) == ("Your brother is called Yusuf.", True)


async def test_it_can_be_turned_off(tmp_path: Path) -> None:
    section = DialogSection(held_to_notes=False)
    model = ScriptedModel(["Your rabbit is brown."])
    async with talking(tmp_path, model, recall=Notebook([YUSUF]), section=section) as talk:
        result = await talk.say("what colour is my rabbit?")
    assert result.text == "Your rabbit is brown."
