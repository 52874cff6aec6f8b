from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.voice import cast
from tests.voice.cast import Engines


@pytest_asyncio.fixture(loop_scope="package", scope="package")
async def engines() -> AsyncIterator[Engines]:
    """Loaded once for all files that play scenarios."""
    async with cast.engines(rehearsed=True) as loaded:
        yield loaded
