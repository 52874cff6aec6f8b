"""After the last day: questions are asked, and an old topic is taken up again (sections 5.4, 5.5).

Both happen on the day after, in a copy of the store, so that a life stays as it was lived.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from companion import faults
from companion.evaluation.simulation.asking import Parked
from companion.evaluation.simulation.grading import OnParked
from companion.evaluation.simulation.journal import Journal
from companion.evaluation.simulation.life import Life, OnStep, exchange
from companion.evaluation.simulation.person import Line
from companion.evaluation.simulation.questions import Question
from companion.evaluation.simulation.seat import seat


async def ask_all(
    life: Life,
    questions: Sequence[Question],
    answers: Journal,
    on_step: OnStep,
    on_parked: OnParked,
) -> None:
    """Ask every question that has no answer yet, each in a session of its own."""
    left = [each for each in questions if f"{life.key}/answer/{each.id}" not in answers]
    if not left:
        return
    folder, clock = life.copy_of_last(), life.clock_after()
    async with seat(life.config, life.arm, life.setting.engines, folder, clock) as companion:
        for question in left:
            key = f"{life.key}/answer/{question.id}"
            try:
                result = await companion.ask(question.ask)
            except Parked as error:
                on_parked(key, str(error))
                on_step(f"{key}: parked")
                continue
            answers.put(
                key,
                type=question.type,
                source=question.source,
                ask=question.ask,
                expected=question.expected,
                text=result.text,
                recalled=[each.text for each in result.recalled],
                evaluated_tokens=result.evaluated_tokens,
            )
            faults.point("eval:answered")
            on_step(f"{life.key}: answered {question.id}")
    shutil.rmtree(folder, ignore_errors=True)


async def take_up_again(life: Life, turns: int, answers: Journal, on_step: OnStep) -> None:
    """A new session about the topic of which the person told most. Raises Parked."""
    key = f"{life.key}/again"
    if key not in answers:
        told = {
            talk["session"]: sum(len(text) for role, text in talk["lines"] if role == "user")
            for talk in life.talks()
        }
        number = max(told, key=lambda each: (told[each], -each))
        sitting = next(each for each in life.plan if each.number == number)
        old: list[Line] = [(role, text) for role, text in life.talks()[number - 1]["lines"]]
        lines: list[Line] = []
        by_code = 0
        folder, clock = life.copy_of_last(), life.clock_after()
        async with seat(life.config, life.arm, life.setting.engines, folder, clock) as companion:
            for _ in range(turns):
                words = await life.person.return_to(sitting, old, lines)
                by_code += words.by_code
                await exchange(companion, clock, words.text, lines)
            await companion.leave()
        shutil.rmtree(folder, ignore_errors=True)
        answers.put(key, session=number, topic=sitting.topic.name, lines=lines, by_code=by_code)
    on_step(f"{life.key}: took up an old topic again")
