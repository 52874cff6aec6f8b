"""Whole spoken sentences out of a stream of text pieces.

What speech needs is enforced here on the token stream, not only asked for in the prompt: at most N
sentences, nothing that cannot be spoken, and no half sentence at the end. The text is read one
character at a time, so any split of the same text gives the same sentences.

A sentence is complete when the next word begins: only then can "3.", "Dr." and "Hmm..." be told
from the end of a sentence. With a language model this costs no time, because the space comes with
the next word's token.
"""

from __future__ import annotations

import re

from companion import language
from companion.dialog.spoken import CLOSERS, ENDINGS, closed, spoken
from companion.language.marks import EMOJI

CLAUSE_END = re.compile(r"[,;](?=\s+\S)")
LIST_ITEM_NEXT = re.compile(r"[-*+•‣◦–\d(]")
HEADING = re.compile(r"(?:^|\n)\s*#{1,6}\s[^\n]*$")
GLUED = re.compile(r"[a-z]{2}[.!?][A-Z]$")
LEAST_CLAUSE = 12
"""Characters that a clause needs in order to be spoken before its sentence is complete."""

LONGEST_SPAN = 160
"""Characters after which an unclosed bracket, star or quotation mark counts as a mistake."""

LONGEST_SENTENCE = 1000
"""Characters (a minute of speech) after which a sentence is cut, whether or not the model ended
it."""


def in_two(sentence: str) -> tuple[str, ...]:
    """A whole sentence as its first clause and the rest, so that speech can start with the one
    while the other becomes sound; as it is where it is short or has no such clause.

    >>> in_two("I don't know that one yet, but I know another.")
    ("I don't know that one yet,", 'but I know another.')
    """
    for found in CLAUSE_END.finditer(sentence):
        head, rest = sentence[: found.end()], sentence[found.end() :].strip()
        if min(len(head), len(rest)) >= LEAST_CLAUSE and not _inside_span(head):
            return head, rest
    return (sentence,)


class Sentences:
    """Takes pieces of text and returns the sentences that they complete."""

    def __init__(self, limit: int, *, names: tuple[str, ...] = ()) -> None:
        self._limit = limit
        self._names = names
        self._buffer = ""
        self._count = 0
        self.done = False
        """Whether no more sentences will come: the limit is reached, or the model has begun to
        write the other side's lines. The caller should then stop the model."""

    def feed(self, piece: str) -> list[str]:
        """The sentences completed by this piece, in order."""
        sentences: list[str] = []
        for character in piece.replace("\r", ""):
            if self.done:
                break
            self._buffer += character
            other = language.model_speech.other_role_at(self._buffer) if character == ":" else None
            if other is not None:
                self._buffer = self._buffer[:other]
                sentences += self.finish(complete=True)
                break
            end = self._end()
            if (
                end is None
                and len(self._buffer) >= LONGEST_SENTENCE
                and not _unspoken(self._buffer)
            ):
                end = self._buffer.rfind(" ") + 1 or LONGEST_SENTENCE
            if end is not None:
                head, self._buffer = self._buffer[:end], self._buffer[end:]
                sentences += self._said(head)
        return sentences

    def clause(self) -> str | None:
        """The first clause of the unfinished sentence, once the next clause has begun. It is taken
        out of that sentence, so that speech can start with it."""
        for comma in CLAUSE_END.finditer(self._buffer):
            head = self._buffer[: comma.start() + 1]
            if len(head) < LEAST_CLAUSE or _inside_span(head) or "\n" in head.strip():
                continue
            said = spoken(head, names=self._names)
            if len(said) < LEAST_CLAUSE:
                continue
            self._buffer = self._buffer[comma.start() + 1 :]
            return said
        return None

    def finish(self, *, complete: bool) -> list[str]:
        """The sentences left at the end of the text. `complete`: the model ended by itself.
        Otherwise a half sentence is dropped, unless nothing else was said."""
        rest, self._buffer = self._buffer, ""
        if self.done:
            return []
        whole = rest.rstrip().rstrip(CLOSERS).endswith(tuple(ENDINGS))
        sentences = self._said(rest) if complete or whole or self._count == 0 else []
        self.done = True
        return sentences

    def _said(self, raw: str) -> list[str]:
        sentence = spoken(raw, names=self._names)
        if not sentence:
            return []
        self._count += 1
        self.done = self._count >= self._limit
        return [closed(sentence)]

    def _end(self) -> int | None:
        """Where the sentence in the buffer ends, if its last character shows that it has."""
        text, following = self._buffer[:-1], self._buffer[-1]
        if following.isspace():
            return None
        body = text.rstrip()
        gap = text[len(body) :]
        if not body or _inside_span(body):
            return None
        if not gap:
            glued = GLUED.search(self._buffer) or (
                body[-1] in "。！？" and following not in CLOSERS
            )
            return len(body) if glued else None
        return len(body) if self._is_end(body, gap, following) else None

    def _is_end(self, body: str, gap: str, following: str) -> bool:
        core = body.rstrip(CLOSERS)
        if core.endswith(("...", "…")):
            return not following.islower()
        if core.endswith((".", "!", "?")):
            return self._mark_ends(core, quoted=core != body, following=following)
        if EMOJI.search(body, len(body) - 1):
            return following.isupper() or "\n" in gap
        if "\n" not in gap:
            return False
        if HEADING.search(body):
            return True
        paragraph = gap.count("\n") > 1 and not LIST_ITEM_NEXT.match(following)
        return paragraph and not body.endswith((":", ",", ";"))

    def _mark_ends(self, core: str, *, quoted: bool, following: str) -> bool:
        """Whether the full stop, question or exclamation mark at the end of `core` ends it."""
        if quoted and following.islower():
            return False
        if core[-1] != ".":
            return True
        before, _, line = core.rpartition("\n")
        words = line[:-1].split()
        word = words[-1].strip("\"'“”‘’([*_") if words else ""
        if len(words) == 1 and word.isdigit() and (before or word == "1"):
            return False  # A list number. (A lone "7." at the start is the answer to a sum.)
        return not language.sentences.belongs_to_word(word, following)


def _inside_span(text: str) -> bool:
    """Whether `text` ends inside brackets, emphasis or quotation marks that must stay whole."""
    if _unspoken(text):
        return True
    opened = max(_open_pair(text, "(", ")"), _open_pair(text, "[", "]"), _open_pair(text, "“", "”"))
    if text.count('"') % 2:
        opened = max(opened, text.rfind('"'))
    opened = max(opened, _open_stars(text))
    return opened >= 0 and len(text) - opened <= LONGEST_SPAN


def _unspoken(text: str) -> bool:
    """Whether `text` ends inside code or the model's reasoning, which is left out entirely."""
    return text.count("```") % 2 == 1 or text.rfind("<think>") > text.rfind("</think>")


def _open_pair(text: str, left: str, right: str) -> int:
    """Where a pair was opened and not closed; -1 when none is open."""
    opened = text.rfind(left)
    return opened if opened > text.rfind(right) else -1


def _open_stars(text: str) -> int:
    """Where emphasis or a stage direction was opened and not closed; -1 when none is open."""
    run, opened = "", -1
    for stars in re.finditer(r"(?<!\s)\*+|\*+(?!\s|\*)", text):
        if opened < 0:
            run, opened = stars.group(), stars.start()
        elif stars.group() == run:
            opened = -1
    return opened
