"""GGUF files, version 3: what stands before the weights, read and written.

Source: docs/gguf.md of github.com/ggml-org/ggml. Little-endian throughout.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAGIC = b"GGUF"
VERSION = 3
ALIGNMENT = 32
"""Bytes that each tensor's place is a multiple of, unless the file says otherwise."""

UINT32, INT32, FLOAT32, STRING, ARRAY = 4, 5, 6, 8, 9
_WIDTH = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value, by the number of its type."""


@dataclass(frozen=True)
class Kind:
    """How numbers of a tensor are stored: blocks of so many numbers in so many bytes."""

    number: int
    block: int
    size: int


KINDS = {
    "F32": Kind(0, 1, 4),
    "F16": Kind(1, 1, 2),
    "Q4_1": Kind(3, 32, 20),
    "Q5_0": Kind(6, 32, 22),
    "Q5_1": Kind(7, 32, 24),
    "Q8_0": Kind(8, 32, 34),
    "Q4_K": Kind(12, 256, 144),
    "Q5_K": Kind(13, 256, 176),
    "Q6_K": Kind(14, 256, 210),
}
"""Those of the models here, by ggml's name."""


@dataclass(frozen=True)
class Tensor:
    """A tensor as the file lists it."""

    name: str
    dimensions: tuple[int, ...]
    """The innermost, a row's length, first."""

    kind: str
    """A key of KINDS."""

    @property
    def size(self) -> int:
        """Bytes."""
        count = 1
        for each in self.dimensions:
            count *= each
        kind = KINDS[self.kind]
        return count // kind.block * kind.size


@dataclass(frozen=True)
class Value:
    """A metadata value as it stands in the file."""

    kind: int
    data: bytes
    """Of an array: with its type and length in front."""

    @property
    def strings(self) -> list[bytes]:
        """Of an array of strings."""
        _, count = struct.unpack_from("<IQ", self.data)
        found, at = [], 12
        for _ in range(count):
            (length,) = struct.unpack_from("<Q", self.data, at)
            found.append(self.data[at + 8 : at + 8 + length])
            at += 8 + length
        return found

    @property
    def text(self) -> str:
        return self.data[8:].decode()

    @property
    def number(self) -> int:
        """Of a UINT32."""
        found: int = struct.unpack("<I", self.data)[0]
        return found


class GgufError(ValueError):
    """The file is no GGUF of this version, or is cut."""


def text(value: str) -> Value:
    return Value(STRING, _string(value.encode()))


def uint32(value: int) -> Value:
    return Value(UINT32, struct.pack("<I", value))


def float32(value: float) -> Value:
    return Value(FLOAT32, struct.pack("<f", value))


def strings(values: Sequence[bytes]) -> Value:
    head = struct.pack("<IQ", STRING, len(values))
    return Value(ARRAY, head + b"".join(map(_string, values)))


def read(path: Path) -> tuple[dict[str, Value], list[Tensor]]:
    """Metadata and tensors, in the file's order. Raises GgufError, OSError."""
    with path.open("rb") as stream:
        if stream.read(4) != MAGIC:
            raise GgufError(f"{path}: is not a GGUF file")
        try:
            version, tensors, values = struct.unpack("<IQQ", stream.read(20))
            if version != VERSION:
                raise GgufError(f"{path}: version {version} of GGUF; {VERSION} is known")
            metadata = {}
            for _ in range(values):
                name = _read_string(stream).decode()
                (kind,) = struct.unpack("<I", stream.read(4))
                metadata[name] = Value(kind, _read_value(stream, kind))
            return metadata, [_read_tensor(stream) for _ in range(tensors)]
        except (struct.error, KeyError) as error:
            raise GgufError(f"{path}: is cut, or holds what is not known ({error})") from None


def write_head(stream: BinaryIO, metadata: Mapping[str, Value], tensors: Sequence[Tensor]) -> None:
    """Everything before the weights, padded up to where they begin."""
    stream.write(MAGIC + struct.pack("<IQQ", VERSION, len(tensors), len(metadata)))
    for name, value in metadata.items():
        stream.write(_string(name.encode()) + struct.pack("<I", value.kind) + value.data)
    offset = 0
    for each in tensors:
        stream.write(_string(each.name.encode()) + struct.pack("<I", len(each.dimensions)))
        stream.write(struct.pack(f"<{len(each.dimensions)}Q", *each.dimensions))
        stream.write(struct.pack("<IQ", KINDS[each.kind].number, offset))
        offset += padded(each.size)
    stream.write(bytes(padded(stream.tell()) - stream.tell()))


def padded(size: int) -> int:
    """The next multiple of the alignment."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def _string(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def _read_string(stream: BinaryIO) -> bytes:
    (length,) = struct.unpack("<Q", stream.read(8))
    return stream.read(length)


def _read_value(stream: BinaryIO, kind: int) -> bytes:
    if kind == STRING:
        return _string(_read_string(stream))
    if kind != ARRAY:
        return stream.read(_WIDTH[kind])
    head = stream.read(12)
    of, count = struct.unpack("<IQ", head)
    if of == STRING:
        return head + b"".join(_string(_read_string(stream)) for _ in range(count))
    return head + stream.read(_WIDTH[of] * count)


def _read_tensor(stream: BinaryIO) -> Tensor:
    names = {kind.number: name for name, kind in KINDS.items()}
    name = _read_string(stream).decode()
    (count,) = struct.unpack("<I", stream.read(4))
    dimensions = struct.unpack(f"<{count}Q", stream.read(8 * count))
    number, _offset = struct.unpack("<IQ", stream.read(12))
    return Tensor(name, dimensions, names[number])
