"""Rhymes and songs, spoken; then once more with gaps, which the child fills. Where no rhyme is
about what was asked for, a song is made of it: verses with a place for the thing."""

from __future__ import annotations

from random import Random

from companion import language
from companion.skills import made_songs, packs
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line
from companion.skills.turns import guess, is_said, names, yes_or_no

MOST_LINES = 8
"""Lines that are said in one go."""


class Rhymes:
    """State: the rhymes that were said; of the last its title, and the line with the open gap."""

    name = "rhymes"

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        if language.skills.asks("jokes", "rhyme", request.plain) or _named(request.plain):
            return SURE
        if request.running and self._move(request.plain, state):
            return SURE
        return LIKELY if request.asked == "ask_song" else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        asked = language.skills.asks("jokes", "rhyme", request.plain)
        named = _named(request.plain)
        running = request.running and not (asked or named)
        move = "another" if asked or named else None
        if running:
            move = self._move(request.plain, state)
        if not named and not running and (made := self._made(request, state)):
            return made
        if move == "another":
            about = (asked["about"] or "") if asked else ""
            chosen = named or packs.pick(packs.rhymes(), state, request.profile, self._rng, about)
            return self._whole(chosen, state)
        if move is None and request.asked == "ask_song":
            about = " ".join(language.skills.content(request.plain))
            instead = packs.pick(packs.rhymes(), state, request.profile, self._rng, about)
            return self._whole(instead, state, line("rhyme.instead"))
        rhyme = packs.by_key(packs.rhymes(), state.get("title", ""))
        over = {"told": state.get("told", []), "title": state.get("title", "")}
        if rhyme is None or move is None or move in ("stop", "no"):
            return Reply((line("game.stop"),), over)
        if move == "again":
            return self._whole(rhyme, state)
        if move == "yes":
            return self._gaps(rhyme, 0, over, ())
        at = state["gap"]
        whole = f"{rhyme.lines[at][0]} {rhyme.lines[at][1]}."
        return self._gaps(rhyme, at + 1, over, (whole,))

    def _made(self, request: Request, state: State) -> Reply | None:
        """A song of what was asked for, where no rhyme is about it."""
        subject = language.skills.subject_of(request.plain, request.words)
        thing = subject and (subject.thing or request.profile.name)
        if subject is None or not thing or packs.about(packs.rhymes(), subject.thing or thing):
            return None
        sung: list[int] = state.get("sung", [])
        number, lines = made_songs.of(thing, sung, self._rng, someone=subject.someone)
        kept = {"told": state.get("told", []), "sung": [*sung, number][-made_songs.KEPT :]}
        return Reply((line("rhyme.made"), *lines), kept)

    def _whole(self, rhyme: packs.Rhyme, state: State, *opening: str) -> Reply:
        said = tuple(f"{text} {gap}".strip().rstrip(",") for text, gap in rhyme.lines[:MOST_LINES])
        ended = opening + tuple(
            each if each.endswith((".", "!", "?")) else f"{each}." for each in said
        )
        keeps = {"told": state.get("told", []), "title": rhyme.title}
        if any(gap for _, gap in rhyme.lines) and not rhyme.bedtime:
            return Reply((*ended, line("rhyme.together")), {**keeps, "asks": True}, runs=True)
        return Reply(ended, keeps, runs=True)

    def _gaps(self, rhyme: packs.Rhyme, start: int, over: State, before: tuple[str, ...]) -> Reply:
        """Say on to the next gap."""
        said = list(before)
        for at, (text, gap) in enumerate(rhyme.lines[start:MOST_LINES], start):
            if gap:
                return Reply((*said, f"{text}…"), {**over, "gap": at}, runs=True)
            said.append(text.rstrip(",") + ("" if text.endswith((".", "!", "?")) else "."))
        return Reply((*said, line("rhyme.done", self._rng)), over, runs=True)

    def _move(self, words: str, state: State) -> str | None:
        if is_said("stop", words):
            return "stop"
        if "gap" in state:
            rhyme = packs.by_key(packs.rhymes(), state["title"])
            if rhyme is not None:
                gap = rhyme.lines[state["gap"]][1].lower()
                told = is_said("dont_know", words) or is_said("go_on", words) or guess(words)
                return "gap" if told or names(words, (gap,)) else None
        if is_said("another", words):
            return "another"
        if is_said("again", words):
            return "again"
        if "asks" in state and (answer := yes_or_no(words)) is not None:
            return "yes" if answer else "no"
        return None


def _named(words: str) -> packs.Rhyme | None:
    """The rhyme that is asked for by its name."""
    opening = language.skills.asks("jokes", "rhyme_opening", words)
    if opening is None:
        return None
    rest = words[opening.end() :].strip()
    for rhyme in packs.rhymes():
        titles = (language.skills.plain(rhyme.title), *rhyme.says)
        if rest in titles:
            return rhyme
    return None
