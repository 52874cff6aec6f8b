"""The beginning of the prompt as the model has read it, kept in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import DialogSection, LlmSection, PersonaSection
from companion.dialog.persona import head_of, lasting
from companion.dialog.prefix import StoredPrefix
from companion.engines.protocols import ChatMessage, LanguageModel, Options, complete
from companion.records import Profile
from tests.fakes import ScriptedModel

SECTION = LlmSection(context_tokens=2048, threads=1)
PERSONA = PersonaSection(examples=False)
HEAD = head_of(PERSONA, Profile(name="Mia"), 2)
ASKED = (*HEAD, ChatMessage("user", "What is a heron?"))
SHORT = Options(max_tokens=12)


def stored(file: Path, persona: PersonaSection = PERSONA) -> StoredPrefix:
    return StoredPrefix(file, "weights", persona, DialogSection())


async def tiny(path: Path) -> LanguageModel:
    from companion.engines.llama.model import LlamaCpp  # needs llama.cpp, which not every test does

    return await LlamaCpp.load(path, SECTION, name="tiny")


@pytest.mark.real
async def test_a_later_start_need_not_read_the_beginning(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    file = tmp_path / "prefixes" / "tiny.npz"
    first = await tiny(llm_tiny_path)
    before, usage = await complete(first, ASKED, SHORT)
    assert usage.evaluated_tokens == usage.prompt_tokens
    await first.close()

    second = await tiny(llm_tiny_path)
    await stored(file).load(second)
    await second.close()
    assert stored(file).exists

    third = await tiny(llm_tiny_path)
    await stored(file).load(third)
    after, usage = await complete(third, ASKED, SHORT)
    await third.close()
    assert usage.evaluated_tokens < usage.prompt_tokens / 4
    assert after == before
    assert b"Mia" not in file.read_bytes()


@pytest.mark.real
async def test_a_damaged_file_and_another_persona_are_read_anew(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    file = tmp_path / "tiny.npz"
    model = await tiny(llm_tiny_path)
    await stored(file).load(model)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    await stored(file).load(model)
    assert len(file.read_bytes()) == len(whole)
    await stored(file, PersonaSection(name="Olo", examples=False)).load(model)
    assert file.read_bytes() != whole
    await model.close()


async def test_whatever_bit_of_the_file_is_flipped_it_is_read_anew_or_as_it_was(
    tmp_path: Path,
) -> None:
    file = tmp_path / "scripted.npz"
    model = ScriptedModel()
    await stored(file).load(model)
    whole = file.read_bytes()
    for damaged in (b"", whole[:1], *(_flipped(whole, at) for at in range(0, len(whole), 17))):
        file.write_bytes(damaged)
        await stored(file).load(model)
    assert len(model.warmed) > 3
    assert set(model.warmed) == {lasting(PERSONA, DialogSection().sentences)}


def _flipped(whole: bytes, at: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]


@pytest.mark.real
async def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    model = await tiny(llm_tiny_path)
    await stored(blocked / "tiny.npz").load(model)
    usage = await model.warm(HEAD)
    await model.close()
    assert usage.evaluated_tokens < usage.prompt_tokens / 4
