"""The embedder that the classifier was fitted for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from companion.engines.embedding.cached import CachedEmbedder
from companion.engines.embedding.onnx import OnnxEmbedder


@pytest.fixture
async def embedder(embedder_dir: Path) -> AsyncIterator[CachedEmbedder]:
    found = CachedEmbedder(await OnnxEmbedder.load(embedder_dir, name="minilm-int8", threads=1))
    yield found
    await found.close()
