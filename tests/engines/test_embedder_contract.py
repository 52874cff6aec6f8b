"""What every Embedder promises: both engines on real weights, and the fake that stands in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from companion.engines.embedding.cached import CachedEmbedder
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.engines.embedding.reference import SentenceTransformerEmbedder
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from tests.fakes import HashEmbedder

TEXTS = [
    "My dog is called Rex and he is four years old.",
    "My dog Rex turned four.",
    "Where do whales sleep?",
    "I like pancakes with jam!",
    "Yesterday we went to the old mill with grandma, and then it rained so hard that we all ran.",
    "a",
]
ODD = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud800",
    "[CLS] [SEP]",
    "🐋👩‍👩‍👧",
    "\u202eabc",
    "word " * 50_000,
]


def _require_extra() -> None:
    if find_spec("sentence_transformers") is None:
        pytest.fail(
            "the reference embedder is not installed: scripts/test installs the extra "
            "`sentence-transformers` with CPU torch"
        )


@pytest_asyncio.fixture(
    params=[
        "hash",
        *(
            pytest.param(name, marks=pytest.mark.real)
            for name in ("onnx", "recent", "sentence-transformers")
        ),
    ]
)
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    embedder: Embedder
    if request.param == "hash":
        embedder = HashEmbedder()
    elif request.param in ("onnx", "recent"):
        folder: Path = request.getfixturevalue("embedder_dir")
        embedder = await OnnxEmbedder.load(folder, name="minilm-int8", threads=1)
        if request.param == "recent":
            embedder = CachedEmbedder(embedder)
    else:
        _require_extra()
        folder = request.getfixturevalue("reference_embedder_dir")
        embedder = await SentenceTransformerEmbedder.load(str(folder), threads=1)
    yield embedder
    await embedder.close()


async def test_is_an_embedder(embedder: Embedder) -> None:
    assert isinstance(embedder, Embedder)
    assert embedder.name


async def test_vectors_are_unit_rows_in_the_order_of_the_texts(embedder: Embedder) -> None:
    vectors = await embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    backwards = await embedder.embed(TEXTS[::-1])
    assert ((vectors * backwards[::-1]).sum(axis=1) > 0.99).all()


async def test_like_texts_are_nearer_than_others(embedder: Embedder) -> None:
    rex, also_rex, whales, *_ = await embedder.embed(TEXTS)
    assert rex @ also_rex > rex @ whales + 0.2


async def test_tokens_come_with_where_they_stand(embedder: Embedder) -> None:
    whole = await embedder.embed(TEXTS)
    for text, vector, found in zip(TEXTS, whole, await embedder.embed_tokens(TEXTS), strict=True):
        assert found.vector @ vector > 0.99
        assert found.tokens.shape == (len(found.spans), embedder.dimension)
        assert found.tokens.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(found.tokens, axis=1), 1, atol=1e-5)
        letters = "".join(text[start:end] for start, end in found.spans)
        assert set(text) - set(letters) <= set(" ,.!?"), "no word is left out"


async def test_tokens_of_like_words_are_near(embedder: Embedder) -> None:
    [rex, turned] = await embedder.embed_tokens(["My dog Rex", "Rex turned four."])
    near = rex.tokens @ turned.tokens.T
    at = [text.index("Rex") for text in ("My dog Rex", "Rex turned four.")]
    row, column = (
        int(np.argmax(each.spans[:, 1] > place))
        for each, place in zip((rex, turned), at, strict=True)
    )
    assert near[row].argmax() == column


async def test_odd_texts_have_tokens_too(embedder: Embedder) -> None:
    assert await embedder.embed_tokens([]) == []
    for text, found in zip(ODD, await embedder.embed_tokens(ODD), strict=True):
        assert len(found.tokens) == len(found.spans)
        assert (found.spans <= len(text)).all()


async def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    first, second = await embedder.embed(TEXTS), await embedder.embed(TEXTS)
    np.testing.assert_array_equal(first, second)


async def test_no_texts_are_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed([])).shape == (0, embedder.dimension)


async def test_any_text_has_a_vector(embedder: Embedder) -> None:
    vectors = await embedder.embed(ODD)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_more_texts_than_a_batch_are_embedded(embedder: Embedder) -> None:
    texts = [f"{number} whales" for number in range(70)]
    vectors = await embedder.embed(texts)
    single = await embedder.embed([texts[69]])
    assert vectors.shape[0] == 70
    assert vectors[69] @ single[0] > 0.99


async def test_a_closed_embedder_says_so(embedder: Embedder) -> None:
    await embedder.close()
    await embedder.close()
    with pytest.raises(EngineError, match="closed"):
        await embedder.embed(TEXTS)


async def test_the_default_says_what_the_reference_says(
    embedder_dir: Path, reference_embedder_dir: Path
) -> None:
    _require_extra()
    default = await OnnxEmbedder.load(embedder_dir, name="minilm-int8", threads=1)
    reference = await SentenceTransformerEmbedder.load(str(reference_embedder_dir), threads=1)
    try:
        cosines = (await default.embed(TEXTS) * await reference.embed(TEXTS)).sum(axis=1)
    finally:
        await default.close()
        await reference.close()
    assert cosines.min() >= 0.99
