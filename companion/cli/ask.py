"""`companion ask`: one question in a new session, nothing stored."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack, aclosing

from companion import runtime
from companion.cli.call import Call, Commands, add_json_option
from companion.cli.documents import turn_document
from companion.cli.output import clean, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "ask",
        help="one question, nothing stored",
        description="Answer one question in a conversation of its own, from what is remembered. "
        "Nothing is stored.",
    )
    parser.add_argument("text", metavar="TEXT")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    config = call.config
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(call.store("reader"))
        model = await stack.enter_async_context(runtime.language_model(config, config.llm.active))
        embedder = await stack.enter_async_context(runtime.embedder(config))
        await runtime.check_guard(config.safety, embedder)
        dialog = runtime.dialog(config, call.clock, store, model, embedder)
        prefix = runtime.prefix(config)
        if prefix is not None:
            await prefix.load(model)
        async with aclosing(dialog.reply(call.arguments.text, keep=False)) as reply:
            async for sentence in reply:
                if not call.arguments.json:
                    print(clean(sentence), end=" ", flush=True)
        if call.arguments.json:
            write_json(turn_document(reply.result))
        else:
            sys.stdout.write("\n")
    return 0
