"""Plots of spoken turns, stage by stage, and of what reusing the cache changes."""

from __future__ import annotations

from typing import Any

from companion.evaluation.plots.speed import CONTRACT, OTHER, OURS, whole_numbers

Document = dict[str, Any]

WORDS = {
    "endpoint": "speech is over for certain",
    "transcript": "words are known",
    "recall": "memories are found",
    "first_token": "first token",
    "first_clause": "first clause",
    "first_sound": "first sound",
}


def stages(figure: Any, result: Document) -> None:
    """When each stage was over, and the wait for the first sound turn by turn."""
    bars, turns = figure.subplots(1, 2)
    each = {name: [ms for ms in found if ms is not None] for name, found in result["each"].items()}
    known = [name for name in WORDS if each[name]]
    for row, name in enumerate(known):
        found = result["stages"][name]
        bars.hlines(row, min(each[name]), found["p99_ms"], color=OTHER)
        bars.plot(found["p50_ms"], row, marker="o", color=OURS)
        bars.plot(found["p90_ms"], row, marker="|", markersize=12, color=OURS)
    bars.set_yticks(range(len(known)), [WORDS[name] for name in known])
    bars.invert_yaxis()
    bars.set(
        xlabel="milliseconds after the end of speech (dot: median, stroke: 90 %, line: 99 %)",
        title="When each stage was over",
    )
    waits = each["first_sound"]
    turns.plot(range(1, len(waits) + 1), waits, marker=".", linestyle="", color=OURS)
    turns.axhline(result["contract"]["first_sound_p50_ms"], **CONTRACT, label="one second")
    turns.set(
        xlabel="turn", ylabel="milliseconds to the first sound (lower is better)",
        ylim=(0, None), title="Wait for the first sound",
    )  # fmt: skip
    turns.xaxis.set_major_locator(whole_numbers())
    turns.legend(loc="upper right")
    figure.suptitle(
        f"{result['answered']} spoken turns: first sound {result['first_sound_p50_ms']:.0f} ms "
        f"after the end of speech (median); {result['within_a_second']} within a second"
    )


def exact(figure: Any, result: Document) -> None:
    """Which turns said the same with the cache and without it."""
    axes = figure.subplots()
    differ = set(result["differ"])
    numbers = range(1, result["turns"] + 1)
    colours = [OTHER if number in differ else OURS for number in numbers]
    axes.bar(numbers, [1] * len(numbers), color=colours)
    axes.set(xlabel="turn (grey: another answer than without the cache)", yticks=[])
    axes.xaxis.set_major_locator(whole_numbers())
    figure.suptitle(
        f"{result['same']} of {result['turns']} answers are the same with the cache as without, "
        f"reading {result['evaluated_share']:.1%} of the prompt"
    )
