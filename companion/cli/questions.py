"""`companion questions`: what the child has said otherwise than a parent has told."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import memory_id
from companion.cli.output import listing, note, one_line
from companion.errors import UsageError


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "questions",
        run,
        "where the child says otherwise than you have told",
        "What the child has said otherwise than a parent has told. Your word stands until you "
        "answer.",
    )
    parser.add_argument("id", nargs="?", type=int, metavar="ID", help="the question to answer")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--accept", action="store_true", help="it is as the child says")
    answer.add_argument("--keep", action="store_true", help="it stays as you have told")


async def run(call: Call) -> int:
    given = call.arguments
    if given.id is None:
        if given.accept or given.keep:
            raise UsageError("name the question: companion questions ID --accept (or --keep)")
        return await _list(call)
    if not (given.accept or given.keep):
        raise UsageError("say --accept (it is as the child says) or --keep (as you have told)")
    done = await call.asked("answer", question=memory_id(given.id), accept=given.accept)
    said = "It is as the child says now." if given.accept else "It stays as you have told."
    return call.show(done, lambda: print(said))


async def _list(call: Call) -> int:
    found = await call.asked("questions")
    rows = [
        (each["id"], one_line(each["memory"]["text"]), one_line(each["said"]))
        for each in found["questions"]
    ] + [
        (each["id"], f"{each['item']}: {each['told']}", one_line(each["said"]))
        for each in found["profile_questions"]
    ]
    headings = ("question", "you have told", "the child said")

    def show() -> None:
        listing(headings, rows, "No questions.")
        if rows:
            note("`companion questions ID --accept` or `--keep` answers one.")

    return call.show(found, show)
