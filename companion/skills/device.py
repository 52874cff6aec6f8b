"""Being a thing that talks: say it again, be quiet, good night, what do you know about me."""

from __future__ import annotations

import re
from random import Random

from companion import language
from companion.skills.known import Known
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line

_WISHES = ("about_me", "say_hi", "good_night", "louder", "quieter", "slower")
_LOUDNESS = ("louder", "quieter", "slower")
MOST_SAID = 2
"""Sentences about the child besides its name and age."""


class Device:
    """What every talking thing should understand."""

    name = "device"

    def __init__(self, known: Known, rng: Random) -> None:
        self._known = known
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        words = request.plain
        if any(_asks(wish, words) for wish in _WISHES):
            return SURE
        return LIKELY if _asks("stop", words) or _asks("repeat", words) else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        words = request.plain
        if _asks("about_me", words):
            return Reply(tuple(await self._about(request)))
        if greeted := _asks("say_hi", words):
            return Reply((_hello(next(filter(None, greeted.groups()), "")),))
        if _asks("good_night", words):
            name = request.profile.name
            return Reply((line("device.night.named", name=name) if name else line("device.night"),))
        for wish in _LOUDNESS:
            if _asks(wish, words):
                return Reply((line(f"device.{wish}"),))
        if _asks("repeat", words):
            said = language.sentences.split(request.previous)
            return Reply(tuple(said)) if said else None
        return Reply((line("device.quiet", self._rng),))

    async def _about(self, request: Request) -> list[str]:
        """At most three sentences, of what the child itself has told."""
        profile = request.profile
        first = ""
        if profile.name and profile.age:
            first = line("device.name_and_age", name=profile.name, age=profile.age)
        elif profile.name:
            first = line("device.name", name=profile.name)
        elif profile.age:
            first = line("device.age", age=profile.age)
        told = await self._known.sentences(MOST_SAID)
        said = ([first] if first else []) + told
        return said if len(said) > 1 else [*said, line("device.not_much")]


def _hello(whom: str) -> str:
    """A greeting for somebody who is named ("amara", "my cousin"), or not ("")."""
    if not whom:
        return line("device.hello_there")
    named = language.second_person.in_second_person(whom)
    if named.lower() != whom:
        return line("device.hello_to", whom=named[:1].lower() + named[1:])
    return line("device.hello", name=whom.title())


def _asks(entry: str, words: str) -> re.Match[str] | None:
    found: re.Match[str] | None = language.skills.asks("device", entry, words)
    return found
