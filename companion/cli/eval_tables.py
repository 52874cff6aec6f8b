"""The benchmark's tables, laid out like the paper's 1 to 4, beside what it published."""

from __future__ import annotations

import sys
from typing import Any

from companion.cli.output import counted, note, table
from companion.evaluation.simulation.published import COLUMNS, TABLES, figure, row_name


def show_run(result: dict[str, Any]) -> None:
    """Four tables, the curve, and what to bear in mind."""
    arms = list(result["arms"])
    for title, rows in TABLES.items():
        print(f"\nTable {title}")
        table(
            ["", *arms, *(f"published: {name}" for name in COLUMNS)],
            [
                [
                    row_name(name),
                    *(figure(name, result["arms"][arm].get(name)) for arm in arms),
                    *(figure(name, value) for value in published),
                ]
                for name, published in rows.items()
            ],
        )
    _show_curve(result)
    print(
        f"\n{counted(result['judgements'], 'judgement')} by {result['models']['judge']}; "
        f"{result['shortened']} saw only the end of the talk; the user model fell out of its role "
        f"for good in {counted(result['said_by_code'], 'line')}, which code said."
    )
    print("Before comparing with the paper's columns:")
    for line in result["differences"]:
        print(f"- {line}")


def show_cost(cost: dict[str, Any], names: dict[str, str]) -> None:
    """What a run will cost, on stderr. names: of the models, by part."""
    note("What it costs, roughly (what was done before in this folder costs nothing):")
    table(
        ["model", "name", "calls", "tokens read", "tokens written", "minutes"],
        [
            [part, names[part], *(f"{n:,}" if n is not None else "" for n in row.values())]
            for part, row in cost.items()
        ],
        file=sys.stderr,
    )


def show_agreement(result: dict[str, Any]) -> None:
    """How far the two gradings of one run agree."""
    print("\nAgreement with the first judge")
    columns = ("n", "same", "kappa", "mean_difference", "correlation")
    table(
        ["dimension", *columns],
        [
            [name, *("–" if row.get(key) is None else row[key] for key in columns)]
            for name, row in result["agreement"].items()
        ],
    )


def _show_curve(result: dict[str, Any]) -> None:
    """Figures 4 to 6 as a table."""
    names = ("coverage", "completeness", "present", "kept_by_words", "said_by_words")
    rows = [
        [
            arm,
            point["session"],
            f"{point['tokens']:.0f}",
            *(figure(name, point.get(name)) for name in names),
        ]
        for arm, figures in result["arms"].items()
        for point in figures["curve"]
    ]
    if rows:
        print("\nWhat is known after each session (the paper's figures 4 to 6)")
        table(["arm", "session", "tokens of talk", *(row_name(name) for name in names)], rows)
