"""`companion sessions`: the conversations so far."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.documents import session_document
from companion.cli.output import note, table, when, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("sessions", help="the conversations so far, oldest first")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    from companion.store import history

    async with call.store("reader") as store:
        found = await store.read(history.sessions)
    if call.arguments.json:
        write_json([session_document(session) for session in found])
    elif found:
        now = call.clock.wall()
        table(
            ("session", "began", "ended", "turns", "consolidated"),
            (
                (
                    session.id,
                    when(session.started, now),
                    when(session.ended, now) or "still open",
                    session.turns,
                    "yes" if session.consolidated else "not yet",
                )
                for session in found
            ),
        )
    else:
        note("No conversations yet.")
    return 0
