"""Questions to memory are answered by a prompt of their own, and the dialog's state comes back."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

from companion.dialog import notes_prompt, replies
from companion.recall.protocol import RecallResult
from tests.dialog.talk import Notebook, note, talking
from tests.fakes import ScriptedModel
from tests.fakes_spans import FixedSpans

TOLD = "Friday 1 May (three days ago): They: my goat is called Wilbur"
ASKED = "What is my goat called?"

HATS = ("red", "blue", "black", "white", "pink", "grey", "green")
"""One more than the last exchanges that are always shown."""


async def test_a_question_to_memory_is_shown_how_notes_are_read(tmp_path: Path) -> None:
    model, recall = ScriptedModel(["Your goat is called Wilbur."]), Notebook([note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        result = await talk.say(ASKED)
    assert (result.text, result.by) == ("Your goat is called Wilbur.", "model")
    assert model.calls[0][:-1] == notes_prompt.head()
    assert model.calls[0][-1].text == f"{TOLD}\n\n{ASKED}"


async def test_the_running_talk_is_among_the_notes(tmp_path: Path) -> None:
    model = ScriptedModel(["A goat, how nice. Is it white?", "Oh!", "Wilbur."])
    recall = Notebook([RecallResult("", ()), RecallResult("", ()), note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.say("we got a goat")
        await talk.say("no, brown")
        await talk.say(ASKED)
    shown = "\nJust now: They: we got a goat\nJust now: You: Is it white? They: no, brown\n\n"
    assert shown in model.calls[-1][-1].text


async def test_what_the_toy_has_said_is_shown_where_that_is_asked_for(tmp_path: Path) -> None:
    model = ScriptedModel(["Goats climb trees.", "Oh!"])
    async with talking(tmp_path, model, reads_notes=True) as talk:
        await talk.say("we got a goat")
        await talk.say("what did you tell me about my goat?")
    assert "They: we got a goat You: Goats climb trees.\n\n" in model.calls[-1][-1].text


async def test_what_was_told_long_before_in_the_talk_is_found(tmp_path: Path) -> None:
    model = ScriptedModel(["Oh!"])
    async with talking(tmp_path, model, reads_notes=True) as talk:
        await talk.say("my goat is called Wilbur")
        for each in HATS:
            await talk.say(f"I like {each} hats")
        await talk.say(ASKED)
    shown = model.calls[-1][-1].text
    assert "They: my goat is called Wilbur\n" in shown
    assert "red hats" not in shown
    assert "green hats" in shown


async def test_what_goes_on_with_it_is_found_with_it(tmp_path: Path) -> None:
    model = ScriptedModel([*["Oh!"] * (len(HATS) + 2), "Wilbur."])
    spans = FixedSpans("Wilbur", 5.0)
    async with talking(tmp_path, model, reads_notes=True, spans=spans) as talk:
        await talk.say("we've got a goat in the yard")
        await talk.say("he's called Wilbur and he eats pegs")
        for each in HATS:
            await talk.say(f"I like {each} hats")
        answer = (await talk.say(ASKED)).text
    shown = model.calls[-1][-1].text
    assert "They: he's called Wilbur and he eats pegs" in shown
    assert "red hats" not in shown
    assert answer == "Wilbur."
    together = "Just now: They: we've got a goat in the yard Just now: They: he's called"
    assert any(each.startswith(together) for each in spans.asked[-1][1])


async def test_another_ones_name_is_not_said_of_it(tmp_path: Path) -> None:
    model = ScriptedModel(["Oh!", "Oh!", "Wilbur."])
    async with talking(tmp_path, model, reads_notes=True) as talk:
        await talk.say("we've got a goat in the yard")
        await talk.say("my cousin is called Wilbur")
        answer = (await talk.say(ASKED)).text
    assert answer in replies.NOT_REMEMBERED


async def test_what_was_read_apart_is_found_again_for_the_next_question(tmp_path: Path) -> None:
    model, recall = ScriptedModel(["Wilbur.", "A goat."]), Notebook([note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.say(ASKED)
        await talk.say("What sort of animal is my Wilbur?")
        await talk.say("Goats are funny.")
    assert recall.asked[1][2] == {("2026-05-04-1", 1)}
    assert all(TOLD not in message.text for message in model.calls[2][:-1])


async def test_the_examples_are_read_in_silence_and_once(tmp_path: Path) -> None:
    model, recall = ScriptedModel(["Wilbur."]), Notebook([note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.dialog.warm()
        assert model.warmed[-1] == notes_prompt.head()
        result = await talk.say(ASKED, keep=False)
        await talk.dialog.warm()
    assert result.evaluated_tokens < 60
    assert model.warmed.count(notes_prompt.head()) == 1


async def test_the_dialogs_state_is_put_back(tmp_path: Path) -> None:
    model, recall = ScriptedModel(["Wilbur."]), Notebook([note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.dialog.warm()
        before = await model.snapshot()
        await talk.say(ASKED, keep=False)
        assert await model.snapshot() == before


async def test_what_is_expected_is_read_ahead_and_forgotten(tmp_path: Path) -> None:
    model, recall = ScriptedModel(["Wilbur."]), Notebook([note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.dialog.expect(ASKED)
        assert model.warmed[-1][-1].text == f"{TOLD}\n\n{ASKED}"
        warm = await talk.say(ASKED)
        await talk.dialog.expect(ASKED)
        await talk.dialog.forget()
        cold = await talk.say(ASKED)
    assert warm.evaluated_tokens < cold.evaluated_tokens


async def test_a_reply_that_is_broken_off_gives_the_model_back(tmp_path: Path) -> None:
    model, recall = ScriptedModel(["It is Wilbur. And more. And more."]), Notebook([note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.dialog.warm()
        before = await model.snapshot()
        async with aclosing(talk.dialog.reply(ASKED, keep=False)) as reply:
            await anext(reply)
        assert await model.snapshot() == before


async def test_all_else_has_the_dialogs_prompt(tmp_path: Path) -> None:
    model = ScriptedModel(["Hm."])
    recall = Notebook([note(TOLD), RecallResult("", ())])
    async with talking(tmp_path, model, recall=recall, reads_notes=True) as talk:
        await talk.say("my goat is called Wilbur")
        await talk.say("Where do goats live?")
    assert all(call[0].text != notes_prompt.SYSTEM for call in model.calls)


async def test_a_question_that_does_not_fit_beside_the_examples(tmp_path: Path) -> None:
    long = note("\n".join([TOLD] * 90))
    model = ScriptedModel(["Wilbur."], context_tokens=1400)
    async with talking(tmp_path, model, recall=Notebook([long]), reads_notes=True) as talk:
        await talk.say(ASKED)
    assert model.calls[0][0].text != notes_prompt.SYSTEM


async def test_what_the_last_messages_go_on_with_is_shown_too(tmp_path: Path) -> None:
    model = ScriptedModel(["Oh!"])
    async with talking(tmp_path, model, reads_notes=True) as talk:
        await talk.say("there is somebody new in the yard")
        await talk.say("he's called Wilbur and he eats pegs")
        await talk.say("I like red hats")
        await talk.say(ASKED)
    assert "They: there is somebody new in the yard" in model.calls[-1][-1].text
