"""Finds the gender that people tell of themselves, from explicit words only."""

from __future__ import annotations

import re

from companion.introduction.age import NUMBER

WORDS = {
    **dict.fromkeys(
        "girl woman lady female daughter sister mother mom mum grandma grandmother wife she "
        "her".split(),
        "female",
    ),
    **dict.fromkeys(
        "boy man guy male son brother father dad grandpa grandfather husband he him".split(),
        "male",
    ),
    **dict.fromkeys(("non-binary", "nonbinary"), "non-binary"),
}
PERSON = "girl|woman|lady|female|boy|man|guy|male|daughter|son|non-?binary"
PARENT = "mother|mom|mum|father|dad|grandma|grandmother|grandpa|grandfather"
ADVERB = "just|only|really|actually|still|also|already|now|definitely"
WHICH = r"an?|the|another|his|her|their|our|[^\W\d_]+['’]s"
NOT_BETWEEN = (
    "of|with|to|like|and|or|for|in|on|at|than|not|that|my|your|whose|who|bad|an?|the|one|bit|"
    "spider|iron|super|snow"
)
BETWEEN = rf"(?:(?!(?:{NOT_BETWEEN})\b)[\w'’-]+\s+)"
I_AM = re.compile(
    rf"(?P<lead>\b\w+\s+)?\b(?:i\s+am|i['’]?m)\s+(?:(?:{ADVERB})\s+){{0,2}}"
    rf"(?:(?:{WHICH}|{NUMBER})[\s-]+{BETWEEN}{{0,4}}?)?"
    rf"(?P<noun>(?:{PERSON})\b|(?:{PARENT})\b(?=\s*(?:$|[^\w\s]|(?:and|but|of|with|who|too)\b)))"
    r"(?!['’-])(?!\s+(?:scouts?|toy|doll|named|called|in\s+the\s+story))",
    re.IGNORECASE,
)
"""Between "I am" and the noun stand an article or an age, if anything: in "I'm visiting grandma"
and "I'm tired mom" the noun is somebody else."""

PRONOUNS = re.compile(r"\bmy\s+pronouns\s+are\s+(?P<noun>she|he)\b", re.IGNORECASE)
BARE = re.compile(
    r"^\W*(?:(?:um+|uh+|well|oh|just|i['’]?m|i\s+am|it['’]?s)\b[\s,.!]*)*"
    r"(?:an?\s+|the\s+)?(?:(?:big|little|small|young|old)\s+)?(?P<noun>[a-z]+(?:-binary)?)"
    r"\s*(?:$|[,.!?;/]|and\b|of\s+course)",
    re.IGNORECASE,
)
NOT_NOW = frozenset("if pretend imagine wish say like think thinks".split())


def find(words: str, *, asked: bool) -> tuple[str, str] | None:
    """`female`, `male` or `non-binary`, and quote; or None. asked: the companion had just
    asked for it."""
    for match in I_AM.finditer(words):
        lead = match["lead"] or ""
        if lead.strip().lower() not in NOT_NOW:
            return WORDS[match["noun"].lower()], match.group()[len(lead) :]
    answer = PRONOUNS.search(words) or (BARE.match(words) if asked else None)
    if answer is not None and answer["noun"].lower() in WORDS:
        return WORDS[answer["noun"].lower()], answer.group().strip()
    return None


def claims(gender: str, sentence: str, *, answer: bool) -> bool:
    """Whether a short answer gives `gender` (one of this module's values), and no other."""
    words = re.findall(r"[a-z]+(?:-binary)?", sentence.lower())
    return (
        answer
        and {WORDS[word] for word in words if word in WORDS} == {gender}
        and (not {"not", "no", "neither"} & set(words))
    )
