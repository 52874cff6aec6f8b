from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import VoiceSection
from companion.engines.sound.protocols import Transcript
from companion.voice.turns.transcript_filter import FilteredTranscript, judge

SECTION = VoiceSection()


def heard(
    text: str,
    *,
    speech_ms: int = 1500,
    confidence: float = 0.85,
    no_speech: float = 0.02,
    compression: float = 1.0,
    said: tuple[str, ...] = (),
) -> FilteredTranscript:
    transcript = Transcript(text, confidence, no_speech, compression)
    return judge(transcript, speech_ms=speech_ms, section=SECTION, said=said)


@pytest.mark.parametrize(
    "text",
    [
        "My dog is called Bello.",
        "No.",
        "What is a black hole?",
        "I am 7.",
        "Thank you for the story, it was nice.",
        "José is my friend.",
        "Okay, tell me a story.",
        "Stop!",
        "42",
    ],
)
def test_clear_words_are_words(text: str) -> None:
    assert heard(text) == FilteredTranscript("words", text, 0.85)


@pytest.mark.parametrize(
    "text", ["", " ", "...", "[BLANK_AUDIO]", "(upbeat music)", "♪♪", "*coughs*", "[Music"]
)
def test_no_words_are_noise(text: str) -> None:
    assert heard(text) == FilteredTranscript("noise", "", 0.85)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for watching!",
        "Thank you for watching.",
        "Thank you so much for watching.",
        "Please subscribe!",
        "Like and subscribe.",
        "See you in the next video.",
        "I'll see you in the next one.",
        "Subtitles by the Amara.org community",
        "Transcription by CastingWords",
        "Transcribed by https://otter.ai",
        "© BF-WATCH TV 2021",
        "www.mooji.org",
        "ご視聴ありがとうございました",
        "Спасибо за просмотр",
    ],
)
def test_credits_and_goodbyes_of_videos_are_noise_however_sure(text: str) -> None:
    assert heard(text, confidence=0.95).kind == "noise"


@pytest.mark.parametrize(
    "text", ["you", "Thank you.", "Bye.", "So", "I'm sorry.", "The", "Yeah.", "Oh."]
)
def test_stock_phrases_on_little_speech_are_noise(text: str) -> None:
    assert heard(text, speech_ms=130).kind == "noise"


@pytest.mark.parametrize(
    "text", ["Thank you.", "Bye.", "I'm sorry.", "No.", "Hello!", "I don't know."]
)
def test_the_same_phrases_with_speech_enough_are_words(text: str) -> None:
    assert heard(text, speech_ms=600).kind == "words"


def test_more_words_than_anybody_can_say_are_noise() -> None:
    text = "I'm going to show you how to make a paper plane today."
    assert heard(text, speech_ms=300).kind == "noise"
    assert heard(text, speech_ms=2500).kind == "words"


def test_going_in_circles_is_noise() -> None:
    assert heard("I'm going to go. " * 12, compression=7.5).kind == "noise"


def test_a_short_transcript_that_goes_in_circles_is_noise() -> None:
    """As heard of four voices at once: too little text for the compression to tell."""
    text = "And now the limits. " + "And now the limits are right now. " * 3
    assert heard(text, speech_ms=12_000, compression=1.9).kind == "noise"
    assert heard("No, no, no, no, no! I do not want to.").kind == "words"


@pytest.mark.parametrize("text", ["Stop.", "Wait!", "No.", "Goodbye.", "Be quiet!"])
def test_a_word_said_alone_needs_less_confidence(text: str) -> None:
    assert heard(text, confidence=0.3).kind == "words"
    assert heard(text, confidence=0.2).kind == "unclear"
    assert heard(f"{text} Map rotor.", confidence=0.3).kind == "unclear"


def test_likely_silence_is_noise_unless_the_words_are_sure() -> None:
    assert heard("We have to go home.", no_speech=0.7, confidence=0.5).kind == "noise"
    assert heard("We have to go home.", no_speech=0.7, confidence=0.9).kind == "words"
    assert heard("We have to go home.", no_speech=0.95, confidence=0.9).kind == "noise"


def test_low_confidence_is_unclear_and_keeps_its_words() -> None:
    assert heard("Map rotor is tall.", confidence=0.3) == FilteredTranscript(
        "unclear", "Map rotor is tall.", 0.3
    )


@pytest.mark.parametrize(
    "text",
    [
        "Mm-hmm.",
        "Uh-huh.",
        "Mhm",
        "Okay.",
        "Yeah.",
        "Yeah, yeah.",
        "Oh wow!",
        "I see.",
        "Ha ha ha!",
    ],
)
def test_a_nod_is_told_from_words(text: str) -> None:
    assert heard(text, speech_ms=700).kind == "backchannel"


@pytest.mark.parametrize(
    "text", ["No.", "Wait.", "Yeah but why?", "Okay stop.", "Hmm, I don't like it."]
)
def test_words_that_want_something_are_no_nod(text: str) -> None:
    assert heard(text).kind == "words"


