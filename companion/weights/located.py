"""Where the models lie that a configuration names, checked as they are looked up."""

from __future__ import annotations

from pathlib import Path

from companion.config import EmbedderSection, LlmSection, SttSection, TtsSection
from companion.config.document import shipped
from companion.errors import ModelFileError
from companion.weights.manifest import Manifest
from companion.weights.stand_in import in_use
from companion.weights.verify import check


def model_file(section: LlmSection, models_dir: Path) -> Path:
    """The GGUF that a section names: its own file, else the manifest's.

    Raises ModelFileError, UsageError (a name that the manifest does not know).
    """
    return _located(section.file, section.model, models_dir)


def adapter_file(section: LlmSection, models_dir: Path) -> Path | None:
    """The adapter that is loaded over a section's weights: its own, else the manifest's for these
    weights; None: they are used as they are. Raises ModelFileError, UsageError."""
    if section.backend != "llama-cpp" or section.adapter == "none":
        return None
    if section.adapter != "auto":
        own = Path(section.adapter).expanduser()
        if not own.is_file():
            raise ModelFileError(f"{own}: llm.active.adapter names no file; auto takes the shipped")
        return own
    if section.file is not None:
        return None
    manifest = Manifest.load()
    entry = in_use(manifest[section.model], manifest, models_dir)
    return None if entry.adapter is None else shipped(f"models/{entry.adapter}")


def model_name(section: LlmSection, models_dir: Path) -> str:
    """What the model is called that a section leads to: by its server, by its own file, else by the
    manifest, where it may be a stand-in's name. Raises UsageError."""
    if section.backend != "llama-cpp":
        return section.model
    if section.file is not None:
        return section.file.stem
    manifest = Manifest.load()
    return in_use(manifest[section.model], manifest, models_dir).name


def model_folder(section: EmbedderSection | SttSection | TtsSection, models_dir: Path) -> Path:
    """The folder that an embedder or a model of sound is loaded from: its own, else the manifest's.

    Raises ModelFileError, UsageError (a name that the manifest does not know).
    """
    return _located(section.directory, section.model, models_dir)


def _located(own: Path | None, model: str, models_dir: Path) -> Path:
    if own is not None:
        try:
            return own.expanduser()
        except RuntimeError:  # of --llm: the shell leaves such a name as it is
            raise ModelFileError(f"{own}: names the home of a user that is not there") from None
    manifest = Manifest.load()
    entry = in_use(manifest[model], manifest, models_dir)
    check(entry, models_dir)
    return manifest.path(entry.name, models_dir)
