"""Slips of the tongue: "on Saturday. No wait, on Sunday" means Sunday.

Only days, numbers and times of the same kind are put right: those a small model repeats in the
order in which they were said, and which nothing else in the sentence gives away.
"""

from __future__ import annotations

import re

_KINDS = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    r"(?:today|tonight|tomorrow|yesterday)",
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)",
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)",
)
_BREAK = r"[\s.,;:!…–—-]*"
_TAKES_BACK = (
    rf"(?:no+{_BREAK}(?:wait|sorry|i meant?)|(?:oh )?wait{_BREAK}no|no+|i meant?|sorry|oops"
    r"|actually)"
)
_LEADS_IN = r"(?:(?:it['’]s|i['’]m|he['’]s|she['’]s|on|at|in) ){0,2}"
_DENIED = "".join(rf"(?<!\bnot {word})" for word in ("", "on ", "at ", "in ", "until "))
"""Before a day that is ruled out: "not on Saturday, no, on Sunday" is no slip."""
_ENDS = r"(?=\s*(?:[.,;!?…]|$)|\s+(?:and|but|o['’]clock|years?|times)\b)"
_SLIPS = [
    re.compile(
        rf"{_DENIED}\b{kind}\b{_BREAK}\b{_TAKES_BACK}\b{_BREAK}{_LEADS_IN}"
        rf"(?P<meant>(?:(?:next|this|last) )?{kind})\b{_ENDS}",
        re.IGNORECASE,
    )
    for kind in _KINDS
]


def without_slips(text: str) -> str:
    """The text with what was meant alone, where somebody put it right at once."""
    for slip in _SLIPS:
        text = slip.sub(lambda found: found["meant"], text)
    return text
