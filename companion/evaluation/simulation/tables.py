"""What a run found, as tables laid out like the paper's 1 to 4, beside what it published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.evaluation.simulation.published import COLUMNS, TABLES, figure, row_name

Shown = tuple[str, list[str], list[list[Any]]]
"""Title, headings, rows."""


def of_run(result: dict[str, Any]) -> Iterator[Shown]:
    """Four tables, and the curve (the paper's figures 4 to 6) where there is one."""
    arms = list(result["arms"])
    for title, rows in TABLES.items():
        headings = ["", *arms, *(f"published: {name}" for name in COLUMNS)]
        cells = [
            [
                row_name(name),
                *(figure(name, result["arms"][arm].get(name)) for arm in arms),
                *(figure(name, value) for value in published),
            ]
            for name, published in rows.items()
        ]
        yield f"Table {title}", headings, cells
    names = ("coverage", "completeness", "present", "kept_by_words", "said_by_words")
    points = [
        [
            arm,
            point["session"],
            f"{point['tokens']:.0f}",
            *(figure(name, point.get(name)) for name in names),
        ]
        for arm, figures in result["arms"].items()
        for point in figures["curve"]
    ]
    if points:
        title = "What is known after each session (the paper's figures 4 to 6)"
        yield title, ["arm", "session", "tokens of talk", *map(row_name, names)], points


def of_agreement(result: dict[str, Any]) -> Shown:
    """How far the two gradings of one run agree."""
    columns = ("n", "same", "kappa", "mean_difference", "correlation")
    rows = [
        [name, *("–" if row.get(key) is None else row[key] for key in columns)]
        for name, row in result["agreement"].items()
    ]
    return "Agreement with the first judge", ["dimension", *columns], rows


def of_cost(cost: dict[str, Any], names: dict[str, str]) -> Shown:
    """What a run will cost. names: of the models, by part."""
    title = "What it costs, roughly (what was done before in this folder costs nothing):"
    headings = ["model", "name", "calls", "tokens read", "tokens written", "minutes"]
    rows = [
        [part, names[part], *(f"{n:,}" if n is not None else "" for n in row.values())]
        for part, row in cost.items()
    ]
    return title, headings, rows
