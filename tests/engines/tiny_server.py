"""A small OpenAI-compatible server over any LanguageModel, on loopback, with faults on demand.

It speaks what `OpenAIServer` needs of llama-server's interface: streamed chat completions with
usage, `/tokenize`, `/props`. Real sockets and, in the contract test, a real model behind it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine
from typing import Any, Literal

from companion.engines.protocols import ChatMessage, LanguageModel, Options

Fault = Literal[
    "status 500",
    "status 400",
    "loading",
    "hang",
    "garbage",
    "cut",
    "drop",
    "too long",
    "too long in the stream",
]


class TinyServer:
    """Use as an async context manager; `url` is what a client is told."""

    def __init__(
        self, model: LanguageModel, *, fault: Fault | None = None, llama_server: bool = True
    ) -> None:
        """Without `llama_server`, it has no more than OpenAI's own interface."""
        self.requests: list[dict[str, Any]] = []
        """Bodies of the chat completions asked for."""

        self.heads: list[str] = []
        """Header blocks of all requests."""

        self.refusals_left = 2
        """With the fault `loading`: so many answers of 503 before it works."""

        self._model = model
        self._fault = fault
        self._llama_server = llama_server
        self._handlers: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> TinyServer:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for handler in self._handlers:
            handler.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handler = asyncio.ensure_future(self._serve(reader, writer))
        self._handlers.add(handler)
        handler.add_done_callback(self._handlers.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            length = 0
            for line in head.splitlines():
                if line.lower().startswith("content-length:"):
                    length = int(line.partition(":")[2])
            body = json.loads(await reader.readexactly(length)) if length else {}
            await self._until_gone(reader, self._route(head.split()[1], body, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # The client went away.
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _until_gone(
        self, reader: asyncio.StreamReader, work: Coroutine[None, None, None]
    ) -> None:
        """Stop working when the client hangs up, as llama-server does."""
        working = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(reader.read())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (working, gone):
                task.cancel()
            results = await asyncio.gather(working, gone, return_exceptions=True)
        if isinstance(results[0], Exception):
            raise results[0]

    async def _route(self, path: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if path == "/v1/chat/completions":
            self.requests.append(body)
            await self._complete(body, writer)
        elif path == "/tokenize" and self._llama_server:
            empty = self._model.count([ChatMessage("user", "")])
            tokens = self._model.count([ChatMessage("user", body["content"])]) - empty
            _send(writer, 200, {"tokens": [0] * tokens})
        elif path == "/props" and self._llama_server:
            _send(writer, 200, {"chat_template": "as llama-server has it"})
        else:
            _send(writer, 404, {"error": {"type": "not_found_error"}})
        await writer.drain()

    async def _complete(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if self._fault == "hang":
            await asyncio.sleep(3600)
        if self._fault == "drop":
            return
        if self._fault == "loading" and self.refusals_left:
            self.refusals_left -= 1
            return _send(writer, 503, {"error": {"type": "unavailable_error"}})
        if self._fault in ("status 500", "status 400"):
            said = body["messages"][-1]["content"]
            error = {"type": "server_error", "message": f"cannot answer {said}"}
            return _send(writer, int(self._fault[-3:]), {"error": error})
        too_long = {"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 256}}
        if self._fault == "too long":
            return _send(writer, 400, too_long)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
        writer.write(b"Connection: close\r\n\r\n")
        if self._fault == "garbage":
            writer.write(b'data: {"choices": "none"}\n\n')
            return
        if self._fault == "too long in the stream":
            return _event(writer, too_long)
        await self._stream(body, writer)

    async def _stream(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        options = Options(
            max_tokens=body["max_tokens"],
            temperature=body["temperature"],
            seed=body["seed"],
            stop=tuple(body.get("stop", ())),
            grammar=body.get("grammar"),
            json_schema=schema,
        )
        messages = [ChatMessage(entry["role"], entry["content"]) for entry in body["messages"]]
        async with contextlib.aclosing(self._model.generate(messages, options)) as generation:
            async for piece in generation:
                _event(writer, {"choices": [{"delta": {"content": piece}}]})
                await writer.drain()
                if self._fault == "cut":
                    return
        usage = generation.usage
        _event(writer, {"choices": [{"delta": {}, "finish_reason": usage.finish}]})
        counts = {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.generated_tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        }
        _event(writer, {"choices": [], "usage": counts})
        writer.write(b"data: [DONE]\n\n")


def _send(writer: asyncio.StreamWriter, status: int, body: dict[str, Any]) -> None:
    data = json.dumps(body).encode()
    writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(data)}\r\n".encode())
    writer.write(b"Connection: close\r\nContent-Type: application/json\r\n\r\n" + data)


def _event(writer: asyncio.StreamWriter, chunk: dict[str, Any]) -> None:
    writer.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
