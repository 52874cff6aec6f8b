"""`companion key rotate`: a new key, and everything encrypted anew with it."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_command


def register(commands: Commands) -> None:
    parser = commands.add_parser("key", help="change the key that the memory is encrypted with")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    add_command(
        actions,
        "rotate",
        run,
        "make a new key and encrypt everything anew",
        "Make a new key and encrypt the database anew; the old backups are deleted, "
        "and one is made under the new key. Safe to be cut: the next start finishes it or goes on "
        "with the old key.",
    )


def run(call: Call) -> int:
    from companion.store.rekey import rotate

    place = rotate(call.config.data_dir, call.config.store)
    return call.show(
        {"key": str(place)}, lambda: print(f"Everything is encrypted with a new key: {place}")
    )
