"""Which messages ask that something be forgotten, and what. The sentences are the author's own: of
strangers' sets, scripts/fit_withdrawals.py tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from companion.acts import withdrawals
from companion.acts.features import Floats
from companion.acts.withdrawals import MEANT, Weights, Withdrawals
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from tests.dialog.talk import talking
from tests.fakes import HashEmbedder, ScriptedModel

TALK = (
    ("we had pancakes at my gran's", "Yum! With sugar?"),
    ("with lemon. Pip i broke dad's lamp and i hid it behind the piano", "Oh! Poor lamp."),
    ("my brother has swimming on Tuesday", "Splash! Is he fast?"),
)


@pytest.mark.parametrize(
    "words",
    [
        "Forget that, please.",
        "no don't keep that Pip, take it out of your head",
        "he is. Pip you mustn't have that in you any more, get it out",
        "I wish I'd not told you that. You're not to keep it.",
    ],
)
async def test_a_wish_to_forget_is_heard(embedder: Embedder, words: str) -> None:
    assert await Withdrawals(embedder, "Pip").asks(words) == "surely"


@pytest.mark.parametrize(
    "words",
    [
        "don't forget it's my birthday",
        "and they all forget it when the hyena comes",
        "he always forgets his bag and then he cries",
        "we threw the old sofa out and it went in the skip",
        "it's a secret but you can keep it",
        "my gran died and I miss her",
    ],
)
async def test_what_only_sounds_so_is_none(embedder: Embedder, words: str) -> None:
    assert await Withdrawals(embedder, "Pip").asks(words) == "no"


async def test_what_is_private_and_named_is_meant(embedder: Embedder) -> None:
    words = "very. Pip you know the lamp? you don't, it has to go out of you"
    likely = await Withdrawals(embedder, "Pip").likely(words, TALK)
    assert [each >= MEANT for each in likely] == [False, True, False]


async def test_it_goes_from_the_log_whatever_was_said_since(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["Oh.", "Splash!", "What?"])
    async with talking(tmp_path, model, embedder=embedder) as talk:
        await talk.say("i broke dad's lamp and hid it behind the piano")
        await talk.say("he has swimming on Tuesday")
        result = await talk.say("very. don't keep that about the lamp, it has to go out of you")
        told = [turn.user.text for turn in await talk.turns() if turn.user]
    assert result.text == "Okay, I have forgotten it."
    assert told == ["he has swimming on Tuesday"]


class Failing(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Floats:
        raise EngineError("gone")


UNSURE = "that one's private Pip"


@pytest.mark.parametrize(
    ("answer", "reply", "kept"),
    [
        ("Yes please", "Okay, I have forgotten it.", ["Yes please"]),
        ("no", "Okay, I keep it.", ["I sleep with a toy rabbit", UNSURE, "no"]),
        ("my sock is wet", "What?", ["I sleep with a toy rabbit", UNSURE, "my sock is wet"]),
    ],
)
async def test_where_it_is_not_sure_it_asks(
    tmp_path: Path, embedder: Embedder, answer: str, reply: str, kept: list[str]
) -> None:
    async with talking(tmp_path, ScriptedModel(["Oh.", "What?"]), embedder=embedder) as talk:
        await talk.say("I sleep with a toy rabbit")
        assert (await talk.say(UNSURE)).text == "Shall I forget that?"
        assert (await talk.say(answer)).text == reply
        assert [turn.user.text for turn in await talk.turns() if turn.user] == kept


async def test_a_yes_in_the_next_talk_forgets_nothing(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel(["Oh.", "Yes what?"]), embedder=embedder) as talk:
        await talk.say("I sleep with a toy rabbit")
        assert (await talk.say(UNSURE)).text == "Shall I forget that?"
        await talk.dialog.close()
        assert (await talk.say("yes")).text == "Yes what?"


@pytest.mark.parametrize("fails", [False, True])
async def test_without_its_embedder_rules_tell(*, fails: bool) -> None:
    found = Withdrawals(Failing() if fails else HashEmbedder(), "Pip")
    assert await found.asks("Forget that.") == "surely"
    assert await found.asks("get it out of you Pip") == "no"


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    known = withdrawals.read()
    known.write(tmp_path / "weights.npz")
    again = withdrawals.read(tmp_path / "weights.npz")
    for each in fields(Weights):
        assert np.allclose(getattr(again, each.name), getattr(known, each.name))
