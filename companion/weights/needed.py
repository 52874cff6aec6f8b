"""Which entries of the manifest a configuration uses."""

from __future__ import annotations

from companion.config import Config, EmbedderSection, LlmSection
from companion.weights.manifest import Entry, Manifest


def needed(config: Config, manifest: Manifest) -> list[Entry]:
    """The models to fetch before `config` can run: not those on a server, of the user's own,
    or loaded by sentence-transformers. Raises UsageError for a name that the manifest lacks."""
    sections = [config.llm.active, config.llm.inactive]
    names = [section.model for section in sections if section and _is_fetched_llm(section)]
    if _is_fetched_embedder(config.embedder):
        names.append(config.embedder.model)
    return [manifest[name] for name in dict.fromkeys(names)]


def _is_fetched_llm(section: LlmSection) -> bool:
    return section.backend == "llama-cpp" and section.file is None


def _is_fetched_embedder(section: EmbedderSection) -> bool:
    return section.backend == "onnx" and section.directory is None
