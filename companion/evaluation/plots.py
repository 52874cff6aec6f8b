"""Plots of what `companion bench` measured, by matplotlib (extra `bench`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.errors import UsageError


def require() -> Any:
    """matplotlib, drawing to files only. Raises UsageError when it is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise UsageError(
            "--plot needs matplotlib: pip install 'companion[bench]', or leave --plot out"
        ) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def recall(result: dict[str, Any], file: Path) -> None:
    """Time of a recall over the number of memories."""
    pyplot = require()
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    sizes = [each["memories"] for each in result["sizes"]]
    for key, label in (("p99_ms", "slowest of 100 (p99)"), ("p50_ms", "median")):
        axes.plot(sizes, [each[key] for each in result["sizes"]], marker="o", label=label)
    axes.axhline(20, linestyle="--", color="grey", label="contract: 20 ms at 100,000")
    axes.set(
        xscale="log",
        xlabel="memories in the store",
        ylabel="milliseconds for one recall",
        title="Finding what fits, by words and by meaning",
        ylim=(0, None),
    )
    axes.legend()
    _save(pyplot, figure, file)


def _save(pyplot: Any, figure: Any, file: Path) -> None:
    try:
        figure.savefig(file, dpi=150, format="png")
    except OSError as error:
        raise UsageError(f"--plot {file}: cannot be written: {error.strerror}") from None
    finally:
        pyplot.close(figure)
