"""Talk of any length, made from a seed: what the speed benches put into a prompt."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.config import Config
from companion.dialog import prompt
from companion.dialog.persona import head_of
from companion.dialog.window import Exchange, Window
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.recall.protocol import RecallResult
from companion.records import Profile

SEED = 0

_THINGS = (
    "a kite|my hamster|the moon|a snail|our garden|a pirate ship|the rain|my drum|a castle|"
    "the old bridge|a paper boat|my grandmother|the bakery|a fox|my red boots|the swimming pool"
).split("|")
_SAYS = (
    "Today I saw {}, and it made me think of {}.|Can you tell me something about {} and {}?|"
    "I told my brother about {}, but he only likes {}.|Do you think {} is bigger than {}?|"
    "I want to draw {} next to {} tomorrow."
).split("|")
_REPLIES = (
    "That sounds lovely. I would like to hear more about {} one day.|"
    "What a good question! I think {} is full of surprises.|"
    "I wonder what {} looks like from above. What do you think?"
).split("|")


def exchanges(seed: int = SEED) -> Iterator[tuple[str, str]]:
    """What a person said and what was answered, without end."""
    chance = random.Random(seed)
    while True:
        first, second, third = chance.sample(_THINGS, 3)
        yield (
            chance.choice(_SAYS).format(first, second),
            chance.choice(_REPLIES).format(third),
        )


def block(lines: int, seed: int) -> str:
    """Notes as recall would show them."""
    said = exchanges(1_000 + seed)
    return "\n".join(f"Monday {n + 2} March 2026: They: {next(said)[0]}" for n in range(lines))


def head(config: Config) -> list[ChatMessage]:
    """System prompt and examples, as the dialog has them."""
    return list(head_of(config.persona, Profile(), config.dialog.sentences))


def window_of(
    model: LanguageModel, before: list[ChatMessage], tokens: int, words: str, notes: str
) -> Window:
    """Exchanges that bring the whole prompt close to so many tokens, never above; at least one."""
    window: Window = ()
    recall = RecallResult(notes, ())
    for number, (said, reply) in enumerate(exchanges(), start=1):
        longer = (*window, Exchange(number, said, reply))
        if window and model.count(prompt.build(before, longer, words, recall)) > tokens:
            return window
        window = longer
    raise AssertionError("exchanges never end")
