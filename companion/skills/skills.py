"""All skills behind the one protocol that the dialog knows (`companion.answering.Answerer`).

A message goes first to what waits for an answer: the game that runs, the riddle that was asked. If
it is not for that, every skill says how sure it is that the message is for it, and the surest one
answers. What none wants is left to others; a game is over when two messages were.

What a skill keeps is committed before its reply is given. So after a power cut the child hears the
part again that it did not hear, and nothing is skipped.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from companion import language
from companion.answering import Announcement, Answer, Heard, Reading
from companion.clock import Clock
from companion.errors import StoreFailing
from companion.skills.protocol import NO, SURE, Reply, Request, Skill, State
from companion.skills.saved_state import Held, all_held, document
from companion.skills.timer_book import TimerBook
from companion.skills.turns import yes_or_no
from companion.store import skill_state
from companion.store.database import Store
from companion.store.skill_state import SkillState

ASKS = (
    *("ask_story", "ask_joke", "ask_riddle", "ask_song"),
    *("ask_game", "ask_timer", "ask_time"),
)
"""Acts that a skill is for."""

SURE_ACT = 0.65
"""Least probability of such an act. Of 1100 messages, by classifiers that had seen nothing of their
author, 52 were read as one of these from here on, 51 rightly."""

SURE_THOUGH_TOLD = 0.9
"""The same for words that seem to tell of a story or a game that was: "I wrote half a story"."""

Written = Callable[[Heard], Awaitable[Answer | None]]
"""Answers what people wrote an answer to, in nearly these words."""

logger = logging.getLogger(__name__)

SURE_ENOUGH = 0.5
"""A skill answers from here on."""

MOST_PASSED = 2
"""Messages for others after which a game is over."""

MOST_WAITING = 6
"""Messages for others after which a story is no longer gone on with at a mere "go on"."""


class Skills:
    """Every skill that is on. One child's."""

    def __init__(
        self,
        skills: Sequence[Skill],
        store: Store,
        clock: Clock,
        *,
        name: str,
        timers: TimerBook | None = None,
        written: Written | None = None,
    ) -> None:
        """skills: asked in this order, where two are equally sure. name: the companion's.
        timers: what rings unasked; None where timers are off. written: answers what people wrote
        an answer to; it goes before a skill that is not sure."""
        self.skills = tuple(skills)
        self._store = store
        self._clock = clock
        self._name = name
        self._timers = timers
        self._written = written
        self._held: dict[str, Held] = {}
        """As it was last read or written: what there is while the disk fails."""

    @property
    def names(self) -> frozenset[str]:
        """The skills that are on, as plain words."""
        return frozenset(skill.name for skill in self.skills)

    async def answer(self, heard: Heard) -> Answer | None:
        """The sentences of the skill that the words are meant for; see
        `companion.answering.Answerer`."""
        if self._timers is not None:
            self._timers.quiet()
        held = await self._read()
        request = self._request(heard, heard.words)
        wanting = self._wanting(request, held)
        if not wanting and (wish := _last_sentence(heard.words)):
            request = self._request(heard, wish)
            wanting = [each for each in self._wanting(request, held) if each[0] == SURE]
        for sure, skill, asked, state in wanting:
            if sure < SURE and not asked.running and (found := await self._in_words(heard)):
                await self._pass(held, heard.turn)
                return found
            reply = await self._asked(skill, asked, state)
            if reply is not None and reply.sentences:
                await self._keep(skill.name, reply, held, request.turn)
                return Answer(reply.sentences, f"skill:{skill.name}")
        await self._pass(held, heard.turn)
        return None

    async def _in_words(self, heard: Heard) -> Answer | None:
        return await self._written(heard) if self._written is not None else None

    async def due(self) -> list[Announcement]:
        """What is to be said now although nobody spoke; it comes again until `announced` was told
        of it."""
        return [] if self._timers is None else await self._timers.due()

    async def announced(self, said: Announcement) -> None:
        """It was said."""
        if self._timers is not None:
            await self._timers.announced(said)

    def forget(self) -> None:
        """See `companion.answering.Forgets`."""
        self._held = {}
        if self._timers is not None:
            self._timers.forget()

    def _request(self, heard: Heard, words: str) -> Request:
        plain = language.skills.plain(words, self._name)
        return Request(
            words,
            plain,
            heard.previous,
            heard.profile,
            self._clock.wall(),
            self._clock.trusted(),
            heard.turn,
            asked=_asked_for(heard.reading, plain),
        )

    def _wanting(
        self, request: Request, held: dict[str, Held]
    ) -> list[tuple[float, Skill, Request, State]]:
        """Who is to be asked and how sure it is, the one that waits for an answer first, then the
        surest."""
        found = []
        for place, skill in enumerate(self.skills):
            asked, state = request, {}
            known = held.get(skill.name)
            if known is not None:
                here = request.turn is not None and known.session == request.turn[0]
                running = known.runs and here and not _is_for_others(known, request)
                asked = replace(request, running=running, unheard=known.unheard)
                state = dict(known.state)
            try:
                sure = skill.wants(asked, state)
            except Exception as error:
                logger.error("skill %s fails: %s", skill.name, type(error).__name__)
                sure = NO
            if sure >= SURE_ENOUGH:
                latest = known.turn if known is not None and asked.running else 0
                found.append((-latest, -sure, place, skill, asked, state))
        ranked = sorted(found, key=lambda each: each[:3])
        return [(-each[1], each[3], each[4], each[5]) for each in ranked]

    async def _asked(self, skill: Skill, asked: Request, state: State) -> Reply | None:
        try:
            return await skill.answer(asked, state)
        except StoreFailing:
            raise
        except Exception as error:  # its text may hold words that were said
            logger.error("skill %s fails: %s", skill.name, type(error).__name__)
            return None

    async def _keep(
        self, name: str, reply: Reply, held: dict[str, Held], turn: tuple[str, int] | None
    ) -> None:
        """Commit the new state; a game that begins ends the one that was running."""
        if turn is None:
            return
        now = {}
        for other, known in held.items():
            if other != name:
                ends = known.runs and reply.runs and not known.waits
                now[other] = replace(known, runs=False) if ends else known
        if reply.state is not None:
            now[name] = Held(reply.state, reply.runs, reply.waits, reply.sentences, *turn)
        await self._write(held, now)

    async def _pass(self, held: dict[str, Held], turn: tuple[str, int] | None) -> None:
        """Count a message that was for others; a game that was passed by twice is over."""
        if turn is None:
            return
        now = {}
        for name, known in held.items():
            passed = min(known.passed + known.runs, MOST_WAITING)
            over = not known.waits and (passed >= MOST_PASSED or known.session != turn[0])
            now[name] = replace(known, passed=passed, runs=known.runs and not over)
        await self._write(held, now)

    async def _write(self, before: dict[str, Held], now: dict[str, Held]) -> None:
        time = self._clock.wall().isoformat()
        changed = [
            SkillState(name, document(known), time, known.session, known.turn)
            for name, known in now.items()
            if before.get(name) != known
        ]
        gone = [name for name in before if name not in now]
        self._held = now
        if not (changed or gone):
            return
        try:
            await self._store.write(skill_state.change, changed, gone)
        except (StoreFailing, ValueError) as error:
            logger.error("what a skill keeps is not stored: %s", error)

    async def _read(self) -> dict[str, Held]:
        try:
            self._held = await self._store.read(all_held)
        except StoreFailing as error:
            logger.error("what skills keep cannot be read: %s", error)
        return dict(self._held)


def _last_sentence(words: str) -> str:
    """What a message ends with, which is often the wish: "We went to the zoo. Tell me a story."; ""
    where it has one sentence."""
    several = language.sentences.split(words)
    return several[-1] if len(several) > 1 else ""


def _asked_for(reading: Reading, plain: str) -> str:
    """What a message surely asks a skill for; "" for nothing, and where it likelier asks for what
    was told: "what game did we play"."""
    if reading.act not in ASKS or reading.memory_question > reading.of(reading.act):
        return ""
    least = SURE_THOUGH_TOLD if language.skills.tells(plain) else SURE_ACT
    return reading.act if reading.of(reading.act) >= least else ""


def _is_for_others(known: Held, request: Request) -> bool:
    """Whether a message is not for a skill that once waited for one: much has been said since, or
    it answers a question that somebody else has put."""
    if known.passed >= MOST_WAITING:
        return True
    asked = known.passed > 0 and request.previous.rstrip().endswith("?")
    return asked and yes_or_no(request.plain) is not None
