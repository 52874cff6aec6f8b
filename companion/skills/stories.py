"""Telling stories: part by part, with choices, over questions, nights and power cuts.

Its state names the story and the part that was told last. Whether that part was heard is told by
the log (`Request.unheard`), so "go on" after a cut goes on with the sentence that was cut off.
"""

from __future__ import annotations

import re
from datetime import date
from random import Random

from companion import language
from companion.records import Profile
from companion.skills import story as shelf
from companion.skills.packs import DEFAULT_AGE
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line
from companion.skills.story import Part, Story
from companion.skills.turns import is_said, names, yes_or_no

WAITS_DAYS = 14
"""So long a story that was begun is kept."""

LONGEST_CHOICE = 9
"""Words of an answer to a choice."""


class Stories:
    """State: `title`, `part`, `from` (its first sentence that is to be told), `after` (how many
    sentences followed the part), `day`, `done`, `asks` (whether to go on), `stopped`, `told`; of a
    tale of any hero `tale` (its title before it is filled) and `hero` (as it comes in, and after).
    """

    name = "stories"

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        words = request.plain
        if _asks("story", words) or _named(words):
            return SURE
        if _begun(request, state) and _asks("resume", words):
            return SURE
        fresh = request.previous == "" and _begun(request, state)
        if (request.running or fresh) and self._move(words, state):
            return SURE
        if request.asked == "ask_story" and (not request.previous or _asks("one", words)):
            return LIKELY
        return LIKELY if _asks("resume", words) else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        words = request.plain
        state["back"] = _first_unheard(request, state)
        named, asked = _named(words), _asks("story", words)
        if named is not None:
            return self._begin(named, request, _without_hero(state))
        if asked is not None and not (request.running and state.get("asks")):
            if _begun(request, state) and not asked["about"] and not _asks("other", words):
                question = line("story.go_on_or_new", title=state["title"])
                return _kept((question,), {**state, "asks": True, "stopped": False})
            return self._choose(words, asked["about"] or "", request, state)
        if _asks("resume", words):
            if not _begun(request, state):
                return Reply((line("story.none"),), state or None)
            return self._resume(request, state)
        move = self._move(words, state) if request.running or request.previous == "" else None
        if move is None and request.asked == "ask_story":
            return self._choose(words, words, request, state)
        return self._go(move or "", request, state)

    def _move(self, words: str, state: State) -> str | None:
        """What the words are in the middle of a story, or after it."""
        if state.get("stopped"):
            return "go_on" if is_said("go_on", words) else None
        if is_said("stop", words):
            return "stop"
        if state.get("asks"):
            answer = yes_or_no(words)
            if answer is not None:
                return "resume" if answer else "new"
            if is_said("go_on", words):
                return "resume"
            return "new" if _asks("other", words) or is_said("another", words) else None
        if is_said("again", words):
            return "again"
        if state.get("done"):
            return "new" if is_said("another", words) else None
        part = _part(state)
        if part is not None and part.options and len(words.split()) <= LONGEST_CHOICE:
            named = [o for o in part.options if names(words, o.words) is not None]
            if len(named) == 1:
                return f"goes {named[0].goes}"
            if _asks("choose_for_me", words):
                return f"goes {self._rng.choice(part.options).goes}"
        if is_said("go_on", words) or is_said("yes", words):
            return "go_on"
        return "new" if _asks("other", words) and is_said("another", words) else None

    def _go(self, move: str, request: Request, state: State) -> Reply | None:
        story, part = _story(state), _part(state)
        if move == "new" or story is None or part is None:
            return self._choose("", "", request, state) if move else None
        if move == "stop":
            if state.get("done"):
                return Reply((line("game.stop"),), state, waits=True)
            said = (line("story.stopped", title=story.title),)
            return _kept(said, {**state, "asks": False, "stopped": True})
        if move == "again":
            return self._begin(story, request, state)
        if move == "resume":
            return self._resume(request, state)
        if state["back"] is not None:
            return self._tell(story, part, state["back"], state, request)
        if move.startswith("goes ") and (chosen := story.part(move[5:])) is not None:
            return self._tell(story, chosen, 0, state, request)
        if part.options and int(state["from"]) >= len(part.sentences):  # it was asked twice
            chosen = story.part(self._rng.choice(part.options).goes)
            return None if chosen is None else self._tell(story, chosen, 0, state, request)
        if part.options:
            asked = {**state, "from": len(part.sentences), "after": 1}
            del asked["back"]
            return _kept((part.ask,), asked)
        following = story.part(part.goes)
        return None if following is None else self._tell(story, following, 0, state, request)

    def _choose(self, words: str, about: str, request: Request, state: State) -> Reply | None:
        """Begin a story that fits what was asked for, and was not told of late."""
        bedtime = bool(_asks("bedtime", words))
        theme = set(language.skills.content(about))
        fits = _fitting(request.profile, bedtime)
        if not fits:
            return None
        told: list[str] = state.get("told", [])
        near = {each.title: len(theme & _theme(each)) for each in fits}
        best = max(near.values())
        found = [each for each in fits if near[each.title] == best]
        fresh = [each for each in found if each.title not in told]
        if fresh:
            story = self._rng.choice(fresh)
        else:
            story = min(found, key=lambda each: told.index(each.title))
        if best < len(theme) and (tale := self._tale(request, bedtime, told)) is not None:
            return self._begin(_story(tale) or story, request, {**state, **tale})
        missed = "" if best == len(theme) else "story.nearly_about" if best else "story.not_about"
        return self._begin(story, request, _without_hero(state), missed)

    def _tale(self, request: Request, bedtime: bool, told: list[str]) -> State | None:
        """A tale of the hero that was asked for, the one told longest ago; None: of nobody."""
        hero = language.skills.hero_of(request.plain, request.words)
        fits = [each.title for each in shelf.tales() if each.bedtime == bedtime]
        if hero is None or not fits:
            return None
        self._rng.shuffle(fits)
        last = min(fits, key=lambda title: told.index(title) if title in told else -1)
        return {"tale": last, "hero": [hero.first, hero.after]}

    def _begin(self, story: Story, request: Request, state: State, missed: str = "") -> Reply:
        """missed: the line that says how it is not what was asked for."""
        own = state.get("tale", story.title)
        told = [*(title for title in state.get("told", []) if title != own), own]
        fresh = {"title": story.title, "told": told[-len(shelf.shelf()) :], **_hero(state)}
        opening = [line(missed)] if missed else []
        opening.append(line("story.title", title=story.title))
        return self._tell(story, story.parts[0], 0, fresh, request, opening)

    def _resume(self, request: Request, state: State) -> Reply | None:
        """What has happened so far; then the part that was not heard, or the next one."""
        story, part = _story(state), _part(state)
        if story is None or part is None:
            return None
        start = state["back"]
        if start is None and not part.options:
            part, start = story.part(part.goes) or part, 0
        opening = [part.so_far] if part.so_far else [line("story.title", title=story.title)]
        return self._tell(story, part, start or 0, state, request, opening)

    def _tell(
        self,
        story: Story,
        part: Part,
        start: int,
        state: State,
        request: Request,
        opening: list[str] | None = None,
    ) -> Reply:
        done = not part.goes and not part.options
        after = [part.ask] if part.ask else [story.after] if done and story.after else []
        if part is story.parts[0] and not part.ask:
            after = [line("story.say_go_on")]
        said = (*(opening or []), *part.sentences[start:], *after)
        kept = {
            "title": story.title,
            "part": part.id,
            "from": start,
            "after": len(after),
            "day": request.now.date().isoformat() if request.trusted else state.get("day", ""),
            "done": done,
            "told": state.get("told", []),
            **_hero(state),
        }
        return _kept(said, kept)


