"""`companion assist`: the word that is missing, nothing stored."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive
from companion.cli.output import clean, note
from companion.errors import DaemonError, UsageError


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "assist",
        run,
        "the word on the tip of the tongue",
        "Look up one missing word in what was said on all days: for a query, or for what the end "
        "of a talk leaves open. Through the daemon while one runs. Nothing is stored.",
    )
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--query", metavar="TEXT", help='what is asked: "What is her cat called?"')
    how.add_argument("--queryless", action="store_true", help="infer it from the context")
    parser.add_argument(
        "--context", default="", metavar="TEXT", help="what was said last in the talk"
    )

    listen = add_command(
        commands,
        "listen",
        run_listen,
        "let it overhear a talk for some minutes",
        "Let the daemon overhear a talk and keep its words as blocks, which only `assist` reads. "
        "Refused unless assist.listen is true in the configuration. It says aloud that it listens.",
    )
    span = listen.add_mutually_exclusive_group()
    span.add_argument(
        "--minutes", type=positive, metavar="N", help="default: assist.listen_minutes"
    )
    span.add_argument("--stop", action="store_true", help="end it now")


async def run_listen(call: Call) -> int:
    from companion.daemon.client import Client

    daemon = await Client.find(call.config)
    if daemon is None:
        raise DaemonError(
            f"no daemon runs for {call.config.data_dir}: start it with `companion run`"
        )
    asked = call.arguments
    document = await daemon.ask("listen", minutes=asked.minutes, stop=asked.stop)
    left = document["left_s"]
    said = f"Listening for {left / 60:.0f} min." if left else "Not listening."
    return call.show(document, lambda: print(said))


async def run(call: Call) -> int:
    asked = call.arguments
    if asked.queryless and not asked.context.strip():
        raise UsageError("--queryless needs --context TEXT: what was said last")
    document = await _document(call, asked.query, asked.context)
    return call.show(document, lambda: _show(document))


async def _document(call: Call, query: str | None, context: str) -> dict[str, Any]:
    from companion.daemon.client import Client

    daemon = await Client.find(call.config)
    if daemon is not None:
        found: dict[str, Any] = await daemon.ask("assist", query=query, context=context)
        return found
    from companion.assembly.assist import build_assistant
    from companion.assembly.models import open_judging_embedder, open_language_model

    config = call.config
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(call.store("reader"))
        model = None
        if config.assist.by != "cloze":
            opening = open_language_model(config, config.llm.active)
            model = await stack.enter_async_context(opening)
        embedder = await stack.enter_async_context(open_judging_embedder(config))
        assistant = build_assistant(config, store, model, embedder)
        return (await assistant.assist(query, context)).document


def _show(document: dict[str, Any]) -> None:
    if document["inferred_query"]:
        note(clean(document["inferred_query"]))
    print(clean(document["answer"]) if document["answer"] else "unknown")
