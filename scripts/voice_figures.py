"""What the voice loop reaches: one row per figure with its target; exit 1 when one is missed.

    voice_figures.py [--full] [--only NAME] [--json]

The scenarios' actors speak (tests/voice), the ears and the voice are real, time is simulated;
`realtime` alone runs by the clock on the wall and means something on a quiet machine only.
Without --full each figure is taken from a part of its cases, in about two minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from companion.engines.sound_protocols import FRAME_S, MIC_RATE, Samples  # noqa: E402
from tests.voice import cast  # noqa: E402
from tests.voice.actors import SPEECH_DB, level_db, noise  # noqa: E402
from tests.voice.cast import Engines  # noqa: E402
from tests.voice.play import Played, play  # noqa: E402
from tests.voice.scenario import Scenario, scenarios, word_errors  # noqa: E402

TALE = (
    "Once there was a little fox, who lived under a very old tree. Every morning it went out to "
    "look for sweet red berries, until it met a tired owl, and they became good friends."
)
INTERRUPTIONS = (
    "Stop it.", "No, wait a moment.", "I want to hear something else.", "Please be quiet now.",
    "Can we talk about dinosaurs?",
)  # fmt: skip
VOICES = ("adult", "child", "quick", "slow")
QUESTIONS = (
    "Can you tell me why the leaves turn red in autumn?",
    "My grandmother has a cat that sleeps on the piano.",
    "Yesterday we went swimming in the big lake behind the forest.",
    "What would you do if you could fly like a bird?",
    "I am reading a book about pirates and a hidden treasure.",
    "Do you think that fish can hear us when we talk?",
    "My best friend has a new bicycle with a silver bell.",
    "How many legs does a spider have, and why so many?",
    "Tomorrow I will bake a chocolate cake with my father.",
    "Which animal can run faster than a car in the city?",
)
NO_SPEECH = {
    "silence": -75.0, "white": -30.0, "hum": -20.0, "music": -22.0, "clipping": -3.0,
    "knock": -12.0,
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A row."""

    name: str
    target: str
    result: str
    reached: bool


Measure = Callable[[Engines, bool], Awaitable[list[Figure]]]


async def act(
    engines: Engines, on_frame: Callable[[int], None] = lambda number: None, **fields: object
) -> Played:
    """Play a scenario that no test looks at."""
    scenario = Scenario.model_validate({"name": "figure", "expect": {}, **fields})
    with tempfile.TemporaryDirectory() as folder:
        return await play(scenario, engines, Path(folder), on_frame=on_frame)


async def barge_in(engines: Engines, full: bool) -> list[Figure]:
    """Speech stops the companion: from the first sound of it to the last of the companion's."""
    quiet, stopped = [], 0
    cases = [(line, voice) for voice in VOICES for line in INTERRUPTIONS][:: 1 if full else 4]
    for number, (line, voice) in enumerate(cases):
        played = await act(
            engines,
            speaker="piper",
            replies=[TALE, "All right."],
            script=[
                {"say": "Tell me a story."},
                {"say": line, "voice": voice, "into_reply": 1.0 + 0.23 * number},
            ],
        )
        quiet.append(played.room.quiet_after_ms(played.room.acts[-1]))
        stopped += bool(played.turns and played.turns[0].cut)
    # Confirmed is what makes an utterance: three frames of speech. Before, there is nothing to tell
    # a word from a click; from the first sample of a word that is 96 ms and what the detector
    # takes to be sure of it.
    slow = [ms for ms in quiet if ms > 96 + 200]
    return [
        Figure(
            "barge-in: quiet after 96 ms of speech",
            f"{len(cases)} of {len(cases)} <= 200 ms",
            f"{len(cases) - len(slow)} of {len(cases)}, "
            f"median {median(quiet) - 96:.0f}, longest {max(quiet) - 96:.0f} ms",
            not slow,
        ),
        Figure(
            "barge-in: the reply is cut",
            f"{len(cases)} of {len(cases)}",
            f"{stopped} of {len(cases)}",
            stopped == len(cases),
        ),
    ]


