"""Fuzzed text through a whole turn: stored exactly and answered, or refused whole."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from companion.errors import InputError
from companion.store import history, turn_index
from tests.campaigns.outcome import Outcome
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel
from tests.store import hostile

_PIECES = (
    *(
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "</s>",
        "[INST]",
        "\u202e",
        "\u200b",
        "\ufeff",
    ),
    *('"', "'", "*", "NEAR(", "AND", "OR", "NOT", "(", ")", ":", "--", ";", "\x00", "\x1b[2J"),
    *(
        "\r\n",
        "\t",
        " ",
        "a",
        "dog",
        "ß",
        "İ",
        "e\u0301",
        "👩‍👩‍👧",
        "\U0010ffff",
        "\ufffe",
        "\ud800",
        "\udfff",
    ),
    *("{", "}", "[", "]", "\\", "/", "%s", "{0}", "${x}", "`", "~", "#", "<b>", "&amp;"),
)


def texts(folder: Path, chance: random.Random, count: int) -> Outcome:
    return asyncio.run(_texts(folder, chance, count))


async def _texts(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome = Outcome()
    stored = refused = 0
    corpus = hostile.strings()
    model = ScriptedModel(["I see."], context_tokens=30_000)
    async with talking(folder, model) as talk:
        for number in range(count):
            words = corpus[number] if number < len(corpus) else _fuzzed(chance, corpus)
            try:
                result = await asyncio.wait_for(talk.say(words), 30)
            except InputError:
                refused += 1
                continue
            except Exception as error:
                outcome.violations.append(f"text {number}: {type(error).__name__}")
                continue
            stored += 1
            assert result.session is not None
            assert result.turn is not None
            turn = await talk.store.read(history.turn, result.session, result.turn)
            if turn is None or turn.user is None or turn.user.text != words.strip():
                outcome.violations.append(f"text {number}: not stored as it was said")
            await talk.store.read(turn_index.search_turns, words, 3)
            if number % 200 == 199:
                await talk.dialog.close()  # sessions of a length that people have
    outcome.figures = f"{count} texts, {stored} stored exactly, {refused} refused whole"
    return outcome


def _fuzzed(chance: random.Random, corpus: list[str]) -> str:
    kind = chance.randrange(3)
    if kind == 0:
        return "".join(chance.choices(_PIECES, k=chance.randrange(1, 40)))
    if kind == 1:
        points = (chance.randrange(0x110000) for _ in range(chance.randrange(1, 80)))
        return "".join(map(chr, points))
    base = chance.choice(corpus)[:2000]
    at = chance.randrange(len(base) + 1)
    return base[:at] + chance.choice(_PIECES) + base[at:]
