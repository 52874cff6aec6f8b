"""A story goes on where it was: over questions, nights and power cuts."""

from __future__ import annotations

from pathlib import Path

from companion.clock import ManualClock
from companion.skills import story
from companion.skills.story import Part, Story
from tests.skills.playing import START, Play, playing


async def begin(play: Play, tale: Story) -> Part:
    said = await play.say(tale.title)
    assert tale.title in said
    assert said.count(tale.parts[0].sentences[0]) == 1
    return tale.parts[0]


async def onwards(play: Play, tale: Story, part: Part) -> Part | None:
    """The next part, by its first option; None after the end."""
    if not (part.options or part.goes):
        return None
    words = part.options[0].words[0] if part.options else "go on"
    said = await play.say(words)
    following = tale.part(part.options[0].goes if part.options else part.goes)
    assert following is not None
    assert " ".join(following.sentences) in said, (tale.title, following.id)
    return following


async def test_every_story_can_be_heard_to_its_end(tmp_path: Path) -> None:
    for number, tale in enumerate(story.shelf()):
        async with playing(tmp_path / str(number)) as play:
            part: Part | None = await begin(play, tale)
            last = part
            while part is not None:
                last, part = part, await onwards(play, tale, part)
            assert last is not None
            assert play.previous.endswith(tale.after or last.sentences[-1])
            assert await play.say("go on") == ""


async def test_a_story_cut_by_power_goes_on_at_the_same_part(tmp_path: Path) -> None:
    """The power fails in each part of each story: before anything of it was heard, or in the
    middle of it. On the next start, in a new session, "where were we" tells what was not heard."""
    cuts = 0
    for number, tale in enumerate(story.shelf()):
        for depth in range(1, len(story.ways(tale)[0])):
            for heard in (None, 2):
                folder = tmp_path / f"{number}-{depth}-{heard}"
                clock = ManualClock(START)
                async with playing(folder, clock=clock) as play:
                    part: Part | None = await begin(play, tale)
                    for _ in range(depth - 1):
                        assert part is not None
                        part = await onwards(play, tale, part)
                    assert part is not None
                    words = part.options[0].words[0] if part.options else "go on"
                    goes = part.options[0].goes if part.options else part.goes
                    lost = tale.part(goes)
                    assert lost is not None
                    await play.say(words, dies=heard is None, cut_after=heard)
                async with playing(folder, clock=clock) as play:
                    said = await play.say("where were we")
                rest = lost.sentences[heard or 0 :]
                assert " ".join(rest) in said, (tale.title, lost.id)
                assert (lost.sentences[0] in said) == (heard is None)
                cuts += 1
                if cuts >= 60:
                    return
    assert cuts >= 20


async def test_a_question_in_between_and_back(tmp_path: Path) -> None:
    tale = story.shelf()[0]
    async with playing(tmp_path) as play:
        part: Part | None = await begin(play, tale)
        for question in ("why do snails have shells", "do you like snails"):
            assert await play.say(question) == ""
        assert part is not None
        await onwards(play, tale, part)


async def test_an_interrupted_part_goes_on_with_the_sentence_that_was_cut(tmp_path: Path) -> None:
    tale = story.shelf()[0]
    async with playing(tmp_path) as play:
        part = await begin(play, tale)
        await play.say("again", cut_after=2)  # the title and one sentence
        assert await play.say("stop")
        said = await play.say("go on")
        assert part.sentences[1] in said
        assert part.sentences[0] not in said


async def test_the_next_day(tmp_path: Path) -> None:
    tale = next(each for each in story.shelf() if not each.parts[1].options)
    clock = ManualClock(START)
    async with playing(tmp_path, clock=clock) as play:
        part = await begin(play, tale)
        following = await onwards(play, tale, part)
    clock.advance(86_400)
    async with playing(tmp_path, clock=clock) as play:
        assert tale.title in await play.say("tell me a story")
        said = await play.say("yes")
        assert following is not None
        third = tale.part(following.goes)
        assert third is not None
        assert said == " ".join(filter(None, (third.so_far, *third.sentences, third.ask)))
    clock.advance(86_400)
    async with playing(tmp_path, clock=clock) as play:
        assert tale.title in await play.say("tell me a story")
        assert tale.title not in await play.say("a new one")
    clock.advance(30 * 86_400)
    async with playing(tmp_path, clock=clock) as play:
        assert "Shall we go on" not in await play.say("tell me a story")


async def test_go_on_is_left_alone_where_no_story_is_open(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert await play.say("go on") == ""
        assert "no story" in await play.say("where were we")


async def test_a_choice_is_asked_again_and_then_taken_by_chance(tmp_path: Path) -> None:
    tale = next(each for each in story.shelf() if any(part.options for part in each.parts))
    async with playing(tmp_path) as play:
        part: Part | None = await begin(play, tale)
        while part is not None and not part.options:
            part = await onwards(play, tale, part)
        assert part is not None
        assert await play.say("what is for dinner") == ""
        assert await play.say("go on") == part.ask
        said = await play.say("go on")
        ways = [tale.part(option.goes) for option in part.options]
        assert any(way is not None and way.sentences[0] in said for way in ways)


async def test_a_story_is_found_by_its_theme(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert "Snail on the Roof" in await play.say("tell me a story about a snail")
        assert "don't know a story about that" in await play.say("a story about weather")


async def test_at_bedtime_it_ends_softly(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("read me a bedtime story")
        tale = next(each for each in story.shelf() if each.title in said)
        assert tale.bedtime
        part: Part | None = tale.parts[0]
        while part is not None:
            last, part = part, await onwards(play, tale, part)
        assert play.previous.endswith(last.sentences[-1])


async def test_none_comes_twice_in_a_row(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        lively = [each for each in story.shelf() if not each.bedtime]
        fits = [each for each in lively if each.ages[0] <= 7 <= each.ages[1]]
        heard = [await play.say("tell me another story") for _ in fits]
        assert len({each.partition(".")[0] for each in heard}) == len(fits)
