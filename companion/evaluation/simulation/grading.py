"""Every judgement of a life, asked once and stored with its prompt, its raw answer and its values.

Because the prompts are stored, another judge can be asked the very same (`regrade`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from companion import faults
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.evaluation.simulation import prompts
from companion.evaluation.simulation.asking import Asker, Parked
from companion.evaluation.simulation.fitting import fitted
from companion.evaluation.simulation.journal import Journal, Record
from companion.evaluation.simulation.judgement import Judgement, Kind, parts
from companion.evaluation.simulation.life import Life, OnStep, numbered

BATCH = 8
"""Statements or pieces of information that are judged at once."""

Prompt = Callable[[str], tuple[ChatMessage, ...]]
"""A judgement's messages over some talk."""

OnParked = Callable[[str, str], None]
"""Told of an item that was given up, and why."""


async def grade(
    judgements: Sequence[Judgement],
    asker: Asker,
    grades: Journal,
    on_step: OnStep,
    on_parked: OnParked,
) -> None:
    """Ask each judgement that has no grade yet."""
    for judgement in judgements:
        if judgement.key in grades:
            on_step(f"{judgement.key}: graded before")
            continue
        try:
            values, raw = await asker.ask(
                judgement.messages,
                judgement.values,
                max_tokens=judgement.max_tokens,
                schema=judgement.schema,
            )
        except Parked as error:
            on_parked(judgement.key, str(error))
            on_step(f"{judgement.key}: parked")
            continue
        grades.put(
            judgement.key,
            dimension=judgement.dimension,
            kind=judgement.kind,
            size=judgement.size,
            judge=asker.model.name,
            shortened=judgement.shortened,
            messages=[[each.role, each.text] for each in judgement.messages],
            raw=raw,
            values=values,
        )
        faults.point("eval:graded")
        on_step(f"{judgement.key}: graded")


def stored(grades: Journal) -> list[Judgement]:
    """The judgements of a run, as they were asked."""
    return [
        Judgement(
            key=record["key"],
            dimension=record["dimension"],
            kind=record["kind"],
            messages=tuple(ChatMessage(role, text) for role, text in record["messages"]),
            size=record["size"],
            shortened=record["shortened"],
        )
        for record in grades.under("")
    ]


class Judgements:
    """What is to be judged of one life, for a judge with a context of a certain size."""

    def __init__(self, life: Life, answers: Journal, judge: LanguageModel) -> None:
        self._life = life
        self._answers = answers
        self._judge = judge
        self._toy = life.setting.config.persona.name
        self._sheet = life.character.sheet()

    def all(self) -> Iterator[Judgement]:
        """Conversation, answers, personalization, extraction."""
        talks = self._life.talks()
        yield from self._conversation(talks)
        yield from self._answered(talks)
        yield from self._again(talks)
        yield from self._extracted(talks)

    def _conversation(self, talks: list[Record]) -> Iterator[Judgement]:
        lines = self._lines(talks)
        natural = partial(prompts.naturalness, toy=self._toy)
        yield self._over(lines, "naturalness", "scale", natural)
        if len(talks) > 1:  # else there is no earlier day
            personal = partial(prompts.personalization, sheet=self._sheet, toy=self._toy)
            yield self._over(lines, "personalization", "scale", personal)

    def _answered(self, talks: list[Record]) -> Iterator[Judgement]:
        lines = self._lines(talks)
        for record in self._answers.under(f"{self._life.key}/answer/"):
            prompt = partial(
                prompts.answer,
                question=record["ask"],
                expected=record["expected"],
                given=record["text"],
                toy=self._toy,
            )
            name = record["key"].removeprefix(f"{self._life.key}/")
            dimension = f"qa/{record['source']}/{record['type']}"
            yield self._over(lines, name, "verdicts", prompt, dimension=dimension)

    def _again(self, talks: list[Record]) -> Iterator[Judgement]:
        for record in self._answers.under(f"{self._life.key}/again"):
            old = next(talk for talk in talks if talk["session"] == record["session"])
            new = "\n".join(self._lines([record]))
            prompt = partial(prompts.hits, new=new, topic=record["topic"], toy=self._toy)
            yield self._over(self._lines([old]), "hits", "counts", prompt)

    def _extracted(self, talks: list[Record]) -> Iterator[Judgement]:
        """Only of arms that have a memory, as in the paper; coverage after every session."""
        if self._life.arm == "raw":
            return
        statements = self._life.known_after(talks[-1]["session"])
        for number, part in enumerate(parts(statements, BATCH), start=1):
            prompt = partial(prompts.correctness, sheet=self._sheet, statements=part)
            yield self._verdicts(self._lines(talks), "correctness", f"{number}", prompt, part)
        items = [item.text for item in self._life.character.items()]
        for end, talk in enumerate(talks, start=1):
            held = [f"- {each}" for each in self._life.known_after(talk["session"])]
            said = self._lines(talks[:end])
            for number, part in enumerate(parts(items, BATCH), start=1):
                name = f"{talk['session']}/{number}"
                covered = partial(prompts.coverage, items=part)
                yield self._verdicts(held, "coverage", name, covered, part)
                present = partial(prompts.present, items=part)
                yield self._verdicts(said, "present", name, present, part)

    def _verdicts(
        self, lines: list[str], dimension: str, name: str, prompt: Prompt, part: Sequence[str]
    ) -> Judgement:
        """A verdict on each text of a list."""
        return self._over(
            lines, f"{dimension}/{name}", "verdicts", prompt, dimension=dimension, size=len(part)
        )

    def _over(
        self,
        lines: list[str],
        name: str,
        kind: Kind,
        prompt: Prompt,
        *,
        dimension: str | None = None,
        size: int = 1,
    ) -> Judgement:
        """A judgement over as many of the lines as the judge can read. dimension: the name, where
        nothing else is said."""
        asked = Judgement(f"{self._life.key}/{name}", dimension or name, kind, (), size)
        messages, shortened = fitted(self._judge, lines, prompt, answer_tokens=asked.max_tokens)
        return replace(asked, messages=messages, shortened=shortened)

    def _lines(self, talks: list[Record]) -> list[str]:
        """The talks line by line, with who spoke, and a heading for each session of a day."""
        person = self._life.character.first_name
        lines: list[str] = []
        session = None
        for _, talk, role, text in numbered(talks):
            if talk["session"] != session:
                session = talk["session"]
                if "day" in talk:
                    lines.append(f"-- session {session}, day {talk['day']} --")
            lines.append(f"{self._toy if role == 'assistant' else person}: {text}")
        return lines
