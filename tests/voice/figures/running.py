"""Half an hour of talk, and talk by the clock on the wall."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from companion.engines.sound.protocols import FRAME_S
from tests.voice.cast import Engines
from tests.voice.figures.figure import QUESTIONS, VOICES, Figure, act


async def half_hour(engines: Engines, full: bool) -> list[Figure]:
    """Simulated talk: does anything grow?"""
    minutes, warm = (30.0, 10.0) if full else (4.0, 2.0)
    samples: list[tuple[float, float, int, int]] = []

    def sample(frame: int) -> None:
        if frame % round(10 / FRAME_S) == 0 and frame * FRAME_S >= warm * 60:
            gc.collect()
            samples.append((frame * FRAME_S / 60, *_resources()))

    script: list[dict[str, object]] = []
    for number in range(round(minutes * 60 / 8)):
        line = QUESTIONS[number % len(QUESTIONS)]
        script.append(
            {"say": line, "voice": "child", "after_reply": 1.0} if number else {"say": line}
        )
    played = await act(
        engines, script=script, replies=["That is nice to hear."], longest_s=minutes * 60,
        on_frame=sample,
    )  # fmt: skip
    slope = _slope([(at, megabytes) for at, megabytes, _, _ in samples]) * 10
    files, threads = {row[2] for row in samples}, {row[3] for row in samples}
    length = played.room.frame * FRAME_S / 60
    return [
        Figure(
            f"{length:.0f} min of talk, {len(played.turns)} turns: memory",
            "<= 1 MB in 10 min",
            f"{slope:+.2f} MB in 10 min",
            slope <= 1 or not full,
        ),
        Figure(
            "files and threads", "constant", f"{_range(files)} files, {_range(threads)} threads",
            len(files) == len(threads) == 1,
        ),
    ]  # fmt: skip


def _resources() -> tuple[float, int, int]:
    """Resident megabytes, open files, threads."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return megabytes, len(os.listdir("/proc/self/fd")), threading.active_count()


def _slope(points: Sequence[tuple[float, float]]) -> float:
    """Least squares."""
    x0, y0 = (sum(point[n] for point in points) / len(points) for n in (0, 1))
    above = sum((x - x0) * (y - y0) for x, y in points)
    return above / sum((x - x0) ** 2 for x, _ in points)


def _range(values: set[int]) -> str:
    return "-".join(map(str, sorted({min(values), max(values)})))


async def prefill(engines: Engines, full: bool) -> list[Figure]:
    """Turns of two seconds and more: how little is left to read after the endpoint."""
    count = 10 if full else 4
    played = await act(engines, llm="smollm2", pace="real", longest_s=600, script=_questions(count))
    long = [turn for turn in played.turns if turn.speech_ms >= 2000]
    good = [turn for turn in long if turn.evaluated_tokens <= turn.recalled_tokens + 16]
    left = median(turn.evaluated_tokens for turn in long) if long else 0
    return [
        Figure(
            "prefill: tokens after the endpoint <= recalled + 16",
            "90 % of turns of 2 s and more",
            f"{len(good)} of {len(long)}, median {left:.0f} tokens",
            bool(long) and len(good) >= 0.9 * len(long),
        )
    ]


async def realtime(engines: Engines, full: bool) -> list[Figure]:
    """By the clock on the wall: from the end of speech to the first sound."""
    count = 20 if full else 4
    played = await act(
        engines,
        llm="smollm2",
        speaker="piper",
        pace="real",
        longest_s=600,
        script=_questions(count),
    )
    rows = [
        {stage: ms for stage, ms in turn.times.milliseconds().items() if ms is not None}
        for turn in played.turns
    ]
    medians = {
        stage: median(values)
        for stage in rows[0]
        if (values := [row[stage] for row in rows if stage in row])
    }
    # The model can begin once the words are known and the endpoint is certain.
    own = median(
        row["first_clause_ms"] - max(row["endpoint_ms"], row["transcript_ms"])
        for row in rows
        if "first_clause_ms" in row
    )
    sound = medians["first_sound_ms"]
    stages = ", ".join(f"{name[:-3]} {value:.0f}" for name, value in medians.items())
    return [
        Figure(
            f"real time, {len(rows)} turns: first sound",
            f"<= {own:.0f} (the model's first clause) + 800 ms",
            f"{sound:.0f} ms ({stages}; load {os.getloadavg()[0]:.1f})",
            sound <= own + 800 and len(rows) == count,
        )
    ]


def _questions(count: int) -> list[dict[str, object]]:
    script: list[dict[str, object]] = []
    for number in range(count):
        line, voice = QUESTIONS[number % len(QUESTIONS)], VOICES[number % 2]
        script.append({"say": line, "voice": voice, "after_reply" if number else "after": 0.8})
    return script
