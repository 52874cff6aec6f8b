"""What is said in earnest, and what in play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone

import pytest

from companion import config
from companion.acts.play import Play, exchanges, pairs_of
from companion.assembly.guard import build_play
from companion.engines.protocols import TextOrPair
from companion.records import Message, Turn
from tests.fakes_kinds import BrokenKinds, FixedKinds

AT = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)
FOOTBALL = (
    ("we've got PE on Friday", "What do you play?"),
    ("and he shoots! he scores! the crowd's gone mad!", "Goal! What a kick!"),
)


def turns(lines: Sequence[tuple[str, str]], words: str) -> list[Turn]:
    said = [*lines, (words, "")]
    return [
        Turn(
            "talk",
            n,
            Message(2 * n, "talk", n, "user", each, AT),
            Message(2 * n + 1, "talk", n, "assistant", reply, AT),
        )
        for n, (each, reply) in enumerate(said, 1)
    ]


class OfTheMoon:
    """A TextClassifier: a sentence about the moon is play; of several it cannot tell."""

    async def classify(self, texts: Sequence[TextOrPair]) -> list[dict[str, float]]:
        found = []
        for pair in texts:
            words = pair[-1]
            play = 0.5 if words.count(".") > 1 else 0.02 + 0.96 * ("moon" in words)
            found.append({"real": 1 - play, "play": play})
        return found


async def earnest(play: Play, words: str, before: Sequence[tuple[str, str]] = ()) -> str:
    return await play.earnest(turns(before, words), len(before) + 1)


@pytest.mark.real
@pytest.mark.parametrize(
    ("before", "words", "kept"),
    [
        (FOOTBALL[:1], FOOTBALL[1][0], ""),
        (FOOTBALL, "nine hundred nil to England! and the ref is a penguin!", ""),
        (FOOTBALL, "Grandad's coming to watch on Friday", "Grandad's coming to watch on Friday"),
        ((), "I've got a guinea pig called Biscuit", "I've got a guinea pig called Biscuit"),
        (
            (("I like trains", "I'd like to ride on one."),),
            "tickets please! I have driven this train for forty years",
            "",
        ),
        ((), "yesterday me and Mia played pirates", "yesterday me and Mia played pirates"),
    ],
)
async def test_play_is_told_from_earnest(
    before: Sequence[tuple[str, str]], words: str, kept: str
) -> None:
    assert await earnest(build_play(config.load()), words, before) == kept


async def test_of_a_message_the_sentences_that_are_so_are_kept() -> None:
    play = Play(OfTheMoon())
    said = "I flew to the moon. My tooth came out. It was cheese on the moon."
    assert await earnest(play, said) == "My tooth came out."
    said = "My tooth came  out. It bled. I flew to the moon. Bye."
    assert await earnest(play, said) == "My tooth came  out. It bled."


async def test_health_is_never_play() -> None:
    play = Play(FixedKinds({"": "play"}))
    assert await earnest(play, "I'm allergic to peanuts") == "I'm allergic to peanuts"
    assert await earnest(play, "I ate the moon") == ""


async def test_what_is_taken_back_is_no_earnest() -> None:
    play = Play(FixedKinds({"": "real", "!": "play"}))
    talk = turns([("my dog is blue", "Really?")], "just kidding")
    assert await play.earnest(talk, 1) == ""


async def test_where_the_network_cannot_read_the_tables_decide() -> None:
    for play in (Play(), Play(BrokenKinds())):
        assert await earnest(play, "Let's pretend I'm a pirate!") == ""
        assert await earnest(play, "I have a cat.") == "I have a cat."


async def test_a_turn_without_words_says_nothing() -> None:
    [turn] = turns((), "")
    assert await Play().earnest([turn], 7) == ""


def test_each_sentence_is_read_with_what_stands_before_it() -> None:
    talk = turns([("a", "b"), ("c", "d"), ("e", "f")], "One thing. Two things.")
    found = pairs_of(exchanges(talk, 4), "One thing. Two things.")
    assert found == [
        ("c d e f", "One thing. Two things."),
        ("c d e f", "One thing."),
        ("c d e f One thing.", "Two things."),
    ]
