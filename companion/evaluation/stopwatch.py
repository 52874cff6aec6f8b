"""Measures wall time, and the processor time of this process, which other load hardly affects."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from companion.evaluation.figures import percentile


@dataclass(frozen=True)
class Moment:
    """Seconds of wall time and of processor time (all threads of this process): a point in time,
    or the stretch between two."""

    wall_s: float
    cpu_s: float

    @classmethod
    def now(cls) -> Moment:
        return cls(time.perf_counter(), time.process_time())

    def since(self, earlier: Moment) -> Moment:
        return Moment(self.wall_s - earlier.wall_s, self.cpu_s - earlier.cpu_s)


class Stopwatch:
    """Laps in milliseconds."""

    def __init__(self) -> None:
        self.wall_ms: list[float] = []
        self.cpu_ms: list[float] = []

    @contextmanager
    def lap(self) -> Iterator[None]:
        """Time the `with` block."""
        began = Moment.now()
        yield
        took = Moment.now().since(began)
        self.wall_ms.append(took.wall_s * 1000)
        self.cpu_ms.append(took.cpu_s * 1000)

    def figures(self, prefix: str = "") -> dict[str, float]:
        """`p50_ms`, `p99_ms`; `cpu_p50_ms`, `cpu_p99_ms`: all threads of the process together."""

        def figure(laps: Sequence[float], share: float) -> float:
            return round(percentile(laps, share), 2)

        return {
            f"{prefix}p50_ms": figure(self.wall_ms, 0.5),
            f"{prefix}p99_ms": figure(self.wall_ms, 0.99),
            f"{prefix}cpu_p50_ms": figure(self.cpu_ms, 0.5),
            f"{prefix}cpu_p99_ms": figure(self.cpu_ms, 0.99),
        }
