"""Structured answers from small models: parse, mend, ask again, give up (paper section 4.5).

An answer that cannot be parsed is first shown to the model again, alone, to be put in form
(`soft`: cheap, for the long input is not read twice); then the whole step is repeated (`full`);
after `attempts` of those StructureError parks the unit. What parses but says what cannot be
(a score of 9 out of 5) counts apart from what does not parse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from companion import faults
from companion.config import ConsolidationSection
from companion.consolidation.report import Report
from companion.engines.protocols import ChatMessage, LanguageModel, Options, complete
from companion.errors import StructureError

T = TypeVar("T")
Shape = TypeVar("Shape", bound=BaseModel)


class Malformed(ValueError):
    """An answer that does not parse."""


class Absurd(ValueError):
    """An answer that parses and says what cannot be."""


class Asker:
    """Asks the model for answers in a form, and counts how that went."""

    def __init__(self, model: LanguageModel, section: ConsolidationSection) -> None:
        self._model = model
        self._section = section
        self.report = Report()
        """Where calls and retries are counted; a run puts its own here."""

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

        parse: raises Malformed or Absurd. form: the asked form in words, for the soft retry.
        grammar: GBNF; engines that know none make `parse` and the retries earn their keep.
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
        """A free answer, stripped; it has no form to fail."""
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
        """A greedy answer at first; a repetition is given a chance to differ."""
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
    """A JSON answer as a pydantic model; one that was cut off gives its complete items.

    Raises Malformed when there is no such object, Absurd when its values cannot be.
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
    """The soft retry: the bad answer alone, to be put in form."""
    return [
        ChatMessage(
            "system",
            "You put notes into the asked form. Change nothing else, leave out what makes no "
            f"sense, add no remarks.\nForm: {form}",
        ),
        ChatMessage("user", answer.strip()[:2000] or "(nothing)"),
    ]
