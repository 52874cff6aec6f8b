"""`companion eval retrieval`: is the evidence of a question in the recalled block?

Measured apart from extraction and from any language model: the set's own facts are the memories.
Arm `hybrid` is what the dialog does, within its own budget or another one. `paper` is five facts
and three turns with a neighbour each side, by meaning alone. Both are counted by one rule
(`tokens`).

The recall of a question is the share of its evidence that is in the block: an utterance itself,
or a fact that cites it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

from companion.assembly.models import open_uncached_embedder
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config, RetrievalSection
from companion.engines.protocols import Embedder
from companion.evaluation.figures import bootstrap, mean
from companion.evaluation.retrieval.dense import DenseRecall, Shown
from companion.evaluation.retrieval.labelled import LabelledQuestion, LabelledTalk, read_talks
from companion.evaluation.retrieval.labelled_store import LabelledStore, fill
from companion.evaluation.stopwatch import Stopwatch
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query
from companion.store.database import Store

Arm = Literal["hybrid", "paper"]
ARMS: tuple[Arm, ...] = get_args(Arm)
SEED = 0

_TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str) -> int:
    """Words and marks of a text: the same on every machine, whatever model is installed."""
    return len(_TOKEN.findall(text))


@dataclass(frozen=True)
class World:
    """One conversation, ready to be asked about on the day after it ended."""

    talk: LabelledTalk
    labels: LabelledStore
    store: Store
    clock: ManualClock


@dataclass
class Marks:
    """What was measured, one value a question."""

    recall: list[float] = field(default_factory=list)
    categories: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    talks: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    tokens: list[int] = field(default_factory=list)
    watch: Stopwatch = field(default_factory=Stopwatch)

    def add(self, talk: str, asked: LabelledQuestion, shown: Shown) -> None:
        share = len(asked.evidence & shown.evidence) / len(asked.evidence)
        self.recall.append(share)
        self.categories[asked.category].append(share)
        self.talks[talk].append(share)
        self.tokens.append(tokens(shown.block))

    def as_json(self) -> dict[str, Any]:
        return {
            "n": len(self.recall),
            "recall": round(mean(self.recall), 4),
            "ci95": [round(end, 4) for end in bootstrap(self.recall, seed=SEED)],
            "by_category": _groups({str(key): self.categories[key] for key in self.categories}),
            "by_conversation": _groups(self.talks),
            "mean_tokens": round(mean(self.tokens), 1),
            **self.watch.figures(),
        }


async def run(
    config: Config,
    file: Path,
    *,
    arm: Arm,
    on_progress: Callable[[str], None],
    budget: int | None = None,
) -> dict[str, Any]:
    """Run one arm over a set; the document of `companion eval retrieval --json`.

    budget: tokens in place of `retrieval.budget_tokens`. Raises InputError for a set that cannot be
    read.
    """
    talks = read_talks(file)
    section = config.retrieval
    if budget is not None:
        section = section.model_copy(update={"budget_tokens": budget})
    async with AsyncExitStack() as stack:
        embedder = await stack.enter_async_context(open_uncached_embedder(config))
        worlds = []
        for number, talk in enumerate(talks, start=1):
            on_progress(f"reading conversation {number} of {len(talks)}")
            worlds.append(await _world(stack, config, embedder, talk))
        if arm == "hybrid":
            marks = await _recalled(section, embedder, worlds)
        else:
            marks = await _paper(section, embedder, worlds)
    return {
        "arm": arm,
        **marks.as_json(),
        "budget": section.budget_tokens,
        "embedder": embedder.name,
        "seed": SEED,
    }


async def _world(
    stack: AsyncExitStack, config: Config, embedder: Embedder, talk: LabelledTalk
) -> World:
    clock = ManualClock(talk.sessions[0].time)
    section = config.store.model_copy(update={"encrypt": False, "backups": 0})
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="companion-eval-")))
    placed = config.model_copy(update={"data_dir": folder, "store": section})
    store = await stack.enter_async_context(open_store(placed, clock, mode="owner"))
    labels = await fill(store, embedder, talk)
    clock.advance((talk.sessions[-1].time - clock.wall() + timedelta(days=1)).total_seconds())
    return World(talk, labels, store, clock)


async def _paper(section: RetrievalSection, embedder: Embedder, worlds: list[World]) -> Marks:
    marks = Marks()
    for number, world in enumerate(worlds, start=1):
        dense = await DenseRecall.over(world.talk, embedder, section)
        for asked in world.talk.questions:
            with marks.watch.lap():
                shown = await dense.recall(asked.text)
            marks.add(str(number), asked, shown)
    return marks


async def _recalled(section: RetrievalSection, embedder: Embedder, worlds: list[World]) -> Marks:
    marks = Marks()
    for number, world in enumerate(worlds, start=1):
        recall = Recall(world.store, embedder, world.clock, section, tokens)
        for asked in world.talk.questions:
            with marks.watch.lap():
                found = await recall.recall(Query(asked.text))
            evidence = frozenset(id for item in found.items for id in world.labels.found(item))
            marks.add(str(number), asked, Shown(found.block, evidence))
    return marks


def _groups(values: dict[str, list[float]]) -> dict[str, Any]:
    """values: by number; the tenth comes after the second."""
    return {
        key: {"n": len(values[key]), "recall": round(mean(values[key]), 4)}
        for key in sorted(values, key=int)
    }
