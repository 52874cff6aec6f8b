"""A message that is surely of a situation is answered by what is written for it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from companion.acts.reader import ActReader
from companion.answering import Heard
from companion.config import RepertoireSection
from companion.engines.protocols import Embedder
from companion.records import Profile
from companion.repertoire import listening, situations, uptake
from companion.repertoire.check import check_replies
from companion.repertoire.situations import TROUBLE
from companion.safety.wording import wording
from tests.dialog.talk import Talk, talking
from tests.fakes import ScriptedModel
from tests.repertoire.test_repertoire import repertoire

WRITTEN = situations.shipped()
SITUATION = "repertoire:situation"
EMBARRASSED = "i fell off the stage in front of the whole school and everybody saw my pants"


def talk_with(
    tmp_path: Path,
    embedder: Embedder,
    section: RepertoireSection | None = None,
    model: ScriptedModel | None = None,
) -> AbstractAsyncContextManager[Talk]:
    made = repertoire(embedder, tmp_path, section)
    acts = ActReader(embedder, "Pip")
    return talking(tmp_path, model, embedder=embedder, written=made, acts=acts)


def of(text: str, name: str) -> bool:
    return text in WRITTEN[name].replies


async def name_of(embedder: Embedder, words: str) -> tuple[str, float]:
    said = wording(words, "Pip")
    vector = (await embedder.embed_tokens([said]))[0].vector
    reading = await ActReader(embedder, "Pip").read(words, "")
    known = situations.read()
    return known.likeliest(known.probabilities(said, vector, reading))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (EMBARRASSED, "embarrassed"),
        ("bye pip ive got to go to karate now the car is waiting", "goodbye_reason"),
        ("ella told the whole class the secret i told her", "betrayed"),
        ("i got a new friend but she is moving to another town in summer", "moving_away"),
        ("i made a picture just for you pip with a rainbow on it", "made_for_toy"),
        ("i am a dragon and i breathe fire roaar", "being_character"),
    ],
)
async def test_a_message_of_a_situation_is_answered_by_what_is_written_for_it(
    tmp_path: Path, embedder: Embedder, words: str, name: str
) -> None:
    model = ScriptedModel(["That is nice."])
    async with talk_with(tmp_path, embedder, model=model) as talk:
        result = await talk.say(words)
    assert (result.by, of(result.text, name)) == (SITUATION, True), result.text
    assert model.calls == []


async def test_a_question_of_the_childs_own_life_is_left_to_recall(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["It is on Friday."])
    async with talk_with(tmp_path, embedder, model=model) as talk:
        for words in ("What day is Runa's birthday?", "which school does my cousin go to"):
            assert (await talk.say(words)).by in ("model", "recall", "days"), words


@pytest.mark.parametrize(
    "words",
    [
        "my belly feels strange cause tomorrow we leave the harbour and i wont see bo anymore",
        "theres six of us and nobody even asked me how my race was",
        "biscuit got put to sleep at the vet but he used to whistle when he heard the fridge",
        "our guinea pig is poorly and the vet kept her and I miss her squeaking",
        "tilda threw my best ruler in the pond and they say it was an accident",
    ],
)
async def test_what_sounds_like_trouble_is_never_met_with_a_cheer(
    tmp_path: Path, embedder: Embedder, words: str
) -> None:
    async with talk_with(tmp_path, embedder) as talk:
        said = (await talk.say(words)).text
    taken = uptake.shipped()
    sorry = [each.lines for each in taken.follow_ups.values() if each.mood == "sorry"]
    lines = (
        *sum(sorry, ()),
        *taken.whatever,
        *taken.calmly,
        *taken.listened,
        *listening.shipped()["heedful"],
    )
    troubles = [line for name in TROUBLE for line in WRITTEN[name].replies]
    assert any(said.endswith(each) for each in (*lines, *troubles)), said


@pytest.mark.parametrize(
    "words",
    [
        "the capital of france is paris",
        "how many bones are in a foot",
        "tell me a story about a badger who drives a bus",
        "what does embarrassed mean",
        "my teacher said i was the best at reading out loud in assembly",
        "yes",
    ],
)
async def test_other_messages_are_of_none(embedder: Embedder, words: str) -> None:
    name, certainty = await name_of(embedder, words)
    assert certainty < situations.SURE or name == "got_chosen_or_won"


async def test_nothing_is_said_twice_within_a_week(tmp_path: Path, embedder: Embedder) -> None:
    words = "i made a picture just for you pip with a rainbow on it"
    async with talk_with(tmp_path, embedder) as talk:
        said = [await talk.say(words) for _ in range(6)]
    texts = [each.text for each in said if each.by == SITUATION]
    assert len(texts) == len(set(texts)) == 6


@pytest.mark.parametrize(
    ("words", "previous", "name"),
    [
        ("no pip i said boat not goat", "A goat! Does it have horns?", "toy_was_wrong"),
        ("no pip i said boat not goat", "", None),
        ("and then what happened", "The fox found a golden chip.", "go_on_please"),
        ("and then what happened", "", None),
        (EMBARRASSED, "Your turn, an animal that begins with O.", None),
        (EMBARRASSED, "How was school?", "embarrassed"),
        ("carry me", "What would you like?", None),
    ],
)
async def test_what_the_toy_has_said_before_counts(
    embedder: Embedder, words: str, previous: str, name: str | None
) -> None:
    reading = await ActReader(embedder, "Pip").read(words, previous)
    heard = Heard(words, None, previous, Profile(), reading)
    said = wording(words, "Pip")
    vector = (await embedder.embed_tokens([said]))[0].vector
    found = situations.open_shipped().place(heard, said, vector).entry(0.0)
    assert (found.id if found else None) == (f"situation/{name}" if name else None)


async def test_a_very_long_message_tells_more_than_one_thing(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = f"{EMBARRASSED} " + "and then we all had to sing the song about the boats " * 3
    async with talk_with(tmp_path, embedder) as talk:
        assert (await talk.say(words)).by != SITUATION


async def test_the_owner_switches_it_off(tmp_path: Path, embedder: Embedder) -> None:
    async with talk_with(tmp_path, embedder, RepertoireSection(by_act=False)) as talk:
        assert (await talk.say(EMBARRASSED)).by == "model"


@pytest.mark.parametrize(("danger", "named"), [(0.0, False), (0.1, True), (0.5, None)])
async def test_where_the_guard_is_not_quite_easy_a_grown_up_is_named(
    embedder: Embedder, danger: float, named: bool | None
) -> None:
    reading = await ActReader(embedder, "Pip").read(EMBARRASSED, "")
    heard = Heard(EMBARRASSED, None, "", Profile(), reading)
    said = wording(EMBARRASSED, "Pip")
    vector = (await embedder.embed_tokens([said]))[0].vector
    found = situations.open_shipped().place(heard, said, vector).entry(danger)
    if named is None:
        assert found is None
    else:
        assert found is not None
        assert all("grown-up" in each.lower() for each in found.replies) == named


@pytest.mark.parametrize("name", WRITTEN)
def test_replies_are_speakable_and_pass_the_guard(name: str) -> None:
    replies = WRITTEN[name].replies
    assert check_replies(WRITTEN[name]) == []
    assert len(set(replies)) == len(replies) == 10
    assert max(len(each.split()) for each in replies) <= 30
    if name in TROUBLE:
        assert any("grown-up" in each.lower() for each in replies), "where the guard is uneasy"
    assert not any("{" in each for each in replies)


def test_the_weights_know_the_situations_that_are_written() -> None:
    assert set(situations.read().situations) == {*WRITTEN, situations.NONE}
