"""What rules read in the pieces, and whether it or the model's word is said."""

from __future__ import annotations

from datetime import timedelta

import pytest

from companion import language
from companion.assist.choosing import by_rules, with_model
from companion.assist.finding import Found
from companion.assist.reading import Candidate, fits
from tests.assist.conftest import START, MakeTalk


@pytest.mark.parametrize(
    ("text", "kind", "things"),
    [
        ("Monday the 15th, quarter past two, Dr. Wirth.", "hour", ["quarter past two"]),
        ("Monday the 15th, quarter past two, Dr. Wirth.", "day", ["Monday the 15th"]),
        ("Monday the 15th, quarter past two, Dr. Wirth.", "name", ["Dr. Wirth"]),
        ("It is not on the 20th, they moved it to the 22nd.", "day", ["the 22nd"]),
        ("It weighs a hundred and eighty kilos.", "number", ["a hundred and eighty kilos"]),
        ("We came from Galway.", "name", ["Galway"]),
        ("It rained.", "name", []),
    ],
)
def test_things_of_a_kind(text: str, kind: str, things: list[str]) -> None:
    found = [text[e.start : e.end] for e in language.sought.spans(text) if e.kind == kind]
    assert found == things


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What time is it?", ("hour",)),
        ("When is my appointment?", ("day", "hour")),
        ("How wide?", ("number",)),
        ("Her name?", ("name",)),
        ("Which wood?", ("thing",)),
    ],
)
def test_what_is_asked_for(question: str, kinds: tuple[str, ...]) -> None:
    assert language.sought.asked(question) == kinds


@pytest.mark.parametrize(
    ("answer", "question", "counts"),
    [
        ("two hours", "How old is he?", False),
        ("two hours", "How many years has he got?", False),
        ("nine years", "How old is he?", True),
        ("nine", "How old is he?", True),
        ("twenty years", "What's his number?", False),
        ("31", "What's his number?", True),
        ("six weeks", "How much did I pay?", False),
        ("48,000 yen", "How much did I pay?", True),
        ("six weeks", "How many eggs?", False),
        ("six weeks", "How wide?", False),
        ("six weeks", "For how long?", True),
    ],
)
def test_a_number_counts_what_is_asked_for(answer: str, question: str, counts: bool) -> None:
    assert language.sought.counts(answer, question) is counts


async def test_a_meant_day_gives_way_to_a_newer_one(talk: MakeTalk) -> None:
    told = talk(["Thursday 8 October 2026"])
    await told.block("The clinic will do your eye tomorrow. Bring the eye drops.", 0)
    await told.block("The clinic does the eye on Tuesday the twentieth, not tomorrow.", 1)
    found = await told.ask("Which day is it?", "When does the clinic do your eye?")
    assert found.answer == "Tuesday the twentieth"


@pytest.mark.parametrize(
    ("later", "said"),
    [
        ("Mr Brekke says the Troll March is too fast, now I play Morning Mood instead.", ""),
        ("Says Mr Brekke: the Troll March is off.", ""),
        ("Mr Brekke likes the Troll March.", "Troll March"),
        ("It rained at the concert.", "Troll March"),
    ],
)
async def test_what_a_later_day_denies_is_not_said(talk: MakeTalk, later: str, said: str) -> None:
    told = talk(["Troll March"])
    await told.block("At the concert I play the Troll March on my cello, says Mr Brekke.")
    await told.block(later, 1)
    found = await told.ask("What do I play on the cello?", "We all come to the concert.", blocks=1)
    assert found.answer == said


@pytest.mark.parametrize(
    ("later", "said"),
    [("the red ones don't work in my hand", ""), ("the wellies are red now", "red")],
)
def test_a_newer_value_of_another_matter_takes_no_ones_place(later: str, said: str) -> None:
    first = Found(("", 1), "New wellies! The wellies are pink.", START)
    other = Found(("", 2), later, START + timedelta(days=1))
    ranked = [
        Candidate(
            "red", "colour", later.find("red"), other, 0.9, of_kind=True, bound=True, newer=True
        ),
        Candidate("pink", "colour", 30, first, 0.7, of_kind=True, bound=True, outdated=True),
    ]
    context, question = "Look at my wellies!", "What colour are the wellies?"
    found = with_model("pink", ranked, [first, other], context, question, 40, ("colour",))
    assert found.answer == said


