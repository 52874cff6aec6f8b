"""Which entries of the manifest a configuration uses."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from companion.config import Config
from companion.config.errors import nearest
from companion.weights.manifest import Entry, Manifest
from companion.weights.stand_in import in_use

VOICE_LIBRARIES = (
    "faster_whisper",
    "piper",
    "pywebrtc_audio",
    "sounddevice",
    "soxr",
)
"""What the extra `voice` installs."""


def has_voice() -> bool:
    """Whether this environment can hear and speak, once the models are there."""
    return all(find_spec(library) for library in VOICE_LIBRARIES)


def needed(config: Config, manifest: Manifest, *, voice: bool | None = None) -> list[Entry]:
    """The models to fetch before `config` can run: not those on a server, of the user's own,
    or loaded by sentence-transformers; those for sound with `voice` (None: when `has_voice`).
    What the configuration names, whatever stands in for it (`used`).
    Raises UsageError for a name that the manifest lacks."""
    speaks = has_voice() if voice is None else voice
    named = [name for _, name, role in _named(config) if speaks or role not in ("stt", "tts")]
    return [manifest[name] for name in dict.fromkeys(named)]


def used(config: Config, manifest: Manifest) -> list[Entry]:
    """The models that `config` runs with: those that are `needed`, each as it is here, by itself or
    by its stand-in. Raises UsageError."""
    entries = needed(config, manifest)
    return [in_use(entry, manifest, config.models_dir) for entry in entries]


def misnamed(config: Config, manifest: Manifest) -> tuple[tuple[str, ...], str] | None:
    """The first key that names a model which the manifest lacks, or one for something else, and
    what is wrong with it; those for sound too, whatever is installed."""
    for section, name, role in _named(config):
        known = [entry.name for entry in manifest if entry.role == role]
        if name not in known:
            problem = f"there is no such model{nearest(name, known)}; known: {', '.join(known)}"
            return (*section, "model"), f"{name!r}: {problem}"
    return None


def _named(config: Config) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Section, name and role of each model that must be in the manifest."""
    for key, llm in (("active", config.llm.active), ("inactive", config.llm.inactive)):
        if llm is not None and llm.backend == "llama-cpp" and llm.file is None:
            yield ("llm", key), llm.model, "llm"
    if config.embedder.backend == "onnx" and config.embedder.directory is None:
        yield ("embedder",), config.embedder.model, "embedder"
    for role, sound in (("stt", config.stt), ("tts", config.tts)):
        if sound.directory is None:
            yield (role,), sound.model, role
