"""Classifies a transcript: words, noise, our own echo, a backchannel ("mhm"), or unclear.

A transcriber that hears no speech still writes what most often accompanied silence in its training
data: thanks to an audience, credits of subtitles, a lone "you". So its words are compared with how
much speech there was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion import language
from companion.config import VoiceSection
from companion.engines.sound.protocols import Transcript
from companion.voice.turns.echo import FEWEST, is_echo

Kind = Literal["words", "noise", "unclear", "echo", "backchannel"]

SOUND_NAMES = re.compile(r"\[[^\]]*\]?|\([^)]*\)?|\*[^*]*\*?|[♪♫]+")
"""How a transcriber marks sounds that are not speech: [music], (sighs), *coughs*."""

ALONE = 0.6
"""Share of the least confidence that suffices for a common one-word utterance. The mean is then
over two or three tokens, one of them the choice between exclamation mark and full stop ("Stop." has
0.3 to 0.6)."""

REPEATING = 2.4
"""Compression ratio above which a transcript repeats itself (whisper's own limit)."""

CIRCLE_WORDS = 4
CIRCLE_TIMES = 3
"""This many words in a row, repeated this often, mean that the transcriber is looping, even in a
transcript too short for the ratio above. It happens when many voices speak at once."""

SURELY_SILENT = 0.9
LIKELY_SILENT = 0.6
SURE = 0.6
"""Confidence that outweighs a likely silence."""

FASTEST = 8
"""Words per second: nobody speaks faster."""


@dataclass(frozen=True)
class FilteredTranscript:
    """A transcript and what it turned out to be."""

    kind: Kind
    text: str
    """The words, without marks of other sounds; "" for noise."""

    confidence: float


def judge(
    transcript: Transcript, *, speech_ms: int, section: VoiceSection, said: Sequence[str]
) -> FilteredTranscript:
    """Classify a transcript.

    speech_ms: speech that the detector found in the sound. said: our own sentences that could be
    heard during the utterance, in order; earlier ones cannot be an echo, however similar.
    """
    text = " ".join(SOUND_NAMES.sub(" ", transcript.text).split())
    words = language.transcripts.words_of(text)
    if _is_noise(transcript, text, words, speech_ms):
        return FilteredTranscript("noise", "", transcript.confidence)
    return FilteredTranscript(_kind(transcript, words, section, said), text, transcript.confidence)


def _kind(
    transcript: Transcript, words: list[str], section: VoiceSection, said: Sequence[str]
) -> Kind:
    enough = section.min_confidence * (ALONE if language.transcripts.is_said_alone(words) else 1)
    unclear = transcript.confidence < enough
    # A few of our own words may be an answer. If they were so unclear that we would only ask for
    # them again, it is better to take them for the speaker's sound in the microphone.
    ours = language.transcripts.words_of(" ".join(said))
    if (len(words) >= FEWEST or unclear) and is_echo(words, ours):
        return "echo"
    if unclear:
        return "unclear"
    return "backchannel" if language.transcripts.is_nod(words) else "words"


def _is_noise(transcript: Transcript, text: str, words: list[str], speech_ms: int) -> bool:
    if not words or language.transcripts.is_foreign(text):
        return True
    if transcript.compression > REPEATING or _in_circles(words):
        return True
    if transcript.no_speech > SURELY_SILENT:
        return True
    if transcript.no_speech > LIKELY_SILENT and transcript.confidence < SURE:
        return True
    if len(words) > 2 + FASTEST * speech_ms / 1000:
        return True
    if language.transcripts.is_never_said(words):
        return True
    little = speech_ms < 100 + 100 * len(words)
    return language.transcripts.is_stock(words) and (little or transcript.no_speech > LIKELY_SILENT)


def _in_circles(words: Sequence[str]) -> bool:
    runs = [tuple(words[at : at + CIRCLE_WORDS]) for at in range(len(words) - CIRCLE_WORDS + 1)]
    return any(runs.count(run) >= CIRCLE_TIMES for run in set(runs))
