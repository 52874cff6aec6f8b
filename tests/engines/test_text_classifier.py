"""The shipped classifier of messages, and what becomes of a broken one. Its weights are here."""

from pathlib import Path

import pytest

from companion.config.document import shipped
from companion.engines.protocols import TextClassifier
from companion.engines.text_classifier import OnnxTextClassifier
from companion.errors import EngineError
from tests.fakes_kinds import FixedKinds


@pytest.fixture(scope="module")
def classifier() -> OnnxTextClassifier:
    return OnnxTextClassifier(shipped("models/guards/minilm-guard.onnx"))


GRAVE = "we had pasta . then my stepdad hit me and i hid under the bed . the plates are blue"
CALM = "we had pasta . then my stepdad made pancakes and i ate six . the plates are blue"


@pytest.mark.parametrize("real", [True, False])
async def test_contract(classifier: OnnxTextClassifier, real: bool) -> None:
    """Of the shipped one, and of that which stands in for it in tests."""
    under: TextClassifier = classifier if real else FixedKinds({"hit me": "abuse"})
    for texts in ([], [""], [GRAVE, CALM, ""]):
        found = await under.classify(texts)
        assert len(found) == len(texts)
        for kinds in found:
            assert sum(kinds.values()) == pytest.approx(1, abs=1e-4)
            assert all(0 <= each <= 1 for each in kinds.values())
    grave, calm = await under.classify([GRAVE, CALM])
    assert max(grave, key=grave.__getitem__) == "abuse"
    assert max(calm, key=calm.__getitem__) == "safe"


async def test_each_head_has_kinds_of_its_own() -> None:
    """Of one message, and of what was told and what is said now."""
    file = shipped("models/guards/minilm-guard.onnx")
    telling, touching = (OnnxTextClassifier(file, head=each) for each in ("telling", "touching"))
    [told] = await telling.classify(["kiwi makes my tongue itch and my lips go fat"])
    assert list(told) == ["none", "own", "other"]
    assert max(told, key=told.__getitem__) == "own"
    satay = ("peanuts", "they gave me some satay on a stick can i have it")
    met, not_met = await touching.classify([satay, ("peanuts", "we saw a fox by the shed")])
    assert met["yes"] > 0.5 > not_met["yes"]
    assert list(met) == ["no", "yes"]


async def test_a_head_that_is_not_there_is_told_in_one_line() -> None:
    file = shipped("models/guards/minilm-guard.onnx")
    with pytest.raises(EngineError, match=r"^minilm-guard.onnx cannot read: [^\n]+$"):
        await OnnxTextClassifier(file, head="weather").classify(["here"])


async def test_a_long_text_is_read_in_stretches(classifier: OnnxTextClassifier) -> None:
    zoo = "we went to the zoo and saw a bear and an owl . " * 20
    found = await classifier.classify([zoo + "i want to die and nobody would miss me"])
    assert len(found) > 2
    assert found[0]["safe"] > 0.5 > found[-1]["safe"]


@pytest.mark.parametrize("text", [" ", "\ud83d", "🦔" * 400, "a" * 5000, "[SEP] [CLS]"])
async def test_odd_texts(classifier: OnnxTextClassifier, text: str) -> None:
    assert all(each["safe"] == each["safe"] for each in await classifier.classify([text]))


@pytest.mark.parametrize("content", [None, b"", b"no network"])
async def test_a_broken_file_is_told_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "broken.onnx"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(EngineError, match=r"^broken.onnx cannot read: [^\n]+$"):
        await OnnxTextClassifier(file).classify(["here"])
