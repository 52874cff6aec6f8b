"""Text as a synthesizer reads it well: espeak-ng's phonemes are behind piper's voices.

Only what espeak-ng 1.51 gets wrong is rewritten here. It reads plain numbers, decimals, ordinals,
percent, "&", "a.m." and "e.g." by itself; it does not read "$5", "5 km", "3:05", "3-5", "Ms.",
"1/2", "World War II", "Mmm" or "Grrr", and it stops after the full stop of "Dr.".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from companion.dialog.spoken import EMOJI, INVISIBLE, MARKUP
from companion.voice.speakable_numbers import numbers_spoken

Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

SHORTENINGS: tuple[Rule, ...] = (
    (re.compile(r"\b(Dr|Mr|Mrs|Prof|St|Jr|Sr)\.(?=\s+[A-Z])"), r"\1"),
    (re.compile(r"\bMs\.?(?=\s+[A-Z])"), "Miz"),
    (re.compile(r"\bMt\.?(?=\s+[A-Z])"), "Mount"),
    (re.compile(r"\b(?:vs|VS|Vs)\b\.?"), "versus"),
    (re.compile(r"\bi\.e\.,?", re.IGNORECASE), "that is,"),
    (re.compile(r"\be\.g\.,?", re.IGNORECASE), "for example,"),
    (re.compile(r"\bapprox\.?(?=\s)", re.IGNORECASE), "about"),
    (re.compile(r"\b(?:No|Nr)\.\s*(?=\d)|#(?=\d)"), "number "),
    (re.compile(r"\bw/(?=\s)"), "with"),
    (re.compile(r"\band/or\b", re.IGNORECASE), "and or"),
    (re.compile(r"(?<=[A-Za-z]{2})\s?/\s?(?=[A-Za-z]{2})"), " or "),
)

MONTHS = {
    "Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April", "Jun": "June",
    "Jul": "July", "Aug": "August", "Sep": "September", "Sept": "September", "Oct": "October",
    "Nov": "November", "Dec": "December",
}  # fmt: skip
MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b\.?(?=\s+\d)")

CRIES = tuple(
    (re.compile(rf"\b(?:{written})\b", re.IGNORECASE), said)
    for written, said in (
        ("m+[- ]?h+m+|mm+[- ]hm+", "uhm-hum"),
        ("mm+|hm", "hmm"),
        ("hm{3,}", "hmm"),
        ("s+h{2,}|sh", "shush"),
        ("g+r{2,}", "gurr"),
        ("b+r{2,}", "burr"),
        ("z{2,}", "zuzz"),
        ("p+f+t?", "puff"),
        ("p+s+t+", "pisst"),
        ("o{2,}h+", "ooh"),
        ("a+w{2,}", "aw"),
        ("wh?e{3,}", "whee"),
    )
)

DRAWN_OUT = re.compile(r"([A-Za-z])\1{2,}")
ONE_O = frozenset({"n", "s", "g", "w", "hell", "l", "kn", "sl"})
"""Beginnings of words that are spelled with one o, however long it is drawn."""

ROMAN = re.compile(r"(?<=[A-Za-z]\s)(?:X{1,2}(?:IX|IV|V?I{1,3}|V)|IX|IV|VI{1,3}|I{2,3})\b")
ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


def speakable(text: str) -> str:
    """What a voice should read for `text`, on one line; "" when nothing can be said."""
    said = numbers_spoken(INVISIBLE.sub("", text))
    for pattern, instead in SHORTENINGS:
        said = pattern.sub(instead, said)
    said = MONTH.sub(lambda month: MONTHS[month[1]], said)
    said = ROMAN.sub(lambda numeral: str(_arabic(numeral[0])), said)
    for pattern, cry in CRIES:
        said = pattern.sub(partial(_cry, cry), said)
    said = DRAWN_OUT.sub(_shortened, said)
    said = MARKUP.sub(" ", EMOJI.sub(" ", said))
    said = re.sub(r"\s+([,.!?;:…])", r"\1", " ".join(said.split()))
    return said if any(character.isalnum() for character in said) else ""


def _cry(cry: str, found: re.Match[str]) -> str:
    return cry.capitalize() if found[0][0].isupper() else cry


def _arabic(numeral: str) -> int:
    values = [ROMAN_DIGITS[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _shortened(found: re.Match[str]) -> str:
    """Nooo, sooo, yaaay and wooow keep one letter; zooom and freeee two, as they are spelled."""
    letter = found[1]
    if letter.isupper() and found[0].isupper():
        beside = found.string[: found.start()][-1:] + found.string[found.end() :][:1]
        return letter if any(map(str.isalpha, beside)) else found[0]  # AAA, III
    if letter.lower() == "e":
        return letter * 2
    if letter.lower() == "o":
        before = re.search(r"[A-Za-z]*$", found.string[: found.start()])
        start = before[0] if before else ""
        return letter if start.lower() in ONE_O else letter * 2
    return letter
