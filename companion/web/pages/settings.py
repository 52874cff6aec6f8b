"""Times and Toy: the few settings that may be changed from here, and how the toy fares."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from companion.web.visit import BadForm, Visit
from companion.web.wording import span

OF_TIMES = ("service.quiet", "service.minutes_a_day", "safety.break_minutes")
TYPED = "forget everything"


async def show_times(visit: Visit) -> Response:
    keys = (await visit.ask("settings"))["keys"]
    chosen = [key for name in OF_TIMES for key in keys if key["key"] == name]
    return await visit.page("times", keys=chosen)


async def show_toy(visit: Visit) -> Response:
    keys = (await visit.ask("settings"))["keys"]
    return await visit.page(
        "toy",
        keys=[key for key in keys if key["key"] not in OF_TIMES],
        storage=await visit.ask("storage"),
        status=await visit.ask("status") if visit.on else None,
        audit=await visit.ask("audit"),
        may_listen=visit.house.config.assist.listen,
        models=await visit.ask("models"),
        devices=await visit.ask("devices") if visit.asked("devices") else None,
        typed=TYPED,
    )


async def change(visit: Visit) -> Response:
    """One key: a new value, or back to what it was without the page."""
    key = visit.field("key", 100)
    if "reset" in visit.form:
        await visit.ask("set", key=key, value=None)
        said = "Set back to how the toy was set up."
    else:
        await visit.ask("set", key=key, value=_value(visit))
        said = "Saved."
    return visit.back(said, "/times" if key in OF_TIMES else "/toy")


async def listen(visit: Visit) -> Response:
    """Let it overhear a talk for a while, where the configuration allows that, or stop it. The toy
    says either aloud."""
    if "stop" in visit.form:
        await visit.ask("listen", stop=True)
        return visit.back("It listens to nobody but your child again.", "/toy")
    left = await visit.ask("listen", minutes=None)
    return visit.back(f"It has said so aloud, and listens for {span(left['left_s'])}.", "/toy")


async def backup(visit: Visit) -> Response:
    """One more copy of all that is kept, on the toy itself."""
    made = await visit.ask("backup")
    return visit.back(f"A backup is made; {made['backups']} are kept.", "/toy")


def _value(visit: Visit) -> Any:
    """As its kind is written. Raises BadForm."""
    text, kind = visit.field("value", 2000).strip(), visit.field("kind", 20)
    try:
        match kind:
            case "bool":
                return {"on": True, "off": False}[text]
            case "int":
                return int(text)
            case "float":
                return float(text)
    except (ValueError, KeyError):
        raise BadForm from None
    return text


async def erase_all(visit: Visit) -> Response:
    """Everything, at once and for good. The typed words stand for the second thought."""
    typed = " ".join(visit.field("typed", 100).lower().split())
    if typed != TYPED:
        return visit.back(f"Nothing was erased: the words to type are “{TYPED}”.", "/toy")
    left = await visit.ask("erase", all=True, now=True, typed=TYPED)
    return await visit.page("erased", left=left)
