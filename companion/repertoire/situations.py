"""Which situation a message is of (embarrassed, found a snail, on its way to swimming), and what is
said to it.

A situation is a YAML file in `situations/`: messages of strangers' hands (`says`), messages that
sound alike and are of another (`near`), and replies that fit every message of it. Which one a
message is of is told by a kernel ridge regression over its vector, its n-grams and what it does
(`companion.acts`), which `scripts/fit_situations.py` fits. Nothing of the message is said back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from companion import language
from companion.answering import Heard, Reading
from companion.repertoire import listening
from companion.repertoire.by_act import REMEMBERS
from companion.repertoire.limits import about_past, goes_on
from companion.repertoire.packs import Entry
from companion.safety.char_ngrams import hashed_ngrams

SHIPPED = Path(__file__).with_name("situations")

FILE = SHIPPED / "weights.npz"

NONE = "none"
"""The situation of every other message."""

SURE = 0.85
"""Least certainty of an answer."""

RATHER = 0.7
"""The same where otherwise it would only be listened to, or left to the model."""

MOST_WORDS = 40
"""A longer message tells more than one thing."""

NARROWNESS, WORDS, ACTS = 2.0, 2.0, 0.4
"""How fast nearness falls with distance; how much shared n-grams and acts weigh beside it."""

HARMLESS = listening.HARMLESS
"""Danger, as the guard's classifier sees it, from which what troubles a child is met by replies
that name a grown-up."""

MOST_DANGER = 0.2
"""Danger from which nothing is said by situation. Of the hints and plain sentences of four
strangers (docs/repertoire.md) none that is surely of a situation has less."""

GROWN_UP = "grown-up"

PLAYS = 0.3
"""Probability of play from which nothing is meant as it is said."""

PLAY = ("play_roles", "being_character", "go_on_please")

TROUBLE = (
    *("bad_day", "betrayed", "embarrassed", "friend_quarrel", "left_out", "lost_or_broke"),
    *("missing_someone", "moving_away", "nervous_before", "night_fear", "parents_apart"),
    *("pet_gone_or_ill", "sibling_trouble", "small_hurt", "teased", "told_off"),
)
"""Situations that trouble a child."""

MORE = ("go_on_please", "toy_was_wrong")
"""Situations that there are only after the companion has said something."""

Floats = NDArray[np.float32]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def shipped(folder: Path = SHIPPED) -> dict[str, Entry]:
    """What is said, by situation. Raises OSError, yaml.YAMLError, KeyError."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        with path.open(encoding="utf-8") as file:
            tree = yaml.load(file, _LOADER)
        found[path.stem] = Entry(f"situation/{path.stem}", (), (), tuple(tree["replies"]))
    return found


@dataclass(frozen=True)
class Classifier:
    """n: messages that it knows; s: situations, the last of them NONE; d: dimension of the
    embedder; k: axes that are kept of it; a: acts."""

    situations: tuple[str, ...]
    axes: Floats
    """Shape (d, k)."""

    known: Floats
    """Shape (n, k), unit rows."""

    by_vector: Floats
    """Shape (n, s)."""

    by_words: Floats
    """Shape (buckets of `hashed_ngrams`, s)."""

    acts: tuple[str, ...]
    by_act: Floats
    """Shape (a, s)."""

    bias: Floats
    """Shape (s,)."""

    temperature: float
    """Scores are divided by it."""

    def probabilities(self, said: str, vector: Floats, reading: Reading) -> Floats:
        """Of all situations, shape (s,), NONE the last. said: in the spelling of `wording`; vector:
        of `said`, shape (d,); reading: what the message does."""
        near = np.exp(NARROWNESS * (self.known @ projected(vector[None], self.axes)[0] - 1))
        scores = near @ self.by_vector + hashed_ngrams([said])[0] @ self.by_words
        scores = scores + roots(reading, self.acts) @ self.by_act + self.bias
        powers = np.exp((scores - scores.max()) / self.temperature)
        return np.asarray(powers / powers.sum(), np.float32)

    def likeliest(self, likely: Floats) -> tuple[str, float]:
        """The likeliest situation but NONE, and its probability. likely: see `probabilities`."""
        best = int(likely[:-1].argmax())
        return self.situations[best], float(likely[best])

    def of(self, names: Collection[str], likely: Floats) -> float:
        """The probability of any of these."""
        chosen = [at for at, name in enumerate(self.situations) if name in names]
        return float(likely[chosen].sum())

    def write(self, path: Path = FILE) -> None:
        """One byte a number of what is known, two of the rest. Raises OSError."""
        half = {
            name: getattr(self, name).astype(np.float16)
            for name in ("axes", "by_vector", "by_words", "by_act")
        }
        np.savez_compressed(
            path,
            situations=np.array(self.situations),
            acts=np.array(self.acts),
            known=bytes_of(self.known),
            bias=self.bias,
            temperature=np.float32(self.temperature),
            **half,
        )


