"""Name, age and gender, by rules over the user's own words (paper section 4.3).

Only plain statements count, so that neither "call me later" nor "I'm 5 minutes late" becomes
part of the profile. A bare "Emily" counts when the companion has just asked for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.consolidation.words import SMALL_NUMBERS

_NAME = r"(?P<name>[^\W\d_][\w'’-]*(?: [A-Z][\w'’-]*)?)"
_NAME_SAID = re.compile(
    rf"\b(?i:my (?:first )?name(?: is|['’]s)|i(?: am|['’]m) called|"
    rf"(?:you can |please |everyone |they |just )call me|call me) {_NAME}"
)
_NAME_ANSWERED = re.compile(
    r"\s*(?i:(?:hi|hello|oh|well)[,.!]? )?(?i:(?:i am|i['’]m|it['’]?s|it is|this is) )?"
    rf"{_NAME}[\s.!]*$"
)
_NO_NAME = frozenset(
    "a an the not no on in my your so too very it its what later back tomorrow when if now again "
    "secret hello hi yes nope why you me he she fine good great okay ok sure called always just "
    "is at going here happy sad tired and that this".split()
)
_COUNT = rf"(?P<age>\d{{1,3}}|{'|'.join(SMALL_NUMBERS)})"
_AGE_SAID = re.compile(
    rf"\b(?:i am|i['’]m|im|i(?: have)? (?:just )?turned) (?:now |already )?{_COUNT}(?: and a half)?"
    r"(?: years?[ -]old\b|(?: now| today| already)?(?=[.,!?]|$| and (?!a\b)))",
    re.I,
)
_AGE_ANSWERED = re.compile(
    rf"\s*(?:i am |i['’]m )?{_COUNT}(?: and a half)?(?: years?(?: old)?)?[\s.!]*$", re.I
)
_GENDER_SAID = re.compile(
    r"\b(?:i am|i['’]m|im) (?:a|an) (?:\w+ )?(?P<gender>boy|girl|man|woman)\b(?! (?:scout|band))",
    re.I,
)
_GENDER_ANSWERED = re.compile(
    r"\s*(?:i am |i['’]m )?(?:a )?(?P<gender>boy|girl|man|woman)[\s.!]*$", re.I
)
_GENDERS = {"girl": "female", "woman": "female", "boy": "male", "man": "male"}
"""As the greeting stores them."""

_AGES = range(2, 121)


@dataclass(frozen=True)
class Core:
    """What a message says of the core characteristics; None where it says nothing."""

    name: str | None = None
    age: int | None = None
    gender: str | None = None
    quote: str = ""
    """The words that say it, as they stand in the message."""


def core_of(said: str, question: str) -> Core:
    """Read one message. question: what the companion had just asked, or ""."""
    name = _name(said, question)
    age = _age(said, question)
    gender = _gender(said, question)
    found = [match.span() for match in (name, age, gender) if match]
    if not found:
        return Core()
    return Core(
        _spelled(name["name"]) if name else None,
        int(SMALL_NUMBERS.get(age["age"].lower(), age["age"])) if age else None,
        _GENDERS[gender["gender"].lower()] if gender else None,
        said[min(start for start, _ in found) : max(end for _, end in found)].strip(),
    )


def _name(said: str, question: str) -> re.Match[str] | None:
    match = _NAME_SAID.search(said)
    if match is None and re.search(r"\b(?:your name|call you)\b", question, re.I):
        match = _NAME_ANSWERED.match(said)
    return match if match and match["name"].split()[0].lower() not in _NO_NAME else None


def _age(said: str, question: str) -> re.Match[str] | None:
    match = _AGE_SAID.search(said)
    if match is None and re.search(r"\bhow old\b|\byour age\b", question, re.I):
        match = _AGE_ANSWERED.match(said)
    if match is None:
        return None
    return match if int(SMALL_NUMBERS.get(match["age"].lower(), match["age"])) in _AGES else None


def _gender(said: str, question: str) -> re.Match[str] | None:
    match = _GENDER_SAID.search(said)
    if match is None and re.search(r"\bboy\b.*\bgirl\b|\bgirl\b.*\bboy\b", question, re.I):
        match = _GENDER_ANSWERED.match(said)
    return match


def _spelled(name: str) -> str:
    """A transcriber may write names small."""
    name = name.removesuffix("'s").removesuffix("’s")
    return name if name[0].isupper() else name.capitalize()
