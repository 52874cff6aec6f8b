"""Which models play the user and the judge: a server, a model of the manifest, or the local one."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import ValidationError

from companion.config import LlmSection
from companion.errors import UsageError

LOCAL = "local"
LOCAL_CONTEXT = 8192
SERVER_CONTEXT = 32_768


def section_of(
    spec: str, active: LlmSection, *, context: int | None = None, key_file: Path | None = None
) -> LlmSection:
    """The model that is meant by `local` (the companion's own), `http://host:8080/v1#MODEL`, a
    GGUF file, or a name of models/manifest.yaml.

    active: the companion's. context: tokens that it may read at once. Raises UsageError.
    """
    if spec.startswith(("http://", "https://")):
        url, _, model = spec.partition("#")
        if not (urlsplit(url).hostname and model):
            # Without its name two judges could not be told apart.
            lacks = "model" if urlsplit(url).hostname else "host"
            raise UsageError(f"{spec!r} names no {lacks}; write http://127.0.0.1:8080/v1#MODEL")
        changes = {
            "backend": "openai",
            "url": url,
            "model": model,
            "api_key_file": key_file,
            # Whoever names it means it, and only talk of simulated people goes there.
            "allow_public": True,
        }
        default = SERVER_CONTEXT
    else:
        default = max(LOCAL_CONTEXT, active.context_tokens)
        changes = {}
        if spec.endswith(".gguf"):
            changes = {"backend": "llama-cpp", "file": Path(spec), "url": None}
        elif spec != LOCAL:
            changes = {"backend": "llama-cpp", "model": spec, "file": None, "url": None}
    try:
        return LlmSection.model_validate(
            {**active.model_dump(), **changes, "context_tokens": context or default}
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{spec}: {first['loc'][0]}: {first['msg']}") from None
