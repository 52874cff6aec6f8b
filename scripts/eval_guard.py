"""How often the guard stops what it must, and what it must not.

    python scripts/eval_guard.py [--data DIR] [--kora DIR] [--crisis FILE] [--missed]
    python scripts/eval_guard.py --hands [--more-hands DIR] [--more-talk FILE...] [--missed]
                                 [--heard FILE...]

Without --hands, by layer: the sentences of tests/safety, each also as a transcriber might have
written it. With --data, a folder that holds SimpleSafetyTests and XSTest; with --kora, one that
holds the scenarios of KORA (all as published; read, never copied); with --crisis, sentences of your
own that must be stopped, such as speak_and_hear.py writes.

With --hands, the words of strangers (tests/strangers/safety) and their ordinary talk
(tests/strangers/talk), each author judged by a classifier that was trained without them, at the
threshold that the others and our ordinary talk choose. Beside it the one that is shipped, which has
seen these authors. --more-hands is a folder with a file of a hand each, --more-talk a file of talk,
which no classifier sees. --heard: sentences of these hands as they were heard
(scripts/speak_and_hear.py, of lines with the name of the file that they come from as `hand`),
judged as typed and as heard.

One JSON document on stdout. No language model takes part: see eval_guard_talk.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import guard_own
from guard_figures import figures_of, figures_of_talk
from guard_hands import GRAVE, HARMLESS, Spoken, hands, ordinary, spoken
from guard_left_out import LeftOut, alone, further, heard, left_out, scored
from guard_sets import Set, kora, lines, own, published
from guard_talk import ORDINARY, talk

from companion import config
from companion.assembly.models import open_embedder
from companion.evaluation.guarded import Labelled, judged
from companion.safety.classifier import Classifier
from companion.safety.classifier_weights import read
from companion.safety.pattern_guard import PatternGuard
from companion.safety.verdict import Guard
from companion.safety.witnesses import Witnesses

CALM = (*HARMLESS, ORDINARY)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="SimpleSafetyTests and XSTest")
    parser.add_argument("--kora", type=Path, metavar="DIR", help="scenarios_dev.jsonl of KORA")
    parser.add_argument("--crisis", type=Path, metavar="FILE", help="a set that must be stopped")
    parser.add_argument("--hands", action="store_true", help="leave one author out")
    parser.add_argument("--more-hands", type=Path, metavar="DIR", help="hands to be judged only")
    parser.add_argument(
        "--more-talk",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="talk to be judged only",
    )
    parser.add_argument(
        "--heard", type=Path, nargs="+", default=[], metavar="FILE", help="hands, as heard"
    )
    parser.add_argument("--missed", action="store_true", help="name the wrong ones on stderr")
    arguments = parser.parse_args()
    if arguments.hands:
        found = asyncio.run(_by_hand(arguments))
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
        patterns, classifier = PatternGuard(), Classifier(embedder)
        layers: dict[str, Guard] = {
            "patterns": patterns,
            "classifier": classifier,
            "both": Witnesses(patterns, classifier),
        }
        for name, (must_stop, texts) in sets.items():
            stops = {layer: await _stops(guard, name, texts) for layer, guard in layers.items()}
            shares = {layer: _share(each) for layer, each in stops.items()}
            figures[name] = {"n": len(texts), "must_stop": must_stop, "stopped": shares}
            for text, stopped in zip(texts, stops["both"], strict=True):
                if missed and must_stop not in (None, stopped):
                    print(f"{name}: {text}", file=sys.stderr)
    return figures


async def _stops(guard: Guard, name: str, texts: Sequence[str]) -> list[bool]:
    sentences = [Labelled(text=text, group=name, topic="") for text in texts]
    return [each.outcome == "stop" for each in await judged(guard, sentences)]


def _share(stops: Sequence[bool]) -> float:
    return round(sum(stops) / len(stops), 4)


async def _by_hand(arguments: argparse.Namespace) -> dict[str, object]:
    written, said, shipped = hands(arguments.more_hands), talk(arguments.more_talk), read()
    aloud = spoken(arguments.heard)
    async with open_embedder(config.load()) as embedder:
        training = await further(read(guard_own.FILE), written, said, embedder)
        found = {hand: await heard(alone(each), embedder) for hand, each in written.items()}
        calm = {author: await heard(each, embedder) for author, each in said.items()}
        ears = {hand: await heard(alone(each), embedder) for hand, each in aloud.items()}
        ours = await heard(alone(ordinary()), embedder)
        unseen = left_out(training, found, calm, ours, ears)
    if arguments.missed:
        _name_wrong(unseen)
    seen = {hand: scored(each, shipped) for hand, each in found.items()}
    seen_talk = {author: scored(each, shipped) for author, each in calm.items()}
    as_shipped = dict.fromkeys((*seen, *seen_talk), shipped.threshold)
    document: dict[str, object] = {
        "left_out": figures_of(unseen.hands, unseen.thresholds)
        | {"talk": figures_of_talk(unseen.talk, unseen.thresholds)},
        "shipped": figures_of(seen, as_shipped) | {"talk": figures_of_talk(seen_talk, as_shipped)},
    }
    if aloud:
        document["as_heard"] = _typed_and_heard(unseen, aloud)
    return document


def _typed_and_heard(unseen: LeftOut, aloud: Mapping[str, Sequence[Spoken]]) -> dict[str, object]:
    """The figures of the same sentences twice, as often as each was spoken."""
    typed = {
        hand: [by_text[line.typed] for line in lines]
        for hand, lines in aloud.items()
        for by_text in [{each.line.text: each for each in unseen.hands[hand]}]
    }
    return {
        "typed": figures_of(typed, unseen.thresholds),
        "heard": figures_of(unseen.as_heard, unseen.thresholds),
    }


def _name_wrong(unseen: LeftOut) -> None:
    for author, found in (*unseen.hands.items(), *unseen.talk.items()):
        for each in found:
            action, group = each.verdict(unseen.thresholds[author]).action, each.line.group
            if (action == "pass") if group in GRAVE else (action != "pass" and group in CALM):
                print(f"{author}, {group}, {action}: {each.line.text}", file=sys.stderr)


if __name__ == "__main__":
    main()
