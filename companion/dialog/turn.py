"""The active phase: one turn from the person's words to the sentences of the reply.

Order of a turn: the words are committed; what they tell of the person is noted; a little is
recalled; the prompt is put together so that nearly all of it lies in the KV cache; sentences
are handed over as they are complete; the reply is stored as it was said. Warming the cache for
the next turn is the caller's, when nobody waits: `Dialog.warm`.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from companion.clock import Clock
from companion.config import DialogSection, PersonaSection, SafetySection
from companion.dialog import prompt
from companion.dialog.conversation import Conversation
from companion.dialog.gate import Gate
from companion.dialog.greeting import Greeting
from companion.dialog.persona import Head, head_of
from companion.dialog.recall_protocol import Recalls
from companion.dialog.reply import Account, Delivery, ReplyStream, TurnResult
from companion.dialog.responder import Responder
from companion.dialog.speech import Speech
from companion.dialog.user_profile import UserProfile
from companion.engines.protocols import Embedder, LanguageModel
from companion.errors import InputError, StoreFailing
from companion.records import Profile, Recalled, Turn
from companion.safety.patterns import Patterns
from companion.safety.unanswered import judge_unanswered
from companion.safety.verdict import Guard, Verdict
from companion.store.database import Store

__all__ = ["Delivery", "Dialog", "ReplyStream", "TurnResult"]

logger = logging.getLogger(__name__)


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
        guard: Guard | None = None,
        safety: SafetySection | None = None,
    ) -> None:
        """inactivity_s: a session that a stop of the program cut short is gone on with when it
        is younger than this. guard: who judges what is said; None: code alone, never nobody."""
        self._model = model
        self._store = store
        self._clock = clock
        self._persona = persona
        self._section = dialog
        self._conversation = Conversation(store, embedder, clock, dialog, inactivity_s=inactivity_s)
        self._guard = guard or Patterns()
        self._safety = safety or SafetySection()
        self._gate = Gate(self._guard, self._conversation, clock, self._safety)
        self._greeting = Greeting(persona.name, Profile(), enabled=False)
        self._profile = UserProfile(store, clock)
        self._responder = Responder(model, recall, dialog, store)
        self._head: Head | None = None
        self._speaking = False

    async def open(self, session_id: str | None = None) -> None:
        """Be ready to talk: go on with the session that was left open, or (`session_id`) begin
        one of that name. Without it the first reply begins a session.

        Raises ContextTooSmall with the numbers, InputError for a name that is taken.
        """
        stopped = await self._judge_unanswered()
        turns = [] if session_id else await self._conversation.resume()
        if turns and (verdict := stopped.get((turns[-1].session, turns[-1].number))):
            self._gate.answered(verdict, cut=True)
        await self._prepare(turns)
        if session_id:
            await self._conversation.begin(session_id)

    def reply(
        self,
        text: str,
        *,
        keep: bool = True,
        confidence: float | None = None,
        delivery: Delivery | None = None,
    ) -> ReplyStream:
        """Answer, sentence by sentence. confidence: 0 to 1 when a transcriber heard the words.

        delivery: who speaks the reply aloud. Its first clause may then come before the rest of
        its sentence, and the reply is stored as it was heard, once it was.
        With keep False it is a question in a session of its own: nothing is stored, nothing
        recalled grows stronger, nobody is greeted.
        Iterating raises InputError (refused whole, nothing stored) for text that is empty, too
        long or no Unicode; ContextTooSmall; RuntimeError while another reply runs.
        """
        words = text.strip()
        return ReplyStream(lambda account: self._turn(words, account, keep, confidence, delivery))

    async def expect(self, text: str) -> None:
        """Read the prompt for words that are likely to be said, while they still are: when they
        come, little or nothing of it is left to evaluate. Nothing is stored. Cancelling stops
        the model within a slice."""
        words = text.strip()
        head = self._head or await self._prepare()
        try:
            prompt.check_words(
                self._model, head.messages, words, reply_tokens=self._section.reply_tokens
            )
        except InputError:
            return
        if not await self._gate.bars(words):
            await self._responder.expect(words, head, self._conversation)

    def why(self) -> tuple[Recalled, ...]:
        """What was recalled for the last reply."""
        return self._responder.why

    @property
    def trouble(self) -> str | None:
        """Why what is said is not kept just now (a full disk, say), in one line; None when it
        is."""
        return self._conversation.trouble

    @property
    def waiting(self) -> bool:
        """Something that was said, a guard's mark on it, or the session's end is in RAM alone."""
        return self._conversation.waiting

    def owed(self, delivery: Delivery | None = None) -> ReplyStream | None:
        """The fixed reply to a crisis that nobody has heard to its end, to be said now, with
        nobody having said a word; None when nothing is owed. Else the next reply is it."""
        verdict = self._gate.owed
        if verdict is None:
            return None
        return ReplyStream(lambda account: self._said_again(verdict, account, delivery))

    async def warm(self) -> None:
        """Have the model read the prompt up to now, so that the next turn need not. Cancelling
        it stops the model within a slice; what was read stays read."""
        head = self._head or await self._prepare()
        await self._model.warm(prompt.history(head.messages, self._conversation.window))

    async def close(self) -> None:
        """End the session. The next reply begins another."""
        await self._conversation.end()
        self._gate.forget()
        self._head = None

    async def _turn(
        self,
        words: str,
        account: Account,
        keep: bool,
        confidence: float | None,
        delivery: Delivery | None,
    ) -> AsyncGenerator[str, None]:
        """A turn, once its words are accepted: nothing is stored of what is refused."""
        if self._speaking:
            raise RuntimeError("one reply at a time: close the one that runs")
        self._speaking = True
        try:
            head = self._head or await self._prepare()
            if not keep:
                head = head.without_greeting or head
            prompt.check_words(
                self._model, head.messages, words, reply_tokens=self._section.reply_tokens
            )
            if keep:
                turn = self._kept(words, head, account, confidence, delivery)
            else:
                heard = await self._gate.hear(words, account)
                speech = self._speech(head, self._greeting.silent(), clauses=delivery is not None)
                answer = self._responder.answer(
                    words, head, self._conversation.aside(), speech, account
                )
                turn = self._gate.let(answer, heard, account)
            async with aclosing(turn) as sentences:
                async for sentence in sentences:
                    yield sentence
        finally:
            self._speaking = False

    async def _kept(
        self,
        words: str,
        head: Head,
        account: Account,
        confidence: float | None,
        delivery: Delivery | None,
    ) -> AsyncGenerator[str, None]:
        """A turn of the running session."""
        talk = self._conversation
        account.kept = True
        account.turn = await talk.hear(words, confidence)
        account.session = talk.session
        heard = await self._gate.hear(words, account)
        if not heard.stops:
            await self._profile.note(self._greeting.hear(words), account.key)
        speech = self._speech(head, self._greeting, clauses=delivery is not None)
        account.cut = True
        try:
            answer = self._responder.answer(words, head, talk, speech, account)
            async with aclosing(self._gate.let(answer, heard, account)) as sentences:
                async for sentence in sentences:
                    yield sentence
            account.cut = account.stopped
        finally:
            await account.delivered(delivery)
            text, cut = account.text, account.cut
            self._gate.answered(heard, cut=cut)
            if account.barred is None:
                await talk.said(account.turn, words, text, cut=cut, recall=account.recall)
                await self._profile.note(speech.learnt, account.key)
            else:
                await talk.said_aside(text, cut=cut)
            self._greeting.spoke(account.text)
            await self._refresh()

    async def _said_again(
        self, verdict: Verdict, account: Account, delivery: Delivery | None
    ) -> AsyncGenerator[str, None]:
        """What is owed, outside of any turn of the person."""
        if self._speaking:
            raise RuntimeError("one reply at a time: close the one that runs")
        self._speaking = account.cut = True
        talk = self._conversation
        account.session = talk.session
        try:
            for sentence in verdict.reply:
                if not account.stopped:
                    yield account.hand_over(sentence)
            account.cut = account.stopped
        finally:
            await account.delivered(delivery)
            self._gate.answered(verdict, cut=account.cut)
            account.turn = await talk.said_aside(account.text, cut=account.cut)
            if account.text and verdict.topic is not None:
                await talk.bar(verdict.topic, account.turn, tell=False)
            self._speaking = False

    def _speech(self, head: Head, greeting: Greeting, *, clauses: bool) -> Speech:
        limit, name = self._section.sentences, self._persona.name
        return Speech(limit, name, greeting, json=head.greets, clauses=clauses)

    async def _judge_unanswered(self) -> dict[tuple[str, int], Verdict]:
        try:
            return await judge_unanswered(self._store, self._guard, self._safety, self._clock)
        except StoreFailing as error:
            # Consolidation judges them before it reads them.
            logger.error("what was said last is not judged yet: %s", error)
            return {}

    async def _prepare(self, turns: Sequence[Turn] = ()) -> Head:
        """Begin a session's prompt, with the profile as it is now. Raises ContextTooSmall."""
        known = await self._profile.current()
        self._greeting = Greeting(
            self._persona.name,
            known,
            enabled=self._persona.greeting,
            passed_over=await self._profile.passed_over(),
        )
        self._greeting.follow(turns)
        head = await self._refresh()
        prompt.check_context(self._model, head.messages, reply_tokens=self._section.reply_tokens)
        return head

    async def _refresh(self) -> Head:
        """Bring system prompt and window up to date, between turns. What a turn taught stands
        in the person's own words until then: nobody waits for a changed prompt to be read."""
        known = await self._profile.current()
        greets = self._greeting.item is not None
        self._head = head_of(self._persona, known, self._section.sentences, greets=greets)
        talk = self._conversation
        talk.window = prompt.leave_room(
            self._model, self._head.messages, talk.window, reply_tokens=self._section.reply_tokens
        )
        return self._head
