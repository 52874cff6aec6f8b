"""What happens when the server elsewhere misbehaves, is not there, or is not ours."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from companion.config import LlmSection
from companion.engines.protocols import ChatMessage, Options, Usage, complete
from companion.engines.server import client
from companion.engines.server.client import OpenAIServer
from companion.engines.server.own_network import is_own_address, require_own_network
from companion.errors import ContextTooSmall, EngineError
from tests.engines.tiny_server import Fault, TinyServer
from tests.fakes import ScriptedModel

SECRET = "Grandma hides the key under the blue pot"
ASKED = [ChatMessage("user", SECRET)]


def _section(url: str, **keys: object) -> LlmSection:
    return LlmSection.model_validate(
        {"backend": "openai", "model": "m", "url": url, "context_tokens": 512, **keys}
    )


async def _ask(url: str, options: Options | None = None, **keys: object) -> tuple[str, Usage]:
    client = OpenAIServer(_section(url, **keys))
    try:
        return await complete(client, ASKED, options or Options())
    finally:
        await client.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("status 500", r"answers 500 \(server_error\)"),
        ("status 400", r"answers 400 \(server_error\)"),
        ("garbage", "sent something that is no answer"),
        ("cut", "broke off its answer"),
        ("drop", r"does not answer \(RemoteProtocolError\)"),
    ],
)
async def test_a_failure_is_one_line_that_names_the_server_and_no_words(
    fault: Fault, complaint: str
) -> None:
    async with TinyServer(ScriptedModel(), fault=fault) as server:
        with pytest.raises(EngineError, match=complaint) as caught:
            await _ask(server.url)
    message = str(caught.value)
    assert server.url in message
    assert "\n" not in message
    assert not any(word in message for word in SECRET.split() if len(word) > 3)


@pytest.mark.parametrize("fault", ["too long", "too long in the stream"])
async def test_a_server_with_less_context_than_configured_is_no_failure_of_the_engine(
    fault: Fault,
) -> None:
    """Consolidation parks what does not fit; at a failure of the engine it used to end, at the
    same turn every night."""
    async with TinyServer(ScriptedModel(), fault=fault) as server:
        with pytest.raises(ContextTooSmall, match="what the server was started with"):
            await _ask(server.url)


async def test_a_server_that_is_not_there_is_tried_again_and_named() -> None:
    async with TinyServer(ScriptedModel()) as server:
        url = server.url
    started = time.monotonic()
    with pytest.raises(EngineError, match=r"cannot be reached; is it running\?"):
        await _ask(url)
    assert time.monotonic() - started >= sum(client.BACK_OFF_S)


async def test_a_server_that_still_loads_is_waited_for() -> None:
    async with TinyServer(ScriptedModel(["Here I am."]), fault="loading") as server:
        text, _ = await _ask(server.url)
        assert len(server.requests) == 3
    assert text == "Here I am."


async def test_an_answer_that_broke_off_is_not_asked_for_again() -> None:
    async with TinyServer(ScriptedModel(), fault="cut") as server:
        with pytest.raises(EngineError):
            await _ask(server.url)
        assert len(server.requests) == 1


async def test_a_server_that_hangs_is_left_at_the_deadline() -> None:
    async with TinyServer(ScriptedModel(), fault="hang") as server:
        text, usage = await _ask(server.url, Options(deadline_s=0.2))
    assert text == ""
    assert usage.finish == "deadline"
    assert 0.2 <= usage.total_s < 5


async def test_the_request_carries_what_was_asked_for() -> None:
    options = Options(
        max_tokens=7, temperature=0.5, seed=9, stop=("\n",), json_schema={"type": "boolean"}
    )
    async with TinyServer(ScriptedModel(["true"])) as server:
        await _ask(server.url, options)
        body = server.requests[0]
    assert (body["max_tokens"], body["temperature"], body["seed"]) == (7, 0.5, 9)
    assert body["stop"] == ["\n"]
    assert body["response_format"]["json_schema"]["schema"] == {"type": "boolean"}
    assert body["messages"] == [{"role": "user", "content": SECRET}]
    assert "grammar" not in body


async def test_a_grammar_is_sent_to_a_llama_server_only() -> None:
    options = Options(grammar='root ::= "yes"')
    for is_llama, sent in ((True, True), (False, False)):
        async with TinyServer(ScriptedModel(["yes"]), llama_server=is_llama) as server:
            await _ask(server.url, options)
            assert ("grammar" in server.requests[0]) is sent


async def test_counts_are_the_servers_own_where_it_counts() -> None:
    messages = [ChatMessage("user", "one two three four five six seven")]
    model = ScriptedModel()
    for llama_server, tokens in ((True, 7), (False, round(33 / 3.5))):
        async with TinyServer(model, llama_server=llama_server) as server:
            client = OpenAIServer(_section(server.url))
            # The count is not awaited; the server must be able to answer meanwhile.
            counted = await asyncio.to_thread(client.count, messages)
            await client.close()
        assert counted == tokens + 5 + 3


async def test_the_key_is_sent_and_a_missing_one_named(tmp_path: Path) -> None:
    key_file = tmp_path / "key"
    with pytest.raises(EngineError, match=f"{key_file}: llm.api_key_file holds no key"):
        await _ask("http://127.0.0.1:1/v1", api_key_file=key_file)
    key_file.write_text("open-sesame\n")
    async with TinyServer(ScriptedModel()) as server:
        await _ask(server.url, api_key_file=key_file)
        assert "authorization: bearer open-sesame" in server.heads[-1].lower()


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/v1",
        "http://localhost:8080/v1",
        "http://192.168.1.20/v1",
        "http://10.0.0.3:8000/v1",
        "http://169.254.7.7/v1",
        "http://[::1]:8080/v1",
        "http://[fd00::5]/v1",
    ],
)
async def test_the_owners_own_network_is_allowed(url: str) -> None:
    await require_own_network(url)


@pytest.mark.parametrize("url", ["http://8.8.8.8/v1", "https://[2606:4700::1111]/v1"])
async def test_what_was_said_is_not_sent_to_the_internet(url: str) -> None:
    with pytest.raises(EngineError, match="outside the private network"):
        await _ask(url)


@pytest.mark.parametrize("url", ["http://no-such-host.invalid/v1", "http:///v1"])
async def test_an_address_that_leads_nowhere_is_refused(url: str) -> None:
    with pytest.raises(EngineError, match="llm url"):
        await _ask(url)


def test_only_an_address_itself_is_own_without_a_look_up() -> None:
    assert is_own_address("http://127.0.0.1/v1")
    assert not is_own_address("http://localhost/v1")
    assert not is_own_address("http://8.8.8.8/v1")
