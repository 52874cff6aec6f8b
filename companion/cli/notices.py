"""`companion notices`: what a parent should know of; topics and times, never words."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.documents import notice_document
from companion.cli.output import note, table, when, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "notices",
        help="grave topics that came up, for parents",
        description="When a child's words were stopped for one of safety.notice_topics: topic and "
        "time. What was said is not shown.",
    )
    parser.add_argument("--clear", action="store_true", help="erase the notices for good")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    from companion.store import erase, notices

    clear = call.arguments.clear
    async with call.store("owner" if clear else "reader") as store:
        found = await store.read(notices.all_notices)
        if clear:
            await erase.erase_notices(store)
    if call.arguments.json:
        write_json([notice_document(notice) for notice in found])
    elif found:
        now = call.clock.wall()
        table(
            ("when", "topic", "session", "turn"),
            ((when(n.time, now), n.topic, n.session, n.turn) for n in found),
        )
        note(
            "Talk with your child calmly; docs/safety.md says how. "
            + ("They were cleared." if clear else "`companion notices --clear` removes them.")
        )
    else:
        note("No notices.")
    return 0
