"""The shipped span reader on real notes, and what becomes of a broken one. Its weights are here."""

import asyncio
import math
from pathlib import Path

import pytest

from companion.config.document import shipped
from companion.engines.protocols import SpanReader
from companion.engines.span_reader import OnnxSpanReader
from companion.errors import EngineError
from tests.fakes_spans import FixedSpans

NOTES = [
    "Saturday 11 July (two days ago): They: mum put the spare key under the blue pot",
    "Sunday 12 July (yesterday): You: Who came? They: my cousin Ottoline and her dog Biscuit",
]


@pytest.fixture(scope="module")
def reader() -> OnnxSpanReader:
    return OnnxSpanReader(shipped("models/readers/minilm-reader.onnx"))


@pytest.mark.parametrize(
    ("question", "note", "answer"),
    [
        ("where is the spare key", 0, "blue pot"),
        ("who came to see us", 1, "Ottoline"),
    ],
)
async def test_finds_the_answer_in_its_note(
    reader: OnnxSpanReader, question: str, note: int, answer: str
) -> None:
    found = await reader.read(question, NOTES)
    best = max(range(len(found)), key=lambda at: found[at].score)
    assert best == note
    assert answer in found[note].text
    assert NOTES[note][found[note].at :].startswith(found[note].text)


async def test_what_nobody_told_has_a_low_score(reader: OnnxSpanReader) -> None:
    never = await reader.read("what does my teacher's husband do", NOTES)
    told = await reader.read("where is the spare key", NOTES)
    assert max(each.score for each in never) < 0 < max(each.score for each in told)


@pytest.mark.parametrize("real", [True, False])
async def test_contract(reader: OnnxSpanReader, real: bool) -> None:
    """Of the shipped one, and of that which stands in for it in tests."""
    under: SpanReader = reader if real else FixedSpans("blue pot", 3.0)
    for passages in ([], NOTES, NOTES[:1], ["", *NOTES]):
        found = await under.read("where is the spare key", passages)
        assert len(found) == len(passages)
        for span, passage in zip(found, passages, strict=True):
            assert passage[span.at : span.at + len(span.text)] == span.text
    best = max(await under.read("where is the spare key", NOTES), key=lambda span: span.score)
    assert "blue pot" in best.text
    under.forget()


async def test_the_order_of_the_passages_is_kept(reader: OnnxSpanReader) -> None:
    there = await reader.read("where is the spare key", NOTES)
    back = await reader.read("where is the spare key", NOTES[::-1])
    assert [each.text for each in there] == [each.text for each in back[::-1]]
    assert [each.score for each in there] == pytest.approx([e.score for e in back[::-1]], abs=0.01)


@pytest.mark.parametrize("passage", ["", " ", "\ud83d", "🦔" * 400, "a" * 5000, "[SEP] [CLS]"])
async def test_odd_passages(reader: OnnxSpanReader, passage: str) -> None:
    [found] = await reader.read("what is it?" * 30, [passage])
    assert found.text in passage
    assert not math.isnan(found.score)


async def test_no_passage_no_span(reader: OnnxSpanReader) -> None:
    assert await reader.read("where is it", []) == []


@pytest.mark.parametrize("content", [None, b"", b"no network"])
async def test_a_broken_file_is_told_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "broken.onnx"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(EngineError, match=r"^broken.onnx cannot read: [^\n]+$"):
        await OnnxSpanReader(file).read("where", ["here"])


async def test_what_is_forgotten_while_it_is_read_is_not_kept(reader: OnnxSpanReader) -> None:
    reading = asyncio.ensure_future(reader.read("who came", NOTES))
    await asyncio.sleep(0)
    reader.forget()
    await reading
    assert reader._last is None
