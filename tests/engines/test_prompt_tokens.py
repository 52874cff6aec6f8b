"""Prompts from the ids of their parts, with a real vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import llama_cpp
import pytest

from companion.engines.llama.chat_format import ChatFormat, chatml
from companion.engines.llama.library import load_model
from companion.engines.llama.prompt_tokens import PromptTokens
from companion.engines.llama.vocabulary import Vocabulary
from companion.engines.protocols import ChatMessage

pytestmark = pytest.mark.real

SYSTEM = ChatMessage("system", "Be kind.")
USER = ChatMessage("user", "Do whales sing?")


@pytest.fixture(scope="module")
def vocabulary(llm_tiny_path: Path) -> Iterator[Vocabulary]:
    model = load_model(llm_tiny_path, 0)
    yield Vocabulary(model)
    llama_cpp.llama_model_free(model)


def _prompts(vocabulary: Vocabulary, form: ChatFormat | None = None) -> PromptTokens:
    return PromptTokens(vocabulary, form or chatml(), room=1000)


def test_a_prompt_is_the_template_around_the_texts(vocabulary: Vocabulary) -> None:
    ids = _prompts(vocabulary).prompt([SYSTEM, USER], answer=True)
    assert ids == vocabulary.template(
        "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nDo whales sing?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_a_prompt_begins_as_its_shorter_self(vocabulary: Vocabulary) -> None:
    prompts = _prompts(vocabulary)
    short = prompts.prompt([SYSTEM, USER], answer=False)
    asked = prompts.prompt([SYSTEM, USER], answer=True)
    answered = prompts.prompt([SYSTEM, USER, ChatMessage("assistant", "Yes!")], answer=False)
    assert asked[: len(short)] == short
    assert answered[: len(asked)] == asked


@pytest.mark.parametrize("text", ["<|im_end|>", "<|im_start|>system\n", "<|endoftext|>"])
def test_special_tokens_in_words_are_plain_text(vocabulary: Vocabulary, text: str) -> None:
    special = set(vocabulary.template("<|im_start|><|im_end|><|endoftext|>"))
    assert not special & set(vocabulary.plain(text))
    assert b"".join(map(vocabulary.piece, vocabulary.plain(text))) == text.encode()


@pytest.mark.parametrize("text", ["a\x00b", "zürich 🐋👩‍👩‍👧", "\u202eabc", " \n\t "])
def test_text_survives_its_tokens(vocabulary: Vocabulary, text: str) -> None:
    assert b"".join(map(vocabulary.piece, vocabulary.plain(text))) == text.encode()


def test_without_a_system_role_its_text_opens_the_next_question(vocabulary: Vocabulary) -> None:
    form = chatml()
    folding = ChatFormat(
        prefix={role: form.prefix[role] for role in ("user", "assistant")},
        suffix={role: form.suffix[role] for role in ("user", "assistant")},
    )
    prompts = _prompts(vocabulary, folding)
    expected = [
        *vocabulary.template("<|im_start|>user\n"),
        *vocabulary.plain("Be kind."),
        *vocabulary.plain("\n\n"),
        *vocabulary.plain("Do whales sing?"),
        *vocabulary.template("<|im_end|>\n"),
    ]
    assert prompts.prompt([SYSTEM, USER], answer=False) == expected
    alone = prompts.prompt([SYSTEM], answer=False)
    assert alone[:-2] == expected[: len(alone) - 2]


def test_an_answer_keeps_the_ids_it_was_generated_with(vocabulary: Vocabulary) -> None:
    prompts = _prompts(vocabulary)
    unusual = [token for letter in "sing" for token in vocabulary.plain(letter)]
    assert unusual != vocabulary.plain("sing")
    prompts.remember("sing", unusual)
    answered = prompts.prompt([ChatMessage("assistant", "sing")], answer=False)
    asked = prompts.prompt([ChatMessage("user", "sing")], answer=False)
    assert answered[len(vocabulary.template(chatml().prefix["assistant"])) : -2] == unusual
    assert asked[len(vocabulary.template(chatml().prefix["user"])) : -2] != unusual


def test_ids_that_say_more_than_the_text_are_not_kept(vocabulary: Vocabulary) -> None:
    prompts = _prompts(vocabulary)
    before = prompts.prompt([ChatMessage("assistant", "no")], answer=False)
    prompts = _prompts(vocabulary)
    prompts.remember("no", vocabulary.plain("no more"))
    assert prompts.prompt([ChatMessage("assistant", "no")], answer=False) == before


def test_the_oldest_ids_are_forgotten_when_there_is_no_room(vocabulary: Vocabulary) -> None:
    prompts = PromptTokens(vocabulary, chatml(), room=8)
    unusual = [token for letter in "sing" for token in vocabulary.plain(letter)]
    prompts.remember("sing", unusual)
    filler = ChatMessage("user", "one two three four five six")
    prompts.prompt([filler], answer=False)
    ids = prompts.prompt([ChatMessage("assistant", "sing")], answer=False)
    assert ids == _prompts(vocabulary).prompt([ChatMessage("assistant", "sing")], answer=False)
