"""`companion profile`, `sessions` and `notices`: what else is kept, to look at."""

from __future__ import annotations

from dataclasses import asdict
from typing import TextIO

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import listing, note, one_line, when
from companion.records import Profile


def register(commands: Commands) -> None:
    add_command(commands, "profile", run_profile, "what is known of the person")
    add_command(commands, "sessions", run_sessions, "the conversations so far, oldest first")
    notices = add_command(
        commands,
        "notices",
        run_notices,
        "grave topics that came up, for parents",
        "When a child's words were stopped for one of safety.notice_topics: topic and "
        "time; a worry where the toy was in doubt and asked. What was said is not shown.",
    )
    notices.add_argument("--clear", action="store_true", help="erase the notices for good")


async def run_profile(call: Call) -> int:
    from companion.store.profile import current

    async with call.store("reader") as store:
        profile = await store.read(current)
    return call.show(asdict(profile), lambda: show_profile(profile))


async def run_sessions(call: Call) -> int:
    from companion.store import history

    async with call.store("reader") as store:
        found = await store.read(history.sessions)
    now = call.clock.wall()
    rows = [
        (
            session.id,
            when(session.started, now),
            when(session.ended, now) or "still open",
            session.turns,
            "yes" if session.consolidated else "not yet",
        )
        for session in found
    ]
    headings = ("session", "began", "ended", "turns", "consolidated")
    return call.show(
        [asdict(session) for session in found],
        lambda: listing(headings, rows, "No conversations yet."),
    )


async def run_notices(call: Call) -> int:
    """What a parent should know of; topics and times, never words."""
    from companion.store import erase, notices

    clear = call.arguments.clear
    async with call.store("owner" if clear else "reader") as store:
        found = await store.read(notices.all_notices)
        if clear:
            await erase.erase_notices(store)
    now = call.clock.wall()
    rows = [(when(n.time, now), n.topic, n.session, n.turn) for n in found]

    def show() -> None:
        listing(("when", "topic", "session", "turn"), rows, "No notices.")
        if rows:
            after = "They were cleared." if clear else "`companion notices --clear` removes them."
            note(f"Talk with your child calmly; docs/safety.md says how. {after}")

    return call.show([asdict(notice) for notice in found], show)


def show_profile(profile: Profile, *, file: TextIO | None = None) -> None:
    """Lines for people; what is not known is left out."""
    personality = profile.personality
    traits = [
        f"{name} {value:.1f}" for name, value in asdict(personality.big_five).items() if value
    ]
    known = {
        "name": profile.name,
        "age": profile.age,
        "gender": profile.gender,
        "personality": personality.summary,
        "Myers-Briggs": personality.myers_briggs,
        "Big Five (1 to 5)": ", ".join(traits),
    }
    rows = [(name, one_line(str(value))) for name, value in known.items() if value]
    rows += [("in their words", f"“{one_line(example)}”") for example in personality.examples]
    rows = [("fact", one_line(fact)) for fact in profile.facts] + rows
    for name, value in rows or [("profile", "nothing is known yet")]:
        print(f"{name:<18} {value}", file=file)
