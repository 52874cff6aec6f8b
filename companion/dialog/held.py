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

from companion import language
from companion.dialog import replies
from companion.dialog.answer_span import AnswerSpan
from companion.dialog.evidence import Evidence, of_notes, of_profile, of_talk, put_right
from companion.dialog.window import Window
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


def hold(
    words: str,
    recall: RecallResult,
    window: Window,
    profile: Profile,
    now: str = "",
    span: AnswerSpan | None = None,
    *,
    of_memory: bool = False,
) -> HeldAnswer | None:
    """What the answer to these words is held to; None for all but questions about the person's life
    and earlier talk. now: the line that the message begins with (`Today`). span: the likeliest
    answer in the notes, where they were read for one. of_memory: by what the question does, it is
    one to memory; then it is enough that all it asks about was spoken of."""
    outdated, right = put_right(window)
    talk = [each for each in window if each.number not in outdated]
    evidence = [*of_notes(recall), *of_talk(talk), of_profile(profile), Evidence(now, now)]
    told = " ".join(each.text for each in evidence)
    known = of_memory and language.recollection.shared(words, told) == 1.0
    if not (known or language.recollection.asks(words, told)):
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
            and language.recollection.shared(self._words, f"{each.text} {each.around}")
            >= (FITS if each.talk else TELLS)
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
        by = [each for each in self._evidence if self._bears_out(each, sentence)]
        named = language.kinds_asked.names_if_asked
        if self._nowhere(sentence) and not any(
            each.talk and named(self._words, each.text) for each in by
        ):
            return False
        borne_out = bool(by)
        if borne_out and (one := self._one_value()) is not None:
            borne_out = language.recollection.holds(sentence, self._words, one.text)
            corrects = language.correction.read(one.said, "")
            if corrects and corrects.denied & language.words.stems(sentence):
                borne_out = False  # "It's not Friday."
        self._answered = self._answered or borne_out
        return borne_out

    def _bears_out(self, each: Evidence, sentence: str) -> bool:
        return language.recollection.borne_out(
            sentence,
            self._words,
            each.text,
            each.around,
            nearest=each.nearest,
            before=each.before,
            talk=each.talk,
        )

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
