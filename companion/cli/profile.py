"""`companion profile`: what is always in the prompt."""

from __future__ import annotations

from dataclasses import asdict
from typing import TextIO

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.documents import profile_document
from companion.cli.output import one_line, write_json
from companion.records import Profile


def register(commands: Commands) -> None:
    parser = commands.add_parser("profile", help="what is known of the person")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    from companion.store.profile import current

    async with call.store("reader") as store:
        profile = await store.read(current)
    if call.arguments.json:
        write_json(profile_document(profile))
    else:
        show_profile(profile)
    return 0


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
    rows += [("fact", one_line(fact)) for fact in profile.facts]
    for name, value in rows or [("profile", "nothing is known yet")]:
        print(f"{name:<18} {value}", file=file)
