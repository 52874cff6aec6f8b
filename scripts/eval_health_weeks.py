"""What is taken for a telling of health in weeks of talk, and when one is reminded of it.

    .venv/bin/python scripts/eval_health_weeks.py [NAME ...]

Readers marked in 28 written weeks what tells of an allergy, an illness or a diet
(scripts/health/weeks). Counted are the messages that `Health.tells` finds, those that it finds
where nothing is told, and the reminders that `Health.meets` would give after what was truly told:
two readers found nearly all of these needless (docs/experiments.md, "Health in a week's talk"). The
classifier has learnt from these weeks; for what it finds in others see `train_health.py --hands`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence

from health_sets import STRANGERS, WEEKS, marked_in, said_in

from companion import config, language
from companion.assembly.guard import build_health
from companion.assembly.models import open_embedder
from companion.safety.health import Health

ASKING = STRANGERS / "health" / "asking.jsonl"


async def counted(names: Sequence[str], health: Health) -> Counter[str]:
    """Messages, tellings, found, needless (nothing told, nor a lasting condition), reminders."""
    count = Counter[str]()
    for name in names:
        marked = marked_in(name)
        known: list[str] = []
        for number, said in enumerate(said_in(name), 1):
            told = [row for row in marked.get(number, ()) if row["kind"] != "condition"]
            found = await health.tells(said) is not None
            count["messages"] += 1
            count["tellings"] += bool(told)
            count["found"] += found and bool(told)
            count["needless"] += found and number not in marked
            if not told:
                count["reminders"] += bool(await health.met(said, known))
            known += [row["words"] for row in told if row["whose"] == "own"]
    return count


async def asked(health: Health) -> Counter[str]:
    """How many of a stranger's 50 questions for what must not be had are found, and how many of 50
    that ask for something else are taken for one."""
    count = Counter[str]()
    for line in ASKING.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if await health.asks(row["said"]):
            count["found" if row["asks"] else "needless"] += 1
    return count


async def main() -> None:
    base = config.load()
    language.choose(base.language)
    async with open_embedder(base) as embedder:
        health = build_health(base, embedder)
        for name in sys.argv[1:] or WEEKS:
            print(name, dict(await counted([name], health)), flush=True)
        print("asking", dict(await asked(health)))


if __name__ == "__main__":
    asyncio.run(main())
