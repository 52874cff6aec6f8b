"""The benches of spoken turns and of exactness, over engines that do as they are told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion import config
from companion.clock import ManualClock
from companion.config import Config
from companion.engines.protocols import ChatMessage
from companion.engines.sound.protocols import FRAME_S, MIC_RATE
from companion.errors import EngineError
from companion.evaluation.bench import exact, spoken
from companion.evaluation.plots import common
from companion.voice.devices.pace import SimulatedPace
from companion.voice.devices.work import Work
from companion.voice.parts import VoiceParts
from tests.assembly.conftest import a_world
from tests.fakes import ScriptedModel
from tests.fakes_voice import EnergyDetector, ScriptedTranscriber, ToneSynthesizer
from tests.voice.a_voice import START


def quiet(line: str) -> None:
    pass


def settings() -> Config:
    return config.load()


# ---- exact


async def test_a_model_that_is_exact_says_the_same_twice(tmp_path: Path) -> None:
    model = ScriptedModel(lambda messages: f"I heard {len(messages)} messages.")
    found = await exact.measure(settings(), model, turns=9, note=quiet)
    assert (found["same"], found["share"], found["differ"]) == (9, 1.0, [])
    assert found["evaluated_share"] < 0.5, "the first way goes on from the cache"
    common.draw("exact", found, tmp_path / "exact.png")
    assert (tmp_path / "exact.png").read_bytes().startswith(b"\x89PNG")


async def test_a_model_that_says_something_else_from_nothing_is_found_out() -> None:
    calls: list[int] = []

    def forgets(messages: Sequence[ChatMessage]) -> str:
        calls.append(len(messages))
        return "Something else." if len(calls) == 4 else "The same."

    found = await exact.measure(settings(), ScriptedModel(forgets), turns=3, note=quiet)
    assert (found["same"], found["differ"]) == (2, [2])


async def test_a_server_has_no_cache_to_empty() -> None:
    class Server(ScriptedModel):
        async def snapshot(self) -> None:
            return None

    with pytest.raises(EngineError, match="cache of a server"):
        await exact.measure(settings(), Server(), turns=1, note=quiet)


# ---- spoken


async def test_each_sentence_waits_for_the_reply_to_the_one_before(tmp_path: Path) -> None:
    loud = (8000 * np.sin(np.arange(MIC_RATE) * 0.3)).astype(np.int16)
    clock, work = ManualClock(START), Work()
    pace = SimulatedPace(work, clock)
    heard = ["What do whales eat?", "And where do they sleep?", "Are they big?"]
    parts = VoiceParts(
        ScriptedTranscriber(lambda samples: heard[1]), ToneSynthesizer(), EnergyDetector(), None
    )
    told: list[str] = []
    async with a_world(
        tmp_path, inactivity_s=600, script=["They sleep in the sea."], clock=clock
    ) as world:
        found = await spoken.measure(
            settings(), parts, world.phases, [loud], 10, told.append, "scripted", pace, work
        )
    assert (found["answered"], found["turns"], found["unanswered"]) == (10, 10, [])
    assert told == ["10 of 10 turns"]
    assert {name: stage["turns"] for name, stage in found["stages"].items()} == dict.fromkeys(
        ("endpoint", "transcript", "recall", "first_token", "first_clause", "first_sound"), 10
    )
    assert found["by_model"] == 10
    assert found["speech_p50_ms"] == pytest.approx(1000, abs=2 * FRAME_S * 1000)
    assert 0 < found["first_sound_p50_ms"] <= found["stages"]["first_sound"]["p99_ms"]
    common.draw("spoken", found, tmp_path / "spoken.png")
    assert (tmp_path / "spoken.png").read_bytes().startswith(b"\x89PNG")


async def test_sentences_are_files_and_come_round_again(tmp_path: Path) -> None:
    sentences = await spoken.recorded(ToneSynthesizer(), 2, tmp_path)
    assert (tmp_path / "01.wav").is_file()
    assert all(len(each) > MIC_RATE / 10 for each in sentences)


async def test_a_plot_of_turns_that_were_not_answered(tmp_path: Path) -> None:
    found = spoken.document("m", 2, [], ["noise", "noise"])
    assert (found["answered"], found["first_sound_p50_ms"]) == (0, 0.0)
    common.draw("spoken", found, tmp_path / "spoken.png")
