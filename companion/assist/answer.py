"""What the model is asked: the missing word. Where nobody asked, the words before it and "what?".

The beginning of the prompt is read once and kept. Examples in our own words, of people nobody has;
the last of them ask what is missing, which no request does any more: what is measured was measured
with them.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.assist.finding import Found
from companion.engines.protocols import ChatMessage, LanguageModel, Options, is_tuned

UNKNOWN = "unknown"
NOTHING = "nothing"

MOST_TOKENS = 24

SYSTEM = (
    "You whisper one missing word to somebody who is talking with another person. Read the notes "
    "of earlier days, what was just said, and the question. Answer with the missing word or words "
    "alone: no sentence, nothing that was just said, nothing that was not asked. The answer has to "
    "stand in a note about exactly the person and the thing that is asked for. Notes of later days "
    "put right those before. If no note says it, answer: unknown"
)

ANSWER_GRAMMAR = 'root ::= "unknown" | [^\\n ] [^\\n]{0,95}'
"""Its first choice is to say nothing."""


def asked(notes: str, context: str, question: str) -> str:
    """The message with which an answer is asked for."""
    lines = ["Notes:", notes]
    if context:
        lines.append(f'Just said: "{context}"')
    return "\n".join([*lines, f"Question: {question}"])


def need(context: str) -> str:
    """The message with which the model is asked what is missing."""
    return f'Just said: "{context}"\nWhich question has the missing word for its answer?'


_EXAMPLES = (
    (
        asked(
            "- 2 March 2020: Tilda has a tortoise called Hector and two ducks.\n"
            "- 5 March 2020: Rufus said his parrot Hector bites.",
            "Tilda told me about her tortoise, the one called",
            "What is her tortoise called?",
        ),
        "Hector",
    ),
    (
        asked(
            "- 3 March 2020: For the soup we need leeks, two potatoes, cream and a bay leaf.\n"
            "- 9 March 2020: Bought stamps and string.",
            "for the soup I want leeks, cream and",
            "For the soup I want leeks, cream and what else?",
        ),
        "two potatoes, a bay leaf",
    ),
    (
        asked(
            "- 1 March 2020: Anselm's boat is called the Sprat.\n"
            "- 4 March 2020: Anselm sold his car, it was too old.",
            "Anselm came in his new",
            "What colour is Anselm's boat?",
        ),
        UNKNOWN,
    ),
    (
        asked(
            "- 2 March 2020: The choir meets on Mondays at seven in the old mill.\n"
            "- 11 March 2020: They moved the choir to Thursdays.",
            "",
            "On which day is choir?",
        ),
        "Thursdays",
    ),
    (
        asked(
            "- 6 March 2020: My sister Odile is a glazier in Ghent.\n"
            "- 7 March 2020: Odile from the bakery has a baby.",
            "I wanted to ask how the baby of",
            "Whose husband is a judge?",
        ),
        UNKNOWN,
    ),
    (
        asked(
            "- 8 March 2020: I put the passports in the blue tin behind the flour.",
            "We will need the passports, they are in the",
            "They are in the what place?",
        ),
        "blue tin behind the flour",
    ),
    (
        asked(
            "- Sunday 8 March 2020: Ivo rang. He lands tomorrow at noon.",
            "so Ivo lands on",
            "When does Ivo land?",
        ),
        "Monday at noon",
    ),
    (need("and I met his sister, the one who is a"), "What is his sister's job?"),
    (need("and then it was so late that I just"), NOTHING),
    (need("Rufus can't come, he is allergic to"), "What is Rufus allergic to?"),
    (need("I said that I would think about the"), NOTHING),
)


def head(model: LanguageModel) -> tuple[ChatMessage, ...]:
    """The beginning of every prompt. A model that was trained on it needs no examples."""
    turns = (
        message
        for said, answer in (() if is_tuned(model) else _EXAMPLES)
        for message in (ChatMessage("user", said), ChatMessage("assistant", answer))
    )
    return ChatMessage("system", SYSTEM), *turns


def notes(found: Sequence[Found]) -> str:
    """Pieces as lines, each with its day, in the order given."""
    return "\n".join(f"- {dated(each)}" for each in found)


def dated(piece: Found) -> str:
    """A piece with its day."""
    return f"{piece.time:%A} {piece.time.day} {piece.time:%B %Y}: {piece.text}"


def answering(deadline_s: float) -> Options:
    return Options(
        max_tokens=MOST_TOKENS, grammar=ANSWER_GRAMMAR, stop=("\n",), deadline_s=deadline_s
    )
