"""Talk cut to the context of a judge."""

from __future__ import annotations

from companion.engines.protocols import ChatMessage
from companion.evaluation.simulation.fitting import LEFT_OUT, fitted
from tests.fakes import ScriptedModel


def test_talk_that_is_too_long_loses_its_beginning_and_says_so() -> None:
    model = ScriptedModel(context_tokens=40)
    lines = [f"line {number}" for number in range(20)]

    def prompt(talk: str) -> tuple[ChatMessage, ...]:
        return (ChatMessage("user", talk),)

    messages, shortened = fitted(model, lines, prompt, answer_tokens=10)
    assert shortened
    kept = messages[0].text.splitlines()
    assert kept[0] == LEFT_OUT
    assert kept[-1] == "line 19"
    longer = prompt("\n".join([LEFT_OUT, *lines[-len(kept) :]]))
    assert model.count(messages) <= 30 < model.count(longer), "as much as fits"
    assert fitted(model, lines[:3], prompt, answer_tokens=10) == (
        prompt("\n".join(lines[:3])),
        False,
    )
