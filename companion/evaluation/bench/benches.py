"""The benches by name: how each is run, with which models, and what its table shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from os import getloadavg
from pathlib import Path
from typing import Any, Concatenate, TypeAlias

from companion.clock import Clock
from companion.config import Config, load

Document = dict[str, Any]
"""What a bench measured, as `--json` prints it."""

Note: TypeAlias = Callable[[str], None]


async def _ttft(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.ttft import run

    return await run(config, on_progress=note, **options)


async def _turns(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.turns import run

    return await run(config, clock, on_progress=note, **options)


async def _recall(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.recall import run

    return await run(config, clock, on_progress=note, **options)


async def _preempt(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.preempt import run

    return await run(config, clock, on_progress=note, **options)


async def _memory(config: Config, clock: Clock, note: Note, *, path: Path | None) -> Document:
    """path: of the configuration, over which the shipped profiles are laid to be predicted."""
    from companion.evaluation.bench.memory import run

    names = ("tiny", "laptop", "desktop", "jetson", "jetson-4b")
    profiles = {name: load(path, profile=name) for name in names}
    return await run(config, clock, profiles=profiles, on_progress=note)


async def _start(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.start import run

    return await run(config, on_progress=note, **options)


async def _exact(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.exact import run

    return await run(config, on_progress=note, **options)


async def _spoken(config: Config, clock: Clock, note: Note, **options: Any) -> Document:
    from companion.evaluation.bench.spoken import run

    return await run(config, clock, on_progress=note, **options)


def _by_length(result: Document) -> Document:
    """A row for each length and arm."""
    return {
        f"{length['context_tokens']:,} {arm}": figures
        for length in result["lengths"]
        for arm, figures in length["arms"].items()
    }


def _by_size(result: Document) -> Document:
    return {f"{n:,}": row for n, row in result["sizes"].items()}


def _predictions(result: Document) -> Document:
    """A row for each profile, in megabytes."""
    return {
        name: {
            **{term: f"{each['bytes'] / 1e6:,.0f}" for term, each in found["terms"].items()},
            "total MB": f"{found['total'] / 1e6:,.0f}",
            "of MB": f"{found['room'] / 1e6:,.0f}",
            "fits": found["fits"],
        }
        for name, found in result["prediction"].items()
    }


@dataclass(frozen=True)
class Bench:
    """One of the benches. What measures is imported when it is run."""

    _run: Callable[Concatenate[Config, Clock, Note, ...], Awaitable[Document]]
    roles: tuple[str, ...]
    """Of the models that it uses."""

    _of: str = ""
    """What the rows of its table are of."""

    _rows: Callable[[Document], Document] = lambda result: {}

    async def measure(self, config: Config, clock: Clock, note: Note, **options: Any) -> Document:
        """The bench's document, and what it was made with."""
        from companion.evaluation.bench.made_with import made_with

        load = getloadavg()[0]
        result = await self._run(config, clock, note, **options)
        result["made_with"] = await asyncio.to_thread(made_with, config, self.roles, load)
        return result

    def table(self, result: Document) -> tuple[list[str], list[list[Any]]] | None:
        """Headings and rows; None for a bench whose figures all stand alone."""
        if not (rows := self._rows(result)):
            return None
        headings = list(dict.fromkeys(key for row in rows.values() for key in row))
        cells = [[name, *(row.get(key) for key in headings)] for name, row in rows.items()]
        return [self._of, *headings], cells


BENCHES = {
    "ttft": Bench(_ttft, ("llm",), "tokens, arm", _by_length),
    "turns": Bench(_turns, ("llm", "embedder")),
    "recall": Bench(_recall, ("embedder",), "memories", _by_size),
    "preempt": Bench(_preempt, ("inactive", "embedder")),
    "memory": Bench(_memory, ("llm", "embedder", "stt", "tts"), "profile", _predictions),
    "exact": Bench(_exact, ("llm",)),
    "spoken": Bench(
        _spoken, ("llm", "embedder", "stt", "tts"), "stage", lambda result: dict(result["stages"])
    ),
    "start": Bench(_start, ("llm", "embedder"), "arm", lambda result: dict(result["arms"])),
}


def single_figures(result: Document) -> Iterator[tuple[str, Any]]:
    """Figures that are no tables of their own; a dictionary of numbers as `name.part`."""
    for key, value in result.items():
        if isinstance(value, dict):
            plain = value.values() if key != "each" else ()
            if plain and not any(isinstance(each, dict) for each in plain):
                yield from ((f"{key}.{part}", each) for part, each in value.items())
        elif not (isinstance(value, list) and value and isinstance(value[0], dict | float)):
            yield key, value
