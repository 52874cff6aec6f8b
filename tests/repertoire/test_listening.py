"""A child that tells something is taken up; where it wants more than a listener it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import RepertoireSection
from companion.engines.protocols import Embedder
from companion.repertoire import banks, listening, situations, uptake
from tests.dialog.talk import talking
from tests.fakes import ScriptedActs, ScriptedModel
from tests.repertoire.test_repertoire import repertoire

LINES = listening.shipped()
WRITTEN = uptake.shipped()
PET_GONE = situations.shipped()["pet_gone_or_ill"].replies
PEA = "my brother put a pea up his nose"


async def test_what_is_told_is_taken_up_without_the_model(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "my uncle sings at the window"
    acts = ScriptedActs({words: "telling"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        result = await talk.say(words)
    assert result.by == "repertoire:listening"
    assert result.prompt_tokens == 0
    assert "uncle" in result.text.lower() or "window" in result.text.lower()


async def test_a_greeting_that_tells_is_answered_with_one(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "mawnin pip mi have on mi new shoes"
    acts = ScriptedActs({words: "greeting"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = (await talk.say(words)).text
    assert said.startswith(LINES["greets"])
    assert said not in LINES["greets"]


async def test_nothing_is_said_twice_within_a_talk(tmp_path: Path, embedder: Embedder) -> None:
    told = [f"{who} sings at the window" for who in ("my uncle", "my dad", "she", "my aunt")]
    acts = ScriptedActs(dict.fromkeys(told, "good_news"))
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = [(await talk.say(words)).text for words in told]
    assert len(set(said)) == len(told)


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("you be the dragon and i get on your back", "pretend"),
        ("we went to the farm did you hear about it", "telling"),
        ("put on the film with the whale", "ask_cannot"),
        ("describe a castle", "ask_cannot"),
    ],
)
async def test_it_is_not_where_something_is_asked_wanted_or_played(
    tmp_path: Path, embedder: Embedder, words: str, act: str
) -> None:
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).by != "repertoire:listening"


async def test_what_is_surely_told_is_taken_up_whatever_an_act_says(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "just the end of our road. Dot drives it and she hums, the same song every day"
    acts = ScriptedActs({words: "telling"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).by == "repertoire:listening"


async def test_a_loss_is_met_without_its_words(tmp_path: Path, embedder: Embedder) -> None:
    words = "my rabbit died and we put him under the plum tree"
    acts = ScriptedActs({words: "bad_news"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        found = (await talk.say(words)).text
        assert found in (*LINES["loss"], *PET_GONE)


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("baby was coughing on the grape but shes gone quiet now", "telling"),
        ("you can have all my footy cards i wont be needing them after sunday", "good_news"),
        ("i always put my chest of drawers against the door when my cousin stops over", "telling"),
    ],
)
async def test_where_the_guard_is_not_quite_easy_it_asks_for_a_grown_up(
    tmp_path: Path, embedder: Embedder, words: str, act: str
) -> None:
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = (await talk.say(words)).text
    assert said in LINES["heedful"] or said.endswith((*WRITTEN.calmly, *WRITTEN.listened))


async def test_the_owner_switches_it_off(tmp_path: Path, embedder: Embedder) -> None:
    acts = ScriptedActs({PEA: "telling"})
    made = repertoire(embedder, tmp_path, RepertoireSection(by_act=False))
    model = ScriptedModel(["A pea!"])
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(PEA)).by == "model"


WHALES = "how do whales sing under the sea with no air"


async def test_a_question_that_no_pack_answers_is_answered_honestly(
    tmp_path: Path, embedder: Embedder
) -> None:
    acts = ScriptedActs({WHALES: "fact_question"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(WHALES)).text in banks.shipped()["fact_question"].replies


async def test_a_better_model_may_answer_it(tmp_path: Path, embedder: Embedder) -> None:
    acts = ScriptedActs({WHALES: "fact_question"})
    made = repertoire(embedder, tmp_path, RepertoireSection(facts="model"))
    model = ScriptedModel(["They keep air inside."])
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(WHALES)).by == "model"


async def test_of_what_is_grave_nothing_is_repeated(tmp_path: Path, embedder: Embedder) -> None:
    words = "my grandpa died on sunday"
    acts = ScriptedActs({words: "telling"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = (await talk.say(words)).text
    assert "grandpa" not in said.lower()


@pytest.mark.parametrize("name", LINES)
def test_there_are_lines_enough(name: str) -> None:
    assert len(set(LINES[name])) == len(LINES[name]) >= 3


@pytest.mark.parametrize("act", ["bad_news", "feeling_angry"])
async def test_trouble_that_the_act_tells_of_is_met_with_nothing_glad(
    tmp_path: Path, embedder: Embedder, act: str
) -> None:
    words = "my uncle took us to the fair and I won a giant panda"
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    sorry = [each.lines for each in WRITTEN.follow_ups.values() if each.mood == "sorry"]
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = [await talk.say(words) for _ in range(4)]
    taken = [each.text for each in said if each.by == "repertoire:listening"]
    assert taken
    assert all(each.endswith((*sum(sorry, ()), *WRITTEN.calmly)) for each in taken)
