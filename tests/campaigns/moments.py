"""Keep or forget at random moments while the toy talks: real daemon, smallest real model.

    python -m tests.campaigns.moments [--moments 100] [--minutes 30] [--seed 1]

Forgotten is the turn in which it was told, and with it the memory. Right is: the change holds, and
the next prompt knows: the name is in no recalled note any more, or still is. A reply is lost that
was not given to its end, or is not in the log. A run that is over its minutes ends with the moments
that it had.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.daemon.conftest import CONFIG, Daemon, Home, said

ANIMALS = "rabbit hamster parrot tortoise pony goldfish lizard canary ferret donkey".split()
NAMES = (
    "Ottilie Bramble Quentin Zanzibar Marzipan Figaro Tuppence Wombat Juniper Pickle "
    "Sorrel Dandy Nimbus Biscuit Pepper Clementine Truffle Barnaby Hazel Mungo"
).split()
SHORT = CONFIG.replace(", mode: turns", "").replace("reply_tokens: 24", "reply_tokens: 16")


def learn(home: Home, count: int) -> None:
    """So many pets, each in a talk of its own day."""
    lines = []
    for number in range(count):
        name, animal = f"{NAMES[number % 20]}{chr(97 + number // 20)}", ANIMALS[number % 10]
        row = {"session": f"day{number}", "time": f"2026-05-{number % 28 + 1:02d}T10:00:00+00:00"}
        text = f"My {animal} is called {name} and sleeps in box {number}."
        lines.append(json.dumps({**row, "role": "user", "text": text}))
        lines.append(json.dumps({**row, "role": "assistant", "text": "How nice."}))
    file = home.directory / "before.jsonl"
    file.write_text("\n".join(lines))
    for command in (("replay", str(file)), ("consolidate",)):
        done = home.run(*command)
        assert done.returncode == 0, done.stderr


def play(home: Home, daemon: Daemon, moments: int, seed: int, minutes: float) -> dict[str, Any]:
    end = time.monotonic() + 60 * minutes
    chance, pool = random.Random(seed), ThreadPoolExecutor(1)
    found = daemon.ask("memories", limit=200)["memories"]
    assert len(found) >= moments, f"{len(found)} memories"
    right = lost = begun = done = 0
    wrong: list[str] = []
    replies: list[str] = []
    for number in range(moments):
        if time.monotonic() > end:
            break
        done += 1
        memory = found[number]
        name = next(w for w in memory["text"].replace('"', " ").split() if w[:-1] in NAMES)
        words = f"My uncle Piet has {number + 2} old boats and he paints each of them blue."
        child = pool.submit(daemon.events, "chat", text=words)
        time.sleep(chance.uniform(0, 1.2))
        begun += not child.done()
        forgets = chance.random() < 0.5
        if forgets:
            source = memory["sources"][0]
            daemon.ask("erase", turn=f"{source['session']}#{source['turn']}", now=True)
        else:
            daemon.ask("keep", id=memory["id"])
        reply = child.result()[-1].get("done")
        if reply is None or not reply["text"]:
            lost += 1
            wrong.append(f"{number}: reply lost")
        else:
            replies.append(reply["text"])
        after = daemon.ask("chat", text=f"What do you know about {name}?")
        knows = any(name in json.dumps(each) for each in after["recalled"])
        state = {each["id"]: each for each in daemon.ask("memories", limit=200)["memories"]}
        if forgets:
            ok = memory["id"] not in state and not knows
        else:
            ok = state[memory["id"]]["pinned"] and knows
        right += ok
        if not ok:
            kept = state.get(memory["id"], {}).get("pinned")
            wrong.append(
                f"{number}: {'forgotten' if forgets else 'kept'}, {name}; in the store: {kept}; "
                f"the next reply knows: {knows}, by {after['by']}"
            )
        print("." if ok and reply else f"\n{wrong[-1]}\n", end="", flush=True)
    print()
    daemon.stop()
    stored = {text for role, text, _ in said(home) if role == "assistant"}
    lost += sum(each not in stored for each in replies)
    return {
        "moments": done,
        "during a reply": begun,
        "right": right,
        "lost": lost,
        "wrong": wrong,
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moments", type=int, default=100)
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Home(Path(folder), SHORT)
        learn(home, given.moments)
        daemon = stack.enter_context(home.daemon())
        daemon.wait_for("READY=1")
        result = play(home, daemon, given.moments, given.seed, given.minutes)
    print(json.dumps(result, indent=1))
    return int(result["right"] != result["moments"] or result["lost"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