def _kept(said: tuple[str, ...], state: State) -> Reply:
    return Reply(said, state, runs=True, waits=True)


def _hero(state: State) -> State:
    """What a state keeps of the hero of its tale."""
    return {key: state[key] for key in ("tale", "hero") if key in state}


def _without_hero(state: State) -> State:
    return {key: kept for key, kept in state.items() if key not in ("tale", "hero")}


def _story(state: State) -> Story | None:
    if "tale" in state:
        tale = next((each for each in shelf.tales() if each.title == state["tale"]), None)
        return None if tale is None else shelf.told_of(tale, *state["hero"])
    return next((each for each in shelf.shelf() if each.title == state.get("title")), None)


def _part(state: State) -> Part | None:
    story = _story(state)
    return None if story is None else story.part(state.get("part", ""))


def _begun(request: Request, state: State) -> bool:
    """Whether there is a story to go on with."""
    part = _part(state)
    if part is None or (state.get("done") and _first_unheard(request, state) is None):
        return False
    if not (request.trusted and state.get("day")):
        return True
    return (request.now.date() - date.fromisoformat(state["day"])).days <= WAITS_DAYS


def _first_unheard(request: Request, state: State) -> int | None:
    """The first sentence of the part that was not heard; None when all of it was. It stays as it
    is while other things are said about the story."""
    part = _part(state)
    if part is None:
        return None
    if "back" in state:
        kept: int | None = state["back"]
        return kept
    missing = request.unheard - int(state["after"])
    if missing <= 0:
        return None
    return max(int(state["from"]), len(part.sentences) - missing)


def _fitting(profile: Profile, bedtime: bool) -> list[Story]:
    age = profile.age or DEFAULT_AGE
    every = shelf.shelf()
    fits = [each for each in every if each.bedtime == bedtime]
    return [each for each in fits if each.ages[0] <= age <= each.ages[1]] or fits or list(every)


def _theme(story: Story) -> set[str]:
    title = language.skills.content(language.skills.plain(story.title))
    return {*story.about, *title}


def _named(words: str) -> Story | None:
    """The story that is asked for by name."""
    opening = _asks("opening", words)
    bare = words if opening is None else words[opening.end() :]
    for story in shelf.shelf():
        title = language.skills.plain(story.title)
        if opening is not None and bare in (title, *story.says):
            return story
        if words == title or words in story.says:
            return story
    return None


def _asks(entry: str, words: str) -> re.Match[str] | None:
    found: re.Match[str] | None = language.skills.asks("stories", entry, words)
    return found
