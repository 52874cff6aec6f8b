"""Listens to what a child tells: who may be listened to, and what is said where a friend must not
be cheerful.

No model. Most tellings are taken up by `companion.repertoire.uptake`; here stand the few that need
more care: a loss, what the guard is not easy about, and a greeting that tells something besides.
The sentences are in listening.yaml.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from companion import language
from companion.answering import Heard
from companion.engines.protocols import Embedder
from companion.repertoire.replies import fresh
from companion.repertoire.uptake import LISTENS, SURELY_LISTENS, Uptake

FILE = Path(__file__).with_name("listening.yaml")

TOLD = (
    *("good_news", "feeling_happy", "bad_news", "feeling_sad", "tired_or_ill", "feeling_angry"),
    *("telling", "and_then", "short_answer"),
)
"""Acts by which a child tells something."""

WANTS = (
    *("ask_story", "ask_joke", "ask_riddle", "ask_song", "ask_game", "ask_timer", "ask_time"),
    *("ask_device", "ask_cannot", "advice", "spelling_or_sums", "wants_remember", "about_memory"),
    *("fact_question", "why_question", "hard_question", "about_toy"),
)
"""Acts that want an answer of their own."""

ELSE = 0.45
"""Probability from which something else is wanted than a listener."""

SURELY_ELSE = 0.8
"""The same whatever speaks for a listener, in more than one sentence ("Describe a castle" is one,
whose act is not sure)."""

CLEAR = 0.55
"""Least probability of sad news for a loss to be met as one."""

ASKED = 0.3
"""Probability of a question from which nothing is a mere telling."""
ASKING = ("fact_question", "why_question", "hard_question", "about_toy", "about_memory", "advice")

TROUBLED = ("bad_news", "feeling_sad", "feeling_angry", "tired_or_ill", "feeling_afraid", "bored")
"""Acts by which a child tells of trouble."""

TROUBLE = 0.3
"""Probability of these from which nothing glad is said."""

WEIGHS = 0.4
"""The same of all situations of trouble together."""

CERTAINLY = 0.8
"""Least certainty that a listener is wanted where an act or a word speaks against it: of 2,511
messages by authors that were left out, 151 are so and ask nothing, and 137 of these only tell."""

GREETS = 0.45
"""Least probability of a greeting that tells something besides."""

PLAYS = 0.3
"""Probability of pretend play from which nothing is taken for a telling."""

HARMLESS = 0.02
"""Most danger, as the guard's classifier sees it, of a message that is answered by what it does. Of
two strangers' hints that it was not trained on 39 of 40 have more, of ordinary talk 3 in 100."""

HEED = 0.2
"""Danger from which a grown-up is asked for: 35 of these 40, and of ordinary talk 2 in 100."""

MOST_WORDS = 80
"""A longer message is left to the model."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def shipped(path: Path = FILE) -> dict[str, tuple[str, ...]]:
    """What is said, by what needs care. Raises OSError, yaml.YAMLError, TypeError."""
    with path.open(encoding="utf-8") as file:
        return {name: tuple(lines) for name, lines in yaml.load(file, _LOADER).items()}


def may_be_told(heard: Heard) -> bool:
    """Whether the words may be a telling: no play, no question at their end, nothing to be done."""
    if _plays(heard):
        return False
    if heard.reading.of(*WANTS) >= ELSE:
        return False
    last = (language.sentences.split(heard.words) or [""])[-1]
    if last.rstrip("\"'”’ ").endswith("?") or language.question.asking(last):
        return False
    return language.claims.wants(heard.words) is None


def only_tells(heard: Heard) -> bool:
    """Whether nothing in them asks or wants anything."""
    if language.question.asking(heard.words) or language.saying_back.asks(heard.words):
        return False
    if heard.reading.of(*ASKING) >= ASKED:
        return False
    return heard.reading.of(*WANTS) < heard.reading.of(*TOLD, "feeling_afraid", "greeting")


def _surely_wants(heard: Heard) -> bool:
    """Whether they ask something, or an act is sure that something else is wanted."""
    alone = len(language.sentences.split(heard.words)) <= 1
    if "?" in heard.words or (alone and language.question.asking(heard.words)):
        return True
    return heard.reading.of(*WANTS) >= (ELSE if alone else SURELY_ELSE)


def _plays(heard: Heard) -> bool:
    plays = language.variants.of("toy", heard.previous) == "plays"
    return plays or heard.reading.of("pretend", "game_move") >= PLAYS


class Listener:
    """Answers one child's tellings."""

    def __init__(
        self, uptake: Uptake, embedder: Embedder, chance: random.Random, *, file: Path = FILE
    ) -> None:
        """chance: chooses among what fits. Raises OSError, yaml.YAMLError, TypeError."""
        self._uptake = uptake
        self._embedder = embedder
        self._lines: Mapping[str, tuple[str, ...]] = shipped(file)
        self._chance = chance

    async def reply(
        self, heard: Heard, lately: Sequence[str], *, danger: float = 0.0, trouble: float = 0.0
    ) -> tuple[str, ...] | None:
        """What is said to a child that tells something; None: somebody else answers. lately: what
        was said within a week. danger: what the guard's classifier sees of it, 0 to 1: from
        HARMLESS on it is only listened to, from HEED on a grown-up is asked for. trouble: how
        likely its situation is one of trouble. Raises EngineError."""
        if len(heard.words.split()) > MOST_WORDS:
            return None
        may_be = may_be_told(heard)
        if not may_be and _surely_wants(heard):
            return None
        simply = may_be and only_tells(heard)
        if simply and danger > HEED:
            return self._written("heedful", lately)
        grave = language.saying_back.is_grave(heard.words)
        sad = heard.reading.of("bad_news", "feeling_sad") >= CLEAR
        if simply and grave and sad and danger <= HARMLESS:
            return self._written("loss", lately)
        if danger > HEED:
            return None
        calm = grave or danger > HARMLESS
        greets = heard.reading.of("greeting") >= GREETS
        least = CERTAINLY if not may_be else LISTENS if simply or greets else SURELY_LISTENS
        taken = self._uptake.reply(
            heard,
            (await self._embedder.embed_tokens([heard.words]))[0],
            lately,
            least=least,
            calm=calm,
            troubled=trouble >= WEIGHS or heard.reading.of(*TROUBLED) >= TROUBLE,
            repeats=not grave,
        )
        if taken is None:
            return None
        if greets:
            taken = (self._chance.choice(self._lines["greets"]), *taken)
        return taken

    def _written(self, name: str, lately: Sequence[str]) -> tuple[str, ...]:
        line = self._chance.choice(fresh(self._lines[name], lately))
        return tuple(language.sentences.split(line))
