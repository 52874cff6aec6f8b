from __future__ import annotations

import random
from pathlib import Path

from tests.campaigns.soak import soak


def test_one_night_is_a_soak_too(tmp_path: Path) -> None:
    outcome = soak(tmp_path, random.Random(1), 1)
    assert outcome.violations == []
    assert outcome.report["nights"] == 1
    assert outcome.report["resident_mb_per_week"] == 0
