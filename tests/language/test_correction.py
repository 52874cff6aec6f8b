"""What takes back or changes something said before."""

from __future__ import annotations

import pytest

from companion.language.en import correction


@pytest.mark.parametrize(
    ("said", "before", "old", "line", "gone"),
    [
        ("it's not chess on Monday any more", "", "Monday is the chess fair.", "", True),
        ("I've gone right off paprika crisps", "", "my best crisps are paprika", "", True),
        ("I've gone right off paprika crisps", "", "we saw a paprika field", "", False),
        ("Ottilie dances with Bea instead", "", "Ottilie and Bea are cross.", "", False),
        ("it isn't Tuesday, the dentist rang", "", "Thursday I dress up as a book", "", False),
        ("So I'm not doing the baker job.", "", "When I'm big I'll be a baker.", "", True),
        ("We had plums. And I like them now.", "", "plums, yuck, take them off", "", True),
        ("It WAS teal. Now it's grey.", "I thought teal was best?", "I wanted teal.", "", True),
        (
            "Not since today.",
            "I thought you sit by Ottilie.",
            "I sit by Ottilie in maths",
            "",
            True,
        ),
        ("Two. No, I said it wrong, three kites.", "", "I have nine kites", "", False),
        ("from now it's half a spoon, not the three", "", "Three.", "How many spoons?", True),
        ("I have a kite", "", "I have a kite", "", False),
        ("I'm not friends with Bea any more", "", "My best friend is Bea.", "", True),
        ("I'm not friends with Bea any more", "", "My best friend is Ola.", "", False),
        ("you are. Pip, Otto's not Otto any more", "", "Otto. his mum has a bottle", "", True),
        ("No. And lemon curd.", "No more plums, then.", "I've gone off plums.", "", False),
        ("It's jam of a morning. No plums.", "No more plums, then.", "plums, always", "", True),
        (
            "Not any more.",
            "Still Ola's late turn?",
            "My tortoise is older than my turn.",
            "",
            False,
        ),
        ("Not any more.", "Still Ola's late turn?", "Ola has the late turn on Friday.", "", True),
        ("Not any more.", "Is it chess tonight?", "I play chess with Bea.", "", True),
        ("I've gone right off it.", "Tea with milk?", "He's off to Leeds on a boat.", "", False),
    ],
)
def test_a_correction_takes_the_place_of_what_it_denies(
    said: str, before: str, old: str, line: str, gone: bool
) -> None:
    read = correction.read(said, before)
    assert (read is not None and correction.outdates(read, old, line, frozenset())) is gone


def test_the_day_that_a_memory_bears_may_be_what_is_denied() -> None:
    read = correction.read("they rang, it's not the twelfth any more, it's the 9th", "")
    assert read is None or not correction.outdates(read, "They come by boat.", "", frozenset())
    read = correction.read("they rang, it's not the 12 any more", "")
    assert read is not None
    assert correction.outdates(read, "They come by boat.", "", frozenset({"12", "monday"}))


@pytest.mark.parametrize(
    ("said", "before", "name"),
    [
        ("Forget that.", True, ""),
        ("Actually, can you forget that? Don't keep that bit.", True, ""),
        ("I went into the shed and I cried on the mats. Forget that.", False, ""),
        ("The Otto thing. Forget it.", True, "Otto"),
        ("forget what I said about Hetty", True, "Hetty"),
        ("forget what i said about my marbles", True, "marbles"),
        ("I took it out of Hetty's tin. Forget that.", False, ""),
        ("Forget it, the whole thing.", True, ""),
    ],
)
def test_what_is_to_be_forgotten(said: str, before: bool, name: str) -> None:
    assert correction.withdraws(said)
    assert correction.takes_back_the_turn_before(said) is before
    assert correction.withdrawn_name(said) == name
