"""An answer is doubted where a second reader finds that nothing in the notes is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answering import Heard
from companion.dialog import replies
from companion.dialog.answer_span import AnswerSpan
from companion.dialog.notes_reader import NotesReader
from companion.engines.protocols import Span
from companion.errors import EngineError
from companion.recall.protocol import RecallResult
from companion.records import Profile
from tests.dialog.talk import Notebook, note, talking
from tests.fakes import ScriptedModel
from tests.fakes_spans import FixedSpans

TOLD = "Friday 1 May (three days ago): They: my goat is called Wilbur and eats socks"
ASKED = "What is my goat called?"
STREET = "What's our street called?"


async def said_to(
    directory: Path, words: str, answer: str, spans: FixedSpans, recalled: RecallResult
) -> str:
    model = ScriptedModel([answer])
    recall = Notebook([recalled])
    async with talking(directory, model, recall=recall, reads_notes=True, spans=spans) as talk:
        return (await talk.say(words)).text


async def test_what_stands_nowhere_is_not_remembered(tmp_path: Path) -> None:
    spans = FixedSpans("socks", -7.0)
    said = await said_to(tmp_path, ASKED, "Your goat is called Wilbur.", spans, note(TOLD))
    assert said in replies.NOT_REMEMBERED
    [(question, passages)] = spans.asked
    assert (question, passages) == (ASKED, [TOLD])


@pytest.mark.parametrize(("text", "score"), [("Wilbur", -7.0), ("socks", -3.0), ("socks", 9.0)])
async def test_who_reads_the_same_or_is_not_sure_doubts_nothing(
    tmp_path: Path, text: str, score: float
) -> None:
    answer = "Your goat is called Wilbur."
    assert await said_to(tmp_path, ASKED, answer, FixedSpans(text, score), note(TOLD)) == answer


GOES_ON = (
    "Friday 1 May (three days ago): They: we've got a goat in the yard",
    "Friday 1 May (three days ago): You: Is it white? They: he's brown, he's called Wilbur",
    "Saturday 2 May (two days ago): They: he's gone to the vet",
)


async def test_a_note_that_goes_on_is_read_with_the_one_before(tmp_path: Path) -> None:
    spans, told = FixedSpans("Wilbur", 5.0), note("\n".join(GOES_ON))
    assert await said_to(tmp_path, ASKED, "Wilbur.", spans, told) == "Wilbur."
    [(_, passages)] = spans.asked
    assert " ".join(GOES_ON[:2]) in passages
    assert " ".join(GOES_ON[1:]) not in passages  # of another day


async def test_what_may_be_a_question_of_the_world_is_doubted_too(tmp_path: Path) -> None:
    spans = FixedSpans("socks", -9.0)
    said = await said_to(tmp_path, STREET, "Wilbur Street.", spans, note(TOLD))
    assert said in replies.NOT_REMEMBERED


async def test_the_running_talk_is_read_as_well(tmp_path: Path) -> None:
    model, spans = ScriptedModel(["A goat!", "Wilbur."]), FixedSpans("Wilbur", 5.0)
    recall = Notebook([RecallResult("", ()), note(TOLD)])
    async with talking(tmp_path, model, recall=recall, reads_notes=True, spans=spans) as talk:
        await talk.say("our new goat is called Wilbur")
        await talk.say(ASKED)
    assert any(each.startswith("Just now: They: our new goat") for each in spans.asked[-1][1])


async def test_what_the_profile_knows_is_read_as_well() -> None:
    spans = FixedSpans("Mira", 5.0)
    reader = NotesReader(ScriptedModel(), 100.0, spans)
    heard = Heard("What's my name?", None, "", Profile("Mira", 7, None), asks_memory=True)
    found = await reader.likeliest(f"{TOLD}\n\nWhat's my name?", heard)
    assert found == AnswerSpan("Mira", 5.0)
    assert spans.asked[-1][1][1].startswith("Your name is Mira.")


async def test_a_reader_that_fails_is_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(FixedSpans):
        async def read(self, question: str, passages: Sequence[str]) -> list[Span]:
            raise EngineError("reader.onnx cannot read: no such file")

    answer = "Your goat is called Wilbur."
    assert await said_to(tmp_path, ASKED, answer, Failing("", 0), note(TOLD)) == answer
    assert "the notes are not read for an answer: reader.onnx cannot read" in caplog.text


async def test_what_was_erased_is_not_kept(tmp_path: Path) -> None:
    spans = FixedSpans("Wilbur", 5.0)
    async with talking(tmp_path, reads_notes=True, spans=spans) as talk:
        await talk.dialog.forget()
    assert spans.forgotten == 1


async def test_talk_that_asks_nothing_is_not_read(tmp_path: Path) -> None:
    spans = FixedSpans("Wilbur", 5.0)
    recall = Notebook([note(TOLD)])
    async with talking(tmp_path, recall=recall, reads_notes=True, spans=spans) as talk:
        await talk.say("we had soup")
    assert spans.asked == []
