"""The power goes amid a write, or a sync fails: what was acknowledged is still there."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from tests.campaigns.outcome import Outcome
from tests.store.power_cuts import CUT, MOST_WRITES, NEVER, compiler, lives, missing

LIVES_EACH = 20
"""Of one store, one after the other."""


def power_cuts(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome = Outcome()
    if compiler() is None:
        outcome.figures = "not run: the disk that forgets needs Linux and a C compiler"
        return outcome
    cuts = failing = promises = 0
    with lives(folder) as server:
        for number in range(count):
            directory = folder / f"data-{number // LIVES_EACH}"
            if number % LIVES_EACH == 0:
                directory.mkdir()
                acknowledged: list[str] = []
            writes = chance.randrange(1, MOST_WRITES)
            bad = chance.random() < 0.3
            syncs = chance.randrange(60) if bad else NEVER
            failures = chance.choice((1, 2, 4, NEVER))
            code, promised = server.live(
                directory, number, writes=writes, syncs=syncs, failures=failures
            )
            cuts += code == CUT
            failing += bad
            promises += len(promised)
            acknowledged += promised
            for wrong in asyncio.run(missing(directory, acknowledged)):
                outcome.violations.append(f"life {number} (exit code {code}): {wrong}")
    outcome.figures = (
        f"{count} lives on a disk that forgets what was not synced, {cuts} of them cut and "
        f"{failing} with failing syncs: {promises} messages acknowledged, "
        f"{len(outcome.violations)} violations"
    )
    return outcome
