from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dialog.sentences import LONGEST_SENTENCE, Sentences, in_two
from companion.language.marks import EMOJI


def spoken_by(pieces: list[str], *, limit: int = 20, complete: bool = True) -> list[str]:
    machine = Sentences(limit, names=("Pip",))
    said = [sentence for piece in pieces for sentence in machine.feed(piece)]
    return said + machine.finish(complete=complete)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Hello there! How are you?", ["Hello there!", "How are you?"]),
        ("I like **big** and _soft_ dogs.", ["I like big and soft dogs."]),
        ("# Fun facts\nAn octopus has `eight` arms.", ["Fun facts.", "An octopus has eight arms."]),
        ("You need:\n1. Apples\n2. Pears\n\nEnjoy!", ["You need: Apples, Pears.", "Enjoy!"]),
        ("- I hop.\n- I sing.", ["I hop.", "I sing."]),
        ("See [this page](http://x.y/z.html). Fine.", ["See this page.", "Fine."]),
        ("Look:\n```py\nprint('hi. there')\n```\nDone.", ["Look: Done."]),
        ("| a | b |\n|---|---|\n| one | two |", ["a b one two."]),
        ("<think>I must. Do it.</think>Hello!", ["Hello!"]),
        ("Wow 😊 That is great! 🎉👩‍🚀", ["Wow.", "That is great!"]),
        ("*giggles* That tickles! (laughs softly) Again!", ["That tickles!", "Again!"]),
        ("A *really* big dog [smiles]. *the bear gets up* Hi.", ["A really big dog.", "Hi."]),
        ("Whales (they are mammals) sing.", ["Whales (they are mammals) sing."]),
        ("Assistant: Hi Mia.", ["Hi Mia."]),
        ("**Pip:** Hi Mia.", ["Hi Mia."]),
        ("Hi!\nUser: and you?\nAssistant: no", ["Hi!"]),
        ("2 * 3 is 6. And 5*3 is 15.", ["2 times 3 is 6.", "And 5 times 3 is 15."]),
    ],
)
def test_keeps_what_is_speech_and_drops_the_rest(text: str, sentences: list[str]) -> None:
    assert spoken_by([text]) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Smith has 3.5 cats. Nice!", ["Dr. Smith has 3.5 cats.", "Nice!"]),
        ("Some animals, e.g. cats, purr. Yes.", ["Some animals, e.g. cats, purr.", "Yes."]),
        ("Cats, dogs, etc. are pets. Fun.", ["Cats, dogs, etc. are pets.", "Fun."]),
        ("Hmm... maybe. Hmm... Let us see.", ["Hmm... maybe.", "Hmm...", "Let us see."]),
        (
            '"Wow! Great!" said the fox. Then it ran.',
            ['"Wow! Great!" said the fox.', "Then it ran."],
        ),
        (
            "J. R. Tolkien wrote it. So did I. Really?",
            ["J. R. Tolkien wrote it.", "So did I.", "Really?"],
        ),
        ("7. That is right!", ["7.", "That is right!"]),
        ("At 5 p.m. we eat. Good.", ["At 5 p.m. we eat.", "Good."]),
        ("Wait!!! What?! No way.", ["Wait!!!", "What?!", "No way."]),
        ("Hello.How are you?", ["Hello.", "How are you?"]),
        ("hi there. how are you? fine.", ["hi there.", "how are you?", "fine."]),
        ("No end mark", ["No end mark."]),
    ],
)
def test_finds_the_ends_of_sentences(text: str, sentences: list[str]) -> None:
    assert spoken_by([text]) == sentences


def test_stops_after_the_limit_as_soon_as_the_next_sentence_begins() -> None:
    machine = Sentences(2)
    assert machine.feed("One. Two. ") == ["One."]
    assert not machine.done
    assert machine.feed("Three is never said. Four.") == ["Two."]
    assert machine.done
    assert machine.feed(" Five. Six.") == []
    assert machine.finish(complete=True) == []


def test_a_reply_that_was_cut_off_loses_its_half_sentence() -> None:
    assert spoken_by(["That is fun. And then we"], complete=False) == ["That is fun."]
    assert spoken_by(["That is fun. And done."], complete=False) == ["That is fun.", "And done."]


def test_half_a_sentence_is_better_than_silence() -> None:
    assert spoken_by(["Once upon a time there"], complete=False) == ["Once upon a time there."]


@pytest.mark.parametrize(
    "text", ["", "  \n", "***", "😊", "*smiles*", "[waves]", "```x.y```", "..."]
)
def test_nothing_to_say_is_no_sentence(text: str) -> None:
    assert spoken_by([text]) == []


def test_a_sentence_without_end_is_cut_between_words() -> None:
    first, second = spoken_by(["and then we ran " * 200], limit=2)
    assert 900 < len(first) <= LONGEST_SENTENCE + 1
    assert set(f"{first[:-1]} {second[:-1]}".split()) == {"and", "then", "we", "ran"}
    assert len(spoken_by(["a" * 20_000], limit=2)) == 2


def test_a_long_thought_is_not_cut_and_not_said() -> None:
    assert spoken_by([f"<think>{'Is it a whale? ' * 200}</think> It is."]) == ["It is."]


def test_a_bracket_that_never_closes_does_not_swallow_the_reply() -> None:
    said = spoken_by(["He said (and I heard it. " + "So it was told to me. " * 12 + "The end."])
    assert len(said) > 2


FRAGMENTS = st.sampled_from(
    [
        *(
            "Hello",
            " there",
            ".",
            "!",
            "?",
            "...",
            "…",
            " ",
            "\n",
            "\n\n",
            "Dr.",
            " e.g.",
            "3.5",
            "I.",
        ),
        *(
            "*",
            "**",
            "_",
            "`",
            "```",
            "#",
            "- ",
            "1. ",
            "(",
            ")",
            "[",
            "](http://a.b)",
            '"',
            "“",
            "”",
        ),
        *(
            "😊",
            "👍🏽",
            "giggles",
            "User:",
            "Pip:",
            "<think>",
            "</think>",
            "。",
            "\r",
            "\x00",
            "\u202e",
        ),
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=5), max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 200), max_size=12), st.booleans())
def test_any_split_of_a_text_gives_the_same_sentences(
    text: str, cuts: list[int], complete: bool
) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert "".join(pieces) == text
    assert spoken_by(pieces, complete=complete) == spoken_by([text], complete=complete)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_what_is_said_can_be_spoken(text: str) -> None:
    for sentence in spoken_by([text]):
        assert sentence == sentence.strip() != ""
        assert any(character.isalnum() for character in sentence)
        assert not set("*`#|~\n\r\x00\u202e") & set(sentence)
        assert not EMOJI.search(sentence)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(1, 4))
def test_never_says_more_sentences_than_allowed(text: str, limit: int) -> None:
    assert len(spoken_by([text], limit=limit)) <= limit


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "I don't know that one yet, but I know another.",
            ("I don't know that one yet,", "but I know another."),
        ),
        ("Oh, that is a shame.", ("Oh, that is a shame.",)),
        ("Yes, it flew, and then it fell down.", ("Yes, it flew,", "and then it fell down.")),
        ("You said it was red, yes.", ("You said it was red, yes.",)),
        ("A long sentence without any mark is said whole.",) * 2,
    ],
)
def test_a_written_sentence_begins_with_its_first_clause(
    sentence: str, parts: str | tuple[str, ...]
) -> None:
    assert in_two(sentence) == ((parts,) if isinstance(parts, str) else parts)
    assert " ".join(in_two(sentence)) == sentence
