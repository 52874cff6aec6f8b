"""`companion storage` and `companion backup`: what lies on the disk, and one more copy of it."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import counted, table


def register(commands: Commands) -> None:
    what = "the files that are kept, and the room that is left"
    add_command(commands, "storage", run_storage, what)
    add_command(
        commands,
        "backup",
        run_backup,
        "make a backup now",
        "Copy all that is kept into the folder backups of data_dir, encrypted like the rest. The "
        "oldest goes when there are more than store.backups.",
    )


async def run_storage(call: Call) -> int:
    document = await call.asked("storage")

    def show() -> None:
        rows = [(each["name"], _size(each["bytes"])) for each in document["files"]]
        table(("file", "size"), rows)
        print(f"{counted(document['backups'], 'backup')} in {document['directory']}")
        if document["free_bytes"] is not None:
            print(f"{_size(document['free_bytes'])} are free")

    return call.show(document, show)


async def run_backup(call: Call) -> int:
    made = await call.asked("backup")
    size, held = _size(made["bytes"]), made["backups"]
    return call.show(made, lambda: print(f"{made['file']}: made, {size}; {held} are kept"))


def _size(count: int) -> str:
    """`12 kB`, `1,117 MB`."""
    return f"{count / 1e6:,.0f} MB" if count >= 1_000_000 else f"{count / 1000:,.0f} kB"
