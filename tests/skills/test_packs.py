"""What people have written can be told."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from companion import language
from companion.errors import InputError
from companion.safety.pattern_guard import PatternGuard
from companion.skills import packs, replies, story
from companion.skills.turns import names

BROKEN = {
    "nothing": "",
    "a list": "- one\n",
    "no parts": "title: A\nparts: []\n",
    "a part that is not there": "title: A\nparts:\n- {text: One., goes: nowhere}\n",
    "a way back": "title: A\nparts:\n- {id: a, text: One.}\n- {id: b, text: Two., goes: a}\n",
    "a choice of one": (
        "title: A\nparts:\n- {id: a, text: One., choice: {ask: 'B?', options: "
        "[{words: [b], goes: b}]}}\n- {id: b, text: Two., end: true}\n"
    ),
    "two options with a word in common": (
        "title: A\nparts:\n- {id: a, text: One., choice: {ask: 'B?', options: "
        "[{words: [b], goes: b}, {words: [b], goes: c}]}}\n- {id: b, text: Two.}\n"
        "- {id: c, text: Three., end: true}\n"
    ),
    "a script": "title: !!python/object/apply:os.system ['true']\nparts: []\n",
    "a megabyte": "title: " + "x" * 1_000_000,
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_story_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "story.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as refused:
        story.read(file)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_story_is_well_made() -> None:
    assert {each.title: story.faults(each) for each in story.shelf() if story.faults(each)} == {}
    titles = [each.title for each in story.shelf()]
    assert len(titles) == len(set(titles)) >= 2
    assert any(each.bedtime for each in story.shelf())


def test_an_option_is_named_by_its_own_words_alone() -> None:
    for each in story.shelf():
        for part in each.parts:
            for option in part.options:
                for words in option.words:
                    plain = language.skills.plain(words)
                    named = [o for o in part.options if names(plain, o.words) is not None]
                    assert named == [option], f"{each.title}, {part.id}: {words}"


def test_riddles_take_their_own_answers_and_hold_none_in_the_hint() -> None:
    for riddle in packs.riddles():
        for answer in riddle.answers:
            assert names(language.skills.plain(f"is it a {answer}"), riddle.answers)
        assert names(language.skills.plain(riddle.hint), riddle.answers) is None, riddle.q


def test_the_other_packs_hold_together() -> None:
    assert all(one.odd in one.things and len(one.things) == 4 for one in packs.odd_ones())
    for rather in packs.rathers():
        assert not set(rather.a.words) & set(rather.b.words), rather.ask
    for each in (packs.jokes(), packs.riddles(), packs.rhymes(), packs.odd_ones()):
        questions = [item.key for item in each]
        assert len(questions) == len(set(questions))
    animals = packs.read("animals")
    entries = set(language.skills.entries("traits"))
    for animal in animals:
        assert set(animal["has"]) <= entries
        assert len(animal["clues"]) == 3
    signs = [tuple(sorted(animal["has"])) for animal in animals]
    assert len(set(signs)) >= len(signs) * 0.8, "animals can be told apart"


async def test_the_guard_lets_all_of_it_be_said() -> None:
    guard = PatternGuard()
    said = [s for each in story.shelf() for part in each.parts for s in part.sentences]
    said += [each.so_far for tale in story.shelf() for each in tale.parts if each.so_far]
    said += [text for joke in packs.jokes() for text in (joke.q, joke.a, joke.explain)]
    said += [text for riddle in packs.riddles() for text in (riddle.q, riddle.hint, riddle.explain)]
    said += [choice.reply for each in packs.rathers() for choice in (each.a, each.b)]
    stopped = [each for each in said if (await guard.judge(each, side="out")).stops]
    assert stopped == []


def test_every_reply_is_a_sentence_or_several() -> None:
    read = yaml.safe_load(Path(replies.__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    for key, text in read.items():
        for each in [text] if isinstance(text, str) else text:
            ends = each.rstrip().endswith((".", "!", "?"))
            assert (
                ends
                or key.endswith((".name", ".things"))
                or key.startswith(("list.", "timer.to", "riddle.hint"))
            )
