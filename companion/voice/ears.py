"""What a transcript is worth: words, noise, our own echo, a nod, or something not understood.

A transcriber that hears no speech still writes what most often stood under silence in its
training data: thanks to an audience, credits of subtitles, a lone "you". What it writes is
therefore held against how much speech there was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.config import VoiceSection
from companion.engines.sound_protocols import Transcript
from companion.voice.echo_words import FEWEST, is_echo, words_of

Kind = Literal["words", "noise", "unclear", "echo", "backchannel"]

SOUND_NAMES = re.compile(r"\[[^\]]*\]?|\([^)]*\)?|\*[^*]*\*?|[♪♫]+")
"""How a transcriber notes what is no speech: [music], (sighs), *coughs*."""

LETTER = re.compile(r"[^\W\d_]")
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")

NEVER_SAID = re.compile(
    r"(?:thanks|thank you)(?: so much| very much| a lot)? for (?:watching|listening|viewing)"
    r"|(?:please |don't forget to |remember to )?(?:like and )?subscribe"
    r"|(?:i'll |i will |we'll )?see you (?:guys )?in (?:the|my|our) next (?:video|one|episode)"
    r"|subtitle[sd]? (?:by|from)|caption(?:s|ed|ing)? by|transcri(?:bed|ption|pt) by"
    r"|amara org|castingwords|otter ai|www |copyright|all rights reserved|bf watch tv"
    r"|hit the bell"
)
"""Ends of videos and credits: whisper's favourites under silence and music."""

STOCK = frozenset(
    {
        "thank you", "thank you very much", "thank you so much", "thanks", "you", "bye", "bye bye",
        "the", "i", "a", "so", "oh", "okay", "ok", "and", "the end", "uh", "um", "hmm", "huh", "ah",
        "it's", "i'm sorry", "i'm", "see you", "see you next time", "good night", "alright",
        "all right", "yeah", "yes", "no", "hello", "hi", "hey", "but", "it", "we'll be right back",
        "we'll see you next time", "i'll see you next time", "i don't know", "let's go", "beep",
    }
)  # fmt: skip
"""What it writes for a knock or a breath, and what people do say: believed with speech enough."""

NODS = frozenset(
    """
    mhm mm mmm mmhmm hmm hm hmmm uh huh uhhuh ah aha oh ooh oo okay ok k yeah yep yup ya yes right
    wow cool sure uh um er haha hehe ha heh hee
    """.split()
)
NODDING = frozenset({"i see", "got it", "all right", "alright", "oh really", "oh i see", "go on"})

SAID_ALONE = frozenset(
    {
        "stop", "stop it", "stop please", "please stop", "wait", "quiet", "be quiet", "no", "no no",
        "yes", "okay", "ok", "yeah", "why", "what", "who", "where", "how", "more", "again",
        "please", "help", "hello", "hi", "goodbye", "bye", "bye bye",
        "good night", "one", "two", "three",
    }
)  # fmt: skip
"""Whole utterances of a word or two that are heard every day."""

ALONE = 0.6
"""Of the least confidence: enough for one of these. The mean is of two or three tokens then, and
whether an exclamation or a full stop comes last is one of them ("Stop." has 0.3 to 0.6)."""

REPEATING = 2.4
"""Compression above which a transcript runs in circles (whisper's own limit)."""

CIRCLE_WORDS = 4
CIRCLE_TIMES = 3
"""So many words in a row, so often in one transcript, are a transcriber that runs in circles, be
it too short for the measure above: what it writes of many voices at once."""

SURELY_SILENT = 0.9
LIKELY_SILENT = 0.6
SURE = 0.6
"""Confidence that outweighs a likely silence."""

FASTEST = 8
"""Words a second that nobody says."""


@dataclass(frozen=True)
class Heard:
    """What came to the ears."""

    kind: Kind
    text: str
    """The words, without notes of sounds; "" for noise."""

    confidence: float


def judge(
    transcript: Transcript, *, speech_ms: int, section: VoiceSection, said: Sequence[str]
) -> Heard:
    """What to make of a transcript.

    speech_ms: speech that the detector found in the sound. said: our own sentences that could be
    heard while the utterance was, in order; those of before are no echo, however alike.
    """
    text = " ".join(SOUND_NAMES.sub(" ", transcript.text).split())
    words = words_of(text)
    if _is_noise(transcript, text, words, speech_ms):
        return Heard("noise", "", transcript.confidence)
    return Heard(_kind(transcript, words, section, said), text, transcript.confidence)


def _kind(
    transcript: Transcript, words: list[str], section: VoiceSection, said: Sequence[str]
) -> Kind:
    enough = section.min_confidence * (ALONE if " ".join(words) in SAID_ALONE else 1)
    unclear = transcript.confidence < enough
    # Few words may be an answer that was made of ours. When they would only be asked for again,
    # better to take them for what the speaker left in the microphone.
    if (len(words) >= FEWEST or unclear) and is_echo(words, words_of(" ".join(said))):
        return "echo"
    if unclear:
        return "unclear"
    return "backchannel" if is_nod(words) else "words"


def is_nod(words: Sequence[str]) -> bool:
    """Whether somebody only shows that they listen."""
    return set(words) <= NODS or " ".join(words) in NODDING


def _is_noise(transcript: Transcript, text: str, words: list[str], speech_ms: int) -> bool:
    letters = len(LETTER.findall(text))
    if not words or len(LATIN.findall(text)) * 2 < letters:
        return True
    if transcript.compression > REPEATING or _in_circles(words):
        return True
    if transcript.no_speech > SURELY_SILENT:
        return True
    if transcript.no_speech > LIKELY_SILENT and transcript.confidence < SURE:
        return True
    if len(words) > 2 + FASTEST * speech_ms / 1000:
        return True
    phrase = " ".join(words)
    if NEVER_SAID.match(phrase):
        return True
    little = speech_ms < 100 + 100 * len(words)
    return phrase in STOCK and (little or transcript.no_speech > LIKELY_SILENT)


def _in_circles(words: Sequence[str]) -> bool:
    runs = [tuple(words[at : at + CIRCLE_WORDS]) for at in range(len(words) - CIRCLE_WORDS + 1)]
    return any(runs.count(run) >= CIRCLE_TIMES for run in set(runs))
