"""The rest of a list of which parts were told on two days."""

from __future__ import annotations

import pytest

from tests.assist.conftest import MakeTalk


async def test_parts_of_two_days_are_joined_and_no_model_is_asked(talk: MakeTalk) -> None:
    told = talk(["nonsense"])
    await told.block(
        "Programme for June, as far as it goes: Danny Boy, Shenandoah and Greensleeves."
    )
    await told.block("To the programme we add Amazing Grace and Auld Lang Syne.", 1)
    await told.block("Bisi rang, she has a boat, two oars and a lame fox.", 2)
    context = "For the flyer I have Danny Boy, Greensleeves and Auld Lang Syne."
    found = await told.ask("What's missing?", context)
    assert (found.answer, found.by) == ("Shenandoah, Amazing Grace", "cloze")
    assert found.sources == ({"block": 1}, {"block": 2})
    assert told.model.calls == []


async def test_where_all_of_one_part_was_said_another_goes_on(talk: MakeTalk) -> None:
    told = talk(["nonsense"])
    await told.block(
        "For my gingerbread you want flour, honey and eggs. More when I find the book."
    )
    await told.block("What I forgot of the gingerbread is candied lemon and a pinch of cloves.", 1)
    await told.block("Wanda wants a bicycle, a kite and a drum.", 2)
    found = await told.ask("What else goes in?", "So: flour, honey, eggs. Is that all?")
    assert found.answer == "candied lemon, cloves"


async def test_things_of_a_list_of_names_are_names(talk: MakeTalk) -> None:
    told = talk(["nonsense"])
    await told.block("For Easter lunch I count Olu, Wanda and my brother Ben, if he may.")
    await told.block("At Easter we also have cousin Bisi from Hull, and I've asked Tilda.", 1)
    found = await told.ask(None, "At Easter we'll be Olu, Wanda, Tilda, me, and then also")
    assert found.answer == "Ben, Bisi"


@pytest.mark.parametrize(
    "other",
    [
        "For the tent we need pegs, rope and a lamp.",  # of another matter
        "The gingerbread burnt, we laughed and Wanda cried.",  # clauses
        "Gingerbread needs love.",
    ],
)
async def test_another_list_does_not_go_on_with_it(talk: MakeTalk, other: str) -> None:
    told = talk(["unknown"])
    await told.block("For my gingerbread you want flour, honey and eggs.")
    await told.block(other, 1)
    assert (await told.ask("What else?", "So: flour, honey, eggs. Is that all?")).unknown


async def test_two_that_go_on_differently_are_left_to_the_model(talk: MakeTalk) -> None:
    told = talk(["unknown"])
    await told.block("For my gingerbread you want flour, honey and eggs.")
    await told.block("Also for the gingerbread: lemon and cloves.", 1)
    await told.block("Wanda's gingerbread: ginger and rum.", 2)
    found = await told.ask("What else?", "So: flour, honey, eggs. Is that all?")
    assert (found.answer, found.by) == ("", "model")


async def test_a_part_of_the_rest_is_never_said(talk: MakeTalk) -> None:
    told = talk(["unknown"])
    await told.block("For my gingerbread you want flour, honey and eggs.")
    long = "candied lemon from Sicily, brown sugar from Cuba and cloves from Zanzibar"
    await told.block(f"To the gingerbread we add {long}.", 1)
    assert (await told.ask("What else?", "So: flour, honey, eggs. Is that all?")).unknown
