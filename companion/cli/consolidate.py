"""`companion consolidate`: the inactive phase, now."""

from __future__ import annotations

from companion.assembly.consolidation import build_consolidation
from companion.assembly.models import open_judging_embedder, open_language_model
from companion.cli.call import Call, Commands, add_command
from companion.cli.diary import show_report
from companion.cli.progress import shown_steps


def register(commands: Commands) -> None:
    add_command(
        commands,
        "consolidate",
        run,
        "learn from what was said, now",
        "Run the inactive phase to its end. Stopped at any moment, the next run "
        "goes on where this one was.",
    )


async def run(call: Call) -> int:
    config = call.config
    async with (
        call.store("owner") as store,
        open_language_model(config, config.llm.inactive or config.llm.active) as model,
        # A guard that suits another embedder would bar whatever waits to be judged.
        open_judging_embedder(config) as embedder,
    ):
        consolidation = build_consolidation(config, call.clock, store, model, embedder)
        with shown_steps() as on_progress:
            report = await consolidation.run(on_progress)
    return call.show(report.as_json(), lambda: show_report(report))
