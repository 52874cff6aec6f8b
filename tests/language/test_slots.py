"""Of what there is one at a time, a later telling takes the first one's place."""

from __future__ import annotations

import pytest

from companion.language.en import correction, slots


@pytest.mark.parametrize(
    ("sentence", "before", "kind", "of", "value"),
    [
        ("a yellow one because yellow is my best colour.", "", "favourite", "colour", "yellow"),
        ("That's my favourite, teal, and he didn't know.", "", "favourite", "colour", "teal"),
        ("Teal.", "What's your favourite colour?", "favourite", "colour", "teal"),
        ("Now it's dark teal.", "Your colour is red.", "favourite", "colour", "teal"),
        ("my favourite dinner is pesto pasta", "", "favourite", "dinner", "pasta"),
        ("When I grow up I'll be a baker.", "", "becomes", "", "baker"),
        ("I'm gonna drive a lorry.", "Maybe you'll have a job one day.", "becomes", "", "lorri"),
        ("I'm the camel in the nativity.", "", "part", "", "camel"),
        ("it's called wet hen", "there's a band.", "name", "band", "hen"),
        ("my record is fourteen hoops", "", "record", "hoop", "fourteen"),
        ("it came out on the bus!", "Is your tooth still wobbly?", "tooth", "", "ended"),
    ],
)
def test_what_a_sentence_puts_into_a_slot(
    sentence: str, before: str, kind: str, of: str, value: str
) -> None:
    found = [each for each in slots.told(sentence, before, before) if each.kind == kind]
    assert found, slots.told(sentence, before)
    assert not of or of in found[0].of or kind == "record"
    assert value in found[0].value or kind == "record"


@pytest.mark.parametrize(
    "sentence",
    ["my best friend is Ola", "Is teal your favourite?", "my cat is called Rex", "I saw a red kite",
     "teal isn't my favourite"],
)  # fmt: skip
def test_what_fills_no_slot(sentence: str) -> None:
    assert slots.told(sentence, "") == ()


@pytest.mark.parametrize(
    ("old", "line", "new", "before", "gone"),
    [
        ("My best colour is teal.", "", "It's orange now.", "Is teal your favourite colour?", True),
        ("My best colour is teal.", "", "We painted the shed. it's red now", "", False),
        (
            "My best colour is teal.",
            "",
            "Teal was before. Now it's dark red.",
            "Your colour!",
            True,
        ),
        ("My best colour is teal.", "", "My favourite dinner is an orange.", "", False),
        ("My tooth is wobbly.", "", "Pip pip, it's out! The tooth!", "", True),
        ("My tooth came out.", "", "Another tooth is wobbly.", "", False),
        ("I've got fourteen kites.", "", "um, thirty-one", "How many kites have you got?", True),
        ("I've got fourteen kites.", "", "I've got two hens now", "", False),
        ("It's called wet hen.", "there's a band.", "our band is called Lime Sea", "", True),
        ("bio is on Thursday", "", "oh and bio's Friday now. they moved it", "", True),
        ("we have bio, Thursdays", "", "oh and bio's Friday now. they moved it", "", False),
        ("my best is forty-eight", "Do you do cubes?", "no! forty-one!", "Your cube time?", True),
        ("It's called wet hen.", "Who's in the band?", "hung up", "So wet hen is gone?", True),
        (
            "It's called wet hen.",
            "there's a band.",
            "no we still are",
            "So wet hen is gone?",
            False,
        ),
        ("Otto. New fella.", "", "It's not Otto. It's Enno!", "", True),
        ("Otto came on a bike.", "", "not Otto! Nan.", "Is that Otto?", False),
    ],
)
def test_a_later_telling_takes_the_place(
    old: str, line: str, new: str, before: str, gone: bool
) -> None:
    read = correction.read(new, before)
    assert (read is not None and correction.outdates(read, old, line, frozenset())) is gone


def test_a_day_that_moved_needs_no_denial() -> None:
    read = correction.read("ok it's fine. oh and bio's Friday now. Otto got a duty", "")
    assert read is not None
    old = "I'm doing bio, the final's Thursday."
    assert correction.outdates(read, old, "", frozenset({"thursdai", "11"}))
    assert not correction.outdates(read, "I had bio and lunch.", "", frozenset())


def test_a_day_is_moved_by_the_line_that_names_it() -> None:
    line = "And next Friday Hetty comes to watch, doesn't she?"
    read = correction.read("No it moved. It's Sunday now. Not this Sunday, the other.", line)
    assert read is not None
    days = frozenset({"fridai", "17"})
    assert correction.moves_away(read, "Will you see Hetty? She comes here!", days)
    assert not correction.moves_away(read, "Will you see Otto? He comes here!", days)
