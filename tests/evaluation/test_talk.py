"""Replies to single messages, the form for blind readers, and their grades taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion import config
from companion.assembly.models import Models
from companion.clock import SystemClock
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.sets import read_lines
from companion.evaluation.talk.arms import TALK_ARMS, for_talk
from companion.evaluation.talk.form import Answered, Replies, made, write_form
from companion.evaluation.talk.grades import graded
from companion.evaluation.talk.run import TalkLine, reply_to
from tests.fakes import HashEmbedder, ScriptedModel


@pytest.fixture
def settings() -> Config:
    loaded = config.load()
    patterns = loaded.safety.model_copy(update={"guard": "patterns"})
    quiet = loaded.persona.model_copy(update={"greeting": False})
    return loaded.model_copy(update={"safety": patterns, "persona": quiet})


async def test_a_message_is_answered_after_what_was_said_before(settings: Config) -> None:
    prompts: list[str] = []

    def answer(prompt: list[str]) -> str:
        prompts.extend(prompt)
        return "Quite so."

    model = ScriptedModel(lambda messages: answer([each.text for each in messages]))
    models = Models(model, model, HashEmbedder(64))
    line = TalkLine(said="and then", before=[("I have a cat", "What is it called?")], age=6)
    reply = await reply_to(settings, models, SystemClock(), line)
    assert "I have a cat" in prompts
    assert "What is it called?" in prompts
    assert any("Age: 6" in each for each in prompts)
    assert (reply["reply"], reply["by"], reply["said"]) == ("Quite so.", "model", "and then")


def test_a_line_that_is_no_message_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"said": "hi"}\n{"said": ""}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2: said"):
        list(read_lines(path, TalkLine))


def replies(*texts: str, by: str = "model") -> Replies:
    said = ("hello", "why is the sky blue")
    return Replies(
        replies=[
            Answered(said=words, reply=text, by=by, kind="k")
            for words, text in zip(said, texts, strict=True)
        ]
    )


def test_a_form_hides_whose_a_reply_is_and_shows_equal_ones_once() -> None:
    text, key = made({"old": replies("Hi!", "Because."), "new": replies("Hi!", "Light scatters.")})
    assert text.count("Hi!") == 1
    assert "old" not in text
    assert "new" not in text
    assert sorted(len(each.variants) for each in key.items.values()) == [1, 1, 2]
    assert made({"old": replies("Hi!", "Because."), "new": replies("Hi!", "Light scatters.")}) == (
        text,
        key,
    )


def test_grades_come_back_by_variant(tmp_path: Path) -> None:
    form = tmp_path / "form.md"
    variants = {"old": replies("Hi!", "Because."), "new": replies("Hi!", "It scatters.", by="x:y")}
    key_path = write_form(form, variants)
    key = json.loads(key_path.read_text(encoding="utf-8"))

    def grades(name: str, worst: str) -> Path:
        lines = []
        for id, item in key["items"].items():
            if set(item["variants"]) == {"old"}:
                lines.append(f"{id} {worst}")
            else:
                lines.append(f"{id}: 3 # lovely")
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    result = graded(form, key_path, [grades("a.txt", "0 misses fact"), grades("b.txt", "1")])
    old, new = result["variants"]["old"], result["variants"]["new"]
    assert (old["mean"], old["fine"]) == (1.75, 0.5)
    assert old["flags"] == {"fact": 0.5, "ability": 0.0, "tactless": 0.0, "misses": 0.5}
    assert (new["mean"], new["by"]["x"]["n"]) == (3.0, 2)
    assert result["wins"] == {"old over new": {"won": 0, "lost": 1, "same": 1}}
    assert result["agreement"]["a.txt, b.txt"]["same"] == 0.667


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("zzz 3", "no reply 'zzz'"),
        ("ID 4", "expected 0, 1, 2, 3 after"),
        ("ID 2 odd", "no such flag"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    form = tmp_path / "form.md"
    key_path = write_form(form, {"one": replies("Hi!", "Because.")})
    key = json.loads(key_path.read_text(encoding="utf-8"))
    path = tmp_path / "grades.txt"
    path.write_text(line.replace("ID", next(iter(key["items"]))), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        graded(form, key_path, [path])


def test_a_form_of_different_sets_is_refused() -> None:
    other = Replies(replies=[Answered(said="bye", reply="Bye.", by="model")])
    with pytest.raises(InputError, match="same messages"):
        made({"one": replies("Hi!", "Because."), "two": other})


def test_each_arm_differs_from_the_others_by_its_part() -> None:
    loaded = config.load()
    parts = {
        arm: (
            for_talk(loaded, arm).skills.enabled,
            for_talk(loaded, arm).repertoire.enabled,
            for_talk(loaded, arm).repertoire.enabled and for_talk(loaded, arm).repertoire.examples,
        )
        for arm in TALK_ARMS
    }
    assert parts["model"] == (False, False, False)
    assert parts["all"] == (True, True, 2)
    assert len(set(parts.values())) == len(TALK_ARMS)
