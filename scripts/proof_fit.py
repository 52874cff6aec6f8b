"""How a model loads on a board whose large allocations fail: the proof measures it that way.

The same search as scripts/install-jetson's (fit_jetson), but for the smaller model: that one is
measured by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fit_jetson import Candidate, Failed, choose, selftest
from measure import keep, kept

from companion.config import LlmSection


def changes(
    folder: Path, name: str, gguf: Path, section: LlmSection, say: Callable[[str], None]
) -> dict[str, object]:
    """Keys of llm.active with which the model loads; none where it does as it is, or where nothing
    helps: its steps then say so. Found once, and kept in the folder."""
    file = folder / f"{name}-fit.json"
    known = kept(file)
    if known is not None:
        return dict(known["changes"])

    def tried(candidate: Candidate) -> None:
        if "model" in candidate.changes:
            raise Failed("out of memory; a smaller model is measured by itself")
        selftest(gguf, section.model_copy(update=candidate.changes), None)

    chosen = choose(tried, say)
    found = {} if chosen is None else chosen.changes
    if chosen is not None:
        say(f"{name}: {chosen.what}")
    keep(file, {"chosen": None if chosen is None else chosen.what, "changes": found})
    return dict(found)
