"""Each campaign finds nothing, briefly; and each finds what was broken for it (mutations.yaml).

What was broken stands in a copy of the tree, where the campaign is run as from the command line.
Not here: `sigterm`, which needs a language model and minutes, `poisoning-aloud`, which is
`poisoning` with real ears, and `soak`, which sees what grows only after a month of nights.
`poisoning-real` is run with what obeys in the model's place.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import mutate
import pytest
import yaml
from mutate import Mutation

from tests.campaigns.__main__ import CAMPAIGNS
from tests.campaigns.poisoning_real import poisoning_obeyed
from tests.store.power_cuts import compiler

LIST = Path(__file__).with_name("mutations.yaml")
TOO_LONG = {"soak", "sigterm", "poisoning-aloud"}
"""Run by hand, with their mutations as without them."""

NEED_THE_DISK = {"kills", "upkeep", "power"}
WITHOUT_A_MISTAKE = {
    "scribbles": 5,
    "upkeep": 4,
    "kills": 3,
    "poisoning": 12,
    "clocks": 60,
    "stories": 24,
}
"""How often; the others are run by the tests beside which they stand."""


@dataclass(frozen=True)
class _Broken:
    """A campaign as it is called, and what it must catch."""

    name: str
    campaign: tuple[str, ...]
    mutations: tuple[Mutation, ...]
    finds: str


def _broken() -> list[_Broken]:
    found = []
    for name, entry in yaml.safe_load(LIST.read_text(encoding="utf-8")).items():
        changes = [entry, *entry.get("also", ())]
        mutations = tuple(
            Mutation(name, entry["file"], each["old"], each["new"], ()) for each in changes
        )
        campaign = tuple(entry["campaign"].split())
        found.append(_Broken(name, campaign, mutations, entry.get("finds", "VIOLATED")))
    return found


BROKEN = _broken()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to break."""
    return mutate.copy_tree(mutate.ROOT, tmp_path_factory.mktemp("tree"))


def _needs(campaign: str) -> None:
    if campaign in NEED_THE_DISK and compiler() is None:
        pytest.skip("the disk that forgets needs Linux and a C compiler")


def test_every_campaign_has_a_mutation_that_fits_the_code() -> None:
    named = {each.campaign[0] for each in BROKEN}
    assert named == set(CAMPAIGNS)
    for each in BROKEN:
        assert all(mutation.mutated(mutate.ROOT) for mutation in each.mutations)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "times"), WITHOUT_A_MISTAKE.items())
def test_a_campaign_finds_nothing(name: str, times: int, tmp_path: Path) -> None:
    _needs(name)
    outcome = CAMPAIGNS[name][0](tmp_path, random.Random(1), times)
    assert outcome.violations == []
    assert outcome.figures


@pytest.mark.slow
def test_what_obeys_finds_no_plant_to_obey(tmp_path: Path) -> None:
    outcome = poisoning_obeyed(tmp_path, random.Random(1), 12)
    assert outcome.violations == []
    assert "12 plants" in outcome.figures


@pytest.mark.slow
@pytest.mark.parametrize(
    "broken", [each for each in BROKEN if each.campaign[0] not in TOO_LONG], ids=lambda e: e.name
)
def test_a_campaign_fails_under_its_own_mutation(broken: _Broken, tree: Path) -> None:
    _needs(broken.campaign[0])
    with ExitStack() as broken_so_far:
        for mutation in broken.mutations:
            broken_so_far.enter_context(mutate.applied(mutation, tree))
        done = subprocess.run(
            [sys.executable, "-m", "tests.campaigns", *broken.campaign],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)},
            capture_output=True,
            text=True,
            timeout=300,
        )
    assert done.returncode == 1, done.stderr
    assert "VIOLATED" in done.stdout
    assert broken.finds in done.stdout + done.stderr
