"""The database key: 32 random bytes, kept as 64 hexadecimal digits in a file only we may read.

Looked for in this order: the configured `store.key_file`; the systemd credential
`companion-key` (`LoadCredentialEncrypted=` puts it under $CREDENTIALS_DIRECTORY); `store.key`
beside the database, which is made when there is no database yet.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from companion.errors import StoreError, StoreFailing

KEY_BYTES = 32


def load(directory: Path, key_file: Path | None, *, database_exists: bool) -> str:
    """The key as hexadecimal digits, made when there is nothing yet to open with it.

    Raises StoreError when it is missing, unreadable or not a key.
    """
    path = key_path(directory, key_file)
    try:
        text = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        if database_exists:
            raise StoreError(
                f"{path}: the key is missing, and the memories in {directory} cannot be read "
                "without it; put the file back or name it as store.key_file"
            ) from None
        return _make(path)
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: the key cannot be read: {error}") from None
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * KEY_BYTES}}}", text):
        raise StoreError(f"{path}: is not a key; it must hold {2 * KEY_BYTES} hexadecimal digits")
    return text


def key_path(directory: Path, key_file: Path | None) -> Path:
    """Where the key is, or would be made."""
    if key_file is not None:
        return key_file.expanduser()
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    if credentials and (credential := Path(credentials) / "companion-key").exists():
        return credential
    return directory / "store.key"


def _make(path: Path) -> str:
    """A new key, on disk for good before anything is encrypted with it."""
    key = secrets.token_hex(KEY_BYTES)
    new = path.with_name(path.name + ".new")
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(key + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise StoreFailing(f"{path}: the key cannot be made: {error.strerror}") from None
    return key
