"""Which entries of the manifest a configuration uses."""

from __future__ import annotations

from importlib.util import find_spec

from companion.config import Config, EmbedderSection, LlmSection
from companion.config_errors import nearest
from companion.weights.manifest import Entry, Manifest

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
    Raises UsageError for a name that the manifest lacks."""
    sections = [config.llm.active, config.llm.inactive]
    names = [section.model for section in sections if section and _is_fetched_llm(section)]
    if _is_fetched_embedder(config.embedder):
        names.append(config.embedder.model)
    if has_voice() if voice is None else voice:
        names += [s.model for s in (config.stt, config.tts) if s.directory is None]
    return [manifest[name] for name in dict.fromkeys(names)]


def misnamed(config: Config, manifest: Manifest) -> tuple[tuple[str, ...], str] | None:
    """The first key that names a model which the manifest lacks, or one for something else, and
    what is wrong with it; those for sound too, whatever is installed."""
    llm, embedder = config.llm, config.embedder
    named = [
        (("llm", "active"), llm.active.model, "llm", _is_fetched_llm(llm.active)),
        (("embedder",), embedder.model, "embedder", _is_fetched_embedder(embedder)),
        (("stt",), config.stt.model, "stt", config.stt.directory is None),
        (("tts",), config.tts.model, "tts", config.tts.directory is None),
    ]
    if llm.inactive is not None:
        own = _is_fetched_llm(llm.inactive)
        named.insert(1, (("llm", "inactive"), llm.inactive.model, "llm", own))
    for section, name, role, fetched in named:
        known = [entry.name for entry in manifest if entry.role == role]
        if fetched and name not in known:
            problem = f"there is no such model{nearest(name, known)}; known: {', '.join(known)}"
            return (*section, "model"), f"{name!r}: {problem}"
    return None


def _is_fetched_llm(section: LlmSection) -> bool:
    return section.backend == "llama-cpp" and section.file is None


def _is_fetched_embedder(section: EmbedderSection) -> bool:
    return section.backend == "onnx" and section.directory is None
