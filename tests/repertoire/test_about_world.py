"""Questions about the world, answered through the dialog, with the real embedder."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from companion.answering import Answer, Heard
from companion.assembly.dialog import build_dialog
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config, PersonaSection, RepertoireSection, SafetySection
from companion.engines.protocols import Embedder
from companion.records import Profile
from companion.repertoire import facts
from companion.repertoire.about_world import AboutWorld
from companion.store.database import Store
from tests.dialog.talk import START, talking
from tests.fakes import HashEmbedder, ScriptedModel

OWN = {
    "asks": ["how tall is the lighthouse on mill point", "is mill point lighthouse very tall"],
    "must": [["lighthouse"], ["mill"]],
    "not": ["who lives in the lighthouse on mill point"],
    "says": ["As tall as eleven elephants!", "It has two hundred steps."],
}


def world(
    embedder: Embedder,
    section: RepertoireSection | None = None,
    written: Callable[[Heard], Awaitable[Answer | None]] | None = None,
) -> Callable[[Store], AboutWorld]:
    def made(store: Store) -> AboutWorld:
        return AboutWorld(
            section or RepertoireSection(),
            "Pip",
            embedder,
            store,
            ManualClock(START),
            written=written,
            chance=random.Random(1),
        )

    return made


def heard(words: str) -> Heard:
    return Heard(words, None, "", Profile())


def answers(words: str) -> tuple[str, ...]:
    found = [each for each in facts.read_folder(facts.SHIPPED) if words in each.entry.says]
    assert len(found) == 1
    return found[0].entry.replies


async def said(about: AboutWorld, words: str) -> tuple[str, str] | None:
    """What is answered, and by whom."""
    found = await about.answer(heard(words))
    return (" ".join(found.sentences), found.by) if found else None


async def test_a_question_is_answered_as_it_is_written(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        found = await said(about, "Pip, do you know how many legs them spiders have?")
        assert found is not None
        assert found[0] in answers("how many legs has a spider got")
        assert found[1] == "repertoire:fact"
        assert await said(about, "We had pancakes with Grandad.") is None


async def test_it_comes_before_the_model_and_what_is_said_by_act(
    tmp_path: Path, embedder: Embedder
) -> None:
    clock = ManualClock(START)
    config = Config(
        data_dir=tmp_path / "data",
        persona=PersonaSection(greeting=False),
        safety=SafetySection(guard="patterns"),
    )
    async with open_store(config, clock, mode="owner") as store:
        model = ScriptedModel(["I made this up."])
        dialog = build_dialog(config, clock, store, model, embedder)
        await dialog.open()
        async with aclosing(dialog.reply("Do you know how many legs them spiders have?")) as reply:
            words = " ".join([sentence async for sentence in reply])
        assert words in answers("how many legs has a spider got")
        assert reply.result.by == "repertoire:fact"
        await dialog.close()


async def test_the_other_answer_comes_next_and_then_the_first_again(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        both = [await said(about, "why is the sky blue?") for _ in range(2)]
        assert {each[0] for each in both if each} == set(answers("why is the sky blue"))
        again = await said(about, "why is the sky blue?")
        assert again in both


async def test_a_second_question_goes_on_with_the_same_animal(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        first = await said(about, "what do hedgehogs eat?")
        assert first is not None
        after = await about.answer(Heard("and do they sleep in winter?", None, first[0], Profile()))
        assert after is not None
        assert "winter" in " ".join(after.sentences) or "sleep" in " ".join(after.sentences)
        elsewhere = Heard("and do they sleep in winter?", None, "I like that song.", Profile())
        assert await about.answer(elsewhere) is None


async def test_a_long_telling_holds_no_question(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        asked = "We went to the farm. How many legs has a spider got?"
        assert await said(about, asked) is not None
        assert await said(about, f"{asked} Then Ola fell in the mud and cried.") is None


async def test_ones_own_rabbit_is_a_matter_of_memory(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        mine = await about.answer(heard("what is my belly button for?"))
        theirs = await about.answer(heard("what do rabbits eat?"))
        assert mine is not None
        assert mine.unless_known
        assert theirs is not None
        assert not theirs.unless_known
        assert await about.answer(heard("what's my guinea pig called?")) is None


async def test_what_a_pack_has_in_these_words_goes_first(
    tmp_path: Path, embedder: Embedder
) -> None:
    async def written(heard: Heard) -> Answer | None:
        return Answer(("From a pack.",), "repertoire") if "sky" in heard.words else None

    async with talking(tmp_path) as talk:
        about = world(embedder, written=written)(talk.store)
        assert await said(about, "why is the sky blue?") == ("From a pack.", "repertoire")
        found = await said(about, "do fish sleep?")
        assert found is not None
        assert found[1] == "repertoire:fact"
        assert await said(about, "the sky is high") is None


async def test_what_the_owner_wrote_is_known_too(
    tmp_path: Path, embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "here.jsonl").write_text(json.dumps(OWN), encoding="utf-8")
    (tmp_path / "own" / "broken.jsonl").write_text("{", encoding="utf-8")
    section = RepertoireSection(packs=tmp_path / "own")
    async with talking(tmp_path) as talk:
        about = world(embedder, section)(talk.store)
        with caplog.at_level(logging.ERROR):
            found = await about.answer(heard("Is the lighthouse at Mill Point very tall?"))
        assert found is not None
        assert found.sentences[0] in ("As tall as eleven elephants!", "It has two hundred steps.")
        assert "broken.jsonl, line 1: not JSON" in caplog.text
        assert await about.answer(heard("do fish sleep?")) is not None


async def test_it_is_silent_over_another_embedder_and_when_switched_off(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path) as talk:
        for about in (
            world(HashEmbedder())(talk.store),
            world(embedder, RepertoireSection(enabled=False))(talk.store),
        ):
            assert await about.answer(heard("why is the sky blue?")) is None


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", b"garbage"])
async def test_damaged_vectors_are_told_of_and_the_rest_goes_on(
    tmp_path: Path,
    embedder: Embedder,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    damage: bytes,
) -> None:
    file = tmp_path / "vectors.npz"
    file.write_bytes(damage)
    monkeypatch.setattr(facts, "VECTORS", file)
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        with caplog.at_level(logging.ERROR):
            assert await about.answer(heard("why is the sky blue?")) is None
        assert "vectors.npz: cannot be read" in caplog.text


async def test_files_that_do_not_fit_each_other_are_told_of(
    tmp_path: Path,
    embedder: Embedder,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(facts, "SHIPPED", tmp_path)
    async with talking(tmp_path) as talk:
        about = world(embedder)(talk.store)
        with caplog.at_level(logging.ERROR):
            assert await about.answer(heard("why is the sky blue?")) is None
        assert "run scripts/build_repertoire.py" in caplog.text
