"""Listens to what a child tells, and asks what a friend would ask.

No model. The tone comes from what the message does (`companion.acts`). What a telling is about
decides what is said (`companion.repertoire.scenes`); where no scene fits, the verb decides the
question (`companion.language.hinges`), and now and then the child's own words are said back before
it (`companion.language.saying_back`), never twice in a row. The sentences are in listening.yaml.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion import language
from companion.answering import Heard, Reading
from companion.repertoire import scenes
from companion.repertoire.replies import unsaid
from companion.repertoire.tones import FILE, Tone, shipped

TONES = {
    "glad": ("good_news", "feeling_happy"),
    "sorry": ("bad_news", "feeling_sad", "tired_or_ill"),
    "cross": ("feeling_angry",),
    "plain": ("telling", "and_then", "short_answer"),
}
"""Acts by the tone in which they are answered."""

TROUBLED = ("sorry", "cross")
"""Tones for what troubles a child."""

TOLD = tuple(act for acts in TONES.values() for act in acts)

WANTS = (
    *("ask_story", "ask_joke", "ask_riddle", "ask_song", "ask_game", "ask_timer", "ask_time"),
    *("ask_device", "ask_cannot", "advice", "spelling_or_sums", "wants_remember", "about_memory"),
    *("fact_question", "why_question", "hard_question", "about_toy"),
)
"""Acts that want an answer of their own."""

TELLS = 0.25
"""Least probability that something is told, for it to be said back: that a part is a whole sentence
of the child's own shows more."""

ELSE = 0.45
"""Probability from which something else is wanted, and nothing is said back."""

RATHER_TELLS = 0.5
"""Least probability that something is told, for it to be taken up gladly or sadly."""

SURELY_TELLS = 0.7
"""Least probability of it where nothing can be said back."""

CLEAR = 0.55
"""Least share of a tone among TOLD; below it the tone is mixed."""

ASKED = 0.3
"""Probability of a question from which nothing is a mere telling."""
ASKING = ("fact_question", "why_question", "hard_question", "about_toy", "about_memory", "advice")

TROUBLE = 0.3
"""Probability of trouble from which no tone is cheerful."""

WEIGHS = 0.4
"""The same of all situations of trouble together, from which what is told is met gently."""

WORRY = 0.3
"""Probability of fear from which what is told is no longer said back."""

GREETS = 0.45
"""Least probability of a greeting that tells something besides."""

PLAYS = 0.3
"""Probability of pretend play from which nothing is taken for a telling."""

GOES_ON = 0.3
"""Least probability of "and_then", a tale that goes on, for its own questions."""

HARMLESS = 0.02
"""Most danger, as the guard's classifier sees it, of a message that is answered by what it does. Of
two strangers' hints that it was not trained on 39 of 40 have more, of ordinary talk 3 in 100."""

HEED = 0.2
"""Danger from which a grown-up is asked for: 35 of these 40, and of ordinary talk 2 in 100."""

MOST_WORDS = 60
"""A longer message is left to the model."""

MOST_SAID_BACK = 8
"""Words of a part that is said back: a longer one sounds like an echo."""

SAID_BACK = 0.4
"""How often it is."""

IN_A_TALE = 0.5
"""How often a tale that goes on is answered by what it is about, in place of "and then?"."""

JUST_SAID = 3
"""Replies after which a line of a tone may come again, when all were said within a week."""

SAID, CAPITAL = "{said}", "{Said}"


@dataclass(frozen=True)
class Taken:
    """How a telling is taken up."""

    sentences: tuple[str, ...]
    lead: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """See `companion.answering.Answer`."""


def free(heard: Heard) -> bool:
    """Whether the words neither ask nor want anything, and are no play."""
    if len(heard.words.split()) > MOST_WORDS:
        return False
    if language.question.asking(heard.words) or language.saying_back.asks(heard.words):
        return False
    wants, asks = heard.reading.of(*WANTS), heard.reading.of(*ASKING)
    if heard.reading.of("pretend", "game_move") >= PLAYS or wants >= ELSE or asks >= ASKED:
        return False
    if wants >= heard.reading.of(*TOLD, "feeling_afraid", "greeting"):
        return False
    plays = language.variants.of("toy", heard.previous) == "plays"
    return not plays and language.claims.wants(heard.words) is None


