"""That the scenarios say what they should; `test_scenarios_of_*` play them."""

from __future__ import annotations

from tests.voice import test_scenarios_of_sound, test_scenarios_of_talk
from tests.voice.scenario import FOLDER, scenarios, word_errors


def test_there_are_scenarios_enough_and_half_of_them_speak_with_the_real_voice() -> None:
    everything = scenarios()
    assert len(everything) >= 25
    assert sum(each.speaker == "piper" for each in everything) * 2 >= len(everything)


def test_every_file_of_scenarios_is_played() -> None:
    files = {path.stem for path in FOLDER.glob("*.yaml")}
    assert files == {*test_scenarios_of_talk.FILES, *test_scenarios_of_sound.FILES}


def test_word_errors_are_counted() -> None:
    assert word_errors("one two three", "One, two three.") == (0, 3)
    assert word_errors("one two three", "one too three four") == (2, 3)
    assert word_errors("I have 2 dogs", "") == (4, 4)
