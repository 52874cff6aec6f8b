"""`companion profile`, `sessions` and `notices`: what else is kept, to look at."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TextIO

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import listing, note, one_line, when
from companion.records import Profile


def register(commands: Commands) -> None:
    profile = add_command(commands, "profile", run_profile, "what is known of the person")
    actions = profile.add_subparsers(title="actions", metavar="ACTION")
    put = add_command(actions, "set", run_profile_set, "put name, age or gender right")
    put.add_argument("field", choices=("name", "age", "gender"))
    put.add_argument("value", metavar="VALUE")
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


async def run_profile_set(call: Call) -> int:
    field = call.arguments.field
    who = await call.asked("correct", field=field, value=call.arguments.value)
    return call.show(who, lambda: print(f"{field}: {one_line(str(who[field]['value']))}"))


async def run_sessions(call: Call) -> int:
    found = await call.asked("sessions", all=True)
    now = call.clock.wall()
    rows = [
        (
            each["id"],
            when(_moment(each["started"]), now),
            when(_moment(each["ended"]), now) or "still open",
            each["turns"],
            "yes" if each["consolidated"] else "not yet",
        )
        for each in found
    ]
    headings = ("session", "began", "ended", "turns", "consolidated")
    return call.show(found, lambda: listing(headings, rows, "No conversations yet."))


async def run_notices(call: Call) -> int:
    """What a parent should know of; topics and times, never words."""
    clear = call.arguments.clear
    found = await call.asked("clear_notices" if clear else "notices")
    now = call.clock.wall()
    rows = [
        (when(_moment(each["time"]), now), each["topic"], each["session"], each["turn"])
        for each in found
    ]

    def show() -> None:
        listing(("when", "topic", "session", "turn"), rows, "No notices.")
        if rows:
            after = "They were cleared." if clear else "`companion notices --clear` removes them."
            note(f"Talk with your child calmly; docs/safety.md says how. {after}")

    return call.show(found, show)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


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
