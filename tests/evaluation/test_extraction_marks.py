"""The counts of `eval extraction`, computed by hand."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.evaluation.extraction.gold import Child, read_children
from companion.evaluation.extraction.marks import Marks, judge, mark, missed, wrong_dates
from companion.records import Memory, MemoryStatus, Profile, Source
from tests.evaluation.children import ANA

NOW = datetime(2026, 10, 8, tzinfo=timezone.utc)


def memory(
    text: str,
    *,
    session: str = "ana-1",
    status: MemoryStatus = "active",
    date: str | None = None,
) -> Memory:
    source = Source(session, 1, text)
    return Memory(0, text, "fact", NOW, NOW, 1.0, 1.0, date, status=status, sources=(source,))


@pytest.fixture
def ana(tmp_path: Path) -> Child:
    (tmp_path / "ana.yaml").write_text(ANA)
    return read_children(tmp_path)[0]


def test_each_memory_is_right_harmless_wrong_or_a_traps(ana: Child) -> None:
    judged = judge(
        ana,
        [
            memory("The user has a cat named Momo."),
            memory("The user would like a dog."),
            memory("The user would like a dog.", session="ana-2"),
            memory("The user sings in the rain.", session="ana-2"),
            memory("The user sings in the rain."),
        ],
    )
    # Traps and what is harmless count for memories of their own session.
    assert [each.verdict for each in judged] == [
        "right",
        "suggestion",
        "wrong",
        "harmless",
        "wrong",
    ]
    assert judged[0].says == ("She has a cat.", "The cat is called Momo.")
    assert judged[1].says == ("She wants a dog.",)


def test_the_counts_of_a_mixed_result(ana: Child) -> None:
    judged = judge(
        ana,
        [
            memory("The user has a cat named Momo.", status="superseded"),
            memory("The user has a cat named Mimi.", session="ana-2"),
            memory("The user saw a fox.", date="2026-10-05"),
            memory("The user wants a dog."),
            memory("The user sings in the rain.", session="ana-2"),
            memory("The user owns a rocket."),
        ],
    )
    marks = mark(ana, judged, Profile(name="Ana", age=8))
    # Found: a cat, Momo (superseded, as it should be), the fox, Mimi. Not found: the aunt.
    assert (marks.facts, marks.found, marks.lost) == (5, 4, 0)
    assert (marks.memories, marks.right, marks.harmless, marks.wrong) == (6, 3, 1, 1)
    assert (marks.traps, marks.trapped) == (1, {"suggestion": 1})
    assert marks.dates == {"wrong": 1}
    assert marks.ended == {"superseded": 1}
    assert marks.core == {"right": 2, "wrong": 1}  # no gender was told, none is known
    assert marks.recall == 4 / 5
    assert marks.precision == 3 / 5
    assert missed(ana, judged) == ["Her aunt sings."]
    assert wrong_dates(ana, judged) == [
        {"what": "She saw a fox yesterday.", "wanted": "2026-10-04", "got": ["2026-10-05"]}
    ]


def test_what_a_correction_left_standing_is_stale(ana: Child) -> None:
    marks = mark(ana, judge(ana, [memory("The user's cat is called Momo.")]), Profile())
    assert marks.ended == {"stale": 1}
    assert marks.found == 2
    assert marks.core == {"missing": 2, "right": 1}


def test_a_true_fact_that_was_superseded_is_lost(ana: Child) -> None:
    judged = judge(ana, [memory("The user saw a fox.", status="superseded", date="2026-10-04")])
    marks = mark(ana, judged, Profile())
    assert (marks.found, marks.lost, marks.dates) == (0, 1, {})


@pytest.mark.parametrize(
    ("dates", "is_"),
    [
        (("2026-10-04",), "right"),
        ((None, "2026-10-04"), "right"),
        ((None,), "missing"),
        (("2026-10-03", None), "wrong"),
    ],
)
def test_the_best_date_of_a_facts_memories_counts(
    ana: Child, dates: tuple[str | None, ...], is_: str
) -> None:
    judged = judge(ana, [memory("The user saw a fox.", date=each) for each in dates])
    assert mark(ana, judged, Profile()).dates == {is_: 1}


def test_marks_add_up(ana: Child) -> None:
    total = Marks()
    for text in ("The user saw a fox.", "The user wants a dog."):
        total.add(mark(ana, judge(ana, [memory(text)]), Profile()))
    assert (total.facts, total.found, total.memories) == (10, 1, 2)
    assert total.trapped == {"suggestion": 1}
    assert total.precision == 1 / 2
    assert Marks().recall == Marks().precision == 0.0
    assert total.as_json()["trapped"] == dict(Counter(suggestion=1))
