"""The personality, computed from separately kept evidence (paper sections 4.3 and B.3, B.5, B.6).

Each chunk gives one piece of evidence: two scales and a sentence, judged by the model from the
user's own words and weighted by the number of those words. Code computes the personality from all
evidence: Big Five as a weighted mean, Myers-Briggs from that mean, the sentence from the evidence
that weighs most (newer evidence weighs more), and the user's words that support it best. So no
judgement is based on an earlier judgement, and erasing a session removes its share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, fields

import apsw
import numpy as np
from pydantic import BaseModel, Field

from companion import language
from companion.acts.play import Play
from companion.clock import Clock
from companion.consolidation import prompts
from companion.consolidation.chunks import turns_of, whole_sentences
from companion.consolidation.report import Effects, Entry
from companion.consolidation.structured import Absurd, Asker, parse_json
from companion.engines.protocols import ChatMessage, Embedder
from companion.records import BigFive, Personality, Turn
from companion.safety.sanitize import sanitized, without_instructions
from companion.store import intermediate, pending, profile
from companion.store.database import Store
from companion.store.intermediate import Evidence
from companion.store.pending import Unit

_LEAST_WORDS = 40
"""Fewer words than this about oneself show no character, so the model is not asked."""

_MOST_CHARACTERS = 2400
_EXAMPLES = 5
_EXAMPLE_CHARACTERS = 160
_HALF_LIFE = 10
"""After this many newer pieces of evidence a sentence weighs half as much as a new one."""

_TRAITS = tuple(field.name for field in fields(BigFive))


class Judgement(BaseModel):
    """The model's answer."""

    summary: str = Field(max_length=400)
    big_five: list[float | None] = Field(max_length=5)

    def scores(self) -> BigFive:
        """Scores missing from a cut-off answer are None. Raises Absurd for one out of range."""
        if any(score is not None and not 1 <= score <= 5 for score in self.big_five):
            raise Absurd("scores go from 1 to 5")
        return BigFive(*self.big_five)


class Profiling:
    """The step `profile`: one chunk."""

    name = "profile"

    def __init__(
        self, asker: Asker, embedder: Embedder, store: Store, play: Play, wanted: Callable[[], bool]
    ) -> None:
        """play: tells what is said in earnest. wanted: whether a picture is to be drawn, as it is
        set now."""
        self._play = play
        self._asker = asker
        self._embedder = embedder
        self._store = store
        self._wanted = wanted

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unprofiled(c)

    async def infer(self, unit: Unit) -> Evidence | None:
        if not self._wanted():
            return None
        chunk = await self._store.read(intermediate.chunk, *unit)
        turns = await self._store.read(turns_of, chunk)
        said = own_words([await self._play.in_earnest(turns, turn) for turn in turns])
        weight = sum(len(language.words.words(sentence)) for sentence in said)
        if weight < _LEAST_WORDS:
            return None
        judgement = await self._asker.ask(
            self.name,
            [
                ChatMessage("system", prompts.CHARACTER_INSTRUCTIONS),
                ChatMessage("user", prompts.CHARACTER_EXAMPLE[0]),
                ChatMessage("assistant", prompts.CHARACTER_EXAMPLE[1]),
                ChatMessage("user", sanitized("\n".join(said))[:_MOST_CHARACTERS]),
            ],
            _judgement,
            form=prompts.CHARACTER_FORM,
            max_tokens=90,
            grammar=prompts.CHARACTER_GRAMMAR,
        )
        summary = _of_character(judgement.summary)
        copied = judgement.big_five == prompts.CHARACTER_EXAMPLE_SCORES
        scores = BigFive() if copied else judgement.scores()
        examples = await self._examples(said, summary) if summary else ()
        return Evidence(*unit, turns[-1].time, float(weight), summary, scores, examples)

    def commit(self, c: apsw.Connection, unit: Unit, result: Evidence | None) -> Effects:
        intermediate.put_evidence(c, *unit, result)
        return Effects()

    async def _examples(self, said: Sequence[str], summary: str) -> tuple[str, ...]:
        """The user's sentences nearest to the summary, in the order they were said."""
        short = [s for s in dict.fromkeys(said) if len(s) <= _EXAMPLE_CHARACTERS]
        if not short:
            return ()
        vectors = await self._embedder.embed([summary, *short])
        best = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:_EXAMPLES]
        return tuple(short[i] for i in sorted(best))


