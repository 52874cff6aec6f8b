"""The prompt of a turn: system, examples, window, the person's words (design decision 1).

As long as the window is not cut, everything before the last message is byte for byte the same as
in the turn before: that is what keeps it in the KV cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.dialog.window import Window, cut_to_tokens
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.errors import ContextTooSmall, InputError
from companion.recall.protocol import EMPTY, RecallResult
from companion.safety.sanitize import sanitized

LEAST_TURN_TOKENS = 64
"""Tokens reserved for the person's words; a context without room for them is too small."""

MOST_CHARACTERS = 16_000
"""Characters. Longer input is refused before a model has to count its tokens."""


def now_line(moment: str, ago: str) -> str:
    """What day it is. ago: how long ago the last talk was, or ""."""
    return f"[Now: {moment}.{f' Last talk: {ago}.' if ago else ''}]"


def user_text(words: str, block: str, now: str = "") -> str:
    """A person's message as the model sees it: what day it is, or the recalled notes, then the
    words. Notes bear their days and how far back they are; with the day of today before them a 1.5B
    answered 19 of 28 questions about earlier talk, without it 23.

    The only place that decides how these are shown. Notes and words are sanitized, so that none can
    imitate another.
    """
    words, block = sanitized(words), _sanitized_lines(block)
    if block:
        return f"[Notes from earlier days]\n{block}\n[Your friend says now]\n{words}"
    return f"{now}\n{words}" if now else words


def _sanitized_lines(block: str) -> str:
    return "\n".join(map(sanitized, block.split("\n"))) if block else ""


def history(head: Sequence[ChatMessage], window: Window) -> list[ChatMessage]:
    """Everything up to the last thing said. `head` is the system message and the examples."""
    messages = list(head)
    for exchange in window:
        if exchange.user is not None:
            messages.append(
                ChatMessage("user", user_text(exchange.user, exchange.block, exchange.now))
            )
        if exchange.reply is not None:
            messages.append(ChatMessage("assistant", exchange.reply))
    return messages


Exchanges = Sequence[tuple[str, str]]
"""Written exchanges: what was said and what was answered, the likest first."""


def build(
    head: Sequence[ChatMessage],
    window: Window,
    words: str,
    recall: RecallResult,
    now: str = "",
    examples: Exchanges = (),
) -> list[ChatMessage]:
    """The whole prompt for an answer to `words`. now: the line that they begin with, or "". The
    examples stand between the window and the words, the likest last, in this prompt only: nothing
    before them moves."""
    if recall.place == "message":
        # Where examples stand before it, the line would have to be read anew.
        last = ChatMessage("user", user_text(words, recall.block, "" if examples else now))
        return [*history(head, window), *_turns(examples), last]
    system = head[0].text
    if recall.block:
        system += f"\n\nWhat you remember:\n{_sanitized_lines(recall.block)}"
    changed = [ChatMessage("system", system), *head[1:]]
    return [*history(changed, window), *_turns(examples), ChatMessage("user", sanitized(words))]


def _turns(examples: Exchanges) -> list[ChatMessage]:
    return [
        message
        for said, answer in reversed(examples)
        for message in (ChatMessage("user", said), ChatMessage("assistant", answer))
    ]


def fit(
    model: LanguageModel,
    head: Sequence[ChatMessage],
    window: Window,
    words: str,
    recall: RecallResult,
    now: str = "",
    *,
    reply_tokens: int,
    examples: Exchanges = (),
) -> tuple[list[ChatMessage], Window, RecallResult]:
    """The prompt cut to fit the model's context, with the window and the recall that remain in it.

    The examples are dropped first, then the oldest exchanges, then the recalled block; the system
    message and the person's words always stay.
    """
    room = model.context_tokens - reply_tokens
    whole = build(head, window, words, recall, now, examples)
    if model.count(whole) <= room:
        return whole, window, recall

    def tokens(kept: Window) -> int:
        return model.count(build(head, kept, words, recall, now))

    window = cut_to_tokens(window, tokens, most=room, target=room)
    if not window and tokens(window) > room:
        recall = EMPTY
    return build(head, window, words, recall, now), window, recall


def leave_room(
    model: LanguageModel, head: Sequence[ChatMessage], window: Window, *, reply_tokens: int
) -> Window:
    """The window, cut ahead of time so that the next turn rarely has to cut it.

    A third of what the system message and the reply leave free is reserved for the next words and
    their recalled notes. A window that outgrows the rest is halved, so that cuts are rare
    (hysteresis).
    """
    fixed = model.count(head)
    most = fixed + (model.context_tokens - reply_tokens - fixed) * 2 // 3
    return cut_to_tokens(
        window,
        lambda kept: model.count(history(head, kept)),
        most=most,
        target=fixed + (most - fixed) // 2,
    )


def check_context(model: LanguageModel, head: Sequence[ChatMessage], *, reply_tokens: int) -> None:
    """Raises ContextTooSmall, with the numbers, when not even one turn fits."""
    fixed = model.count(head)
    least = fixed + LEAST_TURN_TOKENS + reply_tokens
    if least > model.context_tokens:
        raise ContextTooSmall(
            f"llm.active.context_tokens is {model.context_tokens}, but persona and profile take "
            f"{fixed} tokens, a turn {LEAST_TURN_TOKENS} and a reply {reply_tokens}: "
            f"set it to {least} or more, or shorten the persona"
        )


def check_words(
    model: LanguageModel, head: Sequence[ChatMessage], words: str, *, reply_tokens: int
) -> None:
    """Raises InputError for words that cannot be answered."""
    if not words:
        raise InputError("nothing was said: the message is empty")
    if len(words) > MOST_CHARACTERS:
        raise InputError(
            f"the message has {len(words):,} characters, and at most {MOST_CHARACTERS:,} are "
            "taken at once: say it in parts"
        )
    if any("\ud800" <= character <= "\udfff" for character in words):
        raise InputError("the message holds half characters (lone surrogates): send Unicode")
    fixed = model.count(head)
    free = model.context_tokens - reply_tokens - fixed
    tokens = model.count([*head, ChatMessage("user", words)]) - fixed
    if tokens > free:
        raise InputError(
            f"the message has {tokens:,} tokens, and {free:,} fit beside the persona in "
            f"the model's context: say it in parts"
        )


def block_tokens(model: LanguageModel, words: str, block: str) -> int:
    """What the recalled block costs before the words."""
    if not block:
        return 0
    shown, bare = ([ChatMessage("user", user_text(words, each))] for each in (block, ""))
    return model.count(shown) - model.count(bare)


def example_tokens(
    model: LanguageModel,
    messages: Sequence[ChatMessage],
    head: Sequence[ChatMessage],
    window: Window,
) -> int:
    """What the examples cost that stand between window and words."""
    start = len(history(head, window))
    if start == len(messages) - 1:
        return 0
    return model.count(list(messages)) - model.count([*messages[:start], messages[-1]])
