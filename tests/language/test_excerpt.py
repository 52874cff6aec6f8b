"""A person's own words as a memory."""

from __future__ import annotations

import pytest

from companion.language.en import excerpt


@pytest.mark.parametrize(
    ("before", "whom", "earlier", "text"),
    [
        ("", "", "", "The user said: \"my 'red' one\""),
        ("Which?", "", "", 'Asked "Which?", the user said: "my \'red\' one"'),
        (
            "Nice.",
            "my dad",
            "",
            'After "Nice.", the user said of the user\'s dad: "my \'red\' one"',
        ),
        ("Them?", "", "I saw two.", 'The user said: "I saw two." Asked "Them?": "my \'red\' one"'),
    ],
)
def test_a_frame_holds_the_words_and_what_they_need(
    before: str, whom: str, earlier: str, text: str
) -> None:
    framed = excerpt.framed('my "red" one', before, whom=whom, earlier=earlier)
    assert framed == text
    assert excerpt.is_framed(framed)
    assert "saw two" not in excerpt.topic(framed)


def test_a_written_sentence_is_no_frame() -> None:
    assert not excerpt.is_framed('The user said "no".')


@pytest.mark.parametrize(
    ("said", "needs"),
    [
        ("My little brother. He's five.", True),
        ("since Christmas", True),
        ("he lives in Leeds with us", True),
        ("I broke my wrist on the swings", False),
    ],
)
def test_fragments_need_the_line_before(said: str, needs: bool) -> None:
    assert excerpt.needs_line_before(said) is needs


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("I hate peas", "I opened the peas"),
        ("my cousin Bea has a long red kite", "I'm so tired"),
        ("I'm allergic to plums", "I know, I know"),
        ("No more chess. I do judo now.", "it's so funny"),
        ("we go swimming on Tuesdays", "hold on, wait"),
        ("my swimming test is tomorrow", "my swimming test is hard"),
    ],
)
def test_what_lasts_is_worth_more_than_what_is_over(better: str, worse: str) -> None:
    assert excerpt.worth(better, "") >= 2
    assert excerpt.worth(worse, "") < 2


@pytest.mark.parametrize(
    ("line", "needs"),
    [
        ("Fourteen! Where did you find them?", True),
        ("Perhaps you could show him how gentle she is.", True),
        ("Hooray! How did it happen?", True),
        ("Why does it have to be red?", True),
        ("No? What happened?", True),
        ("Only once, well done! And Otto?", True),
        ("Robots! Are they loud?", True),
        ("Is the vacuum loud? Does it scare you?", False),
        ("Where do you live?", False),
        ("It's raining here. What do you play?", False),
    ],
)
def test_a_line_that_goes_on_about_something_needs_what_was_said_before(
    line: str, needs: bool
) -> None:
    assert excerpt.needs_earlier(line) is needs


@pytest.mark.parametrize(
    ("text", "open_end"),
    [
        ("The green ones. Only the green.", True),
        ("It goes in my ears.", True),
        ("He put it on the roof.", True),
        ("Hetty put her kite on the roof.", False),
        ("We have swimming with school.", False),
    ],
)
def test_words_dangle_where_nothing_says_what_they_mean(text: str, open_end: bool) -> None:
    assert excerpt.dangles(text) is open_end
