"""Whether the words that answer a question stand in the notes at all.

A small reader (`engines.span_reader`) finds the likeliest words of each note. It reads worse than
the language model, but it can tell that nothing is there: asked for what was never told, the model
reads something out of the nearest note. So an answer is doubted where the reader finds nothing and
the model says something else than what comes nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from companion import language
from companion.dialog.notes_prompt import continues
from companion.engines.protocols import SpanReader

NOWHERE = -4.0
"""Log odds of the best span below which nothing in the notes is likely to be the answer. Between
-6 and -2 it hardly matters (docs/experiments.md, "Where the answer stands")."""


@dataclass(frozen=True)
class AnswerSpan:
    """The likeliest answer in the notes."""

    text: str
    score: float

    @property
    def finds_nothing(self) -> bool:
        """Whether nothing in the notes is likely to be the answer."""
        return self.score < NOWHERE

    def speaks_against(self, sentence: str) -> bool:
        """Whether nothing is likely to be the answer, and a sentence does not even say this."""
        return self.finds_nothing and language.words.says(self.text).isdisjoint(
            language.words.says(sentence)
        )


async def find(reader: SpanReader, asked: str, about: str) -> AnswerSpan | None:
    """asked: notes and question, as `notes_prompt.message` puts them; what goes on with the line
    before is read with it, too, as "he" is named there. about: what is known of the
    person. Raises EngineError."""
    notes, _, question = asked.rpartition("\n\n")
    lines = [*notes.split("\n"), about]
    joined = [f"{one} {other}" for one, other in pairwise(lines) if continues(one, other)]
    spans = await reader.read(question, [*(line for line in lines if line), *joined])
    if not spans:
        return None
    best = max(spans, key=lambda span: span.score)
    return AnswerSpan(best.text, best.score)
