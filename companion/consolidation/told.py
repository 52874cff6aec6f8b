"""What a parent has told stands, whatever the child says later: no night may overrule it.

Where newer words say otherwise, or say again what a parent has put right, they become no memory but
a question for the parent (`companion.store.questions`). Code alone decides it: in doubt a parent is
asked, not the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.records import Memory
from companion.store import corrections, memories
from companion.store.intermediate import Draft


def contradicted(
    c: apsw.Connection, draft: Draft, vector: NDArray[np.float32], embedder: str
) -> int | None:
    """The memory told by a parent of which a draft says otherwise; None where there is none."""
    told: dict[int, list[int]] = {}
    for each in corrections.all_corrections(c):
        told.setdefault(each.memory, [])
    for old, new in corrections.replaced(c).items():
        told.setdefault(new, []).append(old)
    held = memories.get_all(c, {*told, *(id for ids in told.values() for id in ids)})
    near = memories.similarity(c, held, vector, embedder=embedder)
    for id, replaced in told.items():
        memory = held.get(id)
        if memory is None or memory.status == "superseded":
            continue
        before = [held[old] for old in replaced if old in held]
        cosine = max((near.get(each.id, 0.0) for each in (memory, *before)), default=0.0)
        if cosine < language.similarity.RELATED_COSINE or _other_day(memory, draft):
            continue
        if _agrees(memory, before, draft):
            continue
        if any(_says_again(each, memory, draft, near.get(each.id, 0.0)) for each in before) or any(
            _says_otherwise(text, draft) for each in (memory, *before) for text in _texts(each)
        ):
            return id
    return None


def asks_parent(c: apsw.Connection, ids: Iterable[int], *, agrees: bool) -> int | None:
    """The memory told by a parent that would be overruled if a draft took the place of these
    memories; None where there is none. agrees: it says the same as the first of them."""
    for id in ids:
        told = corrections.told_in_place_of(c, id)
        if told is not None and not (agrees and told == id):
            return told
    return None


def _texts(memory: Memory) -> list[str]:
    """What a memory says, as written and as said. A parent's has no words of its own."""
    quotes = [] if memory.told_by_parent else [each.quote for each in memory.sources]
    framed = language.excerpt.is_framed(memory.text)
    return list(dict.fromkeys(quotes if framed else [memory.text, *quotes]))


def _now(draft: Draft) -> list[str]:
    framed = language.excerpt.is_framed(draft.text)
    return [draft.source.quote] if framed else [draft.text, draft.source.quote]


def _agrees(told: Memory, before: Sequence[Memory], draft: Draft) -> bool:
    similarity = language.similarity
    return any(
        similarity.same(told.text, now, 0.0)
        or similarity.covers(now, told.text)
        or similarity.covers(told.text, now)
        or any(similarity.takes_over(old.text, told.text, now) for old in before)
        for now in _now(draft)
    )


def _other_day(told: Memory, draft: Draft) -> bool:
    return bool(told.event_time and draft.event_time and told.event_time != draft.event_time)


def _says_again(before: Memory, told: Memory, draft: Draft, cosine: float) -> bool:
    similarity = language.similarity
    return any(
        similarity.same(text, now, cosine) or similarity.brings_back(text, told.text, now)
        for text in _texts(before)
        for now in _now(draft)
    )


def _says_otherwise(text: str, draft: Draft) -> bool:
    similarity = language.similarity
    return any(
        similarity.same_but_for_names(text, now)
        or similarity.same_but_for_numbers(text, now)
        or similarity.same_but_denied(text, now)
        for now in _now(draft)
    )
