"""Finds the age that people tell of themselves: in figures or in words, "almost seven" too."""

from __future__ import annotations

import re

from companion.introduction.plain_words import NUMBER_WORDS, OTHERS

TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
UNITS = "one|two|three|four|five|six|seven|eight|nine"
NUMBER = (
    rf"(?P<number>\d{{1,3}}|(?:{TENS})(?:[\s-](?:{UNITS}))?|{UNITS}|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen)(?:st|nd|rd|th)?\b"
)
HALF = r"(?:\s+and\s+(?:a|one)\s+(?:half|quarter))?"
YEARS = r"[\s-]+(?:years?|yrs?)\b(?:[\s-]+olds?\b)?|\s+y/?o\b"
ALONE = (
    r"(?=\s*(?:$|[,;:!?)]|\.(?!\d)|and\b(?!\s+(?:a|one)\s+(?:half|quarter))|"
    r"(?:but|now|today|too|already|so)\b))"
)
SOON = r"(?P<soon>almost|nearly|about\s+to\s+be|going\s+to\s+be|gonna\s+be|turning)"

I_AM = re.compile(
    rf"(?P<lead>\b\w+\s+)?\b(?:i\s+am|i['’]?m)\s+(?:{SOON}\s+)?(?:only|just|already|now|an?)?\s*"
    rf"{NUMBER}{HALF}(?:{YEARS}|{ALONE})",
    re.IGNORECASE,
)
TURNED = re.compile(
    r"(?P<lead>\b\w+\s+)?\b(?:i(?:['’]ve)?\s+(?:just\s+)?turned|my\s+age\s+is|i\s+have)\s+"
    rf"{NUMBER}(?=(?P<years>{YEARS})?)",
    re.IGNORECASE,
)
WILL_BE = re.compile(
    rf"(?P<lead>\b\w+\s+)?\bi(?:\s+will|['’]?ll)\s+(?P<soon>be|turn)\s+{NUMBER}"
    rf"(?:{YEARS}|{ALONE}|(?=\s+(?:soon|in|on|next|this|tomorrow)\b))",
    re.IGNORECASE,
)
BARE = re.compile(
    r"^\W*(?:(?:um+|uh+|well|oh|hm+|i\s+think|i['’]?m|i\s+am|it['’]?s|just|only)\b[\s,.!]*)*"
    rf"(?:{SOON}\s+)?{NUMBER}{HALF}(?:{YEARS})?\s*(?:$|[,.!?;]|and\b|but\b)",
    re.IGNORECASE,
)
CUE = re.compile(r"\b(?:am|i['’]?m|turned|age|old|years?|birthday)\b", re.IGNORECASE)
NOT_NOW = frozenset(
    "when until till once if after before since pretend imagine wish say like".split()
)
"""Before "I am ten" these make it another time, or a game."""


def find(words: str, *, asked: bool) -> tuple[int, str] | None:
    """Age in years (1 to 120) and quote, or None. asked: the companion had just asked for it."""
    for pattern in (I_AM, TURNED, WILL_BE):
        for match in pattern.finditer(words):
            lead = (match.groupdict().get("lead") or "").strip().lower()
            if lead in NOT_NOW or (pattern is TURNED and _is_having(match)):
                continue
            if pattern is I_AM and _is_place(match):
                continue
            if age := _age(match):
                return age, match.group()[len(match.groupdict().get("lead") or "") :].strip()
    answer = BARE.match(words) if asked else None
    if answer is not None and (age := _age(answer)):
        return age, answer.group().strip()
    return None


def claims(age: int, sentence: str, *, answer: bool) -> bool:
    """Whether a sentence gives `age` as its speaker's. answer: it answers the question."""
    for match in re.finditer(rf"\b{NUMBER}(?=(?P<old>{YEARS}|{ALONE})?)", sentence, re.IGNORECASE):
        if number(match["number"]) != age or match["old"] is None:
            continue
        if answer or (CUE.search(sentence) and not OTHERS.search(sentence)):
            return True
    return False


def number(text: str) -> int | None:
    """An age from figures or words; None outside 1 to 120."""
    if re.fullmatch(r"\d{1,3}", text):
        value = int(text)
    else:
        parts = re.split(r"[\s-]+", text.lower())
        if not all(part in NUMBER_WORDS for part in parts):
            return None
        value = sum(NUMBER_WORDS[part] for part in parts)
    return value if 1 <= value <= 120 else None


def _age(match: re.Match[str]) -> int | None:
    age = number(match["number"])
    coming = bool(match.groupdict().get("soon"))
    return age - 1 if age and coming and age > 1 else age


def _is_place(match: re.Match[str]) -> bool:
    """ "I'm 2nd!" tells a place in a race, "I'm one too" whom one is like."""
    after = match.string[match.end("number") : match.end()].lower()
    return after.startswith(("st", "nd", "rd", "th")) or (
        match["number"].lower() == "one" and not after.strip()
    )


def _is_having(match: re.Match[str]) -> bool:
    """ "I have 7 years" tells an age in the English of many; "I have 7 cats" does not."""
    return "have" in match.group().lower() and not match["years"]
