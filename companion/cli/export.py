"""`companion export`: everything that is kept, as one JSON document."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note, write_json
from companion.errors import InputError


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "export",
        run,
        "everything that is kept, as JSON",
        "Everything that is kept, as one JSON document: what was said, word for word, "
        "what was learnt, profile, notices. It is not encrypted.",
        json=None,
    )
    parser.add_argument("file", metavar="FILE", help="- writes to standard output")


async def run(call: Call) -> int:
    document = await call.asked("export")
    if call.arguments.file == "-":
        write_json(document)
        return 0
    path = Path(call.arguments.file)
    _write(path, document)
    note(f"{path}: written, readable by you alone; it is not encrypted")
    return 0


def _write(path: Path, document: Any) -> None:
    """All of it or nothing; into a pipe or a device as far as it takes it. Raises InputError."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
        else:
            _replace(Path(os.path.realpath(path)), document)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _replace(path: Path, document: Any) -> None:
    """path: what a link leads to, which is replaced, and not the link."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink()
        raise
