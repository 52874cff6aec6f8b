"""What a new talk may take up of the talks before it: an event that is close or just over, a story
that was left, a hard day with a friend. By rules over the speaker's own words; of illness, grief,
secrets and play nothing is taken up, nor what was called off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise

from companion.language.en import scenes, skills
from companion.language.en.calendar_names import WEEKDAYS
from companion.language.en.dates.telling import days_told
from companion.language.en.numbers import spelled
from companion.language.en.saying_back import written_out
from companion.language.en.verbs import PAST
from companion.language.tables import Table
from companion.language.types import Exchanged

_RE = Table.beside(__file__).patterns()

DAYS_AFTER = 4
"""How long after an event it is still asked for."""

DAYS_BEFORE = 5
"""How long before it is spoken of."""

DAYS_OF_A_STATE = 4
"""How long what has no day of its own is asked for: a story, a wobbly tooth."""

SCHOOL_IS_OUT = 15
"""The hour from which an event of today is asked for."""

MOST_DAYS = 3
"""Of a span that counts as a day."""

_PLURAL = ("sats", "tests", "exams")

_HARD = ("fell_out", "left_out")


@dataclass
class _Event:
    """Something with a day."""

    name: str
    """As the toy names it: "your match against Moortown"."""

    root: str
    """The word by which it is found again."""

    day: date | None
    told: date
    """When it was told."""

    several: bool = False
    """Whether its name is a plural: "your SATs"."""


def taken_up(talks: Sequence[Sequence[Exchanged]], now: datetime) -> str:
    """What is said after the hello; "" where there is nothing to take up. talks: the last ones,
    oldest first."""
    open_talks = [talk for talk in talks if not any(_found("hidden", each) for each in talk)]
    lines = [each for talk in open_talks for each in talk]
    events = list(_events(open_talks))
    for event in sorted(events, key=lambda each: abs(_away(each, now))):
        if text := _of_event(event, lines, now):
            return text
    recent = [each for each in lines if 0 < (now.date() - each.time.date()).days <= DAYS_OF_A_STATE]
    return _of_state(recent, now)


def opens(words: str) -> bool:
    """Whether the first words of a talk greet, though they mean something else within one."""
    return _RE.opens.search(words.lower()) is not None


def _events(talks: Sequence[Sequence[Exchanged]]) -> Iterator[_Event]:
    """Every event, with the day that was told last; none that was called off."""
    kept: list[_Event] = []
    for talk in talks:
        played = False
        for at, each in enumerate(talk):
            unreal = _found("unreal", each) is not None
            # Who wants to be told a story makes nothing up for the rest of the talk.
            played = played or (unreal and not skills.commands(skills.plain(each.said)))
            for event in kept:
                _follow(event, each, talk[at + 1 :])
            past = _is_past(each)
            silent = played or unreal or past or _found("hushed", each)
            named = None if silent else _named(each, talk)
            if named is not None and not _found("called_off", each):
                name, root = named
                spans = next((s for later in talk[at : at + 4] if (s := _days(later))), [])
                day = spans[-1] if spans else None
                kept.append(_Event(name, root, day, each.time.date(), root in _PLURAL))
    yield from (event for event in kept if event.day is not None)


def _follow(event: _Event, each: Exchanged, later: Sequence[Exchanged]) -> None:
    """What is told of an event later: that it is off, or on another day."""
    about = f"{each.said} {each.reply}".lower()
    if event.root not in about or not _found("called_off", each):
        return
    moved = next((s for other in (each, *later[:2]) if (s := _new_days(other, event))), None)
    event.day = moved[-1] if moved else None


def _new_days(each: Exchanged, event: _Event) -> list[date]:
    return [] if "not tomorrow" in each.said.lower() else [d for d in _days(each) if d != event.day]


def _named(each: Exchanged, talk: Sequence[Exchanged]) -> tuple[str, str] | None:
    """How an event is called, and its root; None where the words name none of the speaker's own."""
    if (found := _found("visit", each)) is not None:
        return f"it at the {found['noun']}", found["noun"]
    whole = " ".join(f"{one.said} {one.reply}" for one in talk).lower()
    found = _found("team", each)
    if found is not None and _RE.sporty.search(whole):
        return f"your match against {found['noun'].title()}", found["noun"]
    if _found("others", each):
        return None
    if (found := _found("grade", each)) is not None:
        return f"your {found['what']} exam", found["noun"]
    if (found := _found("event", each)) is not None:
        noun = found["noun"]
        return f"your {'SATs' if noun == 'sats' else found['what'].strip()}", noun
    if (found := _found("feast", each)) is not None:
        return found["noun"].title(), found["noun"]
    if _found("turns", each):
        return "your birthday", "birthday"
    found = _found("place", each)
    if found is not None and (found["noun"].startswith("the ") or _RE.travels.search(whole)):
        noun = found["noun"]
        named = noun if noun.startswith("the ") else noun.title()
        return f"your trip to {named}", noun.removeprefix("the ")
    limb = _RE.limb.search(whole)
    if _found("cast", each) and limb is not None:
        return f"your {limb['what']}", "cast"
    return None


