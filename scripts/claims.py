"""What the model claims to do when children ask for what a toy cannot do, and what is left of it.

    python scripts/claims.py SET.jsonl --out REPLIES.jsonl [--profile laptop] [--minutes 5]
    python scripts/claims.py REPLIES.jsonl

The first asks the model about each line `{"said": ..., "before": [[said, reply], ...]}`, each in a
conversation of its own, and appends what it wrote, as `raw`; run again, it goes on where it
stopped. The second loads no model: it puts each `raw` through the checks of the dialog and prints
what would have been said without them and with them, for a person to read, and how many replies
were changed. Whether a reply is honest is for that person to say: tests/talk/HOW_requests.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, TextIO

from companion import config, language
from companion.assembly.dialog import abilities_of
from companion.assembly.models import open_language_model
from companion.dialog import prompt
from companion.dialog.greeting import Greeting
from companion.dialog.honesty import Honesty
from companion.dialog.known_people import KnownPeople
from companion.dialog.persona import head_of
from companion.dialog.sentences import Sentences
from companion.dialog.speech import Speech
from companion.dialog.window import Exchange
from companion.engines.protocols import Options
from companion.recall.protocol import EMPTY
from companion.records import Profile

Line = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--out", type=Path, help="ask the model, and append its replies here")
    parser.add_argument("--profile", default=None)
    parser.add_argument("--minutes", type=float, default=5.0, help="stop asking after so long")
    arguments = parser.parse_args()
    settings = config.load(profile=arguments.profile)
    lines = _lines(arguments.set)
    if arguments.out:
        done = {each["said"] for each in _lines(arguments.out)} if arguments.out.exists() else set()
        left = [line for line in lines if line["said"] not in done]
        with arguments.out.open("a", encoding="utf-8") as out:
            asyncio.run(_ask(settings, left, out, arguments.minutes * 60))
        print(f"{len(left)} left")
    else:
        _show(settings, lines)


def _lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


async def _ask(settings: config.Config, left: list[Line], out: TextIO, limit_s: float) -> None:
    """Write the model's replies to `out`, and take what is answered out of `left`."""
    dialog, ends = settings.dialog, time.monotonic() + limit_s
    head = head_of(
        settings.persona,
        Profile(),
        dialog.sentences,
        abilities_of(settings),
    )
    options = Options(
        max_tokens=dialog.reply_tokens,
        temperature=dialog.temperature,
        seed=dialog.seed,
        deadline_s=dialog.deadline_s,
    )
    async with open_language_model(settings, settings.llm.active) as model:
        while left and time.monotonic() < ends:
            line = left.pop(0)
            window = tuple(
                Exchange(number, said, reply, "", frozenset())
                for number, (said, reply) in enumerate(line.get("before", ()), 1)
            )
            messages = prompt.build(head, window, line["said"], EMPTY)
            raw, enough = "", Sentences(2 * dialog.sentences)
            async with aclosing(model.generate(messages, options)) as pieces:
                async for piece in pieces:
                    raw += piece
                    enough.feed(piece)
                    if enough.done:
                        break
            out.write(json.dumps(line | {"raw": raw}) + "\n")


def _show(settings: config.Config, lines: Sequence[Line]) -> None:
    changed = known = 0
    for line in lines:
        plain, checked = (spoken(settings, line, check) for check in (False, True))
        known += language.claims.wants(line["said"]) is not None
        changed += plain != checked
        print(f"[{line.get('wants') or line.get('kind')}] {line['said']}\n    {plain}")
        if plain != checked:
            print(f" -> {checked}")
    print(f"{len(lines)} replies, {known} requests recognised, {changed} replies changed")


def spoken(settings: config.Config, line: Line, check: bool) -> str:
    """What is said of the model's `raw` text; `check` False: as if every sentence were true."""
    name = settings.persona.name
    before = [said for said, _ in line.get("before", ())]
    claims = Honesty(name, abilities_of(settings)).check(
        line["said"] if check else "",
        before if check else ("once upon a time", "let's pretend"),
    )
    greeting = Greeting(name, Profile(), enabled=False)
    people = KnownPeople(lambda: " ".join((*before, line["said"])))
    speech = Speech(settings.dialog.sentences, name, greeting, claims, people, clauses=True)
    said: list[str] = []
    for piece in line["raw"]:
        if not speech.done:
            said += speech.feed(piece)
    return " ".join([*said, *speech.finish(complete=True)])


if __name__ == "__main__":
    main()
