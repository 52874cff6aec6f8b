"""What is refused before anything talks or learns."""

from __future__ import annotations

import pytest

from companion.assembly.guard import check_guard
from companion.config import SafetySection
from companion.errors import ConfigError
from tests.fakes import HashEmbedder


async def test_a_guard_that_does_not_suit_the_embedder_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"safety\.guard: full works with MiniLM only"):
        await check_guard(SafetySection(), HashEmbedder())
    await check_guard(SafetySection(guard="patterns"), HashEmbedder())
