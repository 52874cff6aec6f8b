from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.engines.sound.protocols import SPEAKER_RATE, Samples
from companion.language.en.speakable import speakable
from companion.voice.replies import FILLERS
from companion.voice.speech import earcons


@pytest.mark.parametrize("tone", [earcons.listening, earcons.done, earcons.thinking])
def test_an_earcon_is_short_soft_and_free_of_clicks(tone: Callable[[], Samples]) -> None:
    samples = tone()
    assert samples.dtype == np.int16
    assert 0.1 < len(samples) / SPEAKER_RATE < 0.25
    assert 1000 < np.abs(samples).max() < 6000
    assert abs(int(samples[0])) < 50
    assert abs(int(samples[-1])) < 50
    assert np.abs(np.diff(samples.astype(int))).max() < 1500


def test_beginning_and_end_of_listening_are_told_apart() -> None:
    assert not np.array_equal(earcons.listening(), earcons.done())


@pytest.mark.parametrize("text", FILLERS)
def test_what_is_said_in_between_can_be_spoken(text: str) -> None:
    assert speakable(text) == text
