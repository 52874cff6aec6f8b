"""What is missing at the end of what somebody just said, and where a text has it.

"He likes Catan, Pandemic and", "her cat is called", "I put the spare key under the": a list, a
name, a number, a time or a place is open. By these rules a word can be looked up without a model;
what they do not see they leave to one (`Gap.kind` "other"), and most ends of talk need nothing.
"""

from __future__ import annotations

import re

from companion.language.en import lists, sentences
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.words import QUERY_WORDS, content, names, stem, stems
from companion.language.tables import Table
from companion.language.types import Gap, GapKind

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_SAYS_LITTLE = frozenset(map(stem, _TABLE.words("says_little")))
_LEAD = _TABLE.words("lead_words")
_STATING = _TABLE.words("stating")
_NAME = _TABLE.source("a_name")
_CALLED = _TABLE.source("named_in_block")
_NO_OWNERS = frozenset(map(stem, QUERY_WORDS))
"""Of "What's" and "When's"."""

_FIRST = frozenset(map(stem, _TABLE.words("no_owners")))
"""Of the first word of a text."""

_DAYS = frozenset(map(stem, WEEKDAYS + MONTHS))
_OWNERS = _TABLE.words("owner_words")
_NOT_OWN = _TABLE.words("pronoun_owner")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_KINDS: tuple[GapKind, ...] = ("name", "time", "number", "place")


def find(context: str) -> Gap | None:
    """What is open at the end of a context; None where nothing is."""
    last = _last(context)
    if asked := _RE.asked.search(last):
        of = next((each for each in asked.groups() if each), "")
        return Gap("asked", last, (), of or last, _asking(of) if of else last)
    end = _RE.hesitation.sub("", last)
    hesitates = end != last or _RE.trails_off.search(end) is not None
    if _RE.closed.search(end) and not hesitates:
        return None
    end = _RE.trails_off.sub("", end).rstrip(" ,.…-–—:;")
    found = _list(end) if end else None
    if found is not None and len(found.told) > 1:
        return found  # also where it ends with "and then"
    if end and _RE.parallel.search(end):
        return Gap("number", end, (), "", _question("number", end))
    if not end or _RE.needs_nothing.search(end):
        return None
    if found is not None:
        return found
    for kind in _KINDS:
        if match := getattr(_RE, kind).search(end):
            about = next((v for k, v in match.groupdict().items() if v and "about" in k), "")
            return Gap(kind, end, (), about, _question(kind, end, match))
    if _RE.needed.search(end) or hesitates:
        return Gap("other", end, (), "", f"{end[:1].upper()}{end[1:]} what?")
    return None


def listed(context: str) -> Gap | None:
    """The last list that was said to its end, of which somebody asks for the rest; None where there
    is none."""
    for sentence in reversed(sentences.split(" ".join(context.split()))):
        told = tuple(each for each in lists.items(sentence) if content(each))
        if len(told) > 1 and not any(map(lists.is_clause, told)):
            return Gap("list", "", told, told[-1], f"{', '.join(told)} and what else?")
    return None


def other_name(query: str) -> Gap | None:
    """What is missing where a query asks for the rest of a name: "Kenji who?"."""
    match = _RE.other_name.search(query)
    return Gap("surname", query, (), match["about"], query) if match else None


def rest_of(gap: Gap, sentence: str) -> list[str]:
    """What a sentence adds to an open list: the things that were not said yet. [] where it is not
    that list: all that was said has to stand in it."""
    told = lists.items(sentence)
    if not told or not gap.told:
        return []
    there = [stems(each) for each in told]
    found = [next((i for i, s in enumerate(there) if _same(each, s)), None) for each in gap.told]
    if None in found:
        return []
    rest = [each for at, each in enumerate(told) if at not in found and content(each)]
    return [each for each in rest if set(content(each)) - _SAYS_LITTLE]


def filling(gap: Gap, sentence: str) -> str:
    """What fills a gap in one sentence of a text, said the same way; "" where it does not. A name
    may be told in other ways too: "my cat Biscuit"."""
    if gap.kind == "surname":
        match = re.search(rf"\b{re.escape(gap.about)}\s+(?P<rest>{_NAME})", sentence)
        return match["rest"] if match else ""
    if gap.kind == "name" and (name := _named(gap, sentence)):
        return name
    end = [stem(word) for word in _WORD.findall(gap.lead)]
    spans = [match.span() for match in _WORD.finditer(sentence)]
    there = [stem(sentence[a:b]) for a, b in spans]
    wanted = [each for each in content(gap.lead) if each not in _pronouns()]
    if not wanted or not set(wanted) <= set(there):
        return ""
    for length in (4, 3, 2):
        tail = end[-length:]
        for at in range(len(there) - len(tail)):
            says = any(each in wanted for each in tail)
            if len(tail) == length and says and there[at : at + length] == tail:
                return lists.to_end(sentence[spans[at + length - 1][1] :].strip())
    return ""


def owners(text: str) -> frozenset[str]:
    """Stems of the names of people and things in a text, also at the beginning of a sentence where
    they own something: "Wanda's"."""
    owning = re.findall(r"(?-i:\b([A-ZÀ-Þ][\w-]+)['’]s\b)", text)
    found = names(text) | {stem(each) for each in owning}
    if not _RE.interjection.match(text):
        found |= names(f"x {text}") - _FIRST
    return frozenset(each for each in found if each not in _LEAD and each not in _NO_OWNERS) - _DAYS


def named_of(sentence: str) -> frozenset[str]:
    """Stems of the names in a sentence; those of places and days are none."""
    return names(f"x {_RE.place_of_name.sub(' ', sentence)}") - _DAYS


