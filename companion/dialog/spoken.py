"""Turns a piece of a model's text into words that can be spoken.

Markdown, emoji, list markers, stage directions and role prefixes are removed; the text inside them
is kept when it is speech. A pure function of one piece; `companion.dialog.sentences` decides where
pieces end.
"""

from __future__ import annotations

import re

from companion import language
from companion.language.marks import EMOJI, INVISIBLE, MARKUP

EMOTICON = re.compile(r"(?<!\S)[:;=8]['-]?[)(DPpOo3|/\\](?!\w)|(?<!\S)<3|(?<!\S)\^_*\^")
HIDDEN = re.compile(r"<think>.*?(?:</think>|\Z)|```.*?(?:```|\Z)", re.DOTALL)
IMAGE_OR_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
ADDRESS = re.compile(r"(?:https?://|www\.)\S*[^\s.,!?)]")
TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>|<\|[^|<>]{0,40}\|>")
BRACKETS = re.compile(r"\[[^\]]*\]")
RULE = re.compile(r"\s*(?:[-*_=]\s?){3,}\s*|[\s|:-]*\|[\s|:-]*")
QUOTE_OR_HEADING = re.compile(r"^\s*(?:>\s*)*(#{1,6}\s+)?")
BULLET = re.compile(r"^\s*(?:[-*+•‣◦–]|\(?\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
STARRED = re.compile(r"(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)")
PARENTHESES = re.compile(r"\(([^()\n]*)\)")
SPACE_BEFORE_MARK = re.compile(r"\s+([,.!?;:…])(?=\s|$)")
LEADING_JUNK = re.compile(r"^[\s,.;:!?)\]…-]+")

ENDINGS = ".!?…。！？"
CLOSERS = "\"'”’»)]*_"


def spoken(raw: str, *, names: tuple[str, ...] = ()) -> str:
    """The part of `raw` that can be spoken, on one line; "" when nothing can.

    `names` are the companion's own, as they may stand before its words ("Pip: hello").
    """
    text = INVISIBLE.sub("", raw)
    text = HIDDEN.sub(" ", text)
    text = IMAGE_OR_LINK.sub(r"\1", text)
    text = ADDRESS.sub("", text)
    text = TAG.sub("", text)
    text = _joined(text, names)
    text = language.speakable.products_spoken(text)
    text = STARRED.sub(_without_action, text)
    text = PARENTHESES.sub(_without_aside, text)
    text = BRACKETS.sub("", text)
    text = EMOTICON.sub("", text)
    text = EMOJI.sub(" ", text)
    text = MARKUP.sub("", text)
    text = SPACE_BEFORE_MARK.sub(r"\1", " ".join(text.split()))
    text = LEADING_JUNK.sub("", text)
    return text if any(character.isalnum() for character in text) else ""


def closed(sentence: str) -> str:
    """The sentence, with a full stop added when it ends without a punctuation mark."""
    if sentence.rstrip(CLOSERS).endswith(tuple(ENDINGS)):
        return sentence
    return sentence.rstrip(" ,;:-–—") + "."


def _joined(text: str, names: tuple[str, ...]) -> str:
    """Several lines joined into one: list items become clauses, headings lose their marks."""
    clauses: list[tuple[str, bool]] = []
    for line in text.split("\n"):
        if not line.strip() or RULE.fullmatch(line):
            continue
        line = QUOTE_OR_HEADING.sub("", line, count=1)
        line, item = _without_bullet(line)
        clauses.append((language.model_speech.without_role(line, names).strip(), item))
    joined = ""
    for clause, item in clauses:
        if joined and item and joined[-1].isalnum():
            joined += ","
        joined = f"{joined} {clause}".strip()
    return joined


def _without_action(starred: re.Match[str]) -> str:
    return "" if language.model_speech.is_stage_direction(starred[1], starred=True) else starred[1]


def _without_aside(aside: re.Match[str]) -> str:
    return "" if language.model_speech.is_stage_direction(aside[1]) else aside[0]


def _without_bullet(line: str) -> tuple[str, bool]:
    stripped = BULLET.sub("", line, count=1)
    return stripped, stripped != line
