"""From the person's words to an answer: recall, prompt, the model's sentences. Stores nothing."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass

from companion import language
from companion.answering import UNREAD, Answer, Answerer, Examples, Heard, Reading, ReadsActs
from companion.config import DialogSection
from companion.dialog import prompt, replies
from companion.dialog.answer_span import AnswerSpan
from companion.dialog.conversation import Conversation
from companion.dialog.greeting import Greeting
from companion.dialog.held import HeldAnswer, hold
from companion.dialog.honesty import PRETENDS, Honesty
from companion.dialog.known_people import KnownPeople, told
from companion.dialog.notes_reader import NotesReader
from companion.dialog.reply import ReplyRecord
from companion.dialog.speech import Speech
from companion.dialog.today import Today
from companion.dialog.user_profile import UserProfile
from companion.dialog.window import Window
from companion.engines.protocols import ChatMessage, Generation, LanguageModel, Options
from companion.errors import ContextTooSmall, EngineError, StoreFailing
from companion.recall.protocol import EMPTY, Query, RecallResult, Recalls, TurnKey
from companion.records import Recalled

logger = logging.getLogger(__name__)

LEAVE_ROOM = ("greeting", "repertoire", "repertoire:act")
"""Whose fixed answers may be followed by a question for the name; a skill's, those about health and
those to a telling may not (`Answer.by`)."""

ASKS_MEMORY, SAYS_SO = 0.5, 0.85
"""From this probability on a message that asks is a question to memory; one that does not look like
asking ("say my lizard's name") from the second on. `scripts/fit_memory_questions.py` has the
curve."""


@dataclass(eq=False)
class Responder:
    """Lets the model answer the person's words, with what is recalled for them."""

    _model: LanguageModel
    _recall: Recalls
    _section: DialogSection
    _profile: UserProfile
    _today: Today
    _honesty: Honesty
    _answerers: Sequence[Answerer]
    """They are asked before the model, in this order."""

    _examples: Examples | None = None
    """Lends the model exchanges for one message."""

    _acts: ReadsActs | None = None
    """Tells what a message does."""

    _reader: NotesReader | None = None
    """Answers questions to memory; None: the dialog's prompt does."""

    why: tuple[Recalled, ...] = ()
    """What was recalled for the last answer."""

    async def expect(self, words: str, head: Sequence[ChatMessage], talk: Conversation) -> None:
        """Let the model evaluate the prompt for words that are likely to be said."""
        now = await self._today.line(talk)
        heard = await self._heard(words, talk)
        recall = await self._recalled(heard, talk, None)
        if (asked := self._to_reader(heard, recall, talk.window)) and self._reader:
            await self._reader.likeliest(asked, heard)
            await self._reader.read_ahead(asked)
            return
        messages, _, _ = await self._prompt(heard, head, talk, recall, now)
        await self._model.warm(messages)

    async def warm(self, messages: Sequence[ChatMessage]) -> None:
        """Evaluate the prompt so far, and once what the other prompts begin with."""
        await self._model.warm(messages)
        if self._reader is not None:
            await self._reader.get_ready()

    def forget(self) -> None:
        """Something was erased: hold nothing of it."""
        self.why = ()
        if self._reader is not None:
            self._reader.forget()

    async def reading(self, words: str, talk: Conversation) -> Reading:
        """What a message does."""
        return await self._acts.read(words, _previous(talk)) if self._acts else UNREAD

    async def speech(
        self,
        words: str,
        talk: Conversation,
        greeting: Greeting,
        record: ReplyRecord,
        *,
        aloud: bool,
    ) -> Speech:
        """What makes sentences of the model's answer to `words`."""
        before = [exchange.user for exchange in talk.window if exchange.user is not None]
        reading = await self.reading(words, talk)
        claims = self._honesty.check(
            words,
            before,
            aloud=aloud,
            noted=lambda: bool(record.recall.items),
            reading=reading,
        )
        people = KnownPeople(
            lambda: told(words, talk.window, self._profile.known, record.recall.block),
            pretends=reading.of("pretend") >= PRETENDS,
            read_apart=lambda: record.read_apart,
        )
        sentences, name = self._section.sentences, self._honesty.name
        return Speech(sentences, name, greeting, claims, people, clauses=aloud)

    async def answer(
        self,
        words: str,
        head: Sequence[ChatMessage],
        talk: Conversation,
        speech: Speech,
        record: ReplyRecord,
    ) -> AsyncGenerator[str, None]:
        """What answers without the model comes first. Else recall and generate; the conversation's
        window is cut to what fits. If the model fails, the answer ends with a calm fixed sentence.
        """
        self.why = ()
        record.now = await self._today.line(talk)
        heard = await self._heard(words, talk, record.key if record.kept else None)
        fixed, recall = await self._fixed(heard), None
        if fixed is not None and fixed.unless_known:
            recall = await self._recalled(heard, talk, record.key)
            if recall.items or self._held(heard, recall, talk, record.now) is not None:
                fixed = None
        if fixed is not None:
            record.by = fixed.by
            for sentence in fixed.sentences:
                if not record.stopped:
                    yield sentence
            if fixed.by in LEAVE_ROOM and not record.stopped:
                for sentence in speech.question_after(fixed.sentences):
                    yield sentence
            return
        record.by = "model"
        if recall is None:
            recall = await self._recalled(heard, talk, record.key)
        messages, talk.window, recall = await self._prompt(heard, head, talk, recall, record.now)
        record.recalled(recall, prompt.block_tokens(self._model, words, recall.block))
        record.example_tokens = prompt.example_tokens(self._model, messages, head, talk.window)
        self.why = recall.items
        if record.stopped:
            return
        asked = self._to_reader(heard, recall, talk.window)
        span = await self._reader.likeliest(asked, heard) if self._reader else None
        if (held := self._held(heard, recall, talk, record.now, span)) is not None:
            if held.unknown:
                record.by = "recall"
                yield held.instead()
                return
            speech.hold(held)
        try:
            record.read_apart = bool(asked)
            ready: list[str] = []
            async with self._generation(messages, asked) as generation:
                record.generation, record.usage = generation, generation.usage
                async for piece in generation:
                    record.heard_from_model()
                    ready = speech.feed(piece)
                    if speech.done:
                        # The model is released before the last sentence is spoken.
                        break
                    while ready and not record.stopped:
                        yield ready.pop(0)
            if record.stopped:
                return
            for sentence in ready + speech.finish(complete=generation.usage.finish == "stop"):
                yield sentence
                if record.stopped:
                    return
            if not record.said:
                yield replies.no_words(words, refused=speech.refused)
        except (EngineError, ContextTooSmall) as error:
            logger.error("no reply: %s", error)
            yield replies.LOST_THREAD

    def _generation(
        self, messages: Sequence[ChatMessage], asked: str
    ) -> AbstractAsyncContextManager[Generation]:
        """The model's answer to the prompt, or to what its reader is asked."""
        if asked and self._reader is not None:
            return self._reader.generation(asked, self._options())
        return aclosing(self._model.generate(messages, self._options()))

    def _to_reader(self, heard: Heard, recall: RecallResult, window: Window) -> str:
        """What the reader of notes is asked; "" for what the dialog's prompt answers."""
        return self._reader.asked(heard, recall, window) if self._reader is not None else ""

    async def _fixed(self, heard: Heard) -> Answer | None:
        """The first answer that needs no model; None when there is none."""
        for each in self._answerers:
            try:
                if (answer := await each.answer(heard)) is not None:
                    return answer
            except (EngineError, StoreFailing) as error:
                logger.error("%s cannot answer: %s", type(each).__name__, error)
        return None

    async def _heard(self, words: str, talk: Conversation, turn: TurnKey | None = None) -> Heard:
        reading = await self.reading(words, talk)
        least = ASKS_MEMORY if language.question.asking(words) else SAYS_SO
        asks = reading.memory_question >= least or language.question.of_a_life(words)
        said = (each.user or "" for each in talk.window)
        asks = asks or language.recollection.of_the_talk(words, said)
        return Heard(words, turn, _previous(talk), self._profile.known, reading, asks)

    async def _prompt(
        self,
        heard: Heard,
        head: Sequence[ChatMessage],
        talk: Conversation,
        recall: RecallResult,
        now: str,
    ) -> tuple[list[ChatMessage], Window, RecallResult]:
        """See `prompt.fit`."""
        return prompt.fit(
            self._model,
            head,
            talk.window,
            heard.words,
            recall,
            now,
            reply_tokens=self._section.reply_tokens,
            examples=await self._lent(heard),
        )

    def _held(
        self, heard: Heard, recall: RecallResult, talk: Conversation, now: str,
        span: AnswerSpan | None = None,
    ) -> HeldAnswer | None:  # fmt: skip
        """What the answer is held to; None where nothing is asked that notes could bear out."""
        if not self._section.held_to_notes:
            return None
        known, memory = self._profile.known, heard.asks_memory
        return hold(heard.words, recall, talk.window, known, now, span, of_memory=memory)

    async def _lent(self, heard: Heard) -> Sequence[tuple[str, str]]:
        """Written exchanges like this one; without them it is answered all the same."""
        try:
            return await self._examples.near(heard) if self._examples else ()
        except EngineError as error:
            logger.error("no examples: %s", error)
            return ()

    async def _recalled(
        self, heard: Heard, talk: Conversation, asking: TurnKey | None
    ) -> RecallResult:
        """The notes that fit. If the embedder or the store fails there are none: an answer without
        notes is better than no answer."""
        apart = heard.asks_memory and self._reader is not None
        shown = talk.own() if apart else talk.shown()
        previous = talk.previous()
        try:
            return await self._recall.recall(
                Query(heard.words, talk.session, shown, previous, asking, of_memory=apart)
            )
        except (EngineError, StoreFailing) as error:
            logger.error("nothing recalled: %s", error)
            return EMPTY

    def _options(self) -> Options:
        return Options(
            max_tokens=self._section.reply_tokens,
            temperature=self._section.temperature,
            seed=self._section.seed,
            deadline_s=self._section.deadline_s,
        )


def _previous(talk: Conversation) -> str:
    """What the companion said last."""
    return (talk.window[-1].reply or "") if talk.window else ""
