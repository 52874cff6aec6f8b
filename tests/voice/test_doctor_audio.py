"""The loopback, measured in simulated rooms."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from companion.config import VoiceSection
from companion.doctor.audio import Loopback, examine_audio, findings, probe, record
from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE, SPEAKER_RATE, Samples, SoundState
from companion.engines.sound.webrtc_echo import WebRtcEcho
from companion.voice.devices.live_sound import LiveSound
from companion.voice.devices.wav_sound import WavSound


class NoWait:
    async def tick(self) -> None:
        return


class Takes:
    """A canceller that takes so many dB of everything away: what is left is known exactly."""

    def __init__(self, decibels: float) -> None:
        self._factor = 10 ** (-decibels / 20)

    def process(self, near: Samples, far: Samples) -> Samples:
        return np.asarray(np.rint(near * self._factor), dtype=np.int16)

    def reset(self) -> None:
        return


async def room(
    takes_db: float, *, echo_db: float | None = -12, delay_ms: int = 80, noise: float = 20
) -> Loopback:
    length = len(probe()) * MIC_RATE // SPEAKER_RATE
    hiss = np.random.default_rng(2).standard_normal(length) * noise
    sound = WavSound(
        np.rint(hiss).astype(np.int16), None, NoWait(), echo_db=echo_db, echo_delay_ms=delay_ms
    )
    return await record(sound, Takes(takes_db))


@pytest.mark.parametrize("delay_ms", [10, 80, 300])
@pytest.mark.parametrize("echo_db", [-3, -30])
async def test_delay_and_loss_are_measured(delay_ms: int, echo_db: int) -> None:
    loopback = await room(25, echo_db=echo_db, delay_ms=delay_ms, noise=5)
    assert loopback.delay_ms == pytest.approx(delay_ms, abs=2)
    assert loopback.loss_db == pytest.approx(-echo_db, abs=1.5)
    assert loopback.echo_db - loopback.left_db == pytest.approx(25, abs=2)


async def test_a_canceller_that_works_is_recommended() -> None:
    loopback = await room(30)
    assert loopback.echo == "cancel"
    assert [finding.level for finding in findings(loopback, "cancel")] == ["ok", "ok"]


async def test_one_that_does_not_leads_to_half_duplex() -> None:
    loopback = await room(4)
    assert loopback.echo == "half-duplex"
    finding = findings(loopback, "cancel")[-1]
    assert (finding.level, finding.mend) == ("warn", "set `voice.echo: half-duplex`")


async def test_an_echo_below_the_noise_of_the_room_needs_little() -> None:
    loopback = await room(0, echo_db=-30, noise=400)
    assert loopback.echo == "cancel"


@pytest.mark.parametrize("noise", [0, 5, 1000])
async def test_a_speaker_that_is_not_heard_is_told(noise: float) -> None:
    loopback = await room(20, echo_db=None, noise=noise)
    assert loopback.delay_ms is None
    assert loopback.echo == "none"
    (finding,) = findings(loopback, "cancel")
    assert finding.level == "warn"
    assert "did not hear the speaker" in finding.what


async def test_devices_that_are_missing_are_named_and_nothing_is_played(tmp_path: Path) -> None:
    section = VoiceSection(microphone=str(tmp_path), speaker=str(tmp_path))
    sound = LiveSound(section, backend="tests.voice.fake_devices")
    found = await examine_audio(section, Takes(20), sound)
    assert [finding.what for finding in found] == [
        "no microphone: there is no microphone",
        "no speaker: there is no speaker",
    ]
    assert {finding.level for finding in found} == {"bad"}


class Pulled:
    """Devices of which the microphone is pulled out after a second, and put back or not."""

    def __init__(self, *, back: bool) -> None:
        self._back = back
        self._frames = 0
        self._noise = np.random.default_rng(3)

    async def start(self) -> SoundState:
        return self.state

    @property
    def troubles(self) -> tuple[str, ...]:
        return ("no microphone: toy: stopped",) if self._frames > 30 and not self._back else ()

    @property
    def state(self) -> SoundState:
        restarts = int(self._back and self._frames > 30)
        return SoundState(True, True, restarts=restarts, names=("toy", "toy"))

    async def capture(self) -> Samples:
        self._frames += 1
        return np.rint(self._noise.standard_normal(MIC_FRAME) * 20).astype(np.int16)

    def play(self, frame: Samples) -> None:
        return

    async def close(self) -> None:
        return


@pytest.mark.parametrize("back", [True, False])
async def test_a_device_that_goes_meanwhile_makes_no_measurement(back: bool) -> None:
    sound = cast(LiveSound, Pulled(back=back))
    *_, last = await examine_audio(VoiceSection(), Takes(20), sound)
    assert (last.name, last.level) == ("sound", "bad")
    assert ("went away" if back else "stopped") in last.what


async def test_the_real_canceller_suits_a_plain_room() -> None:
    length = len(probe()) * MIC_RATE // SPEAKER_RATE
    hiss = np.random.default_rng(2).standard_normal(length) * 20
    sound = WavSound(np.rint(hiss).astype(np.int16), None, NoWait(), echo_db=-12)
    assert (await record(sound, WebRtcEcho())).echo == "cancel"