@pytest.mark.parametrize(
    ("told_of", "said"),
    [
        ("The science fair is tomorrow.", "Thursday 8 October"),
        ("The science fair is next week.", ""),
        ("The science fair is on Friday.", "Friday"),
    ],
)
async def test_tomorrow_is_said_by_its_date(talk: MakeTalk, told_of: str, said: str) -> None:
    told = talk([told_of.removeprefix("The science fair is ").strip(".")])
    await told.block(told_of)
    found = await told.ask("When is the science fair?", "My board for the science fair is empty.")
    assert found.answer == said


async def test_one_surname_is_read_and_of_two_none(talk: MakeTalk) -> None:
    told = talk(["unknown"])
    await told.block("Phone Prisha Naidoo, she plays the piano.")
    found = await told.ask("Prisha who?")
    assert (found.answer, found.by) == ("Naidoo", "cloze")
    await told.block("Prisha Reddy has a boat.", 1)
    assert (await told.ask("Prisha who?")).unknown


def test_one_answer_may_say_more_than_another() -> None:
    assert fits("Nico Albers", "Albers")
    assert not fits("Nico Albers", "Nico Ferri")
    assert not fits("ten o'clock", "half past twelve")


async def test_an_older_value_gives_way_to_a_newer(talk: MakeTalk) -> None:
    told = talk(["ten o'clock"])
    await told.block("On Saturday we take the ferry to the island at ten o'clock.", 0)
    await told.block(
        "The ten o'clock ferry to the island is full. On Saturday we go at half past twelve.", 1
    )
    found = await told.ask("When does the ferry go?", "We go to the island on Saturday.")
    assert "half past twelve" in found.answer
    assert "ten" not in found.answer


async def test_a_day_is_no_place(talk: MakeTalk) -> None:
    told = talk(["the roof"])
    await told.block("Kenji does the roof. Kenji is back on Wednesday.")
    assert (
        "roof" not in (await told.ask(None, "For two days nobody sweeps, Kenji is back on")).answer
    )


async def test_what_is_said_of_another_is_not_said_of_whom_is_asked(talk: MakeTalk) -> None:
    told = talk(["seventeen years"])
    await told.block("Kenji Ono does the roof. Kenji Sato is the apprentice, seventeen years.")
    found = await told.ask("How old is Ono?", "Kenji, the roofer, has worked a long time.")
    assert found.unknown


async def test_a_piece_that_speaks_of_what_was_just_said_bears_an_answer_out(
    talk: MakeTalk,
) -> None:
    told = talk(["Mill Lane 18"])
    await told.block("You carry boxes for Granny. Her new flat is Mill Lane 18.")
    context = "I want to send flowers to Granny's new flat."
    assert (await told.ask("What's the address?", context)).answer == "Mill Lane 18"


@pytest.mark.parametrize(
    ("score", "second", "said"), [(1.3, 0.9, "Plum"), (1.3, 1.25, ""), (0.8, 0.2, "")]
)
def test_without_a_model_what_nothing_comes_near_is_said(
    score: float, second: float, said: str
) -> None:
    piece = Found(("", 1), "Wanda's grey cat is called Plum, not far from Hull.", START)
    ranked = [
        Candidate("Plum", "name", 27, piece, score, of_kind=True, bound=True),
        Candidate("Hull", "name", 45, piece, second, of_kind=True, bound=True),
    ]
    question = "What is the name of Wanda's grey cat?"
    assert by_rules(ranked, [piece], "", question, 40).answer == said
    assert by_rules(ranked, [], "", question, 40).answer == ""
