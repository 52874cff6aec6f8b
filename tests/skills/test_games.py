"""Each game can be played to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.records import Profile
from companion.skills import packs
from tests.skills.playing import Play, playing


async def kept(play: Play) -> dict[str, object]:
    from companion.store import skill_state

    states = await play.store.read(skill_state.all_states)
    of: dict[str, object] = next(each.state["of"]["of"] for each in states if each.skill == "games")
    return of


async def test_guess_the_number(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert "1 to 20" in await play.say("let's play guess the number")
        low, high, tries = 1, 20, 0
        while True:
            tries += 1
            middle = (low + high) // 2
            said = await play.say(f"is it {middle}")
            if "Yes" in said:
                break
            low, high = (
                (middle + 1, high) if "igger" in said or "igher" in said else (low, middle - 1)
            )
        assert tries <= 5
        assert "1 to 20" in await play.say("yes")


@pytest.mark.parametrize("secret", range(1, 21))
async def test_it_finds_every_number_of_the_childs(tmp_path: Path, secret: int) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("i'm thinking of a number")
        for _ in range(6):
            guess = int((await kept(play))["guess"])  # type: ignore[call-overload]
            words = "yes" if guess == secret else "higher" if guess < secret else "lower"
            said = await play.say(words)
            if words == "yes":
                break
        assert "found it" in said


async def test_guess_the_animal_by_clues_questions_and_names(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("let's play guess the animal")
        secret = str((await kept(play))["secret"])
        animal = next(each for each in packs.read("animals") if each["name"] == secret)
        tail = await play.say("does it have a tail")
        assert tail == ("Yes." if "tail" in animal["has"] else "No.")
        assert await play.say("give me a clue") == animal["clues"][1]
        assert secret in await play.say(f"is it a {secret}")


@pytest.mark.parametrize("name", [each["name"] for each in packs.read("animals")])
async def test_twenty_questions_find_nearly_every_animal(tmp_path: Path, name: str) -> None:
    animal = next(each for each in packs.read("animals") if each["name"] == name)
    async with playing(tmp_path) as play:
        said = await play.say("twenty questions")
        for _ in range(20):
            asked = str((await kept(play)).get("asks"))
            if asked == "name":
                pytest.fail(f"gave up on {name}")
            truth = asked[1:] == name if asked.startswith("=") else asked in animal["has"]
            said = await play.say("yes" if truth else "no")
            if asked.startswith("=") and truth:
                break
        assert said.endswith(("again?", "Once more?"))


async def test_i_spy(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("I spy with my little eye something beginning with B")
        assert said.startswith("Is it a b")
        for _ in range(6):
            said = await play.say("no")
        assert "give up" in said
        assert "win" in await play.say("a broom")


async def test_odd_one_out(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("odd one out")
        chosen = next(each for each in packs.odd_ones() if all(t in said for t in each.things))
        wrong = next(each for each in chosen.things if each != chosen.odd)
        assert chosen.why not in await play.say(f"the {wrong}")
        assert chosen.why in await play.say(f"the {chosen.odd}")


async def test_would_you_rather(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        asked = await play.say("would you rather")
        chosen = next(each for each in packs.rathers() if each.ask == asked)
        assert chosen.b.reply in await play.say(chosen.b.words[0])


async def test_word_chain(tmp_path: Path) -> None:
    async with playing(tmp_path, seed=1) as play:
        await play.say("word chain")
        for _ in range(3):
            words = (await kept(play))["words"]
            assert isinstance(words, list)
            letter = words[-1][-1]
            assert "begin with" in await play.say("zebra" if letter != "z" else "apple")
            hint = await play.say("hint")
            word = hint.removeprefix("You could say ").rstrip(".")
            if "hard letter" in hint or "win" in await play.say(word):
                break


@pytest.mark.parametrize("age", [4, 6, 7, 10])
async def test_sums_fit_the_age(tmp_path: Path, age: int) -> None:
    async with playing(tmp_path, profile=Profile(age=age)) as play:
        said = await play.say("let's do sums")
        for _ in range(5):
            of = await kept(play)
            a, b, sign = int(str(of["a"])), int(str(of["b"])), of["sign"]
            assert age > 5 or (sign == "plus" and a + b <= 10)
            result = a + b if sign == "plus" else a - b if sign == "minus" else a * b
            assert result >= 0
            said = await play.say(str(result))
        assert "5 of 5" in said


async def test_the_suitcase(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("i packed my suitcase")
        things = list((await kept(play))["things"])  # type: ignore[call-overload]
        for new in ("a rope", "my cat"):
            said = await play.say(f"I packed my suitcase and put in {', '.join(things)} and {new}")
            assert new in said
            things = list((await kept(play))["things"])  # type: ignore[call-overload]
        assert "left out" in await play.say(f"i packed my suitcase and put in {things[0]}")


async def test_riddles_with_hint_wrong_guess_and_explanation(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        asked = await play.say("tell me a riddle")
        riddle = next(each for each in packs.riddles() if each.q == asked)
        assert await play.say("hint") == riddle.hint
        assert riddle.explain not in await play.say("a purple bucket")
        assert await play.say("my tummy hurts") == ""
        assert riddle.explain in await play.say(f"is it a {riddle.answers[0]}")
        assert await play.say("why") == riddle.explain


async def test_a_joke_is_told_answered_and_explained(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        for _ in range(12):
            asked = await play.say("tell me a joke")
            joke = next(each for each in packs.jokes() if each.q == asked)
            if joke.who:
                assert await play.say("who's there")
                assert await play.say("who")
            else:
                assert await play.say("why") == joke.a
                assert await play.say("i don't get it") == joke.explain


async def test_a_rhyme_with_gaps(tmp_path: Path) -> None:
    rhyme = next(each for each in packs.rhymes() if not each.bedtime and each.lines[0][1])
    async with playing(tmp_path) as play:
        said = await play.say(f"sing {rhyme.says[0]}")
        assert said.endswith("last word.")
        said = await play.say("yes")
        for _ in range(20):
            if not said.endswith("…"):
                break
            gap = next(gap for text, gap in rhyme.lines if gap and said.endswith(f"{text}…"))
            said = await play.say(gap)
        assert not said.endswith("…")
