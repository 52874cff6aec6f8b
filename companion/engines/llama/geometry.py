"""The shape of a language model, as far as its memory depends on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Geometry:
    """What decides how much memory a language model takes beside its weights."""

    layers: int
    heads: int
    heads_kv: int
    head: int
    """Width of a head; of all of them together it may be another than the embedding's."""

    width: int
    """Of the embedding."""

    feed_forward: int
    vocabulary: int
