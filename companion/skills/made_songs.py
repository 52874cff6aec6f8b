"""Songs that are made of what somebody wants sung about: verses of packs/songs.yaml, filled in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from companion.skills import packs

KEPT = 6
"""So many songs are not sung again meanwhile, of whatever they were."""

SMALL, CAPITAL = "{thing}", "{Thing}"


@cache
def verses() -> dict[str, list[list[str]]]:
    """Songs of `someone` and of `something`, each as its lines."""
    return packs.read_map("songs")


def of(thing: str, sung: Sequence[int], rng: Random, *, someone: bool) -> tuple[int, list[str]]:
    """A song about a thing: its number, and its lines. thing: as it stands in the middle of a
    sentence. sung: the numbers of those that were sung of late."""
    songs = verses()["someone" if someone else "something"]
    fresh = [number for number in range(len(songs)) if number not in sung]
    number = rng.choice(fresh or range(len(songs)))
    capital = thing[:1].upper() + thing[1:]
    return number, [each.replace(SMALL, thing).replace(CAPITAL, capital) for each in songs[number]]
