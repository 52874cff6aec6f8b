"""A model that was trained on the companion's prompts is shown no examples in them."""

from __future__ import annotations

from companion.assist import answer
from companion.engines.protocols import is_tuned
from companion.evaluation.bench.watched import WatchedModel
from tests.fakes import ScriptedModel


class TunedModel(ScriptedModel):
    tuned = True


def test_recall_at_a_touch_needs_none() -> None:
    assert len(answer.head(TunedModel())) == 1
    assert len(answer.head(ScriptedModel())) > 1


def test_a_wrapped_model_says_so_too() -> None:
    assert is_tuned(WatchedModel(TunedModel()))
    assert not is_tuned(WatchedModel(ScriptedModel()))
