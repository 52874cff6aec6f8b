"""kill -9, at random moments of talking and at every named point of a night and a turn."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from tests.campaigns.outcome import Outcome
from tests.consolidation import test_cuts as nights
from tests.consolidation.child import night, nursery
from tests.dialog.test_cuts import POINTS as TURN_POINTS
from tests.dialog.test_cuts import talk_until_killed, violations_after
from tests.store.child import write_for_ever
from tests.store.processes import process


def random_kills(folder: Path, chance: random.Random, count: int) -> Outcome:
    """A writer is killed; another process looks for every message that was acknowledged."""
    outcome, acknowledged = Outcome(), set[int]()
    directory = folder / "data"
    for number in range(count + 1):
        with process(write_for_ever, directory) as (child, pipe):
            held, notices = pipe.recv()
            if lost := acknowledged - set(held):
                outcome.violations.append(f"kill {number}: {len(lost)} acknowledged messages lost")
            if len(held) != len(set(held)) or notices:
                outcome.violations.append(f"kill {number}: doubled, or {notices}")
            if number == count:
                break
            with suppress(EOFError):
                acknowledged |= set(pipe.recv())
            time.sleep(chance.uniform(0, 0.05))
            child.kill()
            acknowledged |= set(_rest(pipe))
        if number % 50 == 49:  # else reading everything back takes most of the time
            acknowledged.clear()
            directory = folder / f"data-{number}"
    outcome.figures = f"{count} random kills of a writer, {len(outcome.violations)} violations"
    return outcome


def _rest(pipe: Connection) -> list[int]:
    seqs: list[int] = []
    with suppress(EOFError, ConnectionResetError):
        while pipe.poll(1):
            seqs += pipe.recv()
    return seqs


def kills_at_points(folder: Path, chance: random.Random, count: int) -> Outcome:
    """Nights and turns, cut at every named point: the end is as if nothing had been."""
    outcome = Outcome()
    with nursery() as running:
        for round_ in range(count):
            cut, uncut = folder / f"cut-{round_}", folder / f"uncut-{round_}"
            expected = asyncio.run(_two_days(cut, uncut))
            for point in chance.sample(nights.POINTS, len(nights.POINTS)):
                running.run(cut, fault=point)
            running.run(cut)
            if asyncio.run(nights.state_of(cut)) != expected:
                outcome.violations.append(f"night {round_}: another end than uncut")
    for round_ in range(count):
        for point in TURN_POINTS:
            directory = folder / f"turn-{round_}-{point.replace(':', '-')}"
            talk_until_killed(directory, point)
            outcome.violations += asyncio.run(violations_after(directory, point))
    points = len(nights.POINTS) + len(TURN_POINTS)
    outcome.figures = (
        f"{count} kills at each of {points} points, {len(outcome.violations)} violations"
    )
    return outcome


async def _two_days(cut: Path, uncut: Path) -> dict[str, object]:
    for directory in (cut, uncut):
        await nights.talk(directory, "day-0", nights.DAYS[0])
        await night(directory)
        await nights.talk(directory, "day-1", nights.DAYS[1])
    await night(uncut)
    return await nights.state_of(uncut)