def ownership(text: str) -> str:
    """Whose something is at the end of an open sentence: "own" for the speaker's, "other", or ""
    where it is nobody's."""
    match = _RE.name.search(text)
    owner = (
        next((v for k, v in match.groupdict().items() if v and "owner" in k), "") if match else ""
    )
    if not owner:
        return ""
    return "own" if owner.lower() in ("my", "our") else "other"


def own_in(text: str) -> bool:
    """Whether a text tells of something of its speaker's own."""
    return _RE.own.search(text) is not None


def goes_on_with(context: str, answer: str, text: str) -> bool:
    """Whether a text goes on with an answer after the same last two words: "it's a Thorens"."""
    end = _WORD.findall(context)[-2:]
    said = r"\W+".join(map(re.escape, [*end, answer]))
    return len(end) == 2 and re.search(rf"\b{said}\b", text, re.IGNORECASE) is not None


def asked_of(query: str) -> frozenset[str]:
    """Stems of what a query names; empty where it only points at what is open: "What else?"."""
    return frozenset(content(query)) - _SAYS_LITTLE


def says_little(answer: str) -> bool:
    """Whether an answer says only of what kind the thing is that is missing: "new code", "my own
    one"."""
    found = _WORD.findall(answer)
    return (
        all(stem(each) in _SAYS_LITTLE for each in found) or _RE.says_kind.match(answer) is not None
    )


def of_a_past_day(question: str) -> bool:
    """Whether a question asks on which day something was."""
    return _RE.past_day.search(question) is not None


def of_kind(answer: str, question: str) -> bool:
    """Whether an answer is of the kind that a question asks for, as far as that can be seen: a day
    or an hour, a number, a person."""
    return all(
        getattr(_RE, f"tells_{kind}").search(answer)
        for kind in ("when", "number", "who")
        if getattr(_RE, f"asks_{kind}").search(question)
    )


def points_back(question: str) -> bool:
    """Whether a question asks of somebody who was named before it: "her cat"."""
    question = _RE.of_no_thing.sub(" ", question)
    return any(word.lower() in _NOT_OWN for word in _WORD.findall(question))


def joins(between: str) -> bool:
    """Whether what stands between two words joins two things: "and"."""
    return _RE.joining.search(between) is not None


def states(word: str) -> bool:
    """Whether a word makes a statement of its neighbours: "works", "is"."""
    return word.lower() in _STATING


def without_lead(answer: str) -> str:
    """An answer without the words that only lead up to it, and without what was not asked."""
    first = next(iter(sentences.split(answer)), "")
    return _RE.further.sub("", first).strip(" .,;")


def leads(word: str) -> bool:
    """Whether a word of an answer only leads up to it: "called", "works"."""
    return word.lower().replace("’", "'") in _LEAD


def _last(context: str) -> str:
    """The last sentence; with the one before it where it is only a sound of hesitation."""
    found = sentences.split(" ".join(context.split()))
    if not found:
        return ""
    if len(found) > 1 and _RE.hesitation.fullmatch(f" {found[-1]}"):
        return f"{found[-2].rstrip('.')} {found[-1]}"
    return found[-1]


def _list(end: str) -> Gap | None:
    match = _RE.list.search(end)
    if match is None:
        return None
    parts = lists.things(match["items"])
    if not parts or len(parts) > lists.MOST_ITEMS or any(map(lists.is_clause, parts[1:])):
        return None
    first = lists.without_lead(parts[0])
    told = tuple(each for each in (first, *parts[1:]) if content(each))
    lead = match["items"][: match["items"].find(first)].strip() if first else ""
    if not told or (len(parts) == 1 and (not lead or len(first.split()) > lists.MOST_WORDS)):
        return None
    return Gap("list", lead, told, told[-1], f"{lead} {', '.join(told)} and what else?".strip())


def _question(kind: str, end: str, match: re.Match[str] | None = None) -> str:
    """As a person would ask it."""
    if kind == "name" and match is not None:
        found = {key.rstrip("2345"): value for key, value in match.groupdict().items() if value}
        owner = found.get("owner") or "the"
        of = f"{owner.lower() if owner.lower() in _OWNERS else owner} {found['about']}"
        named = found["about"].lower()
        if named in _NOT_OWN:
            return f"What is {named} called?"
        return f"What is {of}?" if named == "name" else f"What is {of} called?"
    word = {"time": "what day or time", "number": "what", "place": "what place"}[kind]
    return f"{end[:1].upper()}{end[1:]} {word}?"


def _asking(of: str) -> str:
    """What somebody cannot think of, as a question."""
    if _RE.asks_itself.match(of):
        return f"{of[:1].upper()}{of[1:]}?"
    return f"What is {of}?"


def _named(gap: Gap, sentence: str) -> str:
    """The name that a sentence gives to what is asked about."""
    head = gap.about.split()[-1] if gap.about else ""
    if not head or head.lower() in ("name", *_NOT_OWN):
        return ""
    thing = rf"{re.escape(head.rstrip('s'))}s?"
    for pattern in (
        rf"\b{thing}{_CALLED}(?P<name>{_NAME})",
        rf"(?P<name>{_NAME})\s+(?:is|was|['’]s)\s+(?:my|our|his|her|their|the|[\w]+['’]s)\s+(?:\w+\s+)?{thing}\b",
        rf"(?P<name>{_NAME}),?\s+(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{thing}\b",
    ):
        if match := re.search(pattern, sentence, re.IGNORECASE):
            name = match["name"]
            if not any(leads(word) for word in name.split()):
                return name
    return ""


def _same(item: str, there: frozenset[str]) -> bool:
    wanted = content(item)
    return bool(wanted) and set(wanted) <= there


def _pronouns() -> frozenset[str]:
    return frozenset(map(stem, _NOT_OWN))
