"""What strangers would not keep is left out, by a real embedder and the shipped weights."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from companion.assembly.models import open_embedder
from companion.config import load
from companion.consolidation import worth
from companion.consolidation.merge import Merging
from companion.consolidation.sort import LearntKinds
from companion.engines.protocols import Embedder
from companion.language.types import Excerpt
from companion.records import Source
from companion.store import intermediate, log
from companion.store.intermediate import Draft
from tests.consolidation.conftest import World
from tests.fakes import HashEmbedder

WORTH_IT = (
    'Asked "Who is Otto?", the user said: "My big brother. He plays the drums."',
    'The user said: "My dog is called Rex and he sleeps in my bed."',
    'The user said: "I can\'t eat mango, I get a rash."',
    'The user said: "Tomorrow is my swimming test."',
    'The user said: "I live in York with my mum."',
    'The user said: "I\'m scared of the hand dryer. And that."',
)
NOT_WORTH_IT = (
    'The user said: "wait, hold on, I put it there. It\'s so slow. Hello?"',
    "The user said: \"what's nine times eight times two. I know it, I'm testing you\"",
)


@pytest.fixture
async def embedder() -> AsyncIterator[Embedder]:
    async with open_embedder(load()) as found:
        yield found


async def merged(world: World, embedder: Embedder) -> list[str]:
    """What is left of the drafts after the step `merge`."""
    await world.talk("day-1", "Hello!", "Hi!")
    texts = (*WORTH_IT, *NOT_WORTH_IT)
    drafts = [Draft(0, text, "fact", Source("day-1", 1, text), None) for text in texts]
    await world.store.write(log.end_session, "day-1", world.clock.wall())
    await world.store.write(intermediate.add_chunks, "day-1", [(1, 1)])
    await world.store.write(intermediate.put_drafts, "day-1", 1, drafts)
    step = Merging(embedder, world.store, LearntKinds(embedder))
    [unit] = await world.store.read(step.pending)
    result = await step.infer(unit)
    effects = await world.store.write(step.commit, unit, result)
    assert list(effects.dropped) == ["worth"] * len(result.dropped)
    return [each.text for each in await world.store.read(intermediate.drafts_of, "day-1")]


async def test_what_a_friend_would_keep_stays_and_chatter_goes(
    world: World, embedder: Embedder
) -> None:
    assert await merged(world, embedder) == list(WORTH_IT)


async def test_an_embedder_that_the_weights_were_not_fitted_for_drops_nothing(
    world: World,
) -> None:
    assert len(await merged(world, HashEmbedder(256))) == len(WORTH_IT) + len(NOT_WORTH_IT)


@pytest.mark.parametrize(
    "said", ["egg makes me come out in spots", "it isn't Tuesday now", "I get nightmares of it"]
)
def test_health_fears_and_corrections_stay_whatever_they_score(said: str) -> None:
    assert worth.must_stay(Excerpt(said, "", "", ""))
    assert not worth.must_stay(Excerpt("I saw a kite", "", "", ""))