def _of_event(event: _Event, lines: Sequence[Exchanged], now: datetime) -> str:
    away = _away(event, now)
    assert event.day is not None
    named = [each.time.date() for each in lines if event.root in each.said.lower()]
    if any(each >= event.day and each > event.told for each in named):
        return ""  # it has come up since
    later = [each.reply.lower() for each in lines if each.time.date() > event.told]
    if any(event.root in each and _RE.asked_after.search(each) for each in later):
        return ""  # it was asked
    if event.root == "cast":
        over = -DAYS_AFTER <= away < 0
        return f"How is {event.name} now that the cast is off?" if over else ""
    if -DAYS_AFTER <= away < 0 or (away == 0 and now.hour >= SCHOOL_IS_OUT):
        return (
            f"How {'were' if event.several else 'was'} {event.name}{' today' if away == 0 else ''}?"
        )
    if event.name.startswith("it at") or event.several or not 0 <= away <= DAYS_BEFORE:
        return ""
    if away == 0:
        return f"Today is {event.name}, isn't it? How do you feel about it?"
    if away == 1:
        return f"Tomorrow is {event.name}, isn't it? How do you feel about it?"
    capital = event.name[:1].upper() + event.name[1:]
    on = WEEKDAYS[event.day.weekday()]
    return f"{capital} is on {on}, isn't it? Only {spelled(away)} more days!"


def _of_state(lines: Sequence[Exchanged], now: datetime) -> str:
    """What has no day of its own; "" where there is nothing."""
    whole = " ".join(each.said for each in lines).lower()
    last = [each for each in lines if each.time.date() == lines[-1].time.date()] if lines else []
    grave = any(_found("hushed", each) for each in last)
    seen = {_scene(each.said) for each in lines}
    pairs = (f"{one.said} {other.said}".lower() for one, other in pairwise(lines))
    seen |= {_scene(each) for each in pairs if _RE.own_tooth.search(each)}
    if _RE.to_go_on.search(whole):
        if (found := _RE.story.search(whole)) is not None:
            about = f" with the {found['what']}" if found["what"] else ""
            return f"Shall we go on with our story{about}?"
        if (found := _RE.project.search(whole)) is not None:
            return f"How is the {found['what']} coming along?"
    if last and not grave and any(_scene(each.said) in _HARD for each in last):
        near = (now.date() - last[-1].time.date()).days == 1
        when = "Yesterday" if near else "Our last talk"
        return f"{when} sounded hard. How are you feeling today?"
    if _RE.fetched.search(whole) and (found := _RE.toy.search(whole)) is not None:
        return f"Is your {found['what']} back home?"
    if "tooth_wobbly" in seen and "tooth_out" not in seen:
        return "How is your wobbly tooth? Is it still in?"
    return ""


def _scene(said: str) -> str:
    scene = scenes.of(said)
    return "" if scene is None else scene.name


def _is_past(each: Exchanged) -> bool:
    """Whether something is told that was: "I had one at a wedding"."""
    ahead = any(day >= each.time.date() for day in _days(each))
    return PAST.search(_written(each)) is not None and not ahead


def _written(each: Exchanged) -> str:
    """The words with their apostrophes, so that "weve got" is no past."""
    return _RE.we_are.sub("we are ", written_out(each.said.lower()))


def _days(each: Exchanged) -> list[date]:
    spans = days_told(_written(each), "", each.time)
    return [span.end for span in spans if (span.end - span.start).days < MOST_DAYS]


def _away(event: _Event, now: datetime) -> int:
    assert event.day is not None
    return (event.day - now.date()).days


def _found(name: str, each: Exchanged) -> re.Match[str] | None:
    found: re.Match[str] | None = getattr(_RE, name).search(each.said.lower().replace("’", "'"))
    return found
