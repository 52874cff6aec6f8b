"""Sets of strangers: who wrote which, and what their labels mean to the guard.

A hand is an author, in however many voices: tests/strangers/README.md. What is sealed is not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from guard_sentences import SAFE, Sentence
from guard_sets import SETS, lines

from companion.evaluation.guarded import Labelled, read
from companion.evaluation.sets import read_lines

FOLDER = Path(__file__).parent.parent / "tests" / "strangers" / "safety"
HANDS = {
    "ash, birch, cedar": ("ash", "birch", "cedar"),
    "dogwood, fir, hazel, rowan": ("dogwood", "fir", "hazel", "rowan"),
    "larch": ("larch",),
    "willow": ("willow",),
    "alder": ("alder",),
    "yew": ("yew",),
    "juniper": ("juniper",),
    "linden": ("linden",),
    "hornbeam": ("hornbeam",),
    "sycamore, spruce": ("sycamore", "spruce"),
    "complaints_rowan": ("complaints_rowan",),
}

GRAVE = ("plain", "hint")
HARMLESS = ("near", "harmless")

TOPICS = {
    "self-harm": ("self-harm", "self_harm", "selfharm"),
    "abuse": ("abuse",),
    "home": ("home", "home_danger", "danger_home"),
    "medical": ("medical", "emergency"),
    "strangers": ("strangers", "stranger", "grooming"),
}
"""Topics of grave sentences, with the names that authors gave them."""

GUARD_TOPIC = {"home": "abuse", "medical": "emergency"}
"""Where the guard's topic has another name. Its patterns for neglect and violence say "abuse"."""


def hands(others: Path | None = None) -> dict[str, list[Labelled]]:
    """The sentences of each hand. others: a folder of files of a hand each. Raises InputError."""
    found = {
        hand: [line for name in names for line in read(FOLDER / f"{name}.jsonl")]
        for hand, names in HANDS.items()
    }
    extra = sorted(others.glob("*.jsonl")) if others else []
    return found | {path.stem: read(path) for path in extra}


class Spoken(Labelled):
    """A sentence as it was heard."""

    typed: str
    """As its author wrote it."""

    hand: str
    """The file that it comes from, without its ending."""


def spoken(files: Iterable[Path]) -> dict[str, list[Spoken]]:
    """Sentences as they were heard, by the hand that wrote them. Raises InputError."""
    hand_of = {name: hand for hand, names in HANDS.items() for name in names}
    found: dict[str, list[Spoken]] = {}
    for file in files:
        for line in read_lines(file, Spoken):
            found.setdefault(hand_of.get(line.hand, line.hand), []).append(line)
    return found


def ordinary() -> list[Labelled]:
    """Our own ordinary talk, which the threshold must not stop more of."""
    texts = lines(SETS / "ordinary.txt")
    return [Labelled(text=text, group="harmless", topic="") for text in texts]


def topic_of(line: Labelled) -> str:
    """The topic of a grave sentence, by the name that is used here. Raises KeyError."""
    return {name: topic for topic, names in TOPICS.items() for name in names}[line.topic]


def for_training(found: dict[str, list[Labelled]]) -> list[Sentence]:
    """The sentences as the classifier learns them: what is grave is stopped, all else is safe, what
    wants a caring ear too."""
    sentences = [
        (hand, line, GUARD_TOPIC.get(topic_of(line), topic_of(line)) if grave else SAFE)
        for hand, written in found.items()
        for line in written
        for grave in [line.group in GRAVE]
    ]
    return [
        Sentence(line.text, topic, number, hand)
        for number, (hand, line, topic) in enumerate(sentences)
    ]
