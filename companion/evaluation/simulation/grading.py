"""Every judgement of a life, asked once and stored with its prompt, its raw answer and its values.

Because the prompts are stored, another judge can be asked the very same (`regrade`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
        yield from self.extraction(talks)

    def extraction(self, talks: list[Record]) -> Iterator[Judgement]:
        """Only of arms that have a memory, as in the paper; coverage after every session."""
        if self._life.arm == "raw":
            return
        statements = self._life.known_after(talks[-1]["session"])
        for number, part in enumerate(parts(statements, BATCH), start=1):
            yield self._over(
                talks,
                "correctness",
                str(number),
                "verdicts",
                partial(prompts.correctness, sheet=self._sheet, statements=part),
                size=len(part),
            )
        items = [item.text for item in self._life.character.items()]
        for end, talk in enumerate(talks, start=1):
            session = talk["session"]
            held = self._life.known_after(session)
            for number, part in enumerate(parts(items, BATCH), start=1):
                name = f"{session}/{number}"
                yield Judgement(
                    f"{self._life.key}/coverage/{name}",
                    "coverage",
                    "verdicts",
                    prompts.coverage(held, part),
                    len(part),
                )
                yield self._over(
                    talks[:end],
                    "present",
                    name,
                    "verdicts",
                    partial(prompts.present, items=part),
                    size=len(part),
                )

    def _conversation(self, talks: list[Record]) -> Iterator[Judgement]:
        yield self._over(
            talks, "naturalness", "", "scale", partial(prompts.naturalness, toy=self._toy)
        )
        if len(talks) > 1:  # else there is no earlier day
            yield self._over(
                talks,
                "personalization",
                "",
                "scale",
                partial(prompts.personalization, sheet=self._sheet, toy=self._toy),
            )

    def _answered(self, talks: list[Record]) -> Iterator[Judgement]:
        for record in self._answers.under(f"{self._life.key}/answer/"):
            yield self._over(
                talks,
                f"qa/{record['source']}/{record['type']}",
                record["key"].partition("/answer/")[2],
                "verdicts",
                partial(
                    prompts.answer,
                    question=record["ask"],
                    expected=record["expected"],
                    given=record["text"],
                    toy=self._toy,
                ),
            )

    def _again(self, talks: list[Record]) -> Iterator[Judgement]:
        for record in self._answers.under(f"{self._life.key}/again"):
            old = next(talk for talk in talks if talk["session"] == record["session"])
            new = "\n".join(self._lines([record]))
            yield self._over(
                [old],
                "hits",
                "",
                "counts",
                partial(prompts.hits, new=new, topic=record["topic"], toy=self._toy),
            )

    def _over(
        self,
        talks: list[Record],
        dimension: str,
        name: str,
        kind: Kind,
        prompt: Callable[[str], tuple[ChatMessage, ...]],
        *,
        size: int = 1,
    ) -> Judgement:
        """A judgement over as much of the talks as the judge can read."""
        # Answers are told apart by their own ids; their dimension is for the figures.
        place = "answer" if dimension.startswith("qa/") else dimension
        key = "/".join(part for part in (self._life.key, place, name) if part)
        shell = Judgement(key, dimension, kind, (), size)
        messages, shortened = fitted(
            self._judge, self._lines(talks), prompt, answer_tokens=shell.max_tokens
        )
        return Judgement(key, dimension, kind, messages, size, shortened)

    def _lines(self, talks: list[Record]) -> list[str]:
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
