"""A model behind an OpenAI-compatible server (llama-server, vLLM) on the owner's own network."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import httpx

from companion.config import LlmSection
from companion.engines.generation import RunningAnswer, TaskSource
from companion.engines.protocols import ChatMessage, Options, Snapshot, Usage, complete
from companion.engines.server.own_network import is_own_address, require_own_network
from companion.engines.server.stream import CompletionStream, error_kind, require_room
from companion.engines.server.tokens import ServerTokens
from companion.engines.utf8 import encodable
from companion.errors import ContextTooSmall, EngineError

T = TypeVar("T")

BACK_OFF_S = (0.25, 0.5, 1.0)
"""Waits before another try to connect."""

TIMEOUT = httpx.Timeout(120.0, connect=5.0)
"""Seconds; the first one is the longest silence within an answer."""

BUSY = frozenset({429, 502, 503, 504})
"""HTTP codes of a server that may answer soon (llama-server: 503 while it loads)."""


class OpenAIServer:
    """A LanguageModel elsewhere on the network; see `protocols.LanguageModel`.

    It keeps its own cache, so `snapshot` has nothing to give. Of `Options.grammar` only
    llama-server knows; other servers are asked without it. Counts are the server's own where it
    has `/tokenize`, otherwise estimates.
    """

    def __init__(self, section: LlmSection) -> None:
        """Connects later, at the first call. Raises EngineError for an unreadable key file."""
        assert section.url is not None, "the configuration asks for it"
        self.name = section.model
        self.context_tokens = section.context_tokens
        self._section = section
        self._url = section.url.rstrip("/")
        self._root = self._url.removesuffix("/v1")
        headers = _authorization(section)
        self._client = httpx.AsyncClient(headers=headers, timeout=TIMEOUT, trust_env=False)
        self._tokens = ServerTokens(self._root, section.model, headers)
        if is_own_address(self._url):
            self._tokens.enable()
        self._takes_grammar: bool | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    def count(self, messages: Sequence[ChatMessage]) -> int:
        self._refuse_when_closed()
        return self._tokens.count(messages)

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> RunningAnswer:
        usage = Usage()
        return RunningAnswer(TaskSource(self._answer(list(messages), options, usage)), usage)

    async def warm(self, messages: Sequence[ChatMessage], *, trained: bool = False) -> Usage:
        """Has the server answer with one token, which leaves the prompt in its cache."""
        if not messages:
            return Usage(finish="stop")
        _, usage = await complete(self, messages, Options(max_tokens=1))
        return replace(usage, generated_tokens=0, finish="stop")

    async def snapshot(self) -> Snapshot | None:
        return None

    async def restore(self, snapshot: Snapshot) -> bool:
        return False

    async def close(self) -> None:
        self._closed = True
        self._tokens.close()
        await self._client.aclose()

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise EngineError(f"{self.name}: was closed and cannot be used any more")

    async def _answer(
        self, messages: list[ChatMessage], options: Options, usage: Usage
    ) -> AsyncGenerator[str, None]:
        if options.grammar is not None and options.json_schema is not None:
            raise EngineError("give a grammar or a json_schema, not both")
        time_left = _TimeLeft(options.deadline_s)
        try:
            async with self._turn:
                self._refuse_when_closed()
                response = await time_left.wait_for(self._ask(messages, options, usage))
                try:
                    async for piece in self._read(response, usage, time_left):
                        yield piece
                finally:
                    await response.aclose()
        except asyncio.TimeoutError:
            usage.finish = "deadline"

    async def _ask(
        self, messages: list[ChatMessage], options: Options, usage: Usage
    ) -> httpx.Response:
        """Send the request; the answer's head. Retries until the server begins to answer."""
        await self._require_own_network()
        usage.prompt_tokens = usage.evaluated_tokens = self.count(messages)
        if usage.prompt_tokens >= self.context_tokens:
            raise ContextTooSmall(
                f"the prompt has {usage.prompt_tokens} tokens and its answer needs at least one, "
                f"but {self.name} has a context of {self.context_tokens}; raise context_tokens"
            )
        body = self._body(messages, options)
        if options.grammar is not None and await self._is_llama_server():
            body["grammar"] = options.grammar
        for pause in (*BACK_OFF_S, None):
            try:
                request = self._client.build_request(
                    "POST", f"{self._url}/chat/completions", json=body
                )
                response = await self._client.send(request, stream=True)
            except httpx.ConnectError:
                problem = "cannot be reached; is it running?"
            except httpx.TransportError as error:
                problem = f"does not answer ({type(error).__name__})"
            else:
                if response.status_code == httpx.codes.OK:
                    return response
                problem = await self._refusal(response)
                if response.status_code not in BUSY:
                    break
            if pause is not None:
                await asyncio.sleep(pause)
        raise EngineError(f"the server {self._url} {problem}")

    async def _read(
        self, response: httpx.Response, usage: Usage, time_left: _TimeLeft
    ) -> AsyncGenerator[str, None]:
        stream = CompletionStream(f"the server {self._url}", usage)
        lines = response.aiter_lines()
        while True:
            try:
                line = await time_left.wait_for(lines.__anext__())
            except StopAsyncIteration:
                break
            except (httpx.HTTPError, httpx.StreamError) as error:
                if self._closed:
                    return
                raise EngineError(
                    f"the server {self._url} broke off its answer ({type(error).__name__})"
                ) from None
            if piece := stream.feed(line):
                yield piece
        if not stream.complete:
            raise EngineError(f"the server {self._url} broke off its answer")

    async def _require_own_network(self) -> None:
        if not self._section.allow_public:
            await require_own_network(self._url)
        self._tokens.enable()

    def _body(self, messages: list[ChatMessage], options: Options) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._section.model,
            "messages": [
                {"role": message.role, "content": encodable(message.text)} for message in messages
            ],
            "max_tokens": options.max_tokens,
            "temperature": options.temperature,
            "seed": options.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if options.stop:
            body["stop"] = list(options.stop)
        if options.json_schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": options.json_schema, "strict": True},
            }
        return body

    async def _is_llama_server(self) -> bool:
        """Whether the server has llama-server's own `/props`, and so takes GBNF grammars."""
        if self._takes_grammar is None:
            try:
                answer = await self._client.get(f"{self._root}/props")
                self._takes_grammar = answer.is_success and "chat_template" in answer.json()
            except (httpx.HTTPError, ValueError, TypeError):
                return False
        return self._takes_grammar

    async def _refusal(self, response: httpx.Response) -> str:
        """Raises ContextTooSmall when that is the reason."""
        try:
            body = json.loads(await response.aread())
        except (httpx.HTTPError, ValueError):
            body = None
        finally:
            await response.aclose()
        require_room(f"the server {self._url}", body)
        return f"answers {response.status_code} ({error_kind(body)})"


class _TimeLeft:
    """The rest of a call's wall time."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    async def wait_for(self, work: Awaitable[T]) -> T:
        """Raises asyncio.TimeoutError when the time is over first."""
        left = None if self._end is None else max(0.0, self._end - time.monotonic())
        return await asyncio.wait_for(work, left)


def _authorization(section: LlmSection) -> dict[str, str]:
    if section.api_key_file is None:
        return {}
    path = section.api_key_file.expanduser()
    try:
        lines = path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        lines = []
    if not lines:
        raise EngineError(f"{path}: llm.api_key_file holds no key; put it on the first line")
    return {"Authorization": f"Bearer {lines[0]}"}
