"""Where nothing of the model's counts: what a second reader finds in the pieces is said, or not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.assist.spans import SURE
from companion.engines.protocols import Span
from companion.errors import EngineError
from tests.assist.conftest import MakeTalk
from tests.fakes_spans import FixedSpans

QUERY, CONTEXT = "what does she need?", "I could buy her some tuna while you are away."
TOLD = "The vet says that our Mieze eats nothing but renal food from now on."


@pytest.mark.parametrize(
    ("line", "text", "score", "said"),
    [
        ("unknown", "renal food", SURE + 1, "renal food"),
        ("unknown", "renal food", SURE - 1, ""),
        ("renal food", "renal food", -6.0, "renal food"),
        ("our Mieze", "renal food", SURE + 9, ""),
    ],
)
async def test_a_second_reading(
    talk: MakeTalk, line: str, text: str, score: float, said: str
) -> None:
    told = talk([line])
    told.spans = FixedSpans(text, score)
    await told.block(TOLD)
    found = await told.ask(QUERY, CONTEXT)
    assert found.answer == said
    if said:
        assert found.sources == ({"block": 1},)


async def test_where_the_gap_is_filled_nobody_reads_again(talk: MakeTalk) -> None:
    told = talk(["nonsense"])
    told.spans = FixedSpans("nothing", 99.0)
    await told.block("Ben told me that he likes Catan, Pandemic and Ticket to Ride.")
    found = await told.ask(None, "Ben? He likes Catan, Pandemic and")
    assert found.answer == "Ticket to Ride"
    assert told.spans.asked == []


async def test_question_and_context_are_read_together(talk: MakeTalk) -> None:
    told = talk(["unknown"])
    told.spans = FixedSpans("renal food", 0.0)
    await told.block(TOLD)
    await told.ask(QUERY, CONTEXT)
    [(question, passages)] = told.spans.asked
    assert question == f"{CONTEXT} {QUERY}"
    assert passages == [f"Wednesday 7 October 2026: {TOLD}"]


async def test_what_was_erased_is_not_kept(talk: MakeTalk) -> None:
    told = talk(["unknown"])
    told.spans = FixedSpans("renal food", 0.0)
    told.assistant().forget()
    assert told.spans.forgotten == 1


async def test_a_reader_that_fails_is_done_without(
    talk: MakeTalk, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(FixedSpans):
        async def read(self, question: str, passages: Sequence[str]) -> list[Span]:
            raise EngineError("reader.onnx cannot read: no such file")

    told = talk(["unknown"])
    told.spans = Failing("", 0.0)
    await told.block(TOLD)
    assert (await told.ask(QUERY, CONTEXT)).unknown
    assert "nothing but the model reads: reader.onnx cannot read" in caplog.text
