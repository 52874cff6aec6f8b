"""Plots of what `companion bench` and `eval run` measured, by matplotlib (extra `bench`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.errors import UsageError

Document = dict[str, Any]


def require() -> Any:
    """matplotlib's pyplot, drawing to files only. Raises UsageError when it is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise UsageError(
            "--plot needs matplotlib: pip install 'companion[bench]', or leave --plot out"
        ) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def draw(result: Document, file: Path) -> None:
    """A PNG of one bench's document. Raises UsageError when it cannot be written."""
    pyplot = require()
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    if "sizes" in result:
        _recall(axes, result)
    elif "arms" in result:
        _arms(axes, result)
    elif "parts" in result:
        _memory(axes, result)
    else:
        _times(axes, result)
    _save(pyplot, figure, file)


def draw_curves(result: Document, file: Path) -> None:
    """A PNG of what is known after so much talk (the paper's figures 4 to 6): one panel a figure,
    one line an arm. Raises UsageError when it cannot be written."""
    pyplot = require()
    figure, panels = pyplot.subplots(1, 3, figsize=(13, 4.2), sharey=True, layout="constrained")
    titles = {
        "coverage": "Coverage: remembered, of all there is",
        "completeness": "Completeness: remembered, of what was told",
        "present": "Told: of all there is to know",
    }
    for axes, (name, title) in zip(panels, titles.items(), strict=True):
        for arm, figures in result["arms"].items():
            points = [p for p in figures["curve"] if p.get(name) is not None]
            if points:
                tokens = [p["tokens"] for p in points]
                axes.plot(tokens, [100 * p[name] for p in points], marker="o", label=arm)
        axes.set(xlabel="tokens of talk so far", title=title)
    drawn = [float(value) for axes in panels for line in axes.lines for value in line.get_ydata()]
    panels[0].set(ylabel="percent", ylim=(0, 1.05 * max([100.0, *drawn])))
    figure.suptitle(f"{result['models']['companion']}, judged by {result['models']['judge']}")
    if drawn:
        panels[0].legend()
    _save(pyplot, figure, file)


def _save(pyplot: Any, figure: Any, file: Path) -> None:
    try:
        figure.savefig(file, dpi=150, format="png")
    except OSError as error:
        raise UsageError(f"--plot {file}: cannot be written: {error.strerror}") from None
    finally:
        pyplot.close(figure)


def _recall(axes: Any, result: Document) -> None:
    sizes = list(result["sizes"])
    for key, label in (("p99_ms", "slowest of 100 (p99)"), ("p50_ms", "median")):
        axes.plot(sizes, [result["sizes"][n][key] for n in sizes], marker="o", label=label)
    axes.axhline(20, linestyle="--", color="grey", label="contract: 20 ms at 100,000")
    axes.set(
        xscale="log",
        xlabel="memories in the store",
        ylabel="milliseconds for one recall",
        title="Finding what fits, by words and by meaning",
        ylim=(0, None),
    )
    axes.legend()


def _arms(axes: Any, result: Document) -> None:
    """Milliseconds to the first token, with the tokens that were read for it on each bar."""
    arms = result["arms"]
    key = "ttft_ms" if "ttft_ms" in next(iter(arms.values())) else "first_token_ms"
    bars = axes.bar(
        [name.replace("_", " ") for name in arms], [each[key] for each in arms.values()]
    )
    labels = [f"{each['evaluated_tokens']:.0f} tokens read" for each in arms.values()]
    axes.bar_label(bars, labels)
    where = f" at {result['context_tokens']:,} tokens" if "context_tokens" in result else ""
    axes.set(
        ylabel="milliseconds until the first token",
        title=f"First token{where}, {result['model']}",
    )


def _memory(axes: Any, result: Document) -> None:
    parts = result["parts"]
    megabytes = [size / 1e6 for size in parts.values()]
    bars = axes.barh([name.replace("_", " ") for name in parts], megabytes)
    axes.bar_label(bars, [f"{size:,.0f} MB" for size in megabytes])
    axes.set(xlabel="resident megabytes", title=f"Memory by part, {result['model']}")


def _times(axes: Any, result: Document) -> None:
    """Everything in milliseconds, as bars."""
    times = {key: value for key, value in result.items() if key.endswith("_ms")}
    bars = axes.barh([key[:-3].replace("_", " ") for key in times], list(times.values()))
    axes.bar_label(bars, [f"{value:,.1f} ms" for value in times.values()])
    axes.set(xlabel="milliseconds", title=str(result["model"]))
