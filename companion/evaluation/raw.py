"""The arm without memory: the model, its persona, and the most recent messages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import aclosing

from companion.config import Config
from companion.dialog import prompt
from companion.dialog.persona import head_of
from companion.dialog.reply import TurnResult
from companion.dialog.sentences import Sentences
from companion.dialog.window import Exchange, cut
from companion.engines.protocols import ChatMessage, LanguageModel, Options
from companion.recall.protocol import EMPTY
from companion.records import Profile, Recalled, Turn
from companion.store import history
from companion.store.database import Store


async def raw_reply(config: Config, store: Store, model: LanguageModel, words: str) -> TurnResult:
    """Answer from the last W messages of all that was said, and nothing else."""
    head = head_of(config.persona, Profile(), config.dialog.sentences)
    turns = await recent_turns(config, store)
    messages, *_ = prompt.fit(
        model,
        head,
        tuple(Exchange.of(turn) for turn in turns),
        words,
        EMPTY,
        reply_tokens=config.dialog.reply_tokens,
    )
    return await generated(config, model, messages)


async def recent_turns(config: Config, store: Store) -> list[Turn]:
    """The newest turns of the log that have at most `dialog.window_messages` messages together."""
    sessions = await store.read(history.sessions)
    turns = [turn for each in sessions for turn in await store.read(history.turns, each.id)]
    window = tuple(Exchange.of(turn) for turn in turns)
    kept = cut(window, keep=config.dialog.window_messages, slack=0)
    return turns[len(turns) - len(kept) :]


async def generated(
    config: Config,
    model: LanguageModel,
    messages: Sequence[ChatMessage],
    recalled: tuple[Recalled, ...] = (),
) -> TurnResult:
    """The model's greedy answer to a prompt, cut to as many sentences as the dialog speaks."""
    sentences = Sentences(config.dialog.sentences, names=(config.persona.name,))
    started, said, first = time.perf_counter(), [], 0.0
    generation = model.generate(
        messages,
        Options(max_tokens=config.dialog.reply_tokens, deadline_s=config.dialog.deadline_s),
    )
    async with aclosing(generation):
        async for piece in generation:
            first = first or time.perf_counter() - started
            said += sentences.feed(piece)
            if sentences.done:
                break
    said += sentences.finish(complete=generation.usage.finish == "stop")
    usage = generation.usage
    return TurnResult(
        text=" ".join(said),
        session=None,
        turn=None,
        ttft_ms=first * 1000,
        recall_ms=0.0,
        total_ms=(time.perf_counter() - started) * 1000,
        prompt_tokens=usage.prompt_tokens,
        evaluated_tokens=usage.evaluated_tokens,
        cached_tokens=usage.cached_tokens,
        generated_tokens=usage.generated_tokens,
        recalled=recalled,
    )
