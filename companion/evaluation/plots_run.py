"""What is known after so much talk: the paper's figures 4 to 6 (`companion eval run`)."""

from __future__ import annotations

from typing import Any

PANELS = {
    "coverage": "Coverage: remembered, of all there is",
    "completeness": "Completeness: remembered, of what was told",
    "present": "Told: of all there is to know",
}


def curves(figure: Any, result: dict[str, Any]) -> None:
    """One panel a figure, one line an arm."""
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for axes, (name, title) in zip(panels, PANELS.items(), strict=True):
        for arm, figures in result["arms"].items():
            points = [point for point in figures["curve"] if point.get(name) is not None]
            if points:
                tokens = [point["tokens"] for point in points]
                shares = [100 * point[name] for point in points]
                axes.plot(tokens, shares, marker="o", label=arm)
        axes.set(xlabel="tokens of talk so far", title=title)
    drawn = [float(value) for axes in panels for line in axes.lines for value in line.get_ydata()]
    panels[0].set(ylabel="percent", ylim=(0, 1.05 * max([100.0, *drawn])))
    figure.suptitle(f"{result['models']['companion']}, judged by {result['models']['judge']}")
    if drawn:
        panels[0].legend()
