"""Plots of what `companion bench` and `eval run` measured, by matplotlib (extra `bench`).

Each is to be understood by itself: the title says what was found, the axes what is good, and a
dashed line is what the performance contract asks for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.errors import UsageError
from companion.evaluation.plots import forgetting, memory, simulation, speed, spoken

Document = dict[str, Any]

PLOTS: dict[str, Callable[[Any, Document], None]] = {
    "ttft": speed.ttft,
    "turns": speed.turns,
    "recall": speed.recall,
    "preempt": speed.preempt,
    "exact": spoken.exact,
    "spoken": spoken.stages,
    "start": speed.start,
    "memory": memory.memory,
    "run": simulation.curves,
    "forgetting": forgetting.year,
}


def require(file: Path) -> None:
    """Raises UsageError when matplotlib is not installed, or the file could not be written. Neither
    matplotlib is loaded yet, which would be in the way of what `bench memory` measures, nor the
    file made."""
    if find_spec("matplotlib") is None:
        raise UsageError(
            "--plot needs matplotlib, which is not installed: "
            f"{sys.executable} -m pip install matplotlib, or leave --plot out"
        )
    if not _writable(file):
        raise UsageError(f"--plot {file}: cannot be written; name a file in a folder that is there")


def _writable(file: Path) -> bool:
    try:
        place = file if file.exists() else file.absolute().parent
        return not file.is_dir() and os.access(place, os.W_OK)
    except OSError:  # It may not even be looked at.
        return False


def draw(name: str, result: Document, file: Path) -> None:
    """A PNG of what a bench found. Raises UsageError when it cannot be written."""
    require(file)
    import matplotlib

    matplotlib.use("Agg")  # Into files only.
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(11, 4.8), layout="constrained")
    PLOTS[name](figure, result)
    if "made_with" in result:
        figure.supxlabel(_footer(result["made_with"]), fontsize=7, color="grey")
    try:
        figure.savefig(file, dpi=130, format="png")
    except OSError as error:
        raise UsageError(f"--plot {file}: cannot be written: {error.strerror}") from None
    finally:
        pyplot.close(figure)


def _footer(made_with: Document) -> str:
    machine = made_with["machine"]
    models = ", ".join(each["name"] for each in made_with["models"].values())
    return (
        f"{models} on {machine['cpu']}, {machine['cores']} cores, load {machine['load']:.1f} "
        f"before; seed {made_with['seed']}"
    )
