"""What is known after so much talk: the paper's figures 4 to 6 (`companion eval run`)."""

from __future__ import annotations

from typing import Any

PANELS = {
    "coverage": "Coverage:\nremembered, of all there is",
    "completeness": "Completeness:\nremembered, of what was told",
    "present": "Told:\nof all there is to know",
}
COLOURS = {"raw": "#999999", "paper": "#b2182b", "hybrid": "#2166ac"}


def curves(figure: Any, result: dict[str, Any]) -> None:
    """One panel a figure, one line an arm."""
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for axes, (name, title) in zip(panels, PANELS.items(), strict=True):
        for arm, figures in result["arms"].items():
            points = [point for point in figures["curve"] if point.get(name) is not None]
            if points:
                tokens = [point["tokens"] for point in points]
                shares = [100 * point[name] for point in points]
                axes.plot(tokens, shares, marker="o", label=arm, color=COLOURS.get(arm))
        axes.set(xlabel="tokens of talk so far", title=title)
    drawn = [float(value) for axes in panels for line in axes.lines for value in line.get_ydata()]
    panels[0].set(ylabel="percent (higher is better)", ylim=(0, 1.05 * max([100.0, *drawn])))
    figure.suptitle(
        f"What is known of a person after so much talk: {result['models']['companion']}, "
        f"judged by {result['models']['judge']}"
    )
    if drawn:
        panels[0].legend()
