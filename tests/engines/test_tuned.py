"""A model that was trained on the companion's prompts is shown no examples in them."""

from __future__ import annotations

from companion.assist import answer
from companion.config import PersonaSection
from companion.consolidation import prompts
from companion.dialog.persona import shown_to
from companion.engines.protocols import is_tuned
from companion.evaluation.bench.watched import WatchedModel
from tests.fakes import ScriptedModel


class TunedModel(ScriptedModel):
    tuned = True


def test_the_persona_of_a_trained_model_has_no_examples() -> None:
    persona = PersonaSection()
    assert shown_to(ScriptedModel(), persona) == persona
    assert not shown_to(TunedModel(), persona).examples


def test_recall_at_a_touch_and_notes_need_none_either() -> None:
    assert len(answer.head(TunedModel())) == 1
    assert len(answer.head(ScriptedModel())) > 1
    assert len(prompts.draft_request("hello", "", "Kim", "", examples=False)) == 2
    assert len(prompts.draft_request("hello", "", "Kim", "")) > 2


def test_rules_tell_whether_there_is_something_to_note() -> None:
    assert '"none"' in prompts.draft_grammar(3)
    assert '"none"' not in prompts.draft_grammar(3, none=False)


def test_a_wrapped_model_says_so_too() -> None:
    assert is_tuned(WatchedModel(TunedModel()))
    assert not is_tuned(WatchedModel(ScriptedModel()))
