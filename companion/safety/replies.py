"""The fixed replies. Every word of them was written and read by people; none is generated.

Rules for changing one: at most two short sentences, calm, no blame, no secrecy, no promise, no
question that keeps a child talking about it; where somebody may be in danger, it sends the child
to a grown-up now.
"""

from __future__ import annotations

from companion.safety.verdict import Side, Topic, Verdict

TO_CHILD: dict[Topic, tuple[str, ...]] = {
    "self-harm": (
        "I am glad you told me, and it is not your fault that you feel this way.",
        "Please go to a grown-up you trust right now and tell them the same words; if you are in "
        "danger, call the emergency number together.",
    ),
    "abuse": (
        "I am glad you told me, and it is not your fault.",
        "Please tell a grown-up you trust now, like a teacher, a doctor or somebody in your "
        "family who makes you feel safe; if you are in danger, call the emergency number.",
    ),
    "emergency": (
        "This may be an emergency: call out for a grown-up right now, and call the emergency "
        "number together.",
        "If no grown-up is near, call it yourself and say where you are.",
    ),
    "strangers": (
        "You have done nothing wrong, and you do not have to keep this secret.",
        "Please do not go, send or answer anything, and tell a grown-up you trust now.",
    ),
    "sexual": (
        "That is something I do not talk about.",
        "It is fine to wonder, so ask a grown-up you trust.",
    ),
    "weapons": (
        "I do not help with weapons or with hurting anybody.",
        "If there is a real weapon near you, or you are very angry or afraid, do not touch "
        "anything and go to a grown-up you trust now.",
    ),
    "drugs": (
        "That can make you very ill, so I do not help with it.",
        "If somebody offered it to you, or you took some, tell a grown-up you trust now; you are "
        "not in trouble with me.",
    ),
    "dares": (
        "Please do not do that, because it can hurt you badly, and saying no is brave.",
        "Tell a grown-up you trust about it now, and we can think of something safe to play.",
    ),
    "personal": (
        "That is private, so it is best not to say it to toys, games or people you do not know.",
        "I do not need it, and I will never bring it up.",
    ),
    "unsure": (
        "I am not sure about that one.",
        "It is something to ask a grown-up you trust.",
    ),
}

IN_PLACE_OF_MODEL: dict[Topic, tuple[str, ...]] = {
    "strangers": ("I do not keep secrets from the grown-ups who take care of you.",),
    "personal": ("You can keep that to yourself.",),
    "goodbye": ("Goodbye for now, it was nice to talk with you.",),
    "machine": ("I am a toy with a small computer inside, not a person.",),
    "unkind": ("Let me say that again more kindly: I like talking with you.",),
}

GENTLE = ("That is something to ask a grown-up you trust.", "Let us talk about something else.")
"""In place of any other sentence of the model."""

BREAK = "We have talked for a good while now, so how about a little break?"


def stop(topic: Topic, side: Side, layer: str) -> Verdict:
    """The verdict that stops words about `topic`."""
    if side == "in":
        reply = TO_CHILD.get(topic, TO_CHILD["unsure"])
    else:
        reply = IN_PLACE_OF_MODEL.get(topic, GENTLE)
    return Verdict("reply", topic, reply, layer)
