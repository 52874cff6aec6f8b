"""The active phase: one turn from the person's words to the sentences of the reply.

Order of a turn: the words are committed; what they tell of the person is noted; a few notes are
recalled; the prompt is built so that nearly all of it is in the KV cache; sentences are handed over
as soon as they are complete; the reply is stored as said. The caller warms the cache for the next
turn when nobody is waiting (`Dialog.warm`).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from companion.answering import Announcement, Announcer, Answerer, Examples, ReadsActs
from companion.clock import Clock
from companion.config import DialogSection, PersonaSection, SafetySection, ServiceSection
from companion.dialog import forgetting, prompt, replies
from companion.dialog.abilities import ONLY_TALK, Abilities
from companion.dialog.conversation import Conversation
from companion.dialog.gate import Gate
from companion.dialog.good_night import GoodNight
from companion.dialog.greeting import Greeting
from companion.dialog.head import SessionHead
from companion.dialog.health import HealthWatch
from companion.dialog.honesty import Honesty
from companion.dialog.notes_reader import NotesReader
from companion.dialog.opening import Opening
from companion.dialog.reply import Delivery, ReplyRecord, ReplyStream, TurnResult
from companion.dialog.responder import Responder
from companion.dialog.today import Today
from companion.dialog.told_days import ToldDays
from companion.dialog.user_profile import UserProfile
from companion.engines.protocols import ChatMessage, Embedder, LanguageModel
from companion.errors import InputError
from companion.recall.protocol import Recalls
from companion.records import Profile, Recalled, Turn
from companion.safety.health import Health
from companion.safety.moved_on import MovedOn
from companion.safety.pattern_guard import PatternGuard
from companion.safety.verdict import Guard, Verdict
from companion.store.database import Store

__all__ = ["Delivery", "Dialog", "ReplyStream", "TurnResult"]


class Dialog:
    """Talks with one person: one reply at a time."""

    def __init__(
        self,
        model: LanguageModel,
        embedder: Embedder,
        store: Store,
        clock: Clock,
        recall: Recalls,
        *,
        persona: PersonaSection,
        dialog: DialogSection,
        inactivity_s: float,
        answerers: Sequence[Answerer] = (),
        abilities: Abilities = ONLY_TALK,
        announcer: Announcer | None = None,
        examples: Examples | None = None,
        acts: ReadsActs | None = None,
        guard: Guard | None = None,
        moved_on: MovedOn | None = None,
        safety: SafetySection | None = None,
        service: Callable[[], ServiceSection] = ServiceSection,
        reader: NotesReader | None = None,
        health: Health | None = None,
    ) -> None:
        """inactivity_s: a session left open when the program stopped goes on if it is younger than
        this. answerers: asked before the model, after `HealthWatch`. examples: lends the model
        written exchanges for a message. acts: tells what a message does. abilities: against which
        the model's sentences are checked. announcer: what is said unasked, None: nothing. guard:
        judges what is said; None: the patterns. moved_on: tells that an emergency is over; None:
        only the child does. service: quiet hours. reader: answers questions to memory; None: the
        dialog's prompt does. health: reads what tells of allergies; None: by regressions alone."""
        self._model, self._announcer = model, announcer
        self._store = store
        self._clock = clock
        self._persona, self._section, name = persona, dialog, persona.name
        self._conversation = Conversation(store, embedder, clock, dialog, inactivity_s, name)
        judge, limits = guard or PatternGuard(), safety or SafetySection()
        self._gate = Gate(judge, self._conversation, clock, limits, moved_on)
        self._honesty = Honesty(name, abilities)
        self._greeting = Greeting(name, Profile(), enabled=False)
        self._opening = Opening(store, clock, name, self._greeting, wanted=dialog.openers)
        self._profile = UserProfile(store, clock)
        self._night = GoodNight(store, clock, service)
        self._health = HealthWatch(store, clock, embedder, health)
        ours = (self._health, self._night, self._opening, ToldDays(store, clock))
        self._answering: Sequence[Answerer] = (*ours, *answerers)
        self._today = Today(store, clock, dialog.today)
        own = (self._profile, self._today, self._honesty, self._answering)
        self._responder = Responder(model, recall, dialog, *own, examples, acts, reader)
        self._head = SessionHead(model, persona, dialog, self._profile, abilities)
        self._speaking = False

    async def open(self, session_id: str | None = None) -> None:
        """Continue the session that was left open, or begin one named `session_id`; else the first
        reply begins one. Raises ContextTooSmall with the numbers, InputError for a name taken."""
        stopped = await self._gate.judge_unanswered(self._store)
        turns = [] if session_id else await self._conversation.resume()
        if turns and (verdict := stopped.get((turns[-1].session, turns[-1].number))):
            self._gate.resume(verdict, user.text if (user := turns[-1].user) else "")
        await self._prepare(turns)
        if session_id:
            await self._conversation.ledger.begin(session_id)

    def reply(
        self,
        text: str,
        *,
        keep: bool = True,
        confidence: float | None = None,
        delivery: Delivery | None = None,
    ) -> ReplyStream:
        """Answer, sentence by sentence. confidence: 0 to 1 when the words were transcribed.
        delivery: speaks the reply aloud. The first clause may then come before the rest of its
        sentence, and the reply is stored as it was heard. keep: False: a question in a session of
        its own, of which nothing is stored or strengthened.
        Iterating raises InputError (nothing is stored) for text that is empty, too long or no valid
        Unicode; ContextTooSmall; RuntimeError while another reply is running."""
        words = text.strip()
        return ReplyStream(lambda record: self._turn(words, record, keep, confidence, delivery))

    async def expect(self, text: str) -> None:
        """Evaluate the prompt for words that are likely, while they are still being said."""
        words = text.strip()
        head = self._head.messages or await self._prepare()
        try:
            prompt.check_words(self._model, head, words, reply_tokens=self._section.reply_tokens)
        except InputError:
            return
        if not (self._night.is_quiet() or await self._gate.blocks(words)):
            await self._responder.expect(words, head, self._conversation)

    def why(self) -> tuple[Recalled, ...]:
        """What was recalled for the last reply."""
        return self._responder.why

    @property
    def trouble(self) -> str | None:
        """Why messages are not stored at the moment (a full disk, say), in one line; else None."""
        return self._conversation.ledger.trouble

    @property
    def talking(self) -> bool:
        """Whether a session is open."""
        return self._conversation.session is not None

    @property
    def waiting(self) -> bool:
        """Whether a message, a guard's mark or the session's end is so far only in RAM."""
        return self._conversation.ledger.waiting

    def pending_crisis_reply(self, delivery: Delivery | None = None) -> ReplyStream | None:
        """The fixed crisis reply that has not been heard to its end, to be said now; None when none
        is pending. If this is not called, it replaces the next reply."""
        if (verdict := self._gate.pending_crisis_reply) is None:
            return None
        return ReplyStream(lambda record: self._said_again(verdict, record, delivery))

    async def due(self) -> list[Announcement]:
        """What is to be said unasked, as the guard lets it, until `announced` was told of it.
        Asked at any time; not stored, no part of the conversation."""
        found = [] if self._announcer is None else await self._announcer.due()
        return [await self._gate.announcement(each) for each in found]

    async def announced(self, said: Announcement) -> None:
        """It has been said."""
        if self._announcer:
            await self._announcer.announced(said)

    async def warm(self) -> None:
        """Let the model evaluate the prompt up to now, and what the next message begins with.
        Cancelling stops it within a slice; what was evaluated stays in the cache."""
        head = self._head.messages or await self._prepare()
        messages = prompt.history(head, self._conversation.window)
        if now := await self._today.line(self._conversation):
            messages.append(ChatMessage("user", f"{now}\n"))
        await self._responder.warm(messages)

    async def settle(self) -> None:
        """Store what waits in RAM, before somebody erases. Raises StoreFailing."""
        await self._conversation.ledger.catch_up()

    async def forget(self) -> None:
        """Something was erased, corrected or brought back: hold nothing that the store does not.
        Between two turns only. Raises StoreFailing, ContextTooSmall."""
        self._head.messages = None
        held = (self._conversation, self._gate, self._responder, self._answering)
        await self._prepare(await forgetting.forget(*held))

    async def close(self) -> None:
        """End the session. The next reply begins another."""
        await self._conversation.end()
        self._gate.forget()
        self._head.messages = None

    async def _turn(
        self,
        words: str,
        record: ReplyRecord,
        keep: bool,
        confidence: float | None,
        delivery: Delivery | None,
    ) -> AsyncGenerator[str, None]:
        """One turn. The words are checked first, so that nothing of a refused input is stored."""
        self._begin_speaking()
        try:
            head = self._head.messages or await self._prepare()
            prompt.check_words(self._model, head, words, reply_tokens=self._section.reply_tokens)
            if keep:
                turn = self._kept(words, head, record, confidence, delivery)
            else:
                heard = await self._gate.judge(words, record)
                talk, silent = self._conversation.outside_session(), self._greeting.silent()
                speech = await self._responder.speech(
                    words, talk, silent, record, aloud=delivery is not None
                )
                answer = self._responder.answer(words, head, talk, speech, record)
                turn = self._gate.filter(answer, heard, record)
            async with aclosing(turn) as sentences:
                async for sentence in sentences:
                    yield sentence
        finally:
            self._speaking = False

    def _begin_speaking(self) -> None:
        if self._speaking:
            raise RuntimeError("one reply at a time: close the one that runs")
        self._speaking = True

    async def _kept(
        self,
        words: str,
        head: tuple[ChatMessage, ...],
        record: ReplyRecord,
        confidence: float | None,
        delivery: Delivery | None,
    ) -> AsyncGenerator[str, None]:
        """A turn of the running session."""
        talk = self._conversation
        record.kept = True
        record.turn = await talk.add_user_message(words, confidence)
        record.session = talk.session
        heard = await self._gate.judge(words, record)
        withdrawn = "" if heard.stops else await talk.withdraw(record.turn, words)
        if not (heard.stops or withdrawn):
            reading = await self._responder.reading(words, talk)
            await self._profile.note(self._greeting.add_user_message(words, reading), record.key)
        elif heard.topic == "emergency" or heard.vague:
            heard = await self._health.stopped(words, record.key, heard)
        if heard.stops:
            self._greeting.add_stopped()
        aloud, before = delivery is not None, talk.window
        speech = await self._responder.speech(words, talk, self._greeting, record, aloud=aloud)
        record.cut = True
        try:
            answer = self._responder.answer(words, head, talk, speech, record)
            if withdrawn:
                answer = replies.said(withdrawn)
            async with aclosing(self._gate.filter(answer, heard, record)) as sentences:
                async for sentence in sentences:
                    yield sentence
            record.cut = record.stopped
        finally:
            await record.delivered(delivery)
            text, cut = record.text, record.cut
            self._gate.answered(heard, cut=cut)
            if record.stopped_for is None and not withdrawn:
                await talk.add_reply(
                    record.turn, words, text, cut=cut, recall=record.stays, now=record.now
                )
            else:
                await talk.add_stopped_reply(text, cut=cut)
            self._greeting.add_reply(record.text)
            await self._head.refresh(talk, before)

    async def _said_again(
        self, verdict: Verdict, record: ReplyRecord, delivery: Delivery | None
    ) -> AsyncGenerator[str, None]:
        """The pending crisis reply, outside any turn of the person."""
        self._begin_speaking()
        try:
            async with aclosing(self._gate.say_again(verdict, record, delivery)) as sentences:
                async for sentence in sentences:
                    yield sentence
        finally:
            self._speaking = False

    async def _prepare(self, turns: Sequence[Turn] = ()) -> tuple[ChatMessage, ...]:
        """Begin a session's prompt, with the profile as it is now. Raises ContextTooSmall."""
        known = await self._profile.current()
        passed_over = await self._profile.passed_over()
        self._greeting = Greeting.by(self._persona, known, passed_over, turns)
        self._opening.greeting = self._greeting
        return await self._head.begin(self._conversation)
