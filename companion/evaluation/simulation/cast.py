"""Who takes part in a run, opened, and what a run with them will cost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.assembly.missing import Fail
from companion.assembly.models import open_language_model, open_models
from companion.config import Config, LlmSection
from companion.evaluation.simulation import cost
from companion.evaluation.simulation.asking import Asker
from companion.evaluation.simulation.character import Character, shipped
from companion.evaluation.simulation.models import section_of
from companion.evaluation.simulation.run import Cast, Settings


@dataclass(frozen=True)
class Part:
    """A model as it is asked for; see `section_of`."""

    spec: str
    key_file: Path | None = None
    context: int | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether a trial may cost money."""
        return self.spec.startswith("http")

    def section(self, config: Config) -> LlmSection:
        """Raises UsageError."""
        return section_of(
            self.spec, config.llm.active, context=self.context, key_file=self.key_file
        )


@asynccontextmanager
async def open_asker(config: Config, part: Part) -> AsyncIterator[Asker]:
    """The model of one part. Raises UsageError, ModelFileError, EngineError."""
    async with open_language_model(config, part.section(config)) as model:
        yield Asker(model)


@asynccontextmanager
async def open_cast(config: Config, user: Part, judge: Part) -> AsyncIterator[Cast]:
    """All models. User and judge share one when they are the same; what each has cost is counted
    apart. Raises UsageError, ModelFileError, EngineError."""
    talks, judges = user.section(config), judge.section(config)
    async with AsyncExitStack() as stack:
        engines = await stack.enter_async_context(open_models(config, Fail()))
        first = second = await stack.enter_async_context(open_language_model(config, talks))
        if judges != talks:
            second = await stack.enter_async_context(open_language_model(config, judges))
        yield Cast(engines, Asker(first), Asker(second))


async def foreseen(
    config: Config,
    settings: Settings,
    cast: Cast,
    user: Part,
    judge: Part,
    characters: Sequence[Character] | None,
) -> tuple[int, dict[str, Any]]:
    """The steps that a run will report, about as many, and by model what it will cost.

    characters: as for `run`. Raises EngineError."""
    plan = cost.Plan(
        settings.users,
        settings.days * settings.sessions,
        settings.turns,
        settings.questions,
        settings.arms,
    )
    people = (shipped() if characters is None else characters)[: settings.users]
    speeds: dict[str, cost.Speed] = {}
    if config.llm.active.backend != "openai":
        speeds["companion"] = await cost.measured(cast.engines.active)
    if not user.elsewhere:
        speeds["user"] = await cost.measured(cast.user.model)
    if not judge.elsewhere:
        same = cast.judge.model is cast.user.model
        speeds["judge"] = speeds["user"] if same else await cost.measured(cast.judge.model)
    return cost.steps(plan, people), cost.as_json(cost.estimate(plan, people), speeds)
