"""Excerpts: a person's own words as a memory, with the line before them where they need it.

What a small model writes of a fragment is often wrong, the fragment itself never is. So where no
written sentence passes its checks the words stand alone, in a plain frame:

    Asked "Who's Yusuf?", the user said: "My little brother. He's five."
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone

from companion.language.en import sentences, words
from companion.language.en.calendar_names import WEEKDAYS
from companion.language.en.correction import corrects
from companion.language.en.dates import in_statement
from companion.language.en.dietary import concerns_health
from companion.language.en.introduction.plain_words import COMMON_WORDS
from companion.language.en.kinship import RELATION
from companion.language.en.numbers import VALUES
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_SHORT = 3
"""Fewer content words than this need the line that they answer."""

_FEWEST = 2
"""Fewest content words that an excerpt holds, with the question that it answers."""

_OPENERS = frozenset(words.stem(each) for each in _TABLE.ordered("line_openers"))
_NO_NAMES = frozenset(map(words.stem, {*COMMON_WORDS, *WEEKDAYS, *VALUES}))
GAP = " … "
"""Stands between words of one person that were not said one after the other."""

_MUCH = 4
"""Content words that say something."""

_HEALTH = 9
"""Points of what concerns health, which nothing outweighs."""

_TASTE = 3
"""Points of what somebody likes or does not like, however short it is."""

_ANY_DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""Whether words name another day than that on which they are said does not depend on the day."""

_FRAME = re.compile(
    r'^(?:Asked ".*", the|After ".*", the|The) user said(?: of [^"]+)?: "(?P<said>.*)"$'
    r'|^The user said: ".*" (?:Asked|After) ".*": "(?P<then>.*)"$',
    re.S,
)


_EARLIER = re.compile(r'^The user said: "[^"]*" (?=(?:Asked|After) ")')


_PARTS = re.compile(
    r'^(?:The user said: "(?P<first>[^"]*)" (?=Asked|After))?'
    r'(?:(?:Asked|After) "(?P<line>[^"]*)"(?:, the user said|(?=: ")))?'
    r'(?:The user said)?(?: of (?P<whom>[^"]+))?: "(?P<said>[^"]*)"$'
)


@dataclass(frozen=True)
class Parts:
    """What an excerpt in its frame was made of."""

    said: str
    before: str
    whom: str
    earlier: str


def framed(said: str, before: str, *, whom: str = "", earlier: str = "") -> str:
    """An excerpt as a sentence.

    before: the companion's line that it needs, or "". whom: somebody whom it only calls "he" or
    "she". earlier: the person's own sentence before that line, where that needs one, too.
    """
    quoted, line, first = (each.replace('"', "'").strip() for each in (said, before, earlier))
    of = f" of {_in_third_person(whom)}" if whom else ""
    if not line:
        return f'The user said{of}: "{quoted}"'
    lead = "Asked" if line.endswith("?") else "After"
    if first and not of:
        return f'The user said: "{first}" {lead} "{line}": "{quoted}"'
    return f'{lead} "{line}", the user said{of}: "{quoted}"'


def _in_third_person(whom: str) -> str:
    return f"the user's {whom[3:]}" if whom.startswith("my ") else whom


def topic(text: str) -> str:
    """The part of a memory that says what it is about: all, but for a person's earlier words."""
    return _EARLIER.sub("", text)


def needs_earlier(line: str) -> bool:
    """Whether a companion's line can only be understood with what was said before it."""
    found = _RE.points_back.search(line)
    if found is not None and not _real_names(line, first=False):
        return True
    asks = (sentences.split(line) or [""])[-1]
    return _RE.elliptical.search(asks) is not None or _of_a_thing_before(line)


def dangles(text: str) -> bool:
    """Whether words begin with "he", "it" or "the other one", of whom or which nothing was said."""
    first = (sentences.split(text) or [""])[0]
    found = _RE.stands_for_another.search(first)
    open_person = found is not None and not _names_somebody(first[: found.start()])
    open_thing = _of_a_thing_before(first) or _RE.lacks_noun.search(first) is not None
    return open_person or open_thing or len(words.content(first)) < _FEWEST


def _of_a_thing_before(text: str) -> bool:
    """Whether "it" stands in a text before anything that it could be."""
    found = _RE.of_a_thing.search(text)
    if found is None:
        return False
    before = text[: found.start()]
    if _RE.thing_named.search(before) or _real_names(before, first=False):
        return False
    cries = frozenset(words.content(" ".join(_RE.cry.findall(before))))  # "Robots! Is it ...?"
    return not cries - _OPENERS - _NO_NAMES


def _real_names(text: str, *, first: bool = True) -> frozenset[str]:
    """Stems of names. first: whether the first word counts, which has a capital anyway."""
    return words.names(f"x {text}" if first else text) - _OPENERS - _NO_NAMES


def parts(text: str) -> Parts | None:
    """The parts of an excerpt in its frame; None for a written sentence."""
    if (found := _PARTS.match(text)) is None:
        return None
    first, line, said, whom = (found[each] or "" for each in ("first", "line", "said", "whom"))
    return Parts(said, line, whom, first)


def is_framed(text: str) -> bool:
    """Whether a memory is an excerpt in its frame, not a written sentence."""
    return _FRAME.match(text) is not None


def needs_line_before(said: str) -> bool:
    """Whether words can only be understood with what was said before them."""
    first = (sentences.split(said) or [""])[0]
    if len(words.content(first)) < _SHORT or _RE.short_answer.match(said) is not None:
        return True
    if _RE.lacks_noun.search(first) is not None:
        return True
    found = _RE.stands_for_another.search(first)
    return found is not None and not _names_somebody(first[: found.start()])


def _names_somebody(text: str) -> bool:
    return bool(_real_names(text) or RELATION.search(text))


def worth(said: str, before: str) -> int:
    """How much speaks for keeping words as they are, in points; 2 and more is worth it where
    nothing else stands for them.

    before: the question that they answer, or "".
    """
    if concerns_health(said):
        return _HEALTH
    told = " ".join(each for each in sentences.split(said) if not _RE.moment.search(each))
    content = words.content(told)
    if content and _RE.taste.search(told):
        return _TASTE + (len(content) >= _MUCH)
    if not content or len(content) + len(words.content(before)) < _FEWEST:
        return 0
    points = 2 if _RE.lasting.search(told) or corrects(told) else 0
    points += len(content) >= _MUCH
    points += len(content) >= 2 * _MUCH
    points += bool(words.numbers(told) | words.names(told))
    points += bool(before or _RE.first_words.search(told))
    points += any(each.start != _ANY_DAY.date() for each in in_statement(told, _ANY_DAY))
    return points


def lies_ahead(said: str) -> bool:
    """Whether words tell of a day to come: "sports day's tomorrow"."""
    return any(each.start > _ANY_DAY.date() for each in in_statement(said, _ANY_DAY))
