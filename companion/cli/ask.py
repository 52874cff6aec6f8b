"""`companion ask`: one question in a new session, nothing stored."""

from __future__ import annotations

from contextlib import aclosing

from companion.assembly.dialog import build_dialog, load_prefix
from companion.assembly.missing import Fail
from companion.assembly.models import open_judging_embedder, open_language_model
from companion.cli.call import Call, Commands, add_command
from companion.cli.documents import turn_document
from companion.cli.output import clean


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "ask",
        run,
        "one question, nothing stored",
        "Answer one question in a conversation of its own, from what is remembered. "
        "Nothing is stored.",
    )
    parser.add_argument("text", metavar="TEXT")


async def run(call: Call) -> int:
    config = call.config
    async with (
        call.store("reader") as store,
        open_language_model(config, config.llm.active) as model,
        open_judging_embedder(config) as embedder,
    ):
        dialog = build_dialog(config, call.clock, store, model, embedder)
        await load_prefix(config, model, Fail())
        async with aclosing(dialog.reply(call.arguments.text, keep=False)) as reply:
            async for sentence in reply:
                if not call.arguments.json:
                    print(clean(sentence), end=" ", flush=True)
    return call.show(turn_document(reply.result), print)
