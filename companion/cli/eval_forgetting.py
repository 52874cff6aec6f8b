"""`companion eval forgetting`: what would still be remembered in a year."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note, table


def register_forgetting(suites: Commands) -> None:
    forgetting = add_command(
        suites,
        "forgetting",
        run_forgetting,
        "what is still remembered in a year of weekend use",
        "Forget in simulated time, by both rules, what a child told on one Saturday. "
        "No language model is needed.",
    )
    forgetting.add_argument(
        "gold", type=Path, nargs="*", metavar="GOLD.json",
        help="also count what lifespans the facts of these files get, marked lasting or not",
    )  # fmt: skip
    forgetting.add_argument(
        "--lives", type=Path, nargs="+", metavar="LIFE.jsonl",
        help="instead: written lives told on weekends, LIFE_gold.json beside each",
    )  # fmt: skip
    forgetting.add_argument("--plot", type=Path, metavar="FILE.png", help="the year as curves")


async def run_forgetting(call: Call) -> int:
    from companion.assembly.models import open_embedder
    from companion.evaluation.forgetting import gold, year
    from companion.evaluation.plots import common

    asked = call.arguments
    if asked.lives:
        return await _of_lives(call)
    if asked.plot is not None:
        common.require(asked.plot)
    golds = [gold.read_gold(path) for path in asked.gold]
    async with open_embedder(call.config) as embedder:
        result = await year.run(call.config, embedder, on_progress=note)
        if golds:
            result["gold"] = await gold.count(golds, embedder)
    if asked.plot is not None:
        common.draw("forgetting", result, asked.plot)
    return call.show(result, lambda: _show(result))


async def _of_lives(call: Call) -> int:
    from companion.assembly.models import open_embedder
    from companion.evaluation.forgetting import lived
    from companion.evaluation.lives import read_life

    lives = [
        read_life(path, path.with_name(f"{path.stem}_gold.json")) for path in call.arguments.lives
    ]
    async with open_embedder(call.config) as embedder:
        result = await lived.run(call.config, lives, embedder, on_progress=note)
    return call.show(result, lambda: _show_lives(result))


def _show_lives(result: dict[str, Any]) -> None:
    from companion.evaluation.forgetting.lived import curve

    days = [str(each) for each in result["days"]]
    print(f"Lives: {', '.join(result['lives'])}. Never kept: {result['never_kept']} facts.")
    for arm in result["arms"]:
        how = "comes up on one weekend in five" if arm["comes_up"] else "never comes up again"
        print(f"\nBy {arm['rule']}, what was told {how}; still found after so many days:")
        rows = [
            (kind, result["told"].get(kind, 0), *(f"{shares[each]:.0%}" for each in days))
            for kind, shares in arm["kinds"].items()
        ]
        table(("what", "facts", *days), rows)
        print(curve(arm["all"]))


def _show(result: dict[str, Any]) -> None:
    days = [str(each) for each in result["days"]]
    for comes_up in (False, True):
        how = "comes up on one weekend in five" if comes_up else "never comes up again"
        print(f"Still remembered of what was told once and {how}, after so many days:")
        arms = [arm for arm in result["arms"] if arm["comes_up"] == comes_up]
        headings = [f"{arm['rule']} {each}" for arm in arms for each in days]
        rows = [
            (kind, n, *(f"{arm['kinds'][kind][each]:.0%}" for arm in arms for each in days))
            for kind, n in result["told"].items()
        ]
        table(("what", "told", *headings), rows)
    for name in ("lasting", "passing") if "gold" in result else ():
        counts = result["gold"][name]
        spans = ", ".join(f"{n} {days}" for days, n in counts["lifespans"].items())
        print(f"{counts['n']} gold facts marked {name}: {spans}")
