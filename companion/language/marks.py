"""Characters that are not words in any language: emoji, invisible characters, markup remains."""

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
MARKUP = re.compile(r"[*`~|\\^{}<>#]+|(?<!\w)_+|_+(?!\w)")