class Revising:
    """The step `revise`: the personality, when the evidence for it has changed."""

    name = "revise"

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def pending(self, c: apsw.Connection) -> list[Unit]:
        fresh = personality_of(intermediate.evidence(c))
        known = profile.current(c).personality
        return [] if fresh in (known, Personality()) else [("", 0)]

    async def infer(self, unit: Unit) -> Personality:
        return personality_of(await self._store.read(intermediate.evidence))

    def commit(self, c: apsw.Connection, unit: Unit, result: Personality) -> Effects:
        before = profile.current(c).personality
        profile.put_personality(c, result, self._clock.wall())
        text = result.summary or "character"
        if before == Personality():
            return Effects(diary=(Entry("learnt", "profile", text),))
        return Effects(diary=(Entry("changed", "profile", text, before.summary),))


def own_words(turns: Sequence[Turn]) -> list[str]:
    """The sentences in which users tell of themselves, in their exact words."""
    found: list[str] = []
    question = ""
    for turn in turns:
        if turn.user is not None:
            said = without_instructions(turn.user.text[:_MOST_CHARACTERS])
            found += language.sentences.split(language.prefilter.telling(said, question))
        question = language.prefilter.question_to_user(turn.reply.text) if turn.reply else ""
    return found


def personality_of(evidence: Sequence[Evidence]) -> Personality:
    """The personality computed from all evidence. evidence: oldest first."""
    if not evidence:
        return Personality()
    big_five = BigFive(*(_mean(evidence, trait) for trait in _TRAITS))
    newest_first = list(reversed(evidence))
    weights = [
        piece.weight * 0.5 ** (age / _HALF_LIFE) if piece.summary else 0.0
        for age, piece in enumerate(newest_first)
    ]
    best = newest_first[int(np.argmax(weights))]
    examples = dict.fromkeys(
        example for piece in (best, *newest_first) for example in piece.examples
    )
    return Personality(
        best.summary, myers_briggs(big_five), big_five, tuple(list(examples)[:_EXAMPLES])
    )


def myers_briggs(scores: BigFive) -> str | None:
    """The type that the scores correspond to, after McCrae and Costa (1989), "Reinterpreting
    the Myers-Briggs Type Indicator": E with extraversion, N with openness, F with
    agreeableness, J with conscientiousness. None while one of the four is unknown."""
    extraversion, openness = scores.extraversion, scores.openness
    agreeableness, conscientiousness = scores.agreeableness, scores.conscientiousness
    if extraversion is None or openness is None:
        return None
    if agreeableness is None or conscientiousness is None:
        return None
    return (
        ("E" if extraversion >= 3 else "I")
        + ("N" if openness >= 3 else "S")
        + ("F" if agreeableness >= 3 else "T")
        + ("J" if conscientiousness >= 3 else "P")
    )


def _mean(evidence: Sequence[Evidence], trait: str) -> float | None:
    """The mean of one trait, weighted by the number of words behind each judgement."""
    index = _TRAITS.index(trait)
    scored = [
        (score, piece.weight)
        for piece in evidence
        if (score := astuple(piece.big_five)[index]) is not None
    ]
    if not scored:
        return None
    total = sum(weight for _, weight in scored)
    return float(round(sum(score * weight for score, weight in scored) / total, 2))


def _judgement(answer: str) -> Judgement:
    judgement = parse_json(answer, Judgement)
    judgement.scores()
    if not judgement.summary.startswith("The user"):
        raise Absurd("the summary is not about the user")
    return judgement


def _of_character(summary: str) -> str | None:
    """The sentence, if it is about character: small models may retell or guess facts instead."""
    sentence = whole_sentences(summary)
    facts = language.words.names(sentence) | language.words.numbers(sentence)
    bids = without_instructions(sentence) != sentence
    return sentence if language.grounding.of_character(sentence) and not (facts or bids) else None
