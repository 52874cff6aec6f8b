"""`companion pause`, `resume`, `sleep`, `wake`, `say`: a word to the running daemon."""

from __future__ import annotations

from companion.cli.call import Call, Commands
from companion.errors import DaemonError

_WORDS = {
    "pause": "turn the microphone off",
    "resume": "turn the microphone on again",
    "sleep": "go inactive now: end the session and learn from it",
    "wake": "stop learning for now and be ready to talk",
}

_NEEDS = "Needs the daemon: `companion run`."


def register(commands: Commands) -> None:
    for word, meaning in _WORDS.items():
        parser = commands.add_parser(
            word, help=meaning, description=f"{meaning.capitalize()}. {_NEEDS}"
        )
        parser.set_defaults(run=run, do=word)
    meaning = "let it say something aloud, as soon as nobody talks"
    say = commands.add_parser("say", help=meaning, description=f"{meaning.capitalize()}. {_NEEDS}")
    say.add_argument("text", metavar="TEXT")
    say.set_defaults(run=run, do="say")


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
