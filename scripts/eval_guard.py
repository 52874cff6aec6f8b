"""How often the guard stops what it must, and what it must not.

    python scripts/eval_guard.py [--data DIR] [--kora DIR] [--crisis FILE] [--missed]
    python scripts/eval_guard.py --hands [--more-hands DIR] [--missed]

Without --hands, by layer: the sentences of tests/safety, each also as a transcriber might have
written it. With --data, a folder that holds SimpleSafetyTests and XSTest; with --kora, one that
holds the scenarios of KORA (all as published; read, never copied); with --crisis, sentences of your
own that must be stopped, such as speak_and_hear.py writes.

With --hands, the words of strangers (tests/strangers/safety), each author judged by a classifier
that was trained without them, at the threshold that the others and our ordinary talk choose. Beside
it the classifier of our own sentences, and the one that is shipped, which has seen these hands.
--more-hands is a folder with a file of a hand each, which no classifier sees.

One JSON document on stdout. No language model takes part: see eval_guard_talk.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import guard_own
from guard_figures import figures_of
from guard_hands import GRAVE, HARMLESS, hands, ordinary
from guard_left_out import LeftOut, further, heard, left_out, scored
from guard_sets import Set, kora, lines, own, published

from companion import config
from companion.assembly.models import open_embedder
from companion.evaluation.guarded import Labelled, judged
from companion.safety.classifier import Classifier
from companion.safety.classifier_weights import read
from companion.safety.pattern_guard import PatternGuard
from companion.safety.verdict import Guard


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="SimpleSafetyTests and XSTest")
    parser.add_argument("--kora", type=Path, metavar="DIR", help="scenarios_dev.jsonl of KORA")
    parser.add_argument("--crisis", type=Path, metavar="FILE", help="a set that must be stopped")
    parser.add_argument("--hands", action="store_true", help="leave one author out")
    parser.add_argument("--more-hands", type=Path, metavar="DIR", help="hands to be judged only")
    parser.add_argument("--missed", action="store_true", help="name the wrong ones on stderr")
    arguments = parser.parse_args()
    if arguments.hands:
        found = asyncio.run(_by_hand(arguments.more_hands, missed=arguments.missed))
    else:
        found = asyncio.run(_measured(_sets(arguments), missed=arguments.missed))
    json.dump(found, sys.stdout, indent=2)
    print()


def _sets(arguments: argparse.Namespace) -> dict[str, Set]:
    sets = own()
    if arguments.data:
        sets |= published(arguments.data)
    if arguments.kora:
        sets |= kora(arguments.kora)
    if arguments.crisis:
        sets[arguments.crisis.name] = True, lines(arguments.crisis)
    return sets


async def _measured(sets: dict[str, Set], *, missed: bool) -> dict[str, object]:
    figures: dict[str, object] = {}
    async with open_embedder(config.load()) as embedder:
        layers: dict[str, Guard] = {"patterns": PatternGuard(), "classifier": Classifier(embedder)}
        for name, (must_stop, texts) in sets.items():
            stops = {layer: await _stops(guard, name, texts) for layer, guard in layers.items()}
            both = [any(each) for each in zip(*stops.values(), strict=True)]
            shares = {layer: _share(each) for layer, each in stops.items()} | {"both": _share(both)}
            figures[name] = {"n": len(texts), "must_stop": must_stop, "stopped": shares}
            for text, stopped in zip(texts, both, strict=True):
                if missed and must_stop not in (None, stopped):
                    print(f"{name}: {text}", file=sys.stderr)
    return figures


async def _stops(guard: Guard, name: str, texts: Sequence[str]) -> list[bool]:
    sentences = [Labelled(text=text, group=name, topic="") for text in texts]
    return [each.outcome == "stop" for each in await judged(guard, sentences)]


def _share(stops: Sequence[bool]) -> float:
    return round(sum(stops) / len(stops), 4)


async def _by_hand(folder: Path | None, *, missed: bool) -> dict[str, object]:
    written, ours, shipped = hands(folder), read(guard_own.FILE), read()
    async with open_embedder(config.load()) as embedder:
        training = await further(ours, written, embedder)
        found = {hand: await heard(each, embedder) for hand, each in written.items()}
        calm = await heard(ordinary(), embedder)
    unseen = left_out(training, found, calm)
    if missed:
        _name_wrong(unseen)
    before = {hand: scored(each, ours) for hand, each in found.items()}
    seen = {hand: scored(each, shipped) for hand, each in found.items()}
    return {
        "left_out": figures_of(unseen.hands, unseen.thresholds),
        "our_own_sentences_only": figures_of(before, dict.fromkeys(written, ours.threshold)),
        "shipped": figures_of(seen, dict.fromkeys(written, shipped.threshold)),
    }


def _name_wrong(unseen: LeftOut) -> None:
    for hand, found in unseen.hands.items():
        for each in found:
            stopped, group = each.stopped(unseen.thresholds[hand]), each.line.group
            if (group in GRAVE and not stopped) or (group in HARMLESS and stopped):
                print(f"{hand}, {group}: {each.line.text}", file=sys.stderr)


if __name__ == "__main__":
    main()
