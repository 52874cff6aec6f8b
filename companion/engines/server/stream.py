"""The stream of a chat completion: server-sent events to pieces of text and counts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from companion.engines.protocols import Usage
from companion.errors import ContextTooSmall, EngineError


@dataclass(eq=False)
class CompletionStream:
    """Reads the lines of one streamed answer (OpenAI's chat completion chunks)."""

    _server: str
    _usage: Usage
    complete: bool = False
    """The server said that, and why, the answer ended."""

    def feed(self, line: str) -> str:
        """The text that a line brings, possibly none; counts go into the usage.

        Raises EngineError for what is no such stream, and for an error that it reports;
        ContextTooSmall.
        """
        if not line.startswith("data:"):
            return ""  # Empty lines and comments keep the connection alive.
        data = line[len("data:") :].strip()
        if data == "[DONE]":
            return ""
        try:
            chunk = json.loads(data)
            if "error" in chunk:
                require_room(self._server, chunk)
                raise EngineError(f"{self._server}: {error_kind(chunk)} while answering")
            self._count(chunk)
            return self._text(chunk)
        except (ValueError, TypeError, LookupError, AttributeError):
            raise EngineError(f"{self._server}: sent something that is no answer") from None

    def _text(self, chunk: dict[str, Any]) -> str:
        choices = chunk.get("choices") or []
        if not choices:
            return ""
        finish = choices[0].get("finish_reason")
        if finish is not None:
            self.complete = True
            self._usage.finish = "length" if finish == "length" else "stop"
        text: str = (choices[0].get("delta") or {}).get("content") or ""
        if not isinstance(text, str):
            raise TypeError
        if text:
            self._usage.generated_tokens += 1
        return text

    def _count(self, chunk: dict[str, Any]) -> None:
        counts = chunk.get("usage")
        if not counts:
            return
        self._usage.prompt_tokens = int(counts["prompt_tokens"])
        self._usage.generated_tokens = int(counts["completion_tokens"])
        details = counts.get("prompt_tokens_details") or {}
        self._usage.cached_tokens = int(details.get("cached_tokens") or 0)
        self._usage.evaluated_tokens = self._usage.prompt_tokens - self._usage.cached_tokens


def require_room(server: str, body: Any) -> None:
    """Raises ContextTooSmall when the reported error is that the prompt is too long: in that case
    the server was started with a smaller context than the configuration says."""
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and _TOO_LONG.search(
        " ".join(str(error.get(key)) for key in ("type", "code", "message"))
    ):
        raise ContextTooSmall(
            f"{server} has a smaller context than llm.active.context_tokens (or "
            "llm.inactive.context_tokens) says; set it to what the server was started with"
        )


_TOO_LONG = re.compile(r"exceed_context|context_length_exceeded|context (?:size|length|window)")
"""llama-server's type, OpenAI's code, and what both and vLLM write in the message."""


def error_kind(body: Any) -> str:
    """The kind of a reported error. Its message may quote the prompt: never shown."""
    error = body.get("error") if isinstance(body, dict) else None
    kind = error.get("type") if isinstance(error, dict) else None
    return str(kind)[:60] if isinstance(kind, str) and kind.isidentifier() else "an error"
