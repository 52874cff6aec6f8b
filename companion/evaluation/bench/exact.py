"""`companion bench exact`: does a talk that reuses the cache say what one without it would say?

Every turn is answered twice, greedily: going on from the cache, as the dialog does, and from an
empty cache. Between the two the talk's own state is set aside, so that what is reused grows over
all turns. On a processor both must be the same, token by token; a GPU may differ in near ties.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.assembly.models import open_language_model
from companion.config import Config
from companion.dialog import prompt
from companion.dialog.window import Exchange, Window
from companion.engines.protocols import LanguageModel, Options, Snapshot, complete
from companion.errors import EngineError
from companion.evaluation.bench import talk
from companion.recall.protocol import RecallResult

ANSWER_TOKENS = 12
KEPT = 6
"""Exchanges in the prompt; it slides by two at a time, as the dialog's window does."""

NOTES = 2


async def run(config: Config, *, turns: int, on_progress: Callable[[str], None]) -> dict[str, Any]:
    """The document of `companion bench exact --json`. Raises EngineError, ModelFileError."""
    async with open_language_model(config, config.llm.active) as model:
        return await measure(config, model, turns=turns, note=on_progress)


async def measure(
    config: Config, model: LanguageModel, *, turns: int, note: Callable[[str], None]
) -> dict[str, Any]:
    """Both ways, turn by turn. Raises EngineError for a model whose cache is out of reach."""
    head = talk.head(config)
    options = Options(max_tokens=ANSWER_TOKENS)
    said = talk.exchanges()
    window: Window = ()
    differ: list[int] = []
    read = prompts = 0
    for number in range(turns):
        words, _ = next(said)
        notes = RecallResult(talk.block(NOTES, number), ())
        asked = prompt.build(head, window, words, notes)
        reply, usage = await complete(model, asked, options)
        aside = await model.snapshot()
        if aside is None:
            raise EngineError("bench exact: the cache of a server cannot be emptied and put back")
        await model.restore(Snapshot(token_ids=(), state=b""))
        again, whole = await complete(model, asked, options)
        if whole.evaluated_tokens < whole.prompt_tokens:
            raise EngineError("bench exact: the emptied cache was used")
        if again != reply:
            differ.append(number + 1)
        read, prompts = read + usage.evaluated_tokens, prompts + usage.prompt_tokens
        await model.restore(aside)
        window = (*window, Exchange(number + 1, words, reply))
        if len(window) > KEPT:
            window = window[2:]
        await model.warm(prompt.history(head, window))
        if (number + 1) % 10 == 0:
            note(f"{number + 1} of {turns} turns, {number + 1 - len(differ)} the same")
    return {
        "model": model.name,
        "turns": turns,
        "same": turns - len(differ),
        "share": round(1 - len(differ) / turns, 4),
        "differ": differ,
        "evaluated_share": round(read / max(prompts, 1), 4),
        "exact": config.llm.active.gpu_layers == 0,
        "seed": talk.SEED,
    }
