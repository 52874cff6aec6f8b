from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.language.en.speakable import speakable

READ_WELL = [
    "It is 21, or 1,234, or 3.5, or 50%.",
    "It takes AAA batteries.",
    "She came 1st, 2nd and 21st.",
    "Cats & dogs, 2 + 2 = 4.",
    "At 7 p.m. we sleep, e-mail or not.",
    "My well-known T-rex, uh-oh, said: wow!",
    "I am 6 and my brother is 3. In May we go.",
    "NASA, TV, the USA and I.",
    "The letter M is nice; I'm fine.",
    "It is -5 degrees outside.",
    "Room 101 holds 1500 people.",
    "Hmm, let me think...",
    "Is it A or B?",
    "At 3:30, or 10:45 a.m. it is.",
    "Sixteen is 4 times 4.",
    "A 6-year-old, bookkeeper, zoo, freedom.",
]


@pytest.mark.parametrize("text", READ_WELL)
def test_what_is_read_well_stays(text: str) -> None:
    assert speakable(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It costs $5.", "It costs 5 dollars."),
        ("$1, $3.50, $0.99", "1 dollar, 3 dollars and 50 cents, 99 cents"),
        ("$1.5 million, $1,000", "1.5 million dollars, 1,000 dollars"),
        ("£4, €20, £2.01", "4 pounds, 20 euros, 2 pounds and 1 penny"),
        ("At 3:05, 3:00, 15:20 and 15:00.", "At 3 oh 5, 3 o'clock, 15:20 and 3 pm."),
        ("At 3:00 pm. Then", "At 3 pm. Then"),
        ("At 10:05 a.m. we eat.", "At 10 oh 5 a.m. we eat."),
        ("5 km, 1 kg, 100 km/h.", "5 kilometers, 1 kilogram, 100 kilometers per hour."),
        ("6 ft and 1 ft", "6 feet and 1 foot"),
        ("a 10-km walk, 5 m²", "a 10 kilometer walk, 5 square meters"),
        ("It is 20 °C or 70°F.", "It is 20 degrees Celsius or 70 degrees Fahrenheit."),
        ("Wait 5 min.", "Wait 5 minutes."),
        ("ages 3-5, 10–12", "ages 3 to 5, 10 to 12"),
        ("5 - 3 = 2, 6 / 2 = 3", "5 minus 3 = 2, 6 divided by 2 = 3"),
        ("5-4-3-2-1", "5, 4, 3, 2, 1"),
        ("Call 555-1234.", "Call 5 5 5, 1 2 3 4."),
        ("in 1999, since 1905, in 1800", "in 19 99, since 19 oh 5, in 18 hundred"),
        ("from 1914–1918, 1998-2003", "from 19 14 to 19 18, 19 98 to 2003"),
        ("July 20, 1969", "July 20, 19 69"),
        ("the 1990s, the '80s", "the 19 nineties, the eighties"),
        ("on 2024-05-01", "on May 1, 2024"),
        ("Dec. 24", "December 24"),
        ("1/2 of it, 3/4 of it", "one half of it, 3 quarters of it"),
        ("2 1/2 cups, 1½ cups", "2 and one half cups, 1 and a half cups"),
        ("24/7", "24 over 7"),
        ("a 4x4 grid, 3^2, x²", "a 4 by 4 grid, 3 squared, x squared"),
        ("about ~5, 5 > 3", "about about 5, 5 is more than 3"),
        ("Dr. Smith, Mr. Fox vs. Ms. Owl", "Dr Smith, Mr Fox versus Miz Owl"),
        ("fruit, e.g. pears; i.e. food", "fruit, for example, pears; that is, food"),
        ("No. 5 and #1", "number 5 and number 1"),
        ("No. I am 6.", "No. I am 6."),
        ("he/she, and/or", "he or she, and or"),
        ("World War II, Chapter IV", "World War 2, Chapter 4"),
        ("Mmm, mm-hmm. Shhh! Grrr, brrr, zzz.", "Hmm, uhm-hum. Shush! Gurr, burr, zuzz."),
        ("Nooo! Sooo good, zooom, yaaay, freeee!", "No! So good, zoom, yay, free!"),
        ("Wow 😀 that is **great** ~ yes!", "Wow that is great yes!"),
        ("😀", ""),
        ("...", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_read_wrong_is_written_out(text: str, said: str) -> None:
    assert speakable(text) == said


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
@pytest.mark.parametrize(
    ("text", "as_if"),
    [
        ("$5", "five dollars"),
        ("3:05", "three oh five"),
        ("in 1999", "in nineteen ninety nine"),
        ("the 1990s", "the nineteen nineties"),
        ("3-5", "three to five"),
        ("5 km", "five kilometers"),
        ("Dr. Fox", "doctor Fox"),
        ("Ms. Fox", "Miz Fox"),
        ("2/3", "two thirds"),
        ("20 °C", "twenty degrees Celsius"),
        ("World War II", "World War two"),
        ("5 - 3", "five minus three"),
    ],
)
def test_the_voice_reads_it_as_a_person_would(text: str, as_if: str) -> None:
    assert phonemes(text) != phonemes(as_if), "espeak-ng has learnt it: the rule can go"
    assert phonemes(speakable(text)) == phonemes(as_if)


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
@pytest.mark.parametrize(
    "cry", ["Mmm", "mm-hmm", "Shhh", "Grrr", "Brrr", "Zzz", "Pfft", "Psst", "hm"]
)
def test_a_cry_is_not_spelled(cry: str) -> None:
    letters = [phonemes(letter) for letter in cry if letter.isalpha()]
    assert "".join(letters).replace("ˈ", "") != phonemes(cry)
    # Each consonant that is spelled brings a vowel of its own.
    assert sum(sound in "aeiouæɐɑɒɔəɚɛɜɪʊʌ" for sound in phonemes(speakable(cry))) <= 2


def phonemes(text: str) -> str:
    command = ["espeak-ng", "-v", "en-us", "-q", "--ipa", "--stdin"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return "|".join("".join(clause.split()) for clause in done.stdout.strip().split("\n"))


@settings(max_examples=60, deadline=None)
@given(
    st.text(
        st.characters(codec="utf-8") | st.sampled_from("0123456789$:/.-–%°²½ kmIVX"), max_size=40
    )
)
def test_any_text_comes_out_on_one_line_and_speakable(text: str) -> None:
    said = speakable(text)
    assert said == " ".join(said.split())
    assert not said or any(character.isalnum() for character in said)
