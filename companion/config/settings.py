"""What a parent may set without an editor: a closed list of keys, in `settings.yaml` in `data_dir`.

That file wins over the configuration for these keys only, and is checked as the configuration is.
Nothing in it can take a guard away, open a port or move the memory: `safety`, `allow_public`, `web`
and `store` are not on the list, but for the minutes before a break, which can only become fewer.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from companion.config.document import Config, overlay, with_settings
from companion.config.errors import nearest
from companion.config.settings_list import FILE, SETTINGS, Setting
from companion.config.yaml_file import YamlFile
from companion.durable import sync
from companion.errors import ConfigError, InputError, StoreFailing

From = Literal["settings", "file", "default"]


@dataclass(frozen=True)
class Held:
    """A setting as it is."""

    setting: Setting
    value: Any
    default: Any
    held_in: From


def held(config: Config) -> list[Held]:
    """Every setting, as it is now. Raises ConfigError for a file with a mistake."""
    now = with_settings(config.without_settings)
    plain = Config.model_construct()
    return [
        Held(each, _value(now, each), _value(plain, each), _from(now, each)) for each in SETTINGS
    ]


def change(config: Config, key: str, value: Any) -> Config:
    """Set one of the list, or with None take it back; the configuration as it is then.

    Raises InputError for another key, and for a value that the configuration would refuse;
    ConfigError for a file with a mistake; StoreFailing when it cannot be written.
    """
    setting = named(key)
    base = config.without_settings
    path = base.data_dir / FILE
    file = YamlFile.read(path) if path.exists() else YamlFile(path, {}, None)
    tree = overlay(file.tree, {})
    section, name = setting.place
    inner = dict(tree.get(section) or {})
    if value is None:
        inner.pop(name, None)
    else:
        _require_narrower(base, setting, value)
        inner[name] = value
    tree[section] = inner
    tree = {name: keys for name, keys in tree.items() if keys}
    try:
        changed = with_settings(base, YamlFile(path, tree, None))
    except ConfigError as error:
        raise InputError(str(error).removeprefix(f"{path}: ")) from None
    if value is not None:
        inner[name] = _plain(_value(changed, setting))
    _write(path, tree)
    return changed


def named(key: str) -> Setting:
    """The setting of this name. Raises InputError."""
    for each in SETTINGS:
        if each.key == key:
            return each
    known = [each.key for each in SETTINGS]
    raise InputError(
        f"{key!r} cannot be set here{nearest(key, known)}; what can: {', '.join(known)}; all else "
        "stands in the configuration file"
    )


class Live:
    """The configuration with the settings as they are now: the file is read again when it has
    changed. One with a mistake, or that cannot be read, leaves what was."""

    def __init__(self, config: Config) -> None:
        self._base = config.without_settings
        self._path = self._base.data_dir / FILE
        self._seen = self._stamp()
        self._now = config

    def __call__(self) -> Config:
        """As it is now."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            with contextlib.suppress(ConfigError):
                self._now = with_settings(self._base)
        return self._now

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


Current = Callable[[], Config]


def _require_narrower(base: Config, setting: Setting, value: Any) -> None:
    """Raises InputError."""
    if not setting.narrows:
        return
    most = _value(base, setting)
    with contextlib.suppress(ValueError, TypeError):
        if int(value) <= 0 or (most and int(value) > most):
            raise InputError(
                f"{setting.key}: can only be made fewer here, and not 0: the configuration file "
                f"says {most}"
            )


def _value(config: Config, setting: Setting) -> Any:
    section, name = setting.place
    return getattr(getattr(config, section), name)


def _from(config: Config, setting: Setting) -> From:
    if setting.key in config.settings:
        return "settings"
    return "file" if setting.key in config.written else "default"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _write(path: Path, tree: dict[str, Any]) -> None:
    """Whole, or not at all. Raises StoreFailing."""
    text = "# Set by a parent (companion settings, or the parents' page).\n"
    text += yaml.safe_dump(tree, allow_unicode=True, sort_keys=True) if tree else ""
    new = path.with_name(f"{FILE}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        sync(new)
        os.replace(new, path)
        sync(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink()
        raise StoreFailing(
            f"{path}: cannot be written: {error.strerror}; nothing was set"
        ) from None
