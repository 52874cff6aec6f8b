"""What the voice loop reaches: one row per figure with its target; exit 1 when one is missed.

    voice_figures.py [--full] [--only NAME] [--json]

The scenarios' actors speak (tests/voice), the ears and the voice are real, time is simulated;
`realtime` alone runs by the clock on the wall and means something on a quiet machine only.
Without --full each figure is taken from a part of its cases, in about two minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.voice import cast  # noqa: E402
from tests.voice.figures import hearing, manners, running, waking  # noqa: E402
from tests.voice.figures.figure import Measure  # noqa: E402

FIGURES: dict[str, Measure] = {
    "barge-in": manners.barge_in,
    "coughs": manners.coughs,
    "echo": manners.echo,
    "words": hearing.words,
    "waking": waking.waking,
    "no-speech": hearing.no_speech,
    "half-hour": running.half_hour,
    "prefill": running.prefill,
    "realtime": running.realtime,
}


async def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="all cases")
    parser.add_argument("--only", choices=FIGURES, action="append", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    arguments = parser.parse_args()
    missed = 0
    async with cast.engines() as engines:
        for name in arguments.only or FIGURES:
            for figure in await FIGURES[name](engines, arguments.full):
                missed += not figure.reached
                if arguments.json:
                    print(json.dumps(vars(figure)), flush=True)
                else:
                    mark = "ok    " if figure.reached else "MISSED"
                    print(f"{mark} {figure.name} | {figure.target} | {figure.result}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
