"""What a message surely asks for starts a skill where no rule knows the words."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.answering import Heard, Reading
from companion.skills.replies import line
from tests.skills.playing import Play, playing


async def asked(play: Play, words: str, act: str, probability: float = 0.9) -> tuple[str, str]:
    """Who answers, and what."""
    reading = Reading({act: probability})
    heard = Heard(words, (play.session, 1), play.previous, play.profile, reading)
    answer = await play.skills.answer(heard)
    return ("", "") if answer is None else (answer.by, " ".join(answer.sentences))


@pytest.mark.parametrize(
    ("words", "act", "skill"),
    [
        ("one about a dragon in a welly", "ask_story", "skill:stories"),
        ("something to giggle at", "ask_joke", "skill:jokes"),
        ("give my brain a hard nut", "ask_riddle", "skill:riddles"),
        ("la la the one with the ducks", "ask_song", "skill:rhymes"),
        ("lets do the thing with the guessing", "ask_game", "skill:games"),
        ("give me a shout in ten minutes", "ask_timer", "skill:timers"),
        ("what does the clock say my watch is broken", "ask_time", "skill:clock"),
        ("what day is it is it a gym day", "ask_time", "skill:clock"),
        ("my mum does not know is it monday", "ask_time", "skill:clock"),
    ],
)
async def test_a_sure_act_starts_its_skill(
    tmp_path: Path, words: str, act: str, skill: str
) -> None:
    async with playing(tmp_path) as play:
        assert await asked(play, words, act, 0.4) == ("", "")
        assert (await asked(play, words, act))[0] == skill


async def test_a_timer_takes_its_length_from_the_words_or_asks_for_it(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        _, said = await asked(play, "give me a shout in ten minutes", "ask_timer")
        assert said == line("timer.set", length="10 minutes")
        assert (await asked(play, "count for me", "ask_timer"))[1] == line("timer.how_long")


async def test_a_correction_in_the_same_breath_sets_the_timer_right(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("set a timer for my egg four minutes no wait five i like it hard")
        assert said == line("timer.set.named", length="5 minutes", label="egg")


async def test_a_game_that_is_named_in_passing_begins(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        words = "can we play i'm thinking of an animal and you have to guess"
        _, said = await asked(play, words, "ask_game")
        assert said.endswith("?")
        assert "odd one out" not in said


async def test_a_story_that_there_is_not_is_not_promised(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        _, said = await asked(play, "one of quarks and stuff", "ask_story")
        assert said.startswith(line("story.not_about"))
        said = await play.say("tell me a story with a snail and what not")
        assert said.startswith(line("story.nearly_about"))


async def test_a_story_that_the_toy_made_up_is_not_taken_for_another(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        play.previous = "The snail lost the race."
        assert await asked(play, "again but the snail wins", "ask_story") == ("", "")


async def test_a_rule_goes_before_the_act(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert (await asked(play, "tell me a joke", "ask_story"))[0] == "skill:jokes"


async def test_who_tells_of_a_story_is_not_told_one(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert await asked(play, "i wrote half a story", "ask_story", 0.8) == ("", "")


async def test_who_asks_for_what_was_told_is_not_told_a_story(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        reading = Reading({"ask_story": 0.9}, memory_question=0.95)
        words = "which one wins in my nan's story"
        heard = Heard(words, (play.session, 1), play.previous, play.profile, reading)
        assert await play.skills.answer(heard) is None


async def test_a_running_game_keeps_its_answers(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("guess the number")
        reading = Reading({"ask_timer": 0.9})
        heard = Heard("seven", (play.session, 2), play.previous, play.profile, reading)
        answer = await play.skills.answer(heard)
        assert answer is not None
        assert answer.by == "skill:games"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("this is my cousin amara say hi to her", "Hi, Amara!"),
        ("say hi to my mum", "Hello to your mum!"),
        ("Pip can you say hello to Bo", "Hi, Bo!"),
        ("say hi", "Hi there!"),
    ],
)
async def test_it_says_hello_to_whom_it_is_told(tmp_path: Path, words: str, said: str) -> None:
    async with playing(tmp_path) as play:
        assert (await play.say(words)).startswith(said)


@pytest.mark.parametrize("words", ["ring my dad and say hi to him", "say hi to grandma for me"])
async def test_it_passes_no_greeting_on(tmp_path: Path, words: str) -> None:
    async with playing(tmp_path) as play:
        await play.say(words)
        assert play.by != "skill:device"


async def test_who_says_how_a_game_goes_is_offered_no_list(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        words = "can we play that one where you say a horrible dinner and i say a worse one"
        assert await asked(play, words, "ask_game") == ("", "")