async def coughs(engines: Engines, full: bool) -> list[Figure]:
    """A cough pauses the companion, which then goes on to its end."""
    count, resumed = 10 if full else 4, 0
    for number in range(count):
        played = await act(
            engines,
            speaker="piper",
            replies=[TALE],
            script=[
                {"say": "Tell me a story."},
                {
                    "noise": "cough",
                    "level_db": SPEECH_DB + number % 5,
                    "into_reply": 1.0 + 0.31 * number,
                },
            ],
        )
        resumed += [(turn.said, turn.cut) for turn in played.turns] == [(TALE, False)]
    return [
        Figure(
            "coughs: it goes on", f"{count} of {count}", f"{resumed} of {count}", resumed == count
        )
    ]


async def echo(engines: Engines, full: bool) -> list[Figure]:
    """Its own voice, 12 dB quieter, starts no turn."""
    count, clean = 20 if full else 4, 0
    for number in range(count):
        reply = " ".join(QUESTIONS[(number + n) % len(QUESTIONS)] for n in (0, 3))
        played = await act(
            engines,
            speaker="piper",
            echo_db=-12,
            replies=[reply],
            script=[{"say": QUESTIONS[number % len(QUESTIONS)], "voice": VOICES[number % 4]}],
        )
        clean += [(turn.said, turn.cut) for turn in played.turns] == [(reply, False)]
    return [
        Figure(
            "own echo at -12 dB: no turn, not cut",
            f"{count} of {count}",
            f"{clean} of {count}",
            clean == count,
        )
    ]


async def words(engines: Engines, full: bool) -> list[Figure]:
    """Word errors over the lines of the scenarios."""
    said = {(step.say, step.voice) for each in scenarios() for step in each.script if step.say}
    lines = sorted((line, voice) for line, voice in said if 3 <= len(line.split()) < 60)
    lines += [(line, "child") for line in QUESTIONS]
    figures = []
    for name, below, target in (("clean", None, 0.12), ("noise at 10 dB", 10.0, None)):
        wrong = total = 0
        for line, voice in lines[:: 1 if full else 2]:
            sound = engines.actors.speak(line.replace("...", ","), voice)
            if below is not None:
                sound = _hissing(sound, below)
            heard = await engines.transcriber.transcribe(sound)
            errors, count = word_errors(line.replace("...", " "), heard.text)
            wrong, total = wrong + errors, total + count
        rate = wrong / total
        figures.append(
            Figure(
                f"word error rate, {name}",
                f"<= {target:.0%}" if target else "stated",
                f"{rate:.1%} of {total} words",
                target is None or rate <= target,
            )
        )
    return figures


def _hissing(sound: Samples, below: float) -> Samples:
    hiss = noise("white", len(sound) / MIC_RATE + 0.01, level_db(sound / 32768) - below)
    mixed = sound + hiss[: len(sound)].astype(np.int32)
    return np.clip(mixed, -32768, 32767).astype(np.int16)


async def no_speech(engines: Engines, full: bool) -> list[Figure]:
    """Sounds that are no speech: no turns, no memories."""
    seconds = 600 if full else 90
    each = seconds / len(NO_SPEECH)
    played = await act(
        engines,
        inactivity_s=20,
        script=[
            {"noise": kind, "lasts": each, "level_db": level, "after": 0}
            for kind, level in NO_SPEECH.items()
        ],
        longest_s=seconds + 60,
    )
    turns, kept = len(played.log), len(played.memories)
    return [
        Figure(
            f"no speech for {seconds / 60:.1f} min",
            "0 turns, 0 memories",
            f"{turns} turns, {kept} memories",
            turns == kept == 0 and played.room.frame * FRAME_S >= seconds,
        )
    ]


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


FIGURES: dict[str, Measure] = {
    "barge-in": barge_in,
    "coughs": coughs,
    "echo": echo,
    "words": words,
    "no-speech": no_speech,
    "half-hour": half_hour,
    "prefill": prefill,
    "realtime": realtime,
}


async def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="all cases")
    parser.add_argument("--only", choices=FIGURES, action="append", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    arguments = parser.parse_args()
    missed = 0
    async with cast.engines() as engines:
        for name in arguments.only or FIGURES:
            for figure in await FIGURES[name](engines, arguments.full):
                missed += not figure.reached
                if arguments.json:
                    print(json.dumps(vars(figure)), flush=True)
                else:
                    mark = "ok    " if figure.reached else "MISSED"
                    print(f"{mark} {figure.name} | {figure.target} | {figure.result}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
