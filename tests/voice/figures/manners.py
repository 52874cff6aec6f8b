"""Interrupted, coughed at, hearing itself: what the companion does while it speaks."""

from __future__ import annotations

from statistics import median

from tests.voice.actors import SPEECH_DB
from tests.voice.cast import Engines
from tests.voice.figures.figure import QUESTIONS, VOICES, Figure, act

TALE = (
    "Once there was a little fox, who lived under a very old tree. Every morning it went out to "
    "look for sweet red berries, until it met a tired owl, and they became good friends."
)
INTERRUPTIONS = (
    "Stop it.", "No, wait a moment.", "I want to hear something else.", "Please be quiet now.",
    "Can we talk about dinosaurs?",
)  # fmt: skip


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
