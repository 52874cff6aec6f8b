"""What a measurement was made with: models by hash, versions, the machine.

Two figures are comparable when their models' hashes agree; across machines only their ratios and
counts are.
"""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from companion.config import Config, EmbedderSection, LlmSection
from companion.engines.cores import usable_cores
from companion.errors import ModelFileError
from companion.weights.located import model_name
from companion.weights.manifest import Manifest
from companion.weights.needed import has_voice
from companion.weights.verify import check, sha256_of

LIBRARIES = (
    "companion",
    "llama-cpp-python",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "apsw-sqlite3mc",
    "sqlite-vec",
    "faster-whisper",
    "ctranslate2",
    "piper-tts",
)
CPUINFO = Path("/proc/cpuinfo")


def made_with(config: Config, roles: tuple[str, ...], load: float) -> dict[str, Any]:
    """`made_with` of a bench's document. roles: any of `llm` (who talks) or `inactive` (who
    consolidates; named `llm`, too), `embedder`, `stt`, `tts`.
    load: the machine's, before it was measured (processes that want a core).

    Raises ModelFileError when the file of a model or of the embedder is not there, or is not what
    the manifest says. What hears and speaks may be missing, as they may where things are measured.
    """
    models: dict[str, Any] = {}
    llm = config.llm.active
    if "inactive" in roles:
        llm = config.llm.inactive or llm
    if "llm" in roles or "inactive" in roles:
        models["llm"] = _language_model(llm, config.models_dir)
    if "embedder" in roles:
        models["embedder"] = _embedder(config.embedder, config.models_dir)
    for role, section in (("stt", config.stt), ("tts", config.tts)):
        if role in roles and section.directory is None and has_voice():
            models[role] = _of_voice(section.model, config.models_dir)
    return {
        "models": models,
        "profile": config.profile,
        "seed": config.dialog.seed,
        "threads": llm.threads or usable_cores(),
        "versions": {"python": platform.python_version(), **_versions()},
        "machine": {
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "cpu": _cpu(),
            "cores": usable_cores(),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "load": round(load, 2),
        },
    }


def _language_model(section: LlmSection, models_dir: Path) -> dict[str, Any]:
    if section.backend != "llama-cpp":
        return {"name": section.model, "sha256": None}  # Known to its server only.
    if section.file is None:
        return _of_manifest(model_name(section, models_dir), models_dir)
    file = section.file.expanduser()
    return {"name": file.stem, "sha256": {file.name: sha256_of(file)}}


def _embedder(section: EmbedderSection, models_dir: Path) -> dict[str, Any]:
    if section.backend != "onnx":
        return {"name": section.model, "sha256": None}
    if section.directory is None:
        return _of_manifest(section.model, models_dir)
    folder = section.directory.expanduser()
    return {"name": folder.name, "sha256": {"model.onnx": sha256_of(folder / "model.onnx")}}


def _of_manifest(name: str, models_dir: Path) -> dict[str, Any]:
    """Hashes that the files on disk were found to have."""
    entry = Manifest.load()[name]
    check(entry, models_dir)
    return {"name": name, "sha256": {file.name: file.sha256 for file in entry.files}}


def _of_voice(name: str, models_dir: Path) -> dict[str, Any]:
    try:
        return _of_manifest(name, models_dir)
    except ModelFileError:
        return {"name": name, "sha256": None}


def _versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _cpu() -> str:
    """Its name; on a machine whose /proc does not tell one, the architecture."""
    try:
        lines = CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
