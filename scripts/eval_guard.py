"""How often the guard stops what it must, and what it must not, by layer.

    python scripts/eval_guard.py [--data DIR] [--kora DIR] [--crisis FILE] [--missed]

Always: the sentences of tests/safety, each also as a transcriber might have written it. With
--data, a folder that holds SimpleSafetyTests and XSTest; with --kora, one that holds the scenarios
of KORA (all as published; read, never copied); with --crisis, sentences of your own that must be
stopped, such as speak_and_hear.py writes. One JSON document on stdout. No language model
takes part: see eval_guard_talk.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from guard_sets import Set, kora, lines, own, published

from companion import config
from companion.assembly.models import open_embedder
from companion.safety.classifier import Classifier
from companion.safety.pattern_guard import PatternGuard
from companion.safety.verdict import Guard


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="SimpleSafetyTests and XSTest")
    parser.add_argument("--kora", type=Path, metavar="DIR", help="scenarios_dev.jsonl of KORA")
    parser.add_argument("--crisis", type=Path, metavar="FILE", help="a set that must be stopped")
    parser.add_argument("--missed", action="store_true", help="name the wrong ones on stderr")
    arguments = parser.parse_args()
    sets = own()
    if arguments.data:
        sets |= published(arguments.data)
    if arguments.kora:
        sets |= kora(arguments.kora)
    if arguments.crisis:
        sets[arguments.crisis.name] = True, lines(arguments.crisis)
    figures = asyncio.run(_measured(sets, missed=arguments.missed))
    json.dump(figures, sys.stdout, indent=2)
    print()


async def _measured(sets: dict[str, Set], *, missed: bool) -> dict[str, dict[str, object]]:
    figures: dict[str, dict[str, object]] = {}
    async with open_embedder(config.load()) as embedder:
        layers: dict[str, Guard] = {"patterns": PatternGuard(), "classifier": Classifier(embedder)}
        for name, (must_stop, texts) in sets.items():
            stops = {layer: await _stops(guard, texts) for layer, guard in layers.items()}
            both = [any(each) for each in zip(*stops.values(), strict=True)]
            shares = {layer: _share(each) for layer, each in stops.items()} | {"both": _share(both)}
            figures[name] = {"n": len(texts), "must_stop": must_stop, "stopped": shares}
            for text, stopped in zip(texts, both, strict=True):
                if missed and must_stop not in (None, stopped):
                    print(f"{name}: {text}", file=sys.stderr)
    return figures


async def _stops(guard: Guard, texts: Sequence[str]) -> list[bool]:
    return [(await guard.judge(text, side="in")).stops for text in texts]


def _share(stops: Sequence[bool]) -> float:
    return round(sum(stops) / len(stops), 4)


if __name__ == "__main__":
    main()
