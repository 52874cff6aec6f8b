"""`companion bench turns`: a long conversation through the real dialog.

Counts, per warm turn, what the model had to read, beside what the contract allows: the person's
words, the recalled block, written examples, and 16 tokens. Written replies are switched off: they
need no model. Times what the program adds before the engine is asked
(storing the words, judging them, recall, the prompt). And replays, turn by turn, the very token
ids of the turn through bare llama.cpp: what the runtime costs above that.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.assembly.dialog import build_dialog, build_repertoire
from companion.assembly.models import open_embedder, open_language_model
from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config
from companion.dialog.prompt import user_text
from companion.dialog.turn import Dialog, TurnResult
from companion.engines.protocols import ChatMessage, LanguageModel, Options
from companion.evaluation.bench import talk
from companion.evaluation.bench.overhead import Cost, Pair, compare
from companion.evaluation.bench.watched import WatchedEmbedder, WatchedModel
from companion.evaluation.figures import percentile
from companion.evaluation.stopwatch import Moment
from companion.weights.located import model_file, model_name

if TYPE_CHECKING:
    from companion.evaluation.bench.bare import Pair as Engines
    from companion.evaluation.bench.bare import Replay

ALLOWED = 16
"""Tokens evaluated beyond words, block and written examples (design, performance contract)."""


@dataclass(frozen=True)
class Turn:
    """What one turn cost."""

    result: TurnResult
    cost: Cost
    before_engine_ms: float
    """Until the engine was asked: the words stored and judged, recall, the prompt."""

    embedding_ms: float
    over: int
    """Tokens evaluated beyond words, block and written examples."""

    warm_s: float
    """The reply read again, while nobody waits."""


async def run(
    config: Config, clock: Clock, *, turns: int, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench turns --json`. Raises ModelFileError, EngineError."""
    persona = config.persona.model_copy(update={"greeting": False})
    config = config.model_copy(update={"persona": persona})
    options = Options(temperature=config.dialog.temperature, seed=config.dialog.seed)
    async with _models(config) as (loaded, bare), open_embedder(config) as embedder:
        with TemporaryDirectory(prefix="companion-bench-") as folder:
            placed = config.model_copy(update={"data_dir": Path(folder)})
            async with open_store(placed, clock, mode="owner") as store:
                model, watched = WatchedModel(loaded), WatchedEmbedder(embedder)
                written = build_repertoire(config, clock, store, watched, answers=False)
                dialog = build_dialog(config, clock, store, model, watched, written)
                await dialog.open()
                talk = Talk(dialog, model, watched, bare, options)
                return await talk.measure(turns, on_progress)


@asynccontextmanager
async def _models(config: Config) -> AsyncIterator[tuple[LanguageModel, Engines | None]]:
    """The dialog's model, and the bare one beside it where it runs in this process."""
    section = config.llm.active
    if section.backend != "llama-cpp":
        async with open_language_model(config, section) as server:
            yield server, None
        return
    from companion.evaluation.bench.bare import load_pair

    path = await asyncio.to_thread(model_file, section, config.models_dir)
    name = model_name(section, config.models_dir)
    async with load_pair(path, section, name=name) as pair:
        yield pair.model, pair


