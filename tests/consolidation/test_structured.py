"""Answers in a form: parsed, mended, asked for again, given up, and counted."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import ConsolidationSection
from companion.consolidation.profile import Judgement
from companion.consolidation.structured import Absurd, Asker, Malformed, parse_json
from companion.engines.protocols import ChatMessage
from companion.errors import StructureError
from tests.fakes import ScriptedModel

QUESTION = [ChatMessage("system", "Judge."), ChatMessage("user", "a very long input")]
GOOD = '{"summary": "The user is kind.", "big_five": [1, 2, 3, 4, 5]}'


def _parse(answer: str) -> Judgement:
    judgement = parse_json(answer, Judgement)
    judgement.scores()
    return judgement


async def _ask(replies: list[str]) -> tuple[Judgement | None, Asker, ScriptedModel]:
    model = ScriptedModel(replies)
    asker = Asker(model, ConsolidationSection(attempts=2))
    try:
        found = await asker.ask("profile", QUESTION, _parse, form="{...}", max_tokens=50)
    except StructureError:
        found = None
    return found, asker, model


async def test_a_good_answer_costs_one_call() -> None:
    found, asker, model = await _ask([GOOD])
    assert found is not None
    assert (asker.report.first_try, asker.report.invalid, len(model.calls)) == (1, 0, 1)
    assert model.options[0].temperature == 0


async def test_a_bad_answer_is_mended_without_the_long_input() -> None:
    found, asker, model = await _ask(["no idea", GOOD])
    assert found is not None
    assert (asker.report.retries.soft, asker.report.retries.full) == (1, 0)
    assert "a very long input" not in str(model.calls[1])
    assert "no idea" in str(model.calls[1])
    assert model.options[1].temperature == 0.2


async def test_when_mending_fails_the_step_is_repeated() -> None:
    found, asker, model = await _ask(["no idea", "still none", GOOD])
    assert found is not None
    assert (asker.report.retries.soft, asker.report.retries.full) == (1, 1)
    assert model.calls[2] == model.calls[0]
    assert model.options[2].temperature == 0.2


async def test_after_all_tries_it_gives_up() -> None:
    found, asker, model = await _ask(["no idea"])
    assert found is None
    assert len(model.calls) == 4
    assert (asker.report.asked, asker.report.first_try, asker.report.invalid) == (1, 0, 4)


async def test_valid_but_wrong_counts_apart_from_invalid() -> None:
    _, asker, _ = await _ask(['{"summary": "x", "big_five": [9]}', GOOD])
    assert (asker.report.wrong, asker.report.invalid) == (1, 0)


def test_a_cut_answer_gives_its_complete_items() -> None:
    judgement = parse_json('{"summary": "The user is kind.", "big_five": [4, null, 3', Judgement)
    assert judgement.scores().openness == 4
    assert judgement.scores().extraversion == 3
    assert judgement.scores().neuroticism is None


def test_words_around_the_object_do_no_harm() -> None:
    assert parse_json(f"Here you are:\n```json\n{GOOD}\n```", Judgement).big_five[0] == 1


@pytest.mark.parametrize(
    "answer",
    ["", "[]", "null", "{}", '{"summary": 5, "big_five": []}', '{"summary": "x"}', "{{{{", "\x00"],
)
def test_what_has_not_the_keys_and_types_is_malformed(answer: str) -> None:
    with pytest.raises(Malformed):
        _parse(answer)


@pytest.mark.parametrize(
    "answer",
    [
        '{"summary": "x", "big_five": [0]}',
        '{"summary": "x", "big_five": [NaN]}',
        '{"summary": "x", "big_five": [1, 1, 1, 1, 1, 1]}',
    ],
)
def test_what_cannot_be_is_absurd(answer: str) -> None:
    with pytest.raises(Absurd):
        _parse(answer)


@given(st.text(max_size=300))
def test_no_answer_is_too_strange(answer: str) -> None:
    with contextlib.suppress(Malformed, Absurd):
        _parse(answer)