def tells(reading: Reading) -> bool:
    """Whether a message tells something of the child's life."""
    return reading.of(*TOLD) >= TELLS


def tone_of(reading: Reading) -> str:
    """How what is told is taken up."""
    all_of_it = reading.of(*TOLD)
    shares = {tone: reading.of(*acts) / all_of_it for tone, acts in TONES.items()}
    tone = max(shares, key=shares.__getitem__)
    if all_of_it < RATHER_TELLS:
        return "mixed"
    clear = shares[tone] >= CLEAR and (tone in TROUBLED or not _troubled(reading))
    return tone if clear else "mixed"


def _troubled(reading: Reading) -> bool:
    """Whether it may well be that something troubles the child."""
    acts = (act for tone in TROUBLED for act in TONES[tone])
    return reading.of(*acts, "feeling_afraid", "bored") >= TROUBLE


class Listener:
    """Answers one child's tellings."""

    def __init__(self, chance: random.Random, *, file: Path = FILE) -> None:
        """chance: chooses among what fits. Raises OSError, yaml.YAMLError, KeyError, TypeError."""
        self._tones = shipped(file)
        self._scenes = scenes.shipped()
        self._chance = chance
        self._said_back = ""
        """The last reply that said something back."""

    def reply(
        self,
        heard: Heard,
        lately: Sequence[str],
        *,
        danger: float = 0.0,
        trouble: float | None = None,
    ) -> Taken | None:
        """What is said to a child that tells something; None: somebody else answers. lately:
        what was said within a week. danger: what the guard's classifier sees of it, 0 to 1: from
        HARMLESS on it is only listened to, from HEED on a grown-up is asked for. trouble: how
        likely its situation is one of trouble, None: nobody knows."""
        if not free(heard):
            return None
        if danger > HARMLESS:
            calm = replace(self._tones["heedful" if danger > HEED else "mixed"], lead=(), after=())
            return self._taken(self._in_tone(calm, heard, lately, surely=0), calm, lately)
        if heard.reading.of("greeting") >= GREETS:
            back = self._tones["back"]
            lead = self._chance.choice(back.bare)
            return self._taken(self._greeted(heard, lately), back, lately, lead)
        if not tells(heard.reading):
            return None
        grave = language.saying_back.is_grave(heard.words)
        name = "loss" if grave else tone_of(heard.reading)
        if grave and heard.reading.of("bad_news", "feeling_sad") < CLEAR:
            return None
        if name == "mixed" and heard.reading.of("feeling_afraid") >= WORRY:
            name = "worried"
        elif name == "mixed" and _troubled(heard.reading):
            name = "gentle"
        weighs = (trouble or 0) >= WEIGHS and name not in ("loss", "worried", *TROUBLED)
        name = "gentle" if weighs else name
        told = language.saying_back.telling(heard.words)
        if told is not None and name != "gentle":
            name = _as_it_turns(self._tones, name, told)
        tone = self._tones[name]
        moods = (True, False) if name == "gentle" else (name in TROUBLED,) * bool(tone.lead)
        for sorry in moods[: 1 if weighs else None]:
            if about := self._about(heard, lately, sorry=sorry):
                return self._taken(about, tone, lately)
        return self._taken(self._in_tone(tone, heard, lately, surely=SURELY_TELLS), tone, lately)

    def _taken(
        self,
        sentences: tuple[str, ...] | None,
        tone: Tone,
        lately: Sequence[str],
        *lead: str,
    ) -> Taken | None:
        """The same with what would stand around the child's own words."""
        rest = unsaid(tone.after, lately[-JUST_SAID:]) or tone.after
        after = (self._chance.choice(rest),) if rest else ()
        return Taken(sentences, lead if after else (), after) if sentences else None

    def _about(self, heard: Heard, lately: Sequence[str], *, sorry: bool) -> tuple[str, ...] | None:
        """What is said by what is told about. A tale that goes on is heard out, too."""
        tale = heard.reading.of("and_then") >= GOES_ON
        if tale and self._chance.random() >= IN_A_TALE:
            return None
        return scenes.line(
            self._scenes, heard.words, heard.previous, lately, self._chance, sorry=sorry
        )

    def _greeted(self, heard: Heard, lately: Sequence[str]) -> tuple[str, ...] | None:
        """A greeting that tells something besides."""
        tone = self._tones["back"]
        if about := self._about(heard, lately, sorry=_troubled(heard.reading)):
            return (self._chance.choice(tone.bare), *about)
        return self._in_tone(tone, heard, lately, surely=0)

    def _in_tone(
        self, tone: Tone, heard: Heard, lately: Sequence[str], *, surely: float
    ) -> tuple[str, ...] | None:
        """The same in a given tone. surely: least probability where nothing is said back."""
        told = language.saying_back.telling(heard.words) if tone.lead else None
        if told is None:
            if tone.lead and heard.reading.of(*TOLD) < surely:
                return None
            # What is only listened to is not left to a model because all was said once.
            rest = unsaid(tone.unsaid, lately) or unsaid(tone.unsaid, lately[-JUST_SAID:])
            return tuple(language.sentences.split(self._chance.choice(rest))) if rest else None
        hinge = language.hinges.of(told, tone.follow)
        own = language.saying_back.is_own_deed(told)
        if heard.reading.of("and_then") >= GOES_ON and "goes_on" in tone.follow:
            hinge = "goes_on"
        elif hinge == "happened" and not own:
            hinge = "any"
        follow = self._chance.choice(_fresh(tone, hinge, lately))
        back = own and self._says_back(told, heard.previous)
        first = self._back(tone, told, lately) if back else self._chance.choice(tone.bare)
        said = (*language.sentences.split(first), *language.sentences.split(follow))
        if back:
            self._said_back = " ".join(said)
        return said

    def _says_back(self, told: str, previous: str) -> bool:
        """Whether something is said back: seldom, only what is short, never twice in a row."""
        if previous and previous == self._said_back:
            return False
        return len(told.split()) <= MOST_SAID_BACK and self._chance.random() < SAID_BACK

    def _back(self, tone: Tone, told: str, lately: Sequence[str]) -> str:
        lead = self._chance.choice(_seldom(tone.lead, lately[-1:]))
        return lead.replace(SAID, told).replace(CAPITAL, told[:1].upper() + told[1:])


