"""Fixed sentences for when the model may not answer, or cannot."""

from __future__ import annotations

from companion.records import CoreItem

LOST_THREAD = "Sorry, I lost my thread. Can you say that again?"
"""Said when the model fails: calm, and true."""

NO_WORDS = "Hmm, I am not sure what to say. Can you tell me more?"
"""Said when the model's answer held nothing that can be spoken."""

FORGOTTEN = "Okay, I have forgotten it."
"""Said when the person asked to forget what they said, once it is erased."""

ASK_A_GROWN_UP = "Please ask a grown-up before you eat or drink that."


def you_told_me(said: str) -> str:
    """said: a sentence in the second person, without its full stop."""
    return f"You told me: {said[:1].lower()}{said[1:]}."


def question(item: CoreItem, age: int | None) -> str:
    """The question for a core item, used when the model did not ask it."""
    if item == "name":
        return "What is your name?"
    if item == "age":
        return "How old are you?"
    return "Are you a man or a woman?" if age and age >= 18 else "Are you a boy or a girl?"
