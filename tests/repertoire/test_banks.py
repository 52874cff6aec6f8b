"""What is lent and said by what a message does, through the dialog, with the real embedder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engines.protocols import Embedder
from companion.repertoire import banks
from tests.dialog.talk import talking
from tests.fakes import ScriptedActs, ScriptedModel
from tests.repertoire.test_repertoire import repertoire

BANKS = banks.shipped()
PLAY = "you are the sleepy hippo and im the zoo keeper with the bucket"


async def test_exchanges_of_the_same_act_are_lent(tmp_path: Path, embedder: Embedder) -> None:
    model = ScriptedModel(["Yawn, is that my bucket?"])
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({PLAY: "pretend"})
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        result = await talk.say(PLAY)
        assert result.by == "model"
        *_, first, answer, second, other, last = model.calls[-1]
        pairs = [(first.text, answer.text), (second.text, other.text)]
        assert all(pair in BANKS["pretend"].exchanges for pair in pairs)
        assert last.text == PLAY
        assert result.example_tokens > 0


async def test_nothing_is_lent_where_the_act_is_not_sure(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["Yawn."])
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({PLAY: "pretend"}, 0.3)
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(PLAY)).example_tokens == 0


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("smell you later pipster", "goodbye"),
        ("oi oi its only me", "greeting"),
        ("ta for that mate", "thanks"),
        ("youre a wally with sauce on", "insult"),
        ("blim blam blubber hoo wibble wap", "nonsense"),
    ],
)
async def test_a_short_message_of_a_sure_act_is_answered_as_written_never_twice(
    tmp_path: Path, embedder: Embedder, words: str, act: str
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = [await talk.say(words) for _ in range(4)]
    ours = [each.text for each in said if each.by == "repertoire"]
    assert len(ours) == len(said) == len(set(ours))


async def test_what_is_asked_for_decides_what_it_says_it_cannot(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "can you look at my tin lid"
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: "ask_cannot"})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).text in BANKS["ask_cannot"].asked["sees"]


@pytest.mark.parametrize(
    ("words", "act", "when"),
    [
        ("nite nite pipsqueak my lights go out", "goodbye", "night"),
        ("wakey wakey sunny pip", "greeting", "morning"),
    ],
)
async def test_a_greeting_and_a_goodbye_fit_the_part_of_the_day(
    tmp_path: Path, embedder: Embedder, words: str, act: str, when: str
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).text in BANKS[act].asked[when]


@pytest.mark.parametrize(
    ("words", "act", "probability"),
    [
        ("hello im bram and whats your name", "greeting", 0.95),
        ("smell you later pipster", "goodbye", 0.6),
        ("i am going now because my mum says the bus is nearly at the corner", "goodbye", 0.95),
        ("hello im bartholomew", "greeting", 0.95),
        ("do you love me or my sister", "love", 0.95),
    ],
)
async def test_the_model_answers_what_is_not_sure_long_or_tells_more(
    tmp_path: Path, embedder: Embedder, words: str, act: str, probability: float
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act}, probability)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        result = await talk.say(words)
        assert result.text not in BANKS[act].replies
