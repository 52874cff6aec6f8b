"""Questions for the day of something that was told: when it was, how long ago, how many sleeps.

What is asked for is compared with a telling by words, so that no day is given to what was never
told. The answer is reckoned from the day that the telling names, else from the day it was said on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.dates.telling import days_told
from companion.language.en.dates.writing import days_away
from companion.language.en.negation import negated
from companion.language.en.numbers import spelled
from companion.language.en.saying_back import written_out
from companion.language.en.skills import count_of_days, spoken_time
from companion.language.en.words import content, occurs, stem, stems
from companion.language.tables import Table
from companion.language.types import AskedDay, ToldDay

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_AKIN = {stem(word): stem(other) for word, other in _TABLE.mapping("akin").items()}
_NOT_ABOUT = frozenset(map(stem, _TABLE.words("not_about")))
_KINDS = ("last_talk", "how_long_ago", "how_many", "how_long", "when", "is_today")

ENOUGH = 0.6
"""Least share of the words that are asked about which a telling must hold."""


def asked(words: str, today: date) -> AskedDay | None:
    """What day is asked for; None where none is, or one that any calendar knows."""
    plain = " ".join(words.lower().replace("’", "'").split()).rstrip(" .?!")
    for kind in _KINDS:
        if found := getattr(_RE, kind).search(plain):
            about = found.groupdict().get("about") or ""
            known = count_of_days(about, today) if kind in ("when", "how_many") else None
            if known is not None and known[1] is not None:
                return None
            wanted = tuple(w for w in _akin(content(about)) if w not in _NOT_ABOUT)
            if not wanted and kind != "last_talk":
                return None
            return AskedDay(kind, plain, wanted)
    return None


def share(asked: AskedDay, said: str, before: str = "") -> float:
    """How much of what is asked about a telling speaks of, 0 to 1. before: what was told before it,
    which counts where it goes on from there. 0 of what is another's, where one's own is asked for.
    """
    plain = said.lower().replace("’", "'")
    for word in re.findall(r"\b(?:my|our) (\w+)", asked.plain):
        if _of_another(word, plain):
            return 0.0
    told = stems(plain)
    if _RE.it.search(plain):
        told |= stems(before)
    told |= frozenset(_akin(told))
    return sum(occurs(each, told) for each in asked.about) / len(asked.about)


def day_of(asked: AskedDay, said: str, time: datetime, now: datetime) -> ToldDay | None:
    """The day that a telling gives to what is asked; None where it gives none. time: of the
    telling."""
    said = written_out(said)
    plain = said.lower()
    if negated(said) and not _RE.begins.search(plain):
        return None
    recurring = _weekdays(plain)
    if asked.kind == "is_today":
        return ToldDay(time.date(), None, recurring) if recurring else None
    past = asked.kind in ("how_long", "how_long_ago") or (
        asked.kind == "when" and _RE.past.search(asked.plain) is not None
    )
    spans = [each for each in days_told(said, "", time) if each.start == each.end]
    if past:
        if _RE.open.search(plain):
            return None
        if asked.kind == "how_long" and not _RE.begins.search(plain):
            return None
        over = [each.start for each in spans if each.start <= now.date()]
        if over:
            return ToldDay(over[0], None, ())
        return None if spans else ToldDay(time.date(), time, ())
    if spans:
        return ToldDay(_again(spans[0].start, asked, now.date()), None, ())
    if recurring:
        ahead = min((each - now.date().weekday()) % 7 for each in recurring)
        return ToldDay(now.date() + timedelta(ahead), None, ())
    return None


def is_over(asked: AskedDay, told: ToldDay, today: date) -> bool:
    """Whether the day lies behind, and one that lies ahead is asked for: it may have moved."""
    ahead = asked.kind in ("when", "how_many") and _RE.past.search(asked.plain) is None
    return ahead and told.day < today


def stays(words: str) -> bool:
    """Whether it is asked how long a visit was."""
    return _RE.stays.search(words.lower()) is not None


def is_back(said: str) -> bool:
    """Whether a telling is of the end of a visit."""
    return _RE.back_again.search(said.lower()) is not None


def answer(asked: AskedDay, told: ToldDay, now: datetime) -> tuple[str, ...]:
    """The sentences that answer."""
    today, day = now.date(), told.day
    if asked.kind == "is_today":
        yes = today.weekday() in told.weekdays
        return (
            f"{'Yes' if yes else 'No'}, today is {WEEKDAYS[today.weekday()]}.",
            _each_week(told),
        )
    away = (day - today).days
    if asked.kind == "how_many":
        if away < 0:
            return (f"That was {_on(day, today)}.",)
        if away < 2:
            return ("It's today!" if away == 0 else "Just one more sleep: it's tomorrow!",)
        return (f"{spelled(away).capitalize()} more sleeps.", f"It's {_on(day, today)}.")
    if asked.kind in ("how_long", "last_talk"):
        return (_since(told, now),)
    if away == 0 and told.time is not None:
        return (f"That was today, at {spoken_time(told.time)}.",)
    on = _on(day, today)
    if abs(away) < 2:
        return (f"{on[:1].upper()}{on[1:]}.",)
    return (
        f"{on[:1].upper()}{on[1:]}.",
        f"That {'is' if away > 0 else 'was'} {days_away(day, today)}.",
    )


def visit(first: date, last: date) -> tuple[str, ...]:
    """How long a visit was, from its first day to its last."""
    nights = (last - first).days
    names = f"from {WEEKDAYS[first.weekday()]} to {WEEKDAYS[last.weekday()]}"
    return (f"{spelled(nights).capitalize()} night{'' if nights == 1 else 's'}, {names}.",)


def _akin(found: Iterable[str]) -> list[str]:
    return [_AKIN.get(each, each) for each in found]


def _of_another(word: str, plain: str) -> bool:
    """Whether a telling speaks of another's: "my brothers birthday"."""
    root = re.escape(word.removesuffix("s"))
    own = re.search(rf"\b(?:my|our|the|a|an)(?: new)? {root}", plain)
    others = re.search(rf"\b(?:his|her|their|\w{{3,}}(?:'s|s)) {root}", plain)
    return others is not None and own is None


