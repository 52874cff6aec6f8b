"""Token counts of a model that runs elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import httpx

from companion.engines.protocols import ChatMessage
from companion.engines.utf8 import encodable

BYTES_PER_TOKEN = 3.5
"""Estimate, where the server cannot count. English text has 4 to 5: it errs on the safe side."""

MESSAGE_TOKENS = 5
"""What a chat template adds to a message (ChatML: 5)."""

OPENING_TOKENS = 3
"""What opens the answer (ChatML: 3)."""

KEPT = 4096
"""Texts whose counts are kept."""


class ServerTokens:
    """Asks `/tokenize` of llama-server or vLLM; a server without it gets estimates instead.

    Counting is part of building a prompt, which is not awaited: a server that does not answer
    within a quarter of a second is not asked again.
    """

    def __init__(self, root: str, model: str, headers: dict[str, str]) -> None:
        self._client = httpx.Client(headers=headers, timeout=0.25, trust_env=False)
        self._url = f"{root}/tokenize"
        self._model = model
        self._answers = False
        self._asked = lru_cache(KEPT)(self._ask)

    def enable(self) -> None:
        """The server may be asked: it is on the owner's own network."""
        self._answers = True

    def count(self, messages: Sequence[ChatMessage]) -> int:
        texts = (self._text(message.text) for message in messages)
        return sum(texts) + len(messages) * MESSAGE_TOKENS + OPENING_TOKENS

    def close(self) -> None:
        self._client.close()

    def _text(self, text: str) -> int:
        try:
            return self._asked(encodable(text))
        except _NoAnswer:
            return round(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)

    def _ask(self, text: str) -> int:
        if not self._answers:
            raise _NoAnswer
        # llama-server reads `content`, vLLM `model` and `prompt`; each ignores the other's.
        body = {"content": text, "model": self._model, "prompt": text}
        try:
            answer = self._client.post(self._url, json=body)
            answer.raise_for_status()
            return len(answer.json()["tokens"])
        except (httpx.HTTPError, ValueError, LookupError, TypeError):
            self._answers = False
            raise _NoAnswer from None


class _NoAnswer(Exception):
    """The server does not count, or may not be asked: nothing to keep."""
