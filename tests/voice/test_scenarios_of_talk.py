"""Scenarios with real ears and a simulated clock: people who talk with the companion."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.voice.cast import Engines
from tests.voice.scenario import Scenario, scenarios
from tests.voice.verdict import comes_true

pytestmark = pytest.mark.real

FILES = ("plain", "interruptions", "attention")


@pytest.mark.asyncio(loop_scope="package")
@pytest.mark.parametrize("scenario", scenarios(*FILES), ids=lambda scenario: scenario.name)
async def test_scenario(scenario: Scenario, engines: Engines, tmp_path: Path) -> None:
    await comes_true(scenario, engines, tmp_path)
