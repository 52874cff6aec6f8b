"""Songs of whatever somebody wants sung about."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion import language
from companion.skills import made_songs
from tests.skills.playing import playing


@pytest.mark.parametrize(
    ("words", "thing", "someone"),
    [
        ("can you make up a song about my hamster he only got one eye", "your hamster", True),
        ("make up a song for Sergeant Pickle", "Sergeant Pickle", True),
        ("sing me the washing up song but there isn't one", "washing up", False),
        ("sing something but about elevators and it has to rhyme", "elevators", False),
        ("a poem about my nan's rickshaw please", "your nan's rickshaw", True),
        ("sing a song about me", "", True),
    ],
)
def test_a_subject_is_found(words: str, thing: str, someone: bool) -> None:
    found = language.skills.subject_of(language.skills.plain(words, "Pip"), words)
    assert found == language.skills.Subject(thing, someone)


@pytest.mark.parametrize("words", ["sing me a song", "sing a funny song", "a song about that"])
def test_no_subject_is_made_up(words: str) -> None:
    assert language.skills.subject_of(language.skills.plain(words, "Pip"), words) is None


@pytest.mark.parametrize("kind", ["someone", "something"])
def test_every_song_names_its_thing(kind: str) -> None:
    songs = made_songs.verses()[kind]
    assert len(songs) > made_songs.KEPT
    for lines in songs:
        assert len(lines) == 6
        whole = " ".join(lines)
        assert 2 <= whole.lower().count(made_songs.SMALL) <= 3
        assert all(line.endswith((".", "!", "?", ",")) for line in lines)


def test_the_same_song_does_not_come_twice_in_a_row() -> None:
    number, _ = made_songs.of("Bo", [], Random(1), someone=True)
    assert made_songs.of("Bo", [number], Random(1), someone=True)[0] != number


async def test_a_song_is_made_of_what_is_asked_for(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("can you make up a song about my tractor")
        assert said.count("your tractor") + said.count("Your tractor") >= 2
        again = await play.say("sing me the washing up song but there isn't one")
        assert "washing up" in again
        assert "soup" in (await play.say("sing a song about soup")).lower()
