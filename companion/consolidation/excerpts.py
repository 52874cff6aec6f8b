"""The person's own words, for what no written sentence stands for."""

from __future__ import annotations

from collections.abc import Sequence

from companion import language
from companion.clock import unsure
from companion.consolidation.ground import Heard
from companion.recall import notes
from companion.records import Source, Turn
from companion.safety.sanitize import without_instructions
from companion.store.intermediate import Draft

_LINE_CHARACTERS = 200
"""Characters shown of what the companion had said: its last sentences."""

_EXCERPT_WORDS = 60
"""Longest excerpt, in words."""

_SHORT_MESSAGE = 30
"""Longest message, in words, of which an excerpt is the whole."""

_ANSWER = 12
"""Most content words of an answer that is shown with what the companion's question was about."""

_SAYS_SOMETHING = 2
"""Fewest content words of that."""


_LEAST_WORTH = 2
"""Points that words need to be kept as they are (`language.excerpt.worth`); one more where a label
stands for a part of the message, and one more where the model found nothing to note in it; but not
of a day to come, or of what was put right."""

_COVERED = 0.6
"""Share of a sentence's content words that a label holds when it stands for the sentence."""


def line_before(turn: Turn | None) -> str:
    """What the companion had said before a message: the last sentences, as far as they fit."""
    if turn is None or turn.reply is None:
        return ""
    line = ""
    for sentence in reversed(language.sentences.split(turn.reply.text)):
        longer = f"{sentence} {line}".strip()
        if line and len(longer) > _LINE_CHARACTERS:
            break
        line = longer
    return line[-_LINE_CHARACTERS:]


def last_sentences(said: str) -> str:
    """The last sentence of a message, or two short ones; as many more as they need to be
    understood, while they fit."""
    parts = language.sentences.split(said)
    number = min(2, len(parts))
    if len(" ".join(parts[-number:])) > _LINE_CHARACTERS // 2:
        number = 1
    while number < len(parts) and language.excerpt.dangles(" ".join(parts[-number:])):
        if len(" ".join(parts[-number - 1 :])) > _LINE_CHARACTERS:
            break
        number += 1
    return " ".join(parts[-number:])[:_LINE_CHARACTERS] if parts else ""


def excerpts(
    told: str, labels: Sequence[Draft], turn: Turn, heard: Heard, *, noted: bool
) -> tuple[Draft, ...]:
    """The words that no label stands for, as one draft, if they are worth keeping."""
    assert turn.user is not None
    said = heard.said if heard.meant else _quotable(heard.said, told, [e.text for e in labels])
    stands = noted or heard.meant or language.excerpt.lies_ahead(said)
    least = _LEAST_WORTH + bool(labels) + (not stands)
    asked = heard.before if heard.before.endswith("?") else ""
    corrects = language.correction.read(said, heard.before)
    worth = language.excerpt.worth(heard.meant or said, asked)
    if not said or (corrects is None and worth < least):
        return ()
    excerpt, whole = language.excerpt, heard.said.strip()
    length = len(language.words.words(whole))
    if length <= _SHORT_MESSAGE or (excerpt.needs_line_before(said) and length <= _EXCERPT_WORDS):
        said = whole
    begins = whole.startswith(said)
    alone = bool(heard.meant) or not excerpt.needs_line_before(said)  # a slip says it in two
    needs = asked or (corrects and corrects.doubted) or not alone
    before = heard.before if begins and needs else ""
    about = _may_be_about(said, heard) or excerpt.needs_earlier(before)
    earlier = _earlier(heard) if before and about else ""
    if not (heard.whom and begins) and (named := _whom_it_means(before, said, earlier, heard)):
        before = heard.before
        earlier = _joined(named, earlier)
    event_time, dated = None, said
    if not unsure(turn.user.time):
        meant = language.self_repair.repaired(heard.meant or said)
        days = language.dates.days_told(meant, heard.before, turn.user.time)
        event_time = days[0].iso if len(days) == 1 else None
        if len(days) > 1:  # each stands beside its words
            dated = notes.dated(said, turn.user.time, spans=False)
    if heard.meant:  # both are shown as they were said
        dated = f"{dated.rstrip(' .')}{excerpt.GAP}{heard.put_right}"
    whom = heard.whom if begins else ""
    shown, *around = map(without_instructions, (dated, before, earlier))
    if not shown:
        return ()
    text = excerpt.framed(shown, around[0], whom=whom, earlier=around[1])
    kind = language.kinds.kind_of(said, event_time)
    return (Draft(0, text, kind, Source(turn.session, turn.number, said), event_time),)


def _earlier(heard: Heard) -> str:
    """The person's own words before the companion's line; where those go on about something
    themselves, with those before them."""
    if not (language.excerpt.dangles(heard.earlier) and len(heard.talk) > 1):
        return heard.earlier
    both = f"{last_sentences(heard.talk[1])}{language.excerpt.GAP}{heard.earlier}"
    return both if len(both) <= _LINE_CHARACTERS else heard.earlier


def _may_be_about(said: str, heard: Heard) -> bool:
    """Whether a short answer is shown with the person's own words before the question: two readers
    of two lives found more of such memories good and fewer garbled (tests/memories). Not where it
    says "she" of somebody and they name another."""
    content, anaphora = language.words.content, language.anaphora
    if len(content(said)) > _ANSWER or len(content(heard.earlier)) < _SAYS_SOMETHING:
        return False
    pronoun = anaphora.open_pronoun(said)
    return not (pronoun and anaphora.names_another(pronoun, heard.earlier, heard.known))


def _joined(named: str, earlier: str) -> str:
    """Two earlier sentences, each shown once."""
    if not earlier or earlier in named:
        return named
    alone = [each for each in language.sentences.split(named) if each not in earlier]
    return language.excerpt.GAP.join(filter(None, (" ".join(alone), earlier)))


def _whom_it_means(before: str, said: str, earlier: str, heard: Heard) -> str:
    """The person's own sentence that names whom an excerpt only calls "she"; "" where it names them
    itself, or where nobody was named."""
    if not heard.before:
        return ""
    anaphora = language.anaphora
    line = language.grounding.renamed(before, heard.addressed, "")
    pronoun = anaphora.open_pronoun(" ".join(filter(None, (earlier, line, said))))
    if not pronoun:
        return ""
    if anaphora.open_pronoun(said):
        if not heard.may_mean:
            return ""
        return language.antecedents.sentence_with(heard.may_mean, heard.talk)
    before_it = heard.talk[:1]  # the companion's line takes up the message before it
    return anaphora.naming(pronoun, before_it, heard.known, but=heard.addressed)


def _quotable(said: str, told: str, labels: Sequence[str]) -> str:
    """The words from the first to the last sentence that tells something no label holds, as they
    stand in the message; "" when there is none."""
    words, sentences = language.words, language.sentences
    held = frozenset().union(*(words.stems(label) for label in labels))
    tells = sentences.split(told)
    repaired = not any(each in said for each in tells)  # "on Saturday. No wait, on Sunday."

    def is_left(sentence: str) -> bool:
        content = words.content(sentence)
        covered = sum(words.occurs(word, held) for word in content)
        tell = repaired or any(each in sentence or sentence in each for each in tells)
        return tell and bool(content) and covered < _COVERED * len(content)

    spans = sentences.spans(said)
    left = [(start, end) for start, end in spans if is_left(said[start:end])]
    while left and len(words.words(said[left[0][0] : left[-1][1]])) > _EXCERPT_WORDS:
        left.pop()
    return said[left[0][0] : left[-1][1]] if left else ""
