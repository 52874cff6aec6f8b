"""Train the classifier of the guard (`companion/safety/classifier.npz`).

    python scripts/train_guard.py [--own] [--dry]

With --own, first from our own sentences alone (scripts/guard/*.txt, to scripts/guard/own.npz):
each as it is and as a transcriber might write it, a softmax regression over topics and "safe", on
meaning (the default embedder) and n-grams together; about two minutes. What it prints comes from
families (sentences alike) that the regression had not seen.

Then further, on the open hands of strangers (tests/strangers/safety) and their ordinary talk
(tests/strangers/talk and lives), in a minute. The threshold comes from authors who were left out in
turn, and from tests/safety/ordinary.txt: of all that is harmless in these 2 % may be stopped. The
figures: scripts/eval_guard.py --hands.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace

import guard_own
from guard_hands import hands, ordinary
from guard_left_out import alone, further, heard, left_out
from guard_sentences import sentences
from guard_talk import talk

from companion import config
from companion.assembly.models import open_embedder
from companion.safety.classifier_weights import FILE, read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--own", action="store_true", help="our own sentences too")
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    arguments = parser.parse_args()
    asyncio.run(_train(own_too=arguments.own, write=not arguments.dry))


async def _train(*, own_too: bool, write: bool) -> None:
    async with open_embedder(config.load()) as embedder:
        own = await guard_own.fitted(sentences(), embedder) if own_too else read(guard_own.FILE)
        if own_too and write:
            own.write(guard_own.FILE)
        written, said = hands(), talk()
        training = await further(own, written, said, embedder)
        found = {hand: await heard(alone(lines), embedder) for hand, lines in written.items()}
        calm = {author: await heard(each, embedder) for author, each in said.items()}
        ours = await heard(alone(ordinary()), embedder)
    chosen = left_out(training, found, calm, ours).thresholds[""]
    forms = len(training.hands.label), len(training.talk.label)
    print(f"{forms[0]} forms of hands, {forms[1]} of talk, threshold {chosen:.3f}")
    if write:
        replace(training.trained(), threshold=chosen).write()
        print(f"wrote {FILE} ({FILE.stat().st_size} bytes)")


if __name__ == "__main__":
    main()
