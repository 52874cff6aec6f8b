"""Fading, drawn: retention over lived days as SVG. Only numbers go into it, and no word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

WIDTH, HEIGHT = 320, 120
LEFT, TOP, RIGHT, BOTTOM = 34, 8, 8, 22
"""Room for the axes, in the units of the drawing."""


def curve(memory: dict[str, Any]) -> str:
    """How one memory fades: a line, a dot for each use, and R_min as a dashed line.

    memory: `curve` [[lived day, retention]], `uses` [lived day], `r_min`, `lived_now_days`.
    """
    points = [(float(day), _share(value)) for day, value in memory["curve"]]
    if len(points) < 2:
        return ""
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1.0)

    def x(day: float) -> float:
        share = (min(max(day, first), last) - first) / (last - first)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        return round(TOP + (1 - value) * (HEIGHT - TOP - BOTTOM), 1)

    now, floor = float(memory["lived_now_days"]), _share(memory["r_min"])
    line = " ".join(f"{x(day)},{y(value)}" for day, value in points)
    uses = [float(day) for day in memory["uses"] if first <= float(day) <= last]
    dots = "".join(f'<circle class="use" cx="{x(day)}" cy="{y(1.0)}" r="3.5"/>' for day in uses)
    ground = HEIGHT - BOTTOM
    parts = [
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">',
        f'<path class="axis" d="M{LEFT} {TOP}V{ground}H{WIDTH - RIGHT}"/>',
        f'<text x="{LEFT - 4}" y="{y(1.0) + 4}" text-anchor="end">100 %</text>',
        f'<text x="{LEFT - 4}" y="{ground}" text-anchor="end">0</text>',
        f'<path class="floor" d="M{LEFT} {y(floor)}H{WIDTH - RIGHT}"/>',
    ]
    if first <= now <= last:
        parts.append(f'<path class="now" d="M{x(now)} {TOP}V{ground}"/>')
        anchor = "end" if x(now) > WIDTH - 60 else "middle" if x(now) > LEFT + 20 else "start"
        parts.append(f'<text x="{x(now)}" y="{HEIGHT - 6}" text-anchor="{anchor}">now</text>')
    left = round(last - now)
    if first <= now <= last and left >= 1 and x(now) < WIDTH - 120:
        words = "in a day" if left == 1 else f"in {left} days"
        parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{words}</text>')
    parts += [f'<polyline class="line" points="{line}"/>', dots, "</svg>"]
    return "".join(parts)


def week(memories: Sequence[dict[str, Any]], days: int) -> str:
    """How many memories go on each of the coming days. memories: with `falls_in_days`."""
    counts = Counter(min(int(float(each["falls_in_days"])), days - 1) for each in memories)
    most = max(counts.values(), default=0)
    if not most:
        return ""
    step = (WIDTH - 2 * RIGHT) / days
    parts = [
        f'<svg class="curve week" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" '
        f'focusable="false">'
    ]
    ground = HEIGHT - BOTTOM
    for day in range(days):
        count = counts.get(day, 0)
        left = round(RIGHT + day * step, 1)
        height = round(count / most * (ground - TOP - 14), 1)
        middle = round(left + step / 2, 1)
        parts.append(
            f'<rect class="bar" x="{left + 3}" y="{round(ground - height, 1)}" '
            f'width="{round(step - 6, 1)}" height="{height}"/>'
            f'<text x="{middle}" y="{round(ground - height - 4, 1)}" text-anchor="middle">'
            f"{count}</text>"
            f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">'
            f"{'today' if day == 0 else f'+{day}'}</text>"
        )
    parts += [f'<path class="axis" d="M{RIGHT} {ground}H{WIDTH - RIGHT}"/>', "</svg>"]
    return "".join(parts)


def _share(value: Any) -> float:
    return min(1.0, max(0.0, float(value)))
