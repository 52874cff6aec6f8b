"""A child that tells something hears its own words again, and a question that fits."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from companion import language
from companion.config import RepertoireSection
from companion.engines.protocols import Embedder
from companion.repertoire import banks, scenes, situations, tones
from tests.dialog.talk import talking
from tests.fakes import ScriptedActs, ScriptedModel
from tests.repertoire.test_repertoire import repertoire

TONES = tones.shipped()
SCENES = scenes.shipped()
PET_GONE = situations.shipped()["pet_gone_or_ill"].replies
CALM = (*TONES["heedful"].unsaid, *TONES["mixed"].unsaid)
PEA = "my brother put a pea up his nose"


async def test_what_is_told_is_now_and_then_said_back(tmp_path: Path, embedder: Embedder) -> None:
    told = ["my uncle sings at the window", "we sleep in our vests", "we sit in the window"]
    acts = ScriptedActs(dict.fromkeys(told, "telling"))
    made = repertoire(embedder, tmp_path)
    back = 0
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        for words in told * 12:
            result = await talk.say(words)
            assert result.by == "repertoire:listening"
            assert result.prompt_tokens == 0
            back += "your uncle sings at the window" in result.text.lower()
    assert 0 < back < 12, "now and then, not always"


async def test_nothing_is_said_back_twice_in_a_row(tmp_path: Path, embedder: Embedder) -> None:
    words = "my uncle sings at the window"
    acts = ScriptedActs({words: "telling"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = [(await talk.say(words)).text.lower() for _ in range(30)]
    back = ["your uncle sings at the window" in text for text in said]
    assert any(back)
    assert not any(one and other for one, other in pairwise(back))


@pytest.mark.parametrize(
    ("words", "act", "scene", "among"),
    [
        ("my uncle he snores up to the moon and back", "telling", "up_the_nose", "told"),
        ("mi have on mi new shoes", "telling", "clothes_new", "told"),
        (
            "my tooth hopped out at kai and it fell out on the neighbours tractor",
            "good_news",
            "tooth_out",
            "told",
        ),
        ("my left glove went missing up over the wall", "bad_news", "lost_it", "sorry"),
        ("everybody is gonna be faster than me", "telling", "nerves", "sorry"),
        ("i died like nine times on the lava level", "telling", "game_over", "told"),
    ],
)
async def test_what_is_told_about_decides_what_is_said(
    tmp_path: Path, embedder: Embedder, words: str, act: str, scene: str, among: str
) -> None:
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = (await talk.say(words)).text
    found = language.scenes.of(words)
    assert found is not None
    lines = [each.replace("{thing}", found.thing) for each in getattr(SCENES[scene], among)]
    assert said in lines


async def test_a_greeting_that_tells_is_answered_to_what_it_tells(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "mawnin pip mi have on mi new shoes"
    acts = ScriptedActs({words: "greeting"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = (await talk.say(words)).text
    lines = [each.replace("{thing}", "shoes") for each in SCENES["clothes_new"].told]
    assert any(said.endswith(each) for each in lines)


def test_every_scene_of_the_language_has_words() -> None:
    assert set(SCENES) == set(language.scenes.names())
    for name, lines in SCENES.items():
        written = (*lines.told, *lines.sorry)
        assert len(set(written)) >= 3, name
        assert any("{thing}" not in each for each in lines.told or lines.sorry), name


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
        (PEA, "pretend"),
        ("we went to the farm did you hear about it", "telling"),
        ("my grandpa died on sunday", "telling"),
        ("put on the film with the whale", "telling"),
    ],
)
async def test_it_is_not_where_something_is_asked_wanted_played_or_grave(
    tmp_path: Path, embedder: Embedder, words: str, act: str
) -> None:
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).by != "repertoire:listening"


async def test_a_loss_is_met_without_its_words(tmp_path: Path, embedder: Embedder) -> None:
    words = "my rabbit died and we put him under the plum tree"
    acts = ScriptedActs({words: "bad_news"})
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        found = (await talk.say(words)).text
        assert found in (*TONES["loss"].unsaid, *PET_GONE)


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
        assert (await talk.say(words)).text in CALM


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


@pytest.mark.parametrize("name", TONES)
def test_every_tone_has_words_for_all(name: str) -> None:
    tone = TONES[name]
    assert len(set(tone.unsaid)) == len(tone.unsaid) >= 4
    assert all("{said}" in lead.lower() for lead in tone.lead)
    assert not tone.lead or len(tone.follow["any"]) >= 4
    assert not tone.lead or len(tone.bare) >= 3
