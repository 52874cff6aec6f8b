"""The last configuration that was free of mistakes: a slip in the file must not make a dead toy."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from companion.config import Config

FILE = "config.good.yaml"
MISTAKEN = "My settings have a mistake, so I use the last good ones."


def find(data_dir: Path | None) -> Path | None:
    """The copy, where no configuration can say where it lies. data_dir: of the command line, else
    the service's (systemd's $STATE_DIRECTORY), else the default."""
    service = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    directory = data_dir or Path(service or Config().data_dir)
    file = directory.expanduser() / FILE
    return file if os.access(file, os.R_OK) else None


def keep(source: Path, config: Config) -> None:
    """Copy the file that `config` was read from; whole, or not at all, and never in the way."""
    new = config.data_dir / f"{FILE}.new"
    with contextlib.suppress(OSError):
        config.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        new.write_bytes(source.read_bytes())
        os.replace(new, config.data_dir / FILE)