def read(path: Path = FILE) -> Classifier:
    """The weights of a file, by default those that are shipped. Raises OSError, ValueError."""
    with np.load(path, allow_pickle=False) as file:
        known = file["known"].astype(np.float32)
        return Classifier(
            tuple(str(each) for each in file["situations"]),
            file["axes"].astype(np.float32),
            known / np.linalg.norm(known, axis=1, keepdims=True),
            file["by_vector"].astype(np.float32),
            file["by_words"].astype(np.float32),
            tuple(str(each) for each in file["acts"]),
            file["by_act"].astype(np.float32),
            file["bias"].astype(np.float32),
            float(file["temperature"]),
        )


def projected(vectors: Floats, axes: Floats) -> Floats:
    """Shape (m, k), unit rows. vectors: shape (m, d); axes: shape (d, k)."""
    found = vectors @ axes
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True).clip(min=1e-9))


def bytes_of(rows: Floats) -> NDArray[np.int8]:
    """One byte a number; the length of a row is lost."""
    scaled = np.rint(rows / np.abs(rows).max(axis=1, keepdims=True) * 127)
    return np.asarray(scaled, dtype=np.int8)


def roots(reading: Reading, acts: tuple[str, ...]) -> Floats:
    """The square root of each act's probability, shape (len(acts),)."""
    return np.sqrt(np.array([reading.of(act) for act in acts], dtype=np.float32))


@dataclass(frozen=True)
class Situations:
    """What is written for situations, and which a message is of."""

    classifier: Classifier
    written: Mapping[str, Entry]

    def place(self, heard: Heard, said: str, vector: Floats) -> Placed:
        """A message among the situations. said: the words in the spelling of `wording`; vector: of
        `said`, shape (d,)."""
        likely = self.classifier.probabilities(said, vector, heard.reading)
        return Placed(self, heard, said, likely)


@dataclass(frozen=True)
class Placed:
    """A message, and how likely it is of each situation."""

    situations: Situations
    heard: Heard
    said: str
    likely: Floats
    """See `Classifier.probabilities`."""

    def entry(self, danger: float, least: float = SURE) -> Entry | None:
        """The replies that fit; None: somebody else answers. danger: what the guard's classifier
        sees of the message; least: certainty that is needed."""
        if not self.heard.reading.act or danger > MOST_DANGER:
            return None
        name, certainty = self.situations.classifier.likeliest(self.likely)
        if certainty < least or not may_answer(name, self.heard, self.said):
            return None
        if certainty < SURE and name in PLAY:
            return None
        entry = self.situations.written[name]
        if danger <= HARMLESS or name not in TROUBLE:
            return entry
        named = tuple(each for each in entry.replies if GROWN_UP in each.lower())
        return replace(entry, replies=named) if named else None

    def trouble(self) -> float:
        """How likely something troubles the child, whatever it is."""
        return self.situations.classifier.of(TROUBLE, self.likely)


def open_shipped() -> Situations:
    """Raises OSError, ValueError, yaml.YAMLError, KeyError."""
    return Situations(read(), shipped())


def may_answer(name: str, heard: Heard, said: str) -> bool:
    """Whether a message of this situation may be answered by what is written for it. said: the
    words in the spelling of `wording`."""
    if len(said.split()) > MOST_WORDS:
        return False
    if heard.reading.of("about_memory") >= REMEMBERS and about_past(heard.words):
        return False
    if name not in TROUBLE and language.saying_back.is_grave(heard.words):
        return False
    if name in MORE:
        return bool(heard.previous)
    if goes_on(heard, said):
        return False
    if language.variants.of("toy", heard.previous) in ("plays", "knocked", "gives_up"):
        return False
    if name == "own_joke":  # to a knock and to a question there is an answer of their own
        return language.variants.of("tells_joke", heard.words) == "done"
    return name in PLAY or heard.reading.of("pretend", "game_move") < PLAYS
