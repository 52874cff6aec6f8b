"""What is refused before anything talks or learns."""

from __future__ import annotations

import logging

import pytest

from companion import config
from companion.assembly import guard
from companion.assembly.guard import check_guard
from companion.config import SafetySection
from companion.engines.protocols import Embedder
from companion.errors import ConfigError
from tests.fakes import HashEmbedder
from tests.fakes_kinds import BrokenKinds


async def test_a_guard_that_does_not_suit_the_embedder_is_refused() -> None:
    full = config.load()
    with pytest.raises(ConfigError, match=r"safety\.guard: full works with MiniLM only"):
        await check_guard(full, HashEmbedder())
    patterns = full.model_copy(update={"safety": SafetySection(guard="patterns")})
    await check_guard(patterns, HashEmbedder())


@pytest.mark.real
async def test_a_broken_classifier_of_messages_is_said_and_no_reason_to_stop(
    embedder: Embedder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(guard, "message_classifier", lambda _config: BrokenKinds())
    with caplog.at_level(logging.ERROR):
        await check_guard(config.load(), embedder)
    assert "only sentences are judged, not messages: x.onnx cannot read" in caplog.text
