"""Structured answers from small models: parse, mend, ask again, give up (paper section 4.5).

An answer that cannot be parsed is first shown to the model on its own, to be put in the right form
(`soft`: cheap, because the long input is not evaluated again). Then the whole request is repeated
(`full`). After `attempts` of those a StructureError parks the unit. Answers that parse but are
impossible (a score of 9 out of 5) are counted separately from those that do not parse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from companion import faults
from companion.config import ConsolidationSection
from companion.consolidation import prompts
from companion.consolidation.report import Report
from companion.engines.protocols import ChatMessage, LanguageModel, Options, complete
from companion.errors import StructureError

T = TypeVar("T")
Shape = TypeVar("Shape", bound=BaseModel)


class Malformed(ValueError):
    """An answer that does not parse."""


class Absurd(ValueError):
    """An answer that parses but is impossible."""


class Asker:
    """Asks the model for structured answers, and counts calls and retries."""

    def __init__(self, model: LanguageModel, section: ConsolidationSection) -> None:
        self._model = model
        self._section = section
        self.report = Report()
        """Where calls and retries are counted; each run sets its own."""

    async def ask(
        self,
        step: str,
        messages: Sequence[ChatMessage],
        parse: Callable[[str], T],
        *,
        form: str,
        max_tokens: int,
        grammar: str | None = None,
    ) -> T:
        """One parsed answer.

        parse: raises Malformed or Absurd. form: the required form in words, for the soft retry.
        grammar: GBNF; engines without grammar support depend on `parse` and the retries.
        Raises StructureError when `attempts` full tries have failed.
        """
        self.report.asked += 1
        for attempt in range(self._section.attempts):
            if attempt:
                self.report.retries.full += 1
            answer = await self._call(messages, max_tokens, grammar, attempt)
            faults.point(f"{step}:prompted")
            if (parsed := self._parsed(answer, parse)) is not None:
                self.report.first_try += attempt == 0
                return parsed
            self.report.retries.soft += 1
            mended = await self._call(_mend(answer, form), max_tokens, grammar, attempt + 1)
            if (parsed := self._parsed(mended, parse)) is not None:
                return parsed
        raise StructureError(f"{step}: no usable answer after {self._section.attempts} tries")

    async def tell(self, step: str, messages: Sequence[ChatMessage], *, max_tokens: int) -> str:
        """A free-text answer, stripped; it has no required form, so it cannot be malformed."""
        answer = await self._call(messages, max_tokens, None, 0)
        faults.point(f"{step}:prompted")
        return answer.strip()

    def _parsed(self, answer: str, parse: Callable[[str], T]) -> T | None:
        try:
            return parse(answer)
        except Absurd:
            self.report.wrong += 1
        except Malformed:
            self.report.invalid += 1
        return None

    async def _call(
        self, messages: Sequence[ChatMessage], max_tokens: int, grammar: str | None, attempt: int
    ) -> str:
        """The first answer is greedy; a repetition is sampled, so that it can differ."""
        self.report.model_calls += 1
        options = Options(
            max_tokens=max_tokens,
            temperature=self._section.soft_retry_temperature if attempt else 0.0,
            seed=attempt,
            grammar=grammar,
            deadline_s=self._section.deadline_s,
        )
        answer, _ = await complete(self._model, messages, options)
        return answer


def parse_json(answer: str, shape: type[Shape]) -> Shape:
    """A JSON answer as a pydantic model; one that was cut off yields its complete items.

    Raises Malformed when there is no such object, Absurd when its values are impossible.
    """
    try:
        tree = json.loads(answer)
    except ValueError:
        tree = json_repair.loads(answer[answer.find("{") :]) if "{" in answer else None
    if not isinstance(tree, dict):
        raise Malformed("no JSON object")
    try:
        return shape.model_validate(tree)
    except ValidationError as error:
        kinds = {problem["type"] for problem in error.errors()}
        if kinds & {"missing", "extra_forbidden"} or any(kind.endswith("_type") for kind in kinds):
            raise Malformed("not the asked keys and types") from None
        raise Absurd("values out of range") from None


def _mend(answer: str, form: str) -> list[ChatMessage]:
    """The prompt of the soft retry: the bad answer alone, to be put in the right form."""
    return [
        ChatMessage("system", f"{prompts.FORM_INSTRUCTIONS}{form}"),
        ChatMessage("user", answer.strip()[:2000] or "(nothing)"),
    ]
