"""Verification: which file, what is wrong with it, and how often it is read."""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path

import pytest

from companion.errors import ModelFileError
from companion.weights.manifest import Entry, HubFile
from companion.weights.verify import check, verify
from tests.weights.conftest import entry, weight

CONTENT = random.Random(1).randbytes(100_000)
SOURCE = HubFile(repository="owner/model", revision="main", path="a.gguf")


@pytest.fixture
def toy(models_dir: Path) -> Entry:
    """A model that is in place."""
    toy = entry(weight("a.gguf", CONTENT, SOURCE))
    toy.folder(models_dir).mkdir(parents=True)
    (toy.folder(models_dir) / "a.gguf").write_bytes(CONTENT)
    return toy


def test_a_whole_model_passes(toy: Entry, models_dir: Path) -> None:
    verify(toy, models_dir)
    check(toy, models_dir)


def test_a_missing_file_names_the_command(toy: Entry, models_dir: Path) -> None:
    (models_dir / "toy" / "a.gguf").unlink()
    for look in (verify, check):
        with pytest.raises(ModelFileError) as caught:
            look(toy, models_dir)
        message = str(caught.value)
        assert message.startswith(f"{models_dir / 'toy' / 'a.gguf'}: model file is missing")
        assert message.endswith("fetch it with: companion models fetch toy")


@pytest.mark.parametrize(
    ("content", "damage"),
    [(CONTENT[:-1], "cut"), (CONTENT[:-1] + b"?", "altered"), (CONTENT + b"?", "altered")],
)
def test_a_wrong_file_is_named_with_both_hashes(
    toy: Entry, models_dir: Path, content: bytes, damage: str
) -> None:
    check(toy, models_dir)
    (models_dir / "toy" / "a.gguf").write_bytes(content)
    for look in (verify, check):
        with pytest.raises(ModelFileError) as caught:
            look(toy, models_dir)
        message = str(caught.value)
        assert f"model file is {damage} ({len(content):,} of 100,000 bytes" in message
        assert f"expected sha256 {hashlib.sha256(CONTENT).hexdigest()}" in message
        assert f"found {hashlib.sha256(content).hexdigest()}" in message
        assert "companion models fetch toy" in message


def test_a_start_reads_a_verified_file_no_more_but_verify_always_does(
    toy: Entry, models_dir: Path
) -> None:
    """Rot that leaves size and time as they were is what `verify` is for."""
    check(toy, models_dir)
    path = models_dir / "toy" / "a.gguf"
    before = path.stat()
    path.write_bytes(CONTENT[:-1] + b"?")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    check(toy, models_dir)
    with pytest.raises(ModelFileError):
        verify(toy, models_dir)


def test_a_stamp_for_another_version_of_the_manifest_does_not_count(
    toy: Entry, models_dir: Path
) -> None:
    check(toy, models_dir)
    newer = entry(weight("a.gguf", CONTENT[::-1], SOURCE))
    with pytest.raises(ModelFileError):
        check(newer, models_dir)


@pytest.mark.parametrize("stamp", ["", "[]", '{"a.gguf": 1}', "not json"])
def test_a_broken_stamp_is_made_anew(toy: Entry, models_dir: Path, stamp: str) -> None:
    file = models_dir / "toy" / ".verified.json"
    file.write_text(stamp)
    check(toy, models_dir)
    assert hashlib.sha256(CONTENT).hexdigest() in file.read_text()


def test_a_folder_in_place_of_the_file_is_one_line(toy: Entry, models_dir: Path) -> None:
    (models_dir / "toy" / "a.gguf").unlink()
    (models_dir / "toy" / "a.gguf").mkdir()
    with pytest.raises(ModelFileError, match="cannot be read: Is a directory"):
        check(toy, models_dir)