class Talk:
    """A conversation whose every turn is measured."""

    def __init__(
        self,
        dialog: Dialog,
        model: WatchedModel,
        embedder: WatchedEmbedder,
        bare: Engines | None,
        options: Options,
    ) -> None:
        """options: how the dialog has its model choose; `bare` chooses in the same way."""
        self._dialog = dialog
        self._model = model
        self._embedder = embedder
        self._bare = bare
        self._options = options

    async def measure(self, turns: int, note: Callable[[str], None]) -> dict[str, Any]:
        """Talk, with the cache warmed after every turn as the phases do in silence."""
        said = talk.exchanges()
        taken: list[Turn] = []
        pairs: list[Pair] = []
        await self._dialog.warm()
        if self._bare is not None:
            self._bare.recorded()  # The examples of the reader of notes, read once, are no turn.
        await self._dialog.warm()
        await self._follow()
        for number in range(turns):
            turn = await self._turn(next(said)[0])
            taken.append(turn)
            again = await self._follow()
            if again is not None:
                pairs.append((turn.cost, _bare_cost(again)))
            if (number + 1) % 10 == 0:
                note(f"{number + 1} of {turns} turns")
        await self._dialog.close()
        return _document(self._model.name, taken, pairs)

    async def _turn(self, words: str) -> Turn:
        self._model.last = None
        began = Moment.now()
        stream = self._dialog.reply(words)
        async with aclosing(stream) as sentences:
            async for _ in sentences:
                pass
        ended = Moment.now()
        result, answer = stream.result, self._model.last
        assert answer is not None, "talk of this bench is stopped by no guard"
        block = "\n".join(each.text for each in result.recalled)
        own = _tokens(self._model, user_text(words, block))
        warming = Moment.now()
        await self._dialog.warm()
        return Turn(
            result=result,
            cost=Cost(
                first=answer.first.since(began),
                rest=answer.end.since(answer.first),
                whole=ended.since(began),
                evaluated_tokens=result.evaluated_tokens,
                written_tokens=result.generated_tokens,
            ),
            before_engine_ms=answer.began.since(began).wall_s * 1000,
            embedding_ms=self._embedder.spent_s(began, answer.began) * 1000,
            over=result.evaluated_tokens - own - result.example_tokens,
            warm_s=Moment.now().since(warming).wall_s,
        )

    async def _follow(self) -> Replay | None:
        """Do on the bare model what was done since; what the answer, if any, cost there."""
        if self._bare is None:
            return None
        *answers, warmed = self._bare.recorded()
        replayed = [await self._bare.replay(call, self._options) for call in answers]
        await self._bare.warm(warmed)
        return replayed[-1] if replayed else None


def _bare_cost(replay: Replay) -> Cost:
    first = Moment(replay.first_s, replay.first_cpu_s)
    rest = Moment(replay.rest_s, replay.rest_cpu_s)
    return Cost(
        first=first,
        rest=rest,
        whole=Moment(first.wall_s + rest.wall_s, first.cpu_s + rest.cpu_s),
        evaluated_tokens=replay.evaluated_tokens,
        written_tokens=len(replay.chosen) - 1,
    )


def _document(model: str, turns: list[Turn], pairs: list[Pair]) -> dict[str, Any]:
    results = [turn.result for turn in turns]
    evaluated = [each.evaluated_tokens for each in results]
    prompts = [each.prompt_tokens for each in results]
    over = [turn.over for turn in turns]

    def p50(values: list[float]) -> float:
        return round(percentile(values, 0.5), 2)

    return {
        "model": model,
        "turns": len(turns),
        "ttft_p50_ms": p50([each.ttft_ms for each in results]),
        "ttft_p99_ms": round(percentile([each.ttft_ms for each in results], 0.99), 2),
        "before_engine_p50_ms": p50([turn.before_engine_ms for turn in turns]),
        "until_recalled_p50_ms": p50([each.recall_ms for each in results]),
        "embedding_p50_ms": p50([turn.embedding_ms for turn in turns]),
        "evaluated_p50": statistics.median(evaluated),
        "prompt_p50": statistics.median(prompts),
        "examples_p50": statistics.median(each.example_tokens for each in results),
        "evaluated_share": round(sum(evaluated) / max(sum(prompts), 1), 4),
        "over_words_and_block_p50": statistics.median(over),
        "over_words_and_block_max": max(over),
        "turns_within_contract": sum(each <= ALLOWED for each in over),
        "warm_p50_s": round(percentile([turn.warm_s for turn in turns], 0.5), 3),
        "overhead": compare(pairs) if pairs else None,
        "each": {
            "evaluated": evaluated,
            "prompt": prompts,
            "over_words_and_block": over,
            "ttft_ms": [round(each.ttft_ms, 1) for each in results],
            "written": [bare.written_tokens for _, bare in pairs],
            "ours_ms": [round(ours.rest.wall_s * 1000, 1) for ours, _ in pairs],
            "bare_ms": [round(bare.rest.wall_s * 1000, 1) for _, bare in pairs],
        },
        "seed": talk.SEED,
    }


def _tokens(model: LanguageModel, text: str) -> int:
    """Tokens that a text adds to a prompt."""
    return model.count([ChatMessage("user", text)]) - model.count([ChatMessage("user", "")])
