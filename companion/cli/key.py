"""`companion key rotate`: a new key, and everything encrypted anew with it."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("key", help="change the key that the memory is encrypted with")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    rotate = actions.add_parser(
        "rotate",
        help="make a new key and encrypt everything anew",
        description="Make a new key and encrypt the database anew; the old backups are deleted, "
        "and one is made under the new key. Safe to be cut: the next start finishes it or goes on "
        "with the old key.",
    )
    add_json_option(rotate)
    rotate.set_defaults(run=run)


def run(call: Call) -> int:
    from companion.store.rekey import rotate

    place = rotate(call.config.data_dir, call.config.store)
    if call.arguments.json:
        write_json({"key": str(place)})
    else:
        print(f"Everything is encrypted with a new key: {place}")
    return 0
