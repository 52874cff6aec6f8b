"""Which skills there are, and in which order they are asked."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from companion.clock import SOFTWARE_EPOCH as EPOCH
from companion.clock import Clock
from companion.records import Profile
from companion.skills import packs, plugins
from companion.skills.breathing import Breathing
from companion.skills.device import Device
from companion.skills.games.animals import GuessMyAnimal, GuessYourAnimal
from companion.skills.games.choosing import OddOneOut, WouldYouRather
from companion.skills.games.counting import Suitcase, Sums
from companion.skills.games.game import Game
from companion.skills.games.games import Games
from companion.skills.games.guessing import GuessMyNumber, GuessYourNumber
from companion.skills.games.letters import ISpy, WordChain
from companion.skills.homework import Homework
from companion.skills.jokes import Jokes
from companion.skills.known import Known
from companion.skills.moments import Moments
from companion.skills.protocol import Request, Skill
from companion.skills.rhymes import Rhymes
from companion.skills.riddles import Riddles
from companion.skills.skills import Skills, Written
from companion.skills.stories import Stories
from companion.skills.timer_book import TimerBook
from companion.skills.timers import Timers
from companion.store.database import Store

NAMES = frozenset(
    each.name
    for each in (
        Timers,
        Moments,
        Stories,
        Riddles,
        Jokes,
        Rhymes,
        Games,
        Breathing,
        Homework,
        Device,
    )
)
"""Of our own skills."""


def all_skills(
    store: Store,
    clock: Clock,
    *,
    name: str,
    off: Collection[str] = (),
    seed: int | None = None,
    written: Written | None = None,
) -> Skills:
    """Our own skills and the plug-ins that are installed, but for those that are off (a skill or a
    game by its name). name: the companion's. seed: of what is chosen by chance; None: another one
    at every start. written: see `Skills`."""
    rng = Random(seed)
    known = Known(store)
    book = TimerBook(store, clock)
    games: tuple[Game, ...] = (
        GuessMyNumber(),
        GuessYourNumber(),
        GuessMyAnimal(),
        GuessYourAnimal(),
        ISpy(),
        WordChain(),
        OddOneOut(),
        WouldYouRather(),
        Sums(),
        Suitcase(),
    )
    own: tuple[Skill, ...] = (
        Timers(book),
        Moments(known),
        Stories(rng),
        Riddles(rng),
        Jokes(rng),
        Rhymes(rng),
        Games([game for game in games if game.name not in off], rng),
        Breathing(),
        Homework(rng),
        Device(known, rng),
    )
    skills = [skill for skill in own if skill.name not in off]
    others = plugins.load([skill.name for skill in own], off)
    timers = None if "timers" in off else book
    _read_ahead(skills)
    return Skills([*skills, *others], store, clock, name=name, timers=timers, written=written)


def _read_ahead(skills: Collection[Skill]) -> None:
    """Read tables and stories now, a fifth of a second, not while a child waits."""
    nothing = Request("", "", "", Profile(), EPOCH, False, None)
    for skill in skills:
        skill.wants(nothing, {})
    for pack in (packs.jokes, packs.riddles, packs.rhymes, packs.odd_ones, packs.rathers):
        pack()
