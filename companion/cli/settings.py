"""`companion settings`: what may be set without an editor."""

from __future__ import annotations

from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import listing, note, one_line
from companion.errors import InputError, UsageError

_FROM = {"settings": "set", "file": "configuration", "default": "as it comes"}


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "settings",
        run,
        "what may be set without an editor: look, set, take back",
        "What may be set without an editor; it wins over the configuration file and is kept in "
        "settings.yaml beside the memory. What keeps a child safe is not among it.",
    )
    parser.add_argument("key", nargs="?", metavar="KEY", help="one of them, such as service.quiet")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value")
    parser.add_argument("--unset", action="store_true", help="as the configuration file has it")


async def run(call: Call) -> int:
    given = call.arguments
    if given.unset and (given.key is None or given.value is not None):
        raise UsageError("--unset takes a key and no value: companion settings KEY --unset")
    if given.value is None and not given.unset:
        document = await _shown(call)
    else:
        document = await _changed(call, given.key, given.value)
    if given.key is None:
        return call.show(document, lambda: _show(document["keys"]))
    chosen = [each for each in document["keys"] if each["key"] == given.key]
    if not chosen:
        from companion.config.settings import named

        named(given.key)
        raise InputError(f"{given.key!r} is not known to the daemon: restart it after an update")
    changed = given.value is not None or given.unset
    return call.show(chosen[0], lambda: _show_one(chosen[0], changed=changed))


async def _changed(call: Call, key: str, value: str | None) -> Any:
    """By the daemon, which owns the folder; without one, here."""
    from companion.daemon.client import Client
    from companion.parents.settings import set_one

    if await Client.find(call.config) is not None:
        return await call.asked("set", key=key, value=value)
    return set_one(call.config, key, value)


async def _shown(call: Call) -> Any:
    """These need no store: before the first talk there is none."""
    from companion.parents.settings import settings_document

    return settings_document(call.config)


def _show(keys: list[dict[str, Any]]) -> None:
    rows = [(each["key"], _value(each), _FROM[each["from"]], each["what"]) for each in keys]
    listing(("key", "value", "from", "what it is"), rows, "Nothing can be set.")


def _show_one(each: dict[str, Any], *, changed: bool) -> None:
    print(f"{each['key']}: {_value(each)} ({_FROM[each['from']]})")
    if changed and each["applies"] == "start":
        note("It holds from the next start on.")


def _value(each: dict[str, Any]) -> str:
    return "-" if each["value"] is None else one_line(str(each["value"]))