def _as_it_turns(tones: Mapping[str, Tone], name: str, told: str) -> str:
    """The tone, where what is told turns on something that is not as glad, or not as sad, as the
    message was read: something was broken, or managed."""
    spoils = [each for each in tones["sorry"].follow if each not in tones["plain"].follow]
    spoilt = language.hinges.of(told, spoils) != ""
    if (name in ("glad", "plain") and spoilt) or language.hinges.of(told, ("wants",)):
        return "mixed"
    if name == "sorry" and language.hinges.of(told, ("achieved",)):
        return "mixed"
    return "sorry" if name == "mixed" and spoilt else name


def _fresh(tone: Tone, hinge: str, lately: Sequence[str]) -> Sequence[str]:
    """What may follow: of the hinge, else of all, none that was said within a week; else any, since
    what is said back before it is new."""
    own, general = tone.follow.get(hinge, ()), tone.follow["any"]
    if hinge == "goes_on":
        general = own
    return unsaid(own, lately) or unsaid(general, lately) or own or general


def _seldom(leads: Sequence[str], last: Sequence[str]) -> Sequence[str]:
    """The leads of which nothing stands in what was said last."""
    marks = [lead.replace(SAID, "\0").replace(CAPITAL, "\0").split("\0")[0] for lead in leads]
    kept = [
        lead
        for lead, mark in zip(leads, marks, strict=True)
        if not mark or not any(each.startswith(mark) for each in last)
    ]
    return kept or leads
