"""Turns a stretch of a model's text into words that a speaker can say.

Markdown, emoji, list markers, stage directions and role prefixes go; what they held is kept
when it is speech. A pure function of one stretch; `companion.dialog.sentences` decides where
stretches end.
"""

from __future__ import annotations

import re

EMOJI_CLASS = (
    "\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d"
    "\u20e3\ufe00-\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f"
)
EMOJI = re.compile(f"[{EMOJI_CLASS}]+")
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
EMOTICON = re.compile(r"(?<!\S)[:;=8]['-]?[)(DPpOo3|/\\](?!\w)|(?<!\S)<3|(?<!\S)\^_*\^")
HIDDEN = re.compile(r"<think>.*?(?:</think>|\Z)|```.*?(?:```|\Z)", re.DOTALL)
IMAGE_OR_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
ADDRESS = re.compile(r"(?:https?://|www\.)\S*[^\s.,!?)]")
TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>|<\|[^|<>]{0,40}\|>")
BRACKETS = re.compile(r"\[[^\]]*\]")
RULE = re.compile(r"\s*(?:[-*_=]\s?){3,}\s*|[\s|:-]*\|[\s|:-]*")
QUOTE_OR_HEADING = re.compile(r"^\s*(?:>\s*)*(#{1,6}\s+)?")
BULLET = re.compile(r"^\s*(?:[-*+•‣◦–]|\(?\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
TIMES = re.compile(r"(?<=\d)\s*[*×]\s*(?=\d)")
STARRED = re.compile(r"(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)")
PARENTHESES = re.compile(r"\(([^()\n]*)\)")
MARKUP = re.compile(r"[*`~|\\^{}<>#]+|(?<!\w)_+|_+(?!\w)")
SPACE_BEFORE_MARK = re.compile(r"\s+([,.!?;:…])(?=\s|$)")
LEADING_JUNK = re.compile(r"^[\s,.;:!?)\]…-]+")

ENDINGS = ".!?…。！？"
CLOSERS = "\"'”’»)]*_"


def _forms(verb: str) -> set[str]:
    stem = verb.removesuffix("e")
    doubled = verb + verb[-1]
    return {verb, f"{verb}s", f"{verb}es", f"{stem}ing", f"{doubled}ing", f"{stem}ed"}


ACTIONS = frozenset().union(
    *map(
        _forms,
        "beam blink blush bounce bow chuckle clap cough cuddle dance gasp gesture giggle grin hop "
        "hug hum jump laugh lean look nod pat pause perk point purr roar scratch shake shrug sigh "
        "sing smile sniff snuggle spin squeak squeal stretch think tilt twirl wag wave whisper "
        "wiggle wink yawn".split(),
    )
)
"""Words that begin a stage direction."""


def spoken(raw: str, *, names: tuple[str, ...] = ()) -> str:
    """What of `raw` can be spoken, on one line; "" when nothing can.

    `names` are the companion's own, as they may stand before its words ("Pip: hello").
    """
    text = INVISIBLE.sub("", raw)
    text = HIDDEN.sub(" ", text)
    text = IMAGE_OR_LINK.sub(r"\1", text)
    text = ADDRESS.sub("", text)
    text = TAG.sub("", text)
    text = _joined(text, names)
    text = TIMES.sub(" times ", text)
    text = STARRED.sub(lambda span: "" if _is_action(span[1], starred=True) else span[1], text)
    text = PARENTHESES.sub(lambda span: "" if _is_action(span[1]) else span[0], text)
    text = BRACKETS.sub("", text)
    text = EMOTICON.sub("", text)
    text = EMOJI.sub(" ", text)
    text = MARKUP.sub("", text)
    text = SPACE_BEFORE_MARK.sub(r"\1", " ".join(text.split()))
    text = LEADING_JUNK.sub("", text)
    return text if any(character.isalnum() for character in text) else ""


def closed(sentence: str) -> str:
    """With a full stop, when it ends without any mark."""
    if sentence.rstrip(CLOSERS).endswith(tuple(ENDINGS)):
        return sentence
    return sentence.rstrip(" ,;:-–—") + "."


def _joined(text: str, names: tuple[str, ...]) -> str:
    """One line out of many: list items become clauses, headings lose their marks."""
    clauses: list[tuple[str, bool]] = []
    for line in text.split("\n"):
        if not line.strip() or RULE.fullmatch(line):
            continue
        line = QUOTE_OR_HEADING.sub("", line, count=1)
        line, item = _without_bullet(line)
        clauses.append((_without_prefix(line, names).strip(), item))
    joined = ""
    for clause, item in clauses:
        if joined and item and joined[-1].isalnum():
            joined += ","
        joined = f"{joined} {clause}".strip()
    return joined


def _without_bullet(line: str) -> tuple[str, bool]:
    stripped = BULLET.sub("", line, count=1)
    return stripped, stripped != line


def _without_prefix(line: str, names: tuple[str, ...]) -> str:
    roles = "|".join(re.escape(name) for name in ("assistant", "companion", "ai", *names) if name)
    return re.sub(rf"^\W*(?:{roles})\W{{0,3}}:\W{{0,3}}(?=\s|\w|$)", "", line, flags=re.IGNORECASE)


def _is_action(inside: str, *, starred: bool = False) -> bool:
    """Whether a span tells what the speaker does instead of what it says."""
    words = re.findall(r"[A-Za-z']+", inside)
    if any(word.lower() in ACTIONS for word in words[:2]):
        return True
    # Emphasis is rarely longer than two words, and titles begin with a capital.
    return starred and len(words) >= 3 and words[0].islower()
