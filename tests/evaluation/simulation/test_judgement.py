"""What the forms of a judge are worth."""

from __future__ import annotations

from typing import Any

import pytest

from companion.consolidation.structured import Absurd, Malformed
from companion.evaluation.simulation.judgement import Judgement


def judgement(kind: Any, size: int = 1) -> Judgement:
    return Judgement("k", "d", kind, (), size)


def test_values_of_answers() -> None:
    assert judgement("scale").values('{"reasons": ["x"], "score": 4}') == [4.0]
    assert judgement("counts").values('{"used": ["a", "b"], "forgotten": []}') == [2.0, 0.0]
    empty = '{"used": ["None.", "the dog", ""], "forgotten": ["none"]}'
    assert judgement("counts").values(empty) == [1.0, 0.0]
    verdicts = '{"1": "yes", "2": "partly", "3": "no"}'
    assert judgement("verdicts", 3).values(verdicts) == [1.0, 0.5, 0.0]
    with pytest.raises(Malformed, match="no verdict on number 4"):
        judgement("verdicts", 4).values(verdicts)
    with pytest.raises(Absurd):
        judgement("scale").values('{"reasons": [], "score": 9}')
    with pytest.raises(Absurd):
        judgement("verdicts").values('{"1": "perhaps"}')
    with pytest.raises(Malformed):
        judgement("scale").values("Four out of five.")
