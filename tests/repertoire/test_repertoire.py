"""What is answered with what people wrote, through the dialog, with the real embedder."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import FamilySection, PersonaSection, RepertoireSection
from companion.engines.protocols import ChatMessage, Embedder
from companion.repertoire import packs
from companion.repertoire.repertoire import Repertoire
from companion.store.database import Store
from tests.dialog.talk import START, Talk, talking
from tests.fakes import HashEmbedder, ScriptedModel

REPLIES = {entry.id: entry for f in packs.files(packs.SHIPPED) for entry in packs.read_file(f)}

OWN = """
theme: lighthouses
entries:
  - id: lighthouse-visit
    says: [we climbed up the lighthouse, i was on top of a lighthouse, we went to see a lighthouse]
    replies: [So many stairs, All that way up, A tower with an eye]
"""


def repertoire(
    embedder: Embedder,
    models_dir: Path,
    section: RepertoireSection | None = None,
    family: FamilySection | None = None,
    clock: ManualClock | None = None,
) -> Callable[[Store], Repertoire]:
    def made(store: Store) -> Repertoire:
        return Repertoire(
            section or RepertoireSection(),
            family or FamilySection(),
            "Pip",
            embedder,
            store,
            clock or ManualClock(START),
            models_dir,
            chance=random.Random(1),
        )

    return made


async def by(talk: Talk, words: str) -> str:
    return (await talk.say(words)).by


def ours(text: str, entry: str) -> bool:
    return any(text.startswith(reply) for reply in REPLIES[entry].replies)


async def test_what_a_child_clearly_says_is_answered_as_it_is_written(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(
        tmp_path, model, embedder=embedder, written=repertoire(embedder, tmp_path)
    ) as talk:
        result = await talk.say("Are you a boy or a girl, Pip?")
        assert result.by == "repertoire"
        assert result.generated_tokens == result.evaluated_tokens == 0
        assert ours(result.text, "what-are-you/boy-or-girl")
        assert model.calls == []
        assert (await talk.turns())[-1].reply.text == result.text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "words",
    [
        "the washing machine at my aunt's flat plays a tune when it is done",
        "my brother has a wobbly tooth",
        "i am not scared of the dark",
        "how old am i",
        "my granddad used to drive a crane in the harbour",
        "what did i tell you about my tooth yesterday",
        "i love you but can you please tell me how to fix my bike the chain came off again today",
        "???",
    ],
)
async def test_it_stays_out_where_it_is_not_sure(
    tmp_path: Path, embedder: Embedder, words: str
) -> None:
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made) as talk:
        assert await by(talk, words) in ("model", "recall")


async def test_a_short_answer_to_a_question_is_not_taken_for_something_else(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["Shall I tell you about whales?"])
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, model, embedder=embedder, written=made) as talk:
        assert await by(talk, "yes") == "repertoire"
        await talk.say("the ferry had two chimneys and a red one")
        assert await by(talk, "yes") == "model"
        assert await by(talk, "no") == "model"
        assert await by(talk, "are you alive") == "repertoire"


@pytest.mark.parametrize("words", ["but why though", "maybe yes maybe no", "yes of course i do"])
async def test_what_depends_on_the_companions_words_is_left_to_the_model(
    tmp_path: Path, embedder: Embedder, words: str
) -> None:
    model = ScriptedModel(["We could build a den."])
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, model, embedder=embedder, written=made) as talk:
        await talk.say("the ferry had two chimneys and a red one")
        assert await by(talk, words) == "model"


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        ("my balloon flew off in the wind", "bad-luck/balloon-gone"),
        ("my teacher gave me a gold star today", "proud-and-glad/got-a-star-or-sticker"),
        ("knock knock", "games-to-talk/knock-knock"),
        ("i saw a hedgehog in our garden", "my-day/found-a-creature"),
        ("you are only a calculator", "you-and-me/just-a-machine"),
    ],
)
async def test_everyday_things_are_answered(
    tmp_path: Path, embedder: Embedder, words: str, entry: str
) -> None:
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made) as talk:
        result = await talk.say(words)
        assert result.by == "repertoire"
        assert ours(result.text, entry)


async def test_no_reply_comes_twice_within_a_week_also_after_a_restart(
    tmp_path: Path, embedder: Embedder
) -> None:
    clock = ManualClock(START)
    number = sum(packs.NAME not in r for r in REPLIES["what-are-you/boy-or-girl"].replies)
    said: list[str] = []
    for _ in range(2):
        made = repertoire(embedder, tmp_path, clock=clock)
        async with talking(tmp_path, embedder=embedder, written=made, clock=clock) as talk:
            for _ in range(number // 2):
                result = await talk.say("are you a boy or a girl")
                assert result.by == "repertoire"
                said.append(result.text)
    assert len(set(said)) == len(said)
    made = repertoire(embedder, tmp_path, clock=clock)
    async with talking(tmp_path, embedder=embedder, written=made, clock=clock) as talk:
        left = [await by(talk, "are you a boy or a girl") for _ in range(3)]
        assert left[-1] == "model"
        clock.advance(8 * 86_400)
        assert await by(talk, "are you a boy or a girl") == "repertoire"


@pytest.mark.parametrize("choice", ["keep", "tell"])
async def test_parents_choose_where_families_differ(
    tmp_path: Path, embedder: Embedder, choice: str
) -> None:
    family = FamilySection.model_validate({"santa": choice})
    made = repertoire(embedder, tmp_path, family=family)
    async with talking(tmp_path, embedder=embedder, written=made) as talk:
        result = await talk.say("is santa real")
    assert ours(result.text, f"magic/santa-real-{choice}")


async def test_a_pack_of_ones_own_is_silent_until_its_vectors_are_there(
    tmp_path: Path, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "lighthouses.yaml").write_text(OWN)
    (folder / "broken.yaml").write_text("theme: x")
    section = RepertoireSection(packs=folder)
    found: list[Repertoire] = []

    def made(store: Store) -> Repertoire:
        found.append(repertoire(embedder, tmp_path, section)(store))
        return found[-1]

    with caplog.at_level(logging.ERROR):
        async with talking(tmp_path, embedder=embedder, written=made) as talk:
            assert await by(talk, "are you alive") == "model"
            await found[-1].completed()
            assert await by(talk, "we climbed up the lighthouse") == "repertoire"
        async with talking(tmp_path, embedder=embedder, written=made) as talk:
            assert await by(talk, "we went to see a lighthouse") == "repertoire"
    assert "broken.yaml: a pack is" in caplog.text


async def test_it_is_silent_over_another_embedder_and_when_switched_off(
    tmp_path: Path, embedder: Embedder
) -> None:
    for made in (
        repertoire(HashEmbedder(), tmp_path),
        repertoire(embedder, tmp_path, RepertoireSection(enabled=False)),
    ):
        async with talking(tmp_path, embedder=embedder, written=made) as talk:
            assert await by(talk, "are you alive") == "model"


NEAR = "my guinea pig is ill and the vet gave him some drops"


def shown(messages: tuple[ChatMessage, ...]) -> list[str]:
    return [message.text for message in messages]


async def test_near_exchanges_stand_before_the_words_in_this_prompt_only(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["That is nice."])
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, model, embedder=embedder, written=made) as talk:
        result = await talk.say(NEAR)
        assert result.by == "model"
        assert result.example_tokens > 0
        *_, said, answered, last = model.calls[-1]
        assert (said.role, answered.role, last.text) == ("user", "assistant", NEAR)
        assert any(answered.text in entry.replies for entry in REPLIES.values())
        await talk.say("the washing machine plays a tune when it is done")
        assert answered.text not in shown(model.calls[-1])
        assert shown(model.calls[-1])[: len(model.calls[0]) - 5] == shown(model.calls[0])[:-5]


async def test_examples_can_be_switched_off(tmp_path: Path, embedder: Embedder) -> None:
    model = ScriptedModel(["That is nice."])
    made = repertoire(embedder, tmp_path, RepertoireSection(examples=0))
    persona = PersonaSection(greeting=False, examples=False)
    async with talking(tmp_path, model, embedder=embedder, written=made, persona=persona) as talk:
        assert (await talk.say(NEAR)).example_tokens == 0
    assert [message.role for message in model.calls[0]] == ["system", "user"]


async def test_what_must_not_be_eaten_comes_first(tmp_path: Path, embedder: Embedder) -> None:
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made) as talk:
        assert await by(talk, "I'm allergic to peas") == "health"
        assert await by(talk, "do i have to eat my peas") == "health"


async def test_a_crisis_goes_to_the_guard(tmp_path: Path, embedder: Embedder) -> None:
    made = repertoire(embedder, tmp_path)
    async with talking(tmp_path, embedder=embedder, written=made) as talk:
        assert await by(talk, "I want to kill myself") == "guard"
