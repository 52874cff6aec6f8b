"""Holds an answer about the person's own life to what was said (grounded generation).

Asked for a dog's name that nobody ever told, a 1.5B reads it out of a note about a boat. So when
somebody asks about their life or about earlier talk, each sentence of the model is compared with
the notes of this prompt, the messages of the window and the profile, before it is spoken. What none
of them bears out is replaced: by the person's own words, if an excerpt fits the question, else by
"I don't remember". No further call of a model; the words are compared in
`companion.language.en.recollection`. Pure.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion import language
from companion.dialog import notes_prompt, replies
from companion.dialog.answer_span import AnswerSpan
from companion.dialog.window import Exchange, Window
from companion.recall.newer import Words, taken_back
from companion.recall.notes import THEY
from companion.recall.protocol import Excerpt, RecallResult
from companion.records import Profile
from companion.safety.sanitize import without_instructions

CERTAIN = 0.75
"""Share of what is asked about that an excerpt must speak of to be the answer by itself."""

FITS = 0.5
"""The same to be said back with a doubt."""

TELLS = 0.6
"""The same for an excerpt to be of whom a colour, an age or a surname is asked."""

CLEAR = 0.5
"""Score from which an excerpt is about what was asked in whatever words."""

ALONE = 0.36
AHEAD = 0.05
"""Score, and its distance from the next, from which the best excerpt may be the answer though it
speaks of it in other words."""

NEAR = 0.2
"""How much worse the score of an excerpt may be that puts right what a better one says."""

FEWEST = 2
"""Words of a question, or of an excerpt, on which such a share says anything."""


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


def hold(
    words: str,
    recall: RecallResult,
    window: Window,
    profile: Profile,
    now: str = "",
    span: AnswerSpan | None = None,
) -> HeldAnswer | None:
    """What the answer to these words is held to; None for all but questions about the person's life
    and earlier talk. now: the line that the message begins with (`Today`). span: the likeliest
    answer in the notes, where they were read for one."""
    outdated, right = _put_right(window)
    talk = [each for each in window if each.number not in outdated]
    evidence = [*_of_notes(recall), *_of_talk(talk), _of_profile(profile), Evidence(now, now)]
    if not language.recollection.asks(words, " ".join(each.text for each in evidence)):
        return HeldToSpan(words, span) if span is not None and span.finds_nothing else None
    fit = [each for each in right if language.recollection.shared(words, each.text) >= FITS]
    return HeldAnswer(words, evidence, (*fit, *recall.excerpts), span)


class HeldAnswer:
    """One answer, sentence by sentence."""

    def __init__(
        self,
        words: str,
        evidence: list[Evidence],
        excerpts: tuple[Excerpt, ...],
        span: AnswerSpan | None = None,
    ) -> None:
        """words: the question. excerpts: the best first. span: see `hold`."""
        self._words = words
        self._span = span
        self._evidence = evidence
        self._excerpts = excerpts
        self._answered = False
        self.ended = False
        """Whether nothing more is to be said: a sentence has been replaced."""

    @property
    def unknown(self) -> bool:
        """Whether it is certain, before the model is asked, that nobody told it: a colour, an age,
        a surname is asked for, and nothing about whom it is asked of holds one."""
        kinds = language.kinds_asked.asked_for(self._words)
        return bool(kinds) and not any(
            all(language.kinds_asked.tells(kind, each.text, self._words) for kind in kinds)
            and language.recollection.shared(self._words, f"{each.text} {each.around}") >= TELLS
            for each in self._evidence
        )

    def filter(self, sentences: list[str]) -> list[str]:
        """Those that may be said, with what is said in place of one that is not borne out."""
        said: list[str] = []
        for sentence in sentences:
            if self.ended:
                break
            if self._may_be_said(sentence):
                said.append(sentence)
            elif self._nowhere(sentence):
                said.append(self._not_remembered)
                self.ended = True
            elif not self._answered:
                said.append(self.instead(sentence))
                self.ended = True
        return said

    def instead(self, sentence: str = "") -> str:
        """What is said in place of an invention: the excerpt that the model seems to have read, or
        one that fits what was asked; else that it is not remembered."""
        can = language.kinds_asked.may_answer
        able = [each for each in self._excerpts if can(self._words, each.text)]
        read = [each for each in able if self._was_read(each, sentence)]
        fitting = [each for each in able if self._fit(each) >= FITS]
        if (one := self._one_value()) is not None:
            read = [one]
        for each in () if self.unknown else (*read, *fitting, *self._clearly_best(able)):
            said = language.recollection.said_back(each.said, self._words)
            if said := without_instructions(said):  # "my rule is" has become "your rule is"
                certain = each is self._excerpts[0] and self._certain(each)
                return (replies.told if certain else replies.perhaps_told)(each.when, said)
        return self._not_remembered

    @property
    def _not_remembered(self) -> str:
        choice = zlib.crc32(self._words.encode()) % len(replies.NOT_REMEMBERED)
        return replies.NOT_REMEMBERED[choice]

    def _nowhere(self, sentence: str) -> bool:
        """Whether the answer stands nowhere, as far as the notes were read for it."""
        first = not self._answered and language.recollection.states(sentence)
        return first and self._span is not None and self._span.speaks_against(sentence)

    def _clearly_best(self, able: list[Excerpt]) -> list[Excerpt]:
        """The best excerpt, if it is far better than the next."""
        if not self._excerpts or self._excerpts[0] not in able or not self._excerpts[0].said:
            return []
        first, *others = self._excerpts
        next_best = others[0].score if others else 0.0
        return [first] if first.score >= max(ALONE, next_best + AHEAD) else []

    def _was_read(self, each: Excerpt, sentence: str) -> bool:
        return language.recollection.holds(sentence, self._words, each.said)

    def _fit(self, each: Excerpt) -> float:
        return language.recollection.shared(self._words, each.text)

    def _certain(self, each: Excerpt) -> bool:
        """Whether an excerpt is the answer by itself."""
        enough = len(language.recollection.asked_about(self._words)) >= FEWEST
        named = language.kinds_asked.names_if_asked(self._words, each.text)
        return enough and named and self._fit(each) >= CERTAIN

    def _may_be_said(self, sentence: str) -> bool:
        if language.not_knowing.admits(sentence):
            honest = language.recollection.names_nothing_new(sentence, self._words, self._all)
            self._answered = self._answered or honest
            return honest
        if not language.recollection.states(sentence):
            return True
        if self._nowhere(sentence):
            return False
        borne_out = any(
            language.recollection.borne_out(
                sentence,
                self._words,
                each.text,
                each.around,
                nearest=each.nearest,
                before=each.before,
            )
            for each in self._evidence
        )
        if borne_out and (one := self._one_value()) is not None:
            borne_out = language.recollection.holds(sentence, self._words, one.text)
            corrects = language.correction.read(one.said, "")
            if corrects and corrects.denied & language.words.stems(sentence):
                borne_out = False  # "It's not Friday."
        self._answered = self._answered or borne_out
        return borne_out

    def _one_value(self) -> Excerpt | None:
        """The excerpt that tells the one value that is asked for: the best that tells any, or one
        that puts it right."""
        if not (kind := language.kinds_asked.of_one_value(self._words)):
            return None
        tell = [
            each
            for each in self._excerpts
            if each.said and language.kinds_asked.tells(kind, each.text, self._words)
        ]
        if not tell:
            return None
        near = [each for each in tell if each.score >= tell[0].score - NEAR]
        right = [each for each in near if language.correction.corrects(each.said)]
        one = (right or tell)[0]
        return one if self._fit(one) >= FITS or one.score >= CLEAR else None

    @property
    def _all(self) -> str:
        return " ".join(each.text for each in self._evidence)


class HeldToSpan(HeldAnswer):
    """An answer to what may be no question of the person's life: doubted by the reader alone."""

    def __init__(self, words: str, span: AnswerSpan) -> None:
        super().__init__(words, [], (), span)

    @property
    def unknown(self) -> bool:
        return False

    def _may_be_said(self, sentence: str) -> bool:
        said = not self._nowhere(sentence)
        self._answered = self._answered or (said and language.recollection.states(sentence))
        return said


def _of_notes(recall: RecallResult) -> Iterator[Evidence]:
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


def _put_right(window: Window) -> tuple[frozenset[int], list[Excerpt]]:
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


def _of_talk(window: Sequence[Exchange]) -> Iterator[Evidence]:
    """The messages of this talk and the notes among them, each exchange with the one before."""
    before = ""
    for each in window:
        text = _text(each)
        yield Evidence(text, f"{before} {text}", before=True)
        yield Evidence(each.now, each.now)
        yield from (Evidence(line, line) for line in each.block.split("\n") if line)
        before = text


def _text(exchange: Exchange) -> str:
    return " ".join(filter(None, (exchange.user, exchange.reply)))


def _of_profile(profile: Profile) -> Evidence:
    text = replies.about_you(profile.name, profile.age, profile.gender)
    return Evidence(text, text)
