"""What nobody is sure of gets a written line where a small model answers badly."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.answering import Heard, Reading
from companion.config import RepertoireSection
from companion.engines.protocols import Embedder
from companion.records import Profile
from companion.repertoire import fallback
from tests.dialog.talk import talking
from tests.fakes import ScriptedActs
from tests.repertoire.test_repertoire import repertoire

FALLBACK = fallback.shipped()


def found(words: str, previous: str = "", danger: float = 0.0, **acts: float) -> str:
    """The kind of fallback for a message of these acts; "" for none."""
    heard = Heard(words, None, previous, Profile(), Reading(acts))
    entry = fallback.entry(FALLBACK, heard, danger)
    return entry.id.removeprefix("fallback/") if entry else ""


def test_every_kind_has_replies_of_its_own() -> None:
    assert set(FALLBACK) == set(fallback.KINDS)
    said = [reply for entry in FALLBACK.values() for reply in entry.replies]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    ("words", "previous", "acts", "kind"),
    [
        ("play the one with the dinners", "", {"ask_game": 0.5}, "game_wish"),
        ("play the one with the dinners", "", {"ask_game": 0.3}, ""),
        ("the dinner was horrible", "", {"ask_game": 0.4, "telling": 0.5}, ""),
        ("no way smaller", "Is it bigger than a cat?", {"game_move": 0.6}, "guessing"),
        ("no way smaller", "", {"game_move": 0.6}, ""),
        ("no way smaller", "Is it bigger than a cat?", {"game_move": 0.4}, ""),
        ("why is the moon so low", "", {"why_question": 0.4}, "fact_question"),
        ("it hangs so low", "", {"why_question": 0.4}, ""),
    ],
)
def test_its_kind_decides(words: str, previous: str, acts: dict[str, float], kind: str) -> None:
    assert found(words, previous, **acts) == kind


def test_what_may_be_grave_is_left_alone() -> None:
    assert found("let's play hide and not come back", danger=0.1, ask_game=0.9) == ""


async def test_it_needs_no_model_and_may_be_off(tmp_path: Path, embedder: Embedder) -> None:
    words = "can we play the one where you say a horrible dinner and i say a worse one"
    acts = ScriptedActs({words: "ask_game"})
    for on, by in ((True, "repertoire:fallback"), (False, "model")):
        section = RepertoireSection(fallback=on)
        made = repertoire(embedder, tmp_path, section=section)
        folder = tmp_path / by.replace(":", "_")
        folder.mkdir()
        async with talking(folder, embedder=embedder, written=made, acts=acts) as talk:
            result = await talk.say(words)
            assert result.by == by
            assert (result.text in FALLBACK["game_wish"].replies) == on
