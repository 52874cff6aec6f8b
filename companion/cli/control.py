"""`companion pause`, `resume`, `sleep`, `wake`, `say`: a word to the running daemon."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_command
from companion.errors import DaemonError

_WORDS = {
    "pause": "turn the microphone off",
    "resume": "turn the microphone on again",
    "sleep": "go inactive now: end the session and learn from it",
    "wake": "stop learning for now and be ready to talk",
    "say": "let it say something aloud, as soon as nobody talks",
}


def register(commands: Commands) -> None:
    for word, meaning in _WORDS.items():
        description = f"{meaning.capitalize()}. Needs the daemon: `companion run`."
        parser = add_command(commands, word, run, meaning, description, json=None)
        parser.set_defaults(do=word)
        if word == "say":
            parser.add_argument("text", metavar="TEXT")


async def run(call: Call) -> int:
    from companion.daemon.client import Client

    daemon = await Client.find(call.config)
    if daemon is None:
        raise DaemonError(
            f"no daemon runs for {call.config.data_dir}: start it with `companion run`"
        )
    if call.arguments.do == "say":
        await daemon.ask("say", text=call.arguments.text)
    else:
        await daemon.ask(call.arguments.do)
    return 0
