"""piper: the pace of its voice, and folders that hold none."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engines.sound.piper import Piper
from companion.errors import ModelFileError

NETWORK = "en_US-joe-medium.onnx"
DESCRIPTION = "en_US-joe-medium.onnx.json"


async def test_a_higher_speed_is_shorter(piper_dir: Path) -> None:
    lengths = []
    for speed in (0.8, 1.6):
        voice = await Piper.load(piper_dir, name="joe", threads=1, speed=speed)
        try:
            lengths.append(len(await voice.synthesize("The whale swam all the way home.")))
        finally:
            await voice.close()
    assert lengths[0] > 1.4 * lengths[1]


async def refused(directory: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        await Piper.load(directory, name="piper-en-us-joe", threads=1, speed=1.0)
    assert "companion models fetch piper-en-us-joe" in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def test_a_missing_file_is_named(piper_dir: Path, tmp_path: Path) -> None:
    assert f"{tmp_path}: has no .onnx file" in await refused(tmp_path)
    (tmp_path / NETWORK).symlink_to(piper_dir / NETWORK)
    assert str(tmp_path / DESCRIPTION) in await refused(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"audio": 3}'])
async def test_a_description_of_something_else(piper_dir: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / NETWORK).symlink_to(piper_dir / NETWORK)
    (tmp_path / DESCRIPTION).write_text(text)
    assert "does not describe a voice" in await refused(tmp_path)


async def test_a_cut_network(piper_dir: Path, tmp_path: Path) -> None:
    (tmp_path / DESCRIPTION).symlink_to(piper_dir / DESCRIPTION)
    (tmp_path / NETWORK).write_bytes((piper_dir / NETWORK).read_bytes()[:100_000])
    assert f"{tmp_path / NETWORK}: is not a usable ONNX model" in await refused(tmp_path)