ANSWERS = [
    ("Do you like dogs?", "Yes I like dogs."),
    ("Do you like dogs?", "I like dogs."),
    ("Do you like dogs or cats?", "Cats."),
    ("Do you like dogs or cats?", "Dogs and cats."),
    ("Do you like dogs or cats?", "I like cats."),
    ("Is it red or blue?", "Blue."),
    ("Do you want to play a game?", "I want to play a game."),
    ("Do you want to play a game?", "Yes play a game."),
    ("Do you want to hear a story?", "No, I want to hear a song."),
    ("My name is Pip. What is your name?", "My name is Mia."),
    ("My favorite color is green. What is yours?", "My favorite color is blue."),
    ("My favorite animal in the world is a dog.", "My favorite animal in the world is a cat."),
    ("How are you today?", "And how are you?"),
    ("Your dog is called Bello, right?", "Yes, my dog is called Bello."),
    ("You went to the zoo with your grandma.", "I went to the zoo with my grandma."),
    ("What did you see at the zoo?", "I saw a lion at the zoo."),
    ("Shall we count to ten?", "One two three four five."),
    ("The moon goes around the earth.", "Why does the moon go around the earth?"),
    ("The moon goes around the earth.", "The moon goes around the sun."),
    ("Let me tell you about whales.", "Tell me about sharks."),
    ("You can ask me anything.", "Can I ask you something?"),
    ("Whales are the biggest animals.", "Are whales bigger than dinosaurs?"),
    ("I like to sing songs.", "Sing a song!"),
    ("Goodnight, sleep well!", "Goodnight."),
    ("Hello!", "Hello!"),
    ("We can stop now.", "Stop now."),
    ("Once upon a time there was a bear.", "There was no bear."),
    ("That is a nice name, Mia.", "It is a nice name."),
    ("What is your favorite food?", "My favorite food is pizza."),
    ("I think bears sleep in winter.", "Do bears sleep in winter?"),
    ("I think bears sleep in winter.", "Bears don't sleep in winter."),
    ("Would you like a story about a dragon?", "A story about a princess."),
    ("Good night, Mia. Sleep well.", "Good night Pip, sleep well."),
]


@pytest.mark.parametrize(("said", "answer"), ANSWERS)
def test_an_answer_made_of_our_words_is_an_answer(said: str, answer: str) -> None:
    assert heard(answer, said=(said,)).kind == "words"


ECHOES = [
    ("Do you like dogs?", "Do you like dogs?"),
    ("Do you like dogs?", "do you like docks"),
    ("Do you like dogs?", "You like dogs."),
    ("Do you like dogs?", "do you like do"),
    ("My favorite color is green.", "My favourite color is green."),
    ("My favorite color is green.", "favorite color is green"),
    ("Once upon a time there was a bear.", "Once upon a time there was"),
    ("Once upon a time there was a bear.", "upon the time there was a bear"),
    ("Once upon a time there was a bear.", "pon a time there was a bare"),
    ("Whales are the biggest animals in the sea.", "Wales are the biggest animals in the sea."),
    ("Whales are the biggest animals in the sea.", "are the biggest animals"),
    ("Whales are the biggest animals in the sea.", "the biggest animal in the see"),
    ("The moon goes around the earth every month.", "The moon goes round the earth every month"),
    ("The moon goes around the earth every month.", "moon goes around earth every month"),
    ("I am Pip, and I love jokes.", "I am Pip and I love jokes."),
    ("I am Pip, and I love jokes.", "and I love jokes"),
    ("Let me tell you about whales, they sing.", "me tell you about whales they sing"),
    ("Shall we count to ten? I will begin.", "we count to ten I will begin"),
    ("That sounds like a lot of fun!", "That sounds like a lot of fun."),
    ("That sounds like a lot of fun!", "sounds like a lot of fuh"),
    ("There are eight planets.", "There are 8 planets."),
    ("I think bears sleep in winter.", "Bear sleep in winter"),
    ("You could ask your grandmother about it.", "could ask your grand mother about it"),
]


@pytest.mark.parametrize(("said", "echo"), ECHOES)
def test_our_own_words_in_a_row_are_an_echo(said: str, echo: str) -> None:
    assert heard(echo, said=("Hello there, Mia!", said, "And what about you?")).kind == "echo"


def test_an_echo_may_run_over_from_one_sentence_into_the_next() -> None:
    assert (
        heard("at the zoo do you like", said=("I was at the zoo.", "Do you like it?")).kind
        == "echo"
    )


def test_what_was_not_said_lately_is_no_echo() -> None:
    assert heard("Do you like dogs?", said=()).kind == "words"


def test_a_word_or_two_of_ours_that_would_be_unclear_are_taken_for_an_echo() -> None:
    assert heard("like dogs", said=("Do you like dogs?",), confidence=0.3).kind == "echo"
    assert heard("like dogs", said=("Do you like dogs?",)).kind == "words"


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(0, 30_000),
    st.lists(st.text(max_size=40), max_size=3),
)
def test_whatever_is_heard_there_is_a_judgement(
    text: str, confidence: float, no_speech: float, speech_ms: int, said: list[str]
) -> None:
    transcript = Transcript(text, confidence, no_speech)
    judgement = judge(transcript, speech_ms=speech_ms, section=SECTION, said=said)
    assert (judgement.text == "") == (judgement.kind == "noise")
