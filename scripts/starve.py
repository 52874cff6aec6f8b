"""Let memory run out while a model is loaded, given a context, and given room for its batches.

    python scripts/starve.py GGUF

Each time in a process of its own whose address space is limited, on the processor: a GPU's memory
knows no such limit. Prints a JSON object: for each,
the line that was said, and `named` 1 where it tells what was needed, and the key to lower.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_CHILD = """
import resource, sys
from pathlib import Path
from companion.config import LlmSection
from companion.engines.llama import context
from companion.errors import CompanionError

path, when, extra, tokens, batch = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])

def starve():
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + extra,) * 2)

def load_then_starve(*arguments, load=context.load_model, **more):
    model = load(*arguments, **more)
    starve()
    return model

if when == "before":
    starve()
else:
    context.load_model = load_then_starve
try:
    context.LlamaContext(path, LlmSection(context_tokens=tokens, prefill_slice=batch, threads=1))
except CompanionError as error:
    print(type(error).__name__, error)
"""
TIMEOUT_S = 300


def main() -> int:
    path = Path(sys.argv[1])
    cases = {
        "load": ("before", path.stat().st_size // 5, 1024, 64),
        "context": ("after", 16 * 10**6, 131_072, 64),
        "batch": ("after", max(60 * 10**6, path.stat().st_size // 3), 4096, 4096),
    }
    found = {}
    for name, limits in cases.items():
        command = [sys.executable, "-c", _CHILD, str(path), *map(str, limits)]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        died = f"exit {done.returncode}: {done.stderr.strip().rpartition(chr(10))[2]}"
        line = done.stdout.strip() or died
        named = "needed at once" in line and "llm.active." in line and "\n" not in line
        found[name] = {"said": line.replace(str(path), path.name), "named": int(named)}
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
