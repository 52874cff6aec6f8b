"""The texts that may bear out an answer: notes, the messages of the running talk, the profile.

Pure. How an answer is compared with them is told in `held`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.dialog import notes_prompt, replies
from companion.dialog.window import Exchange, Window
from companion.recall.newer import Words, taken_back
from companion.recall.notes import THEY
from companion.recall.protocol import Excerpt, RecallResult
from companion.records import Profile

BESIDE = notes_prompt.LAST
"""Exchanges of the running talk before one, and after, that may say of what it speaks."""


@dataclass(frozen=True)
class Evidence:
    """A text that may bear out an answer."""

    text: str
    around: str
    """What was said about it there: the answer may stand in one message, whom it is about in the
    one before."""

    nearest: bool = False
    """Whether it is the best note, which may speak of what was asked in other words."""

    before: bool = False
    """Whether `around` is what was said just before, and the text: "he" may be of there."""

    talk: bool = False
    """Whether it is of the running talk, and `around` what was said there beside it."""


def of_notes(recall: RecallResult) -> Iterator[Evidence]:
    """Each line, among the lines of its session."""
    if not recall.excerpts:
        yield from (Evidence(line, line) for line in recall.block.split("\n") if line)
    talks: dict[str, list[str]] = {}
    for each in recall.excerpts:
        talks.setdefault(each.talk, []).append(each.text)
    for one, other in pairwise(recall.block.split("\n")):
        if notes_prompt.continues(one, other):
            yield Evidence(other.rpartition(f"{THEY}: ")[2], f"{one} {other}", before=True)
    for each in recall.excerpts:
        around = " ".join(talks[each.talk])
        yield Evidence(each.text, around, nearest=each is recall.excerpts[0])


def put_right(window: Window) -> tuple[frozenset[int], list[Excerpt]]:
    """The exchanges of this talk that tell only what a later message has put right, by number; and
    the messages that did, the latest first."""
    said = []
    before = ""
    for each in window:
        if each.user:
            said.append((each.number, Words(each.user, before)))
        before = each.reply or ""
    outdated, right = set(), {}
    for at, (_, late) in enumerate(said):
        for number, early in said[:at]:
            if taken_back(early, late) == len(early.sentences):
                outdated.add(number)
                right[late.text] = Excerpt(late.text, late.text, replies.JUST_NOW, "", 1.0)
    return frozenset(outdated), list(reversed(right.values()))


def of_talk(window: Sequence[Exchange]) -> Iterator[Evidence]:
    """The messages of this talk and the notes among them, each exchange with those beside it."""
    for at, each in enumerate(window):
        beside = window[max(0, at - BESIDE) : at + 1 + BESIDE]
        around = " ".join(map(_text, beside))
        yield Evidence(_text(each), around, before=True, talk=True)
        yield Evidence(each.now, each.now)
        yield from (Evidence(line, line) for line in each.block.split("\n") if line)


def _text(exchange: Exchange) -> str:
    return ". ".join(filter(None, (exchange.user, exchange.reply)))


def of_profile(profile: Profile) -> Evidence:
    text = replies.about_you(profile.name, profile.age, profile.gender)
    return Evidence(text, text)
