"""Find out how the language model loads on this board, and write that into its configuration.

Tried in this order, each by a real prompt in a process of its own: as configured; with fewer layers
on the GPU, so that no single allocation is above 3.8 GiB; without mapping the file; a smaller
model. The first that passes is taken and named. Run by scripts/install-jetson.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jetson_release import allocates_short, release

from companion.config import LlmSection, load
from companion.errors import CompanionError
from companion.weights.located import model_file

FEWER_LAYERS = (26, 20, 14)
"""Of the 28 of a 7B, on the GPU; the last layer of all (0.45 GB of a 7B) then stays on the host.
Weights on the GPU: 3.4, 2.6 and 1.8 GiB in place of 4.1."""

SMALLER = "qwen3-4b-instruct-2507"
"""In models/manifest.yaml: 2.5 GB in place of 4.7."""

TIMEOUT_S = 600
MEMORY = re.compile(r"memory|no room|NvMap|SIGABRT|exit -6|exit -9", re.IGNORECASE)
"""What a self-test says that a smaller demand may mend; anything else it does not."""


@dataclass(frozen=True)
class Candidate:
    """One way to load the model."""

    what: str
    """In words; as configured when it changes no key."""

    changes: dict[str, object]
    """Keys of llm.active with their values."""

    def yaml(self) -> str:
        """As it stands in a configuration."""
        words = {True: "true", False: "false"}
        pairs = [
            f"{key}: {words[value] if isinstance(value, bool) else value}"
            for key, value in self.changes.items()
        ]
        return f"llm: {{active: {{{', '.join(pairs)}}}}}"


class Failed(Exception):
    """A candidate did not pass; why, in one line."""


def candidates() -> Iterator[Candidate]:
    """Best first: each costs more speed, or wits, than the one before."""
    yield Candidate("as configured", {})
    for layers in FEWER_LAYERS:
        yield Candidate(f"{layers} layers on the GPU", {"gpu_layers": layers})
    yield Candidate(
        f"{FEWER_LAYERS[0]} layers on the GPU, the file read and not mapped",
        {"gpu_layers": FEWER_LAYERS[0], "mmap": False},
    )
    yield Candidate(f"a smaller model, {SMALLER}", {"model": SMALLER})


def choose(tried: Callable[[Candidate], None], say: Callable[[str], None]) -> Candidate | None:
    """The first candidate that passes. tried: raises Failed.

    What fails for another reason than memory ends the search: none of the others would mend it.
    """
    for candidate in candidates():
        try:
            tried(candidate)
        except Failed as error:
            say(f"{candidate.what}: {error}")
            if not MEMORY.search(str(error)):
                return None
            continue
        return candidate
    return None


def keep(candidate: Candidate, file: Path) -> bool:
    """Write what was chosen; False where the owner has a section `llm` of his own."""
    text = file.read_text(encoding="utf-8")
    if re.search(r"^llm:", text, re.MULTILINE):
        return False
    note = f"# Chosen by scripts/install-jetson: {candidate.what}."
    lines = f"{text.rstrip()}\n\n{note}\n{candidate.yaml()}\n"
    temporary = file.with_suffix(".new")
    temporary.write_text(lines, encoding="utf-8")
    temporary.chmod(file.stat().st_mode)
    temporary.replace(file)
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", type=Path)
    parser.add_argument("--as", dest="user", help="run the model as this user")
    parser.add_argument("--fetch", help="the command that fetches a model by its name")
    parsed = parser.parse_args(arguments)
    found = release()
    if allocates_short(found):
        say(f"Jetson Linux {'.'.join(map(str, found or ()))}: one large allocation may fail here")
    settings = load(parsed.config)
    if settings.llm.active.backend != "llama-cpp":
        say("the model runs on a server: nothing to try")
        return 0

    def tried(candidate: Candidate) -> None:
        section = settings.llm.active.model_copy(update=candidate.changes)
        if "model" in candidate.changes and parsed.fetch:
            subprocess.run([parsed.fetch, "models", "fetch", SMALLER], check=False)
        try:
            path = model_file(section, settings.models_dir)
        except CompanionError as error:
            raise Failed(str(error)) from None
        selftest(path, section, parsed.user)

    chosen = choose(tried, say)
    if chosen is None:
        say("nothing that was tried loads the model; `companion doctor` says more")
        return 1
    say(f"chosen: {chosen.what}")
    if chosen.changes and not keep(chosen, parsed.config):
        say(f"{parsed.config} has a section llm of your own: put this into it: {chosen.yaml()}")
    return 0


def selftest(path: Path, section: LlmSection, user: str | None) -> None:
    """One prompt, in a process that may die. Raises Failed."""
    command = [] if user is None else ["runuser", "-u", user, "--"]
    command += [sys.executable, "-m", "companion.engines.llama.selftest", str(path)]
    command += ["--gpu-layers", str(section.gpu_layers), "--threads", str(section.threads)]
    command += ["--context-tokens", str(section.context_tokens)]
    command += ["--prefill-slice", str(section.prefill_slice)]
    command += [] if section.mmap else ["--no-mmap"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"no answer in {TIMEOUT_S} s: out of memory, perhaps") from None
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        died = f"exit {done.returncode}: " if done.returncode < 0 else ""
        raise Failed(f"{died}{last or 'no reason given'}")


def say(text: str) -> None:
    print(f"   {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
