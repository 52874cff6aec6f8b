"""The database key: 32 random bytes, kept as 64 hexadecimal digits in a file only we may read.

Looked for in this order: the configured `store.key_file`; the systemd credential
`companion-key` (`LoadCredentialEncrypted=` puts it under $CREDENTIALS_DIRECTORY); `store.key`
beside the database, which is made when there is no database yet.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
from pathlib import Path

from companion.durable import sync
from companion.errors import StoreError, StoreFailing

KEY_BYTES = 32

logger = logging.getLogger(__name__)


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
        return make(path)
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: the key cannot be read: {error}") from None
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * KEY_BYTES}}}", text):
        raise StoreError(f"{path}: is not a key; it must hold {2 * KEY_BYTES} hexadecimal digits")
    _close_to_others(path)
    return text


def key_path(directory: Path, key_file: Path | None) -> Path:
    """Where the key is, or would be made. Raises StoreError when systemd gave one that cannot be
    reached: another one made in its place would lock the memories up."""
    if key_file is not None:
        return _followed(key_file.expanduser())
    if credentials := os.environ.get("CREDENTIALS_DIRECTORY"):
        credential = Path(credentials) / "companion-key"
        try:
            credential.stat()
            return credential
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StoreError(f"{credential}: the key cannot be read: {error.strerror}") from None
    return _followed(directory / "store.key")


def _followed(path: Path) -> Path:
    """Where a link leads: a new key takes the place of the key, not of the link to it."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def is_credential(path: Path) -> bool:
    """Whether systemd gave the key, which nobody here may change."""
    credentials = os.environ.get("CREDENTIALS_DIRECTORY")
    return bool(credentials) and path.parent == Path(str(credentials))


def next_path(path: Path) -> Path:
    """Where a rotation puts the new key, beside the present one."""
    return path.with_name(path.name + ".next")


def take_next(path: Path) -> None:
    """The key beside it becomes the key."""
    os.replace(next_path(path), path)
    sync(path.parent)


def make(path: Path) -> str:
    """A new key, on disk for good before anything is encrypted with it."""
    key = secrets.token_hex(KEY_BYTES)
    new = path.with_name(path.name + ".new")
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(key + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
        sync(path.parent)
    except OSError as error:
        raise StoreFailing(f"{path}: the key cannot be made: {error.strerror}") from None
    return key


def _close_to_others(path: Path) -> None:
    """A key that a copy or an editor left readable to others is closed again."""
    with contextlib.suppress(OSError):
        if not is_credential(path) and path.stat().st_mode & 0o077:
            path.chmod(0o600)
            logger.warning("%s: others could read the key; not any more", path)
