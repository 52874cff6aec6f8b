"""A figure of the voice loop, and how one is taken: a scenario that no test looks at."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from tests.voice.cast import Engines
from tests.voice.play import Played, play
from tests.voice.scenario import Scenario

VOICES = ("adult", "child", "quick", "slow")
QUESTIONS = (
    "Can you tell me why the leaves turn red in autumn?",
    "My grandmother has a cat that sleeps on the piano.",
    "Yesterday we went swimming in the big lake behind the forest.",
    "What would you do if you could fly like a bird?",
    "I am reading a book about pirates and a hidden treasure.",
    "Do you think that fish can hear us when we talk?",
    "My best friend has a new bicycle with a silver bell.",
    "How many legs does a spider have, and why so many?",
    "Tomorrow I will bake a chocolate cake with my father.",
    "Which animal can run faster than a car in the city?",
)


@dataclass(frozen=True)
class Figure:
    """A row."""

    name: str
    target: str
    result: str
    reached: bool


Measure = Callable[[Engines, bool], Awaitable[list[Figure]]]


async def act(
    engines: Engines, on_frame: Callable[[int], None] = lambda number: None, **fields: object
) -> Played:
    """Play a scenario that no test looks at."""
    scenario = Scenario.model_validate({"name": "figure", "expect": {}, **fields})
    with tempfile.TemporaryDirectory() as folder:
        return await play(scenario, engines, Path(folder), on_frame=on_frame)
