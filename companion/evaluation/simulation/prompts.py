"""What the judge is asked (paper B.10 to B.13), in our own words.

Each function returns the two messages of one judgement. `talk` is the transcript of all sessions
with their days, `sheet` the characterisation.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engines.protocols import ChatMessage

Messages = tuple[ChatMessage, ...]

_JSON = "Answer with one JSON object and nothing else."


def naturalness(talk: str, toy: str) -> Messages:
    """Scale: how natural the companion sounds (B.10)."""
    return _judge(
        f"You judge how {toy}, a talking companion, speaks. Look at {toy}'s lines only. Look for "
        "lines that are stiff, repeat themselves, do not fit what was said before, ignore a "
        "question, or that no person would say. Then give a mark:\n"
        "1: most lines are unnatural\n2: many are\n3: some are, the talk holds together\n"
        "4: few are\n5: sounds like a warm, attentive person all the time\n"
        '"reasons": up to three lines that show it, quoted. "score": the mark.',
        f"The talk:\n{talk}",
    )


def personalization(talk: str, sheet: str, toy: str) -> Messages:
    """Scale: how well earlier sessions are used (B.10)."""
    return _judge(
        f"You judge how well {toy}, a talking companion, uses what the person told on EARLIER "
        f"days. What was told in the same session does not count. Look for times at which {toy} "
        "brings up something of an earlier session where it fits, and for times at which it "
        "forgot it, asked again, or got it wrong. Then give a mark:\n"
        "1: nothing of earlier days is ever used, or it is wrong\n2: hardly anything\n"
        "3: now and then\n4: often, with few slips\n5: always where it fits, and right\n"
        '"reasons": up to three such moments. "score": the mark.',
        f"Who the person is:\n{sheet}\n\nThe talk:\n{talk}",
    )


def answer(talk: str, question: str, expected: str, given: str, toy: str) -> Messages:
    """One verdict: is an answer right (B.11.2)."""
    return _judge(
        f"The person asks {toy}, a talking companion, about earlier days. Does the ANSWER give "
        "what is asked, and does it agree with the talk?\n"
        '"yes": right, also in other words\n"partly": a part is right, or it is right but vague\n'
        '"no": wrong, beside the point, or not known\n'
        'Give {"1": verdict}.',
        f"The talk of earlier days:\n{talk}\n\nQUESTION: {question}\n"
        f"What should be known: {expected}\nANSWER of {toy}: {given}",
    )


def hits(old: str, new: str, topic: str, toy: str) -> Messages:
    """Counts: what of an old session is used in a new one (B.12.3)."""
    return _judge(
        f"A person and {toy}, a talking companion, talk about {topic} for the second time. "
        f"Compare the new talk with the old one and look at {toy}'s lines of the NEW talk.\n"
        f'"used": each time {toy} brings up something the person told in the old talk that the '
        "person has not said in the new one, one entry each, the same thing again counts again\n"
        f'"forgotten": each time {toy} asks for something told in the old talk, denies it, or '
        "gets it wrong, one entry each\nEmpty lists where there is nothing.",
        f"OLD talk:\n{old}\n\nNEW talk:\n{new}",
    )


def correctness(talk: str, sheet: str, statements: Sequence[str]) -> Messages:
    """Verdicts: is what was remembered true (B.13.1, section 5.6)."""
    return _judge(
        "A companion noted statements about a person. Say of each whether it is true of this "
        "person, by what was said in the talk and by who the person is.\n"
        '"yes": said or plainly true\n"partly": a part of it is, or it is inexact\n'
        '"no": it contradicts them, or nothing speaks for it\n'
        "Give a verdict for each number.",
        f"Who the person is:\n{sheet}\n\nThe talk:\n{talk}\n\nStatements:\n{_listed(statements)}",
    )


def coverage(known: str, items: Sequence[str]) -> Messages:
    """Verdicts: which information of the characterisation is among what is known (B.13.3)."""
    return _judge(
        "A person is described by a list of pieces of information, in the person's own words. A "
        "companion has noted what it KNOWS of the person. Say of each piece whether the notes "
        'hold it.\n"yes": its core is there, also in other words\n'
        '"partly": a part of it, or something close to it\n"no": nothing of it\n'
        "Give a verdict for each number.",
        f"What the companion KNOWS:\n{known or '(nothing)'}\n\n"
        f"Pieces of information:\n{_listed(items)}",
    )


def present(talk: str, items: Sequence[str]) -> Messages:
    """Verdicts: which information of the characterisation was said at all (B.13.4)."""
    return _judge(
        "A person is described by a list of pieces of information, in the person's own words. Say "
        'of each whether the person told it in the TALK.\n"yes": told\n'
        '"partly": it came up, but not all that matters\n"no": it did not come up\n'
        "Give a verdict for each number.",
        f"TALK:\n{talk}\n\nPieces of information:\n{_listed(items)}",
    )


def questions(kind: str, lines: str, number: int) -> Messages:
    """Questions of one type about numbered lines (B.11.1, and the types that the paper omits)."""
    what = {
        "specific": "Each asks for one detail that the person told, as in: What colour is my bike?",
        "inferred": "Each asks for advice or a guess that nobody stated, but that follows from "
        "what the person told, as in: Which book would I like? Do not name the facts it rests on.",
        "multi-hop": "Each can only be answered by joining two things told in different lines, "
        "as in: What does the aunt who gave me the dog do for work? Name neither of the two "
        "in full. Give both lines.",
        "aggregation": "Each asks to collect or count things told in several lines, as in: Which "
        "sports do I do? Give all lines that count.",
    }[kind]
    return _judge(
        "You write questions that the person will ask a companion on a later day, to see what it "
        "remembers. They are about what the PERSON told, spoken by the person (I, my), short, "
        f"and say nothing of the answer. {what}\n"
        f'"questions": {number} of them, each with "question", "answer" (a few words, from the '
        'talk) and "lines" (the numbers of the person\'s lines that it rests on).',
        f"The talk, line by line:\n{lines}",
    )


def _judge(task: str, material: str) -> Messages:
    return (ChatMessage("system", f"{task}\n{_JSON}"), ChatMessage("user", material))


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))