def _weekdays(plain: str) -> tuple[int, ...]:
    """The days of the week on which something is every week."""
    found = []
    for number, name in enumerate(WEEKDAYS):
        day = name.lower()
        if re.search(rf"\b(?:every {day}|on {day}s|and {day}s|{day}s and|{day}s)\b", plain):
            found.append(number)
    return tuple(found)


def _each_week(told: ToldDay) -> str:
    return f"You told me: {' and '.join(f'{WEEKDAYS[each]}s' for each in told.weekdays)}."


def _again(day: date, asked: AskedDay, today: date) -> date:
    """The next such day, of what comes every year."""
    if day >= today or "birthday" not in asked.plain:
        return day
    return day.replace(year=today.year + (day.replace(year=today.year) < today))


def _on(day: date, today: date) -> str:
    """A day as it is answered: "yesterday", "on Saturday 20 June"."""
    away = (day - today).days
    near = days_away(day, today) if abs(away) < 2 else ""
    full = f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]}"
    return f"{near}, {full}" if near else f"on {full}"


def _since(told: ToldDay, now: datetime) -> str:
    """How long something has been so."""
    days = (now.date() - told.day).days
    if days == 0 and told.time is not None:
        hours = round((now - told.time).total_seconds() / 3600)
        if hours < 1:
            minutes = round((now - told.time).total_seconds() / 60)
            return f"For {spelled(minutes)} minutes, since {spoken_time(told.time)}."
        about = f"about {spelled(hours)} hour{'s' if hours > 1 else ''}"
        return f"For {about}, since {spoken_time(told.time)}."
    if days < 2:
        return "Since today." if days == 0 else f"Since {_on(told.day, now.date())}."
    far = days_away(told.day, now.date()).removesuffix(" ago")
    return f"For {far}, since {_on(told.day, now.date()).removeprefix('on ')}."
