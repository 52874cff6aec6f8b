"""What speaks for it that a remark goes on with an earlier one: "so now it's Sunday"."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.dates import spelled_day
from companion.language.en.words import content, numbers, stem, stems
from companion.language.tables import Table
from companion.language.types import Remark

_RE = Table.beside(__file__).patterns()
_DAYS = frozenset(map(stem, (*WEEKDAYS, *MONTHS, "today", "tomorrow", "tonight", "weekend")))
_MOST_RARE = 2.0
"""Where the sum of rarities is cut off: two rare words in common are as good as four."""

_MOST_SIGNS = 4


def things(text: str) -> frozenset[str]:
    """Stems of the words for what a remark is about: no days, no figures."""
    return frozenset(each for each in content(text) if each not in _DAYS and not each.isdigit())


def signs(later: Remark, earlier: Remark, rarity: Callable[[str], float]) -> dict[str, float]:
    """Numbers for a regression, by name. rarity: of a stem, from 0 to 1, among what was said."""
    told = things(earlier.text)
    shared = things(later.text) & told
    asked = (things(later.before) & told) - shared
    days, earlier_days = _days(later.text), _days(earlier.text)
    counts, earlier_counts = numbers(later.text), numbers(earlier.text)

    def rare(found: Iterable[str]) -> float:
        return min(sum(map(rarity, found)), _MOST_RARE)

    return {
        "shared": rare(shared),
        "asked about": rare(asked),
        "changes": float(min(len(_RE.change.findall(later.text)), _MOST_SIGNS)),
        "days": float(bool(days and earlier_days)),
        "other days": float(bool(days and earlier_days) and not days & earlier_days),
        "numbers": float(bool(counts and earlier_counts)),
        "other numbers": float(bool(counts and earlier_counts) and not counts & earlier_counts),
        "question": float(later.text.rstrip().endswith("?")),
        "says little": float(len(content(later.text)) < 2),
    }


def says_anything(said: str) -> bool:
    """Whether a remark names a thing or a number: "No." goes on with nothing."""
    return bool(things(said) or numbers(said))


def calls_off(said: str) -> bool:
    """Whether what was to come is not to be."""
    return _RE.called_off.search(said) is not None


def with_later(text: str, later: Iterable[tuple[datetime, str]]) -> str:
    """A memory with what was said of it since then, each on its day.

    >>> with_later("It is on Friday.", [(datetime(2026, 10, 18), "It's on Sunday now.")])
    "It is on Friday. — Later, on Sunday 18 October 2026: It's on Sunday now."
    """
    days = ((spelled_day(time), said) for time, said in later)
    return text + "".join(f" — Later{day and f', on {day}'}: {said}" for day, said in days)


def _days(text: str) -> frozenset[str]:
    return stems(text) & _DAYS
