"""`python -m tests.campaigns [NAME ...] [--full | --times N] [--seed N] [--json]`: see
scripts/campaign."""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.campaigns import (
    audio,
    clocks,
    erasing,
    hostile,
    kills,
    poisoning,
    poisoning_aloud,
    poisoning_real,
    power,
    scribbles,
    sigterms,
    soak,
    stories,
    texts,
)
from tests.campaigns.outcome import Outcome

Campaign = Callable[[Path, random.Random, int], Outcome]

CAMPAIGNS: dict[str, tuple[Campaign, int, int]] = {
    "kills": (kills.random_kills, 12, 300),
    "upkeep": (kills.kills_in_upkeep, 12, 240),
    "points": (kills.kills_at_points, 1, 20),
    "scribbles": (scribbles.scribbles, 20, 300),
    "texts": (texts.texts, 400, 10_000),
    "outputs": (hostile.outputs, 60, 1000),
    "clocks": (clocks.jumps, 150, 1000),
    "erase": (erasing.trials, 30, 500),
    "power": (power.power_cuts, 40, 1000),
    "poisoning": (poisoning.poisoning, 43, 200),
    "poisoning-aloud": (poisoning_aloud.poisoning_aloud, 6, 100),
    "poisoning-real": (poisoning_real.poisoning_real, 6, 43),
    "audio": (audio.files, 60, 500),
    "soak": (soak.soak, 20, 200),
    "stories": (stories.stories, 24, 150),
    "sigterm": (sigterms.sigterms, 2, 20),
}
"""Name: what to run, how often by default, how often with --full."""

WITH_A_MODEL = {"poisoning-real", "sigterm"}
"""Run when they are named: they need a language model, and minutes."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/campaign", allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CAMPAIGNS)}")
    parser.add_argument("--full", action="store_true", help="as often as the figures ask for")
    parser.add_argument("--times", type=int, help="as often as this")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--obedient",
        action="store_true",
        help="poisoning-real without a model: what obeys is asked",
    )
    parser.add_argument("--json", action="store_true", help="one document a line, on stdout")
    options = parser.parse_args()
    if unknown := set(options.names) - set(CAMPAIGNS):
        parser.error(f"no such campaign: {', '.join(sorted(unknown))}")
    logging.disable(logging.CRITICAL)  # failures are provoked by the thousand here
    violations = 0
    for name in options.names or (name for name in CAMPAIGNS if name not in WITH_A_MODEL):
        campaign, bounded, full = CAMPAIGNS[name]
        if options.obedient and name == "poisoning-real":
            campaign = poisoning_real.poisoning_obeyed
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="companion-campaign-") as folder:
            chance = random.Random(options.seed)
            times = options.times or (full if options.full else bounded)
            outcome = campaign(Path(folder), chance, times)
        took = time.monotonic() - began
        verdict = "VIOLATED" if outcome.violations else "ok"
        if options.json:
            document = {
                "campaign": name,
                "times": times,
                "seed": options.seed,
                "seconds": round(took, 1),
                "violations": len(outcome.violations),
                "figures": outcome.figures,
                **outcome.report,
            }
            print(json.dumps(document), flush=True)
        else:
            cost = f"seed {options.seed}, {took:.0f} s"
            print(f"{name}: {outcome.figures}; {cost}: {verdict}", flush=True)
        for violation in outcome.violations[:5]:
            print(f"  {violation}", file=sys.stderr)
        violations += len(outcome.violations)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
