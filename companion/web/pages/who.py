"""Who it thinks it talks to: name, age, gender, and the picture of the personality."""

from __future__ import annotations

from starlette.responses import Response

from companion.web.visit import BadForm, Visit

FIELDS = ("name", "age", "gender")


async def show(visit: Visit) -> Response:
    return await visit.page("who", who=await visit.ask("who"), fields=FIELDS)


async def correct(visit: Visit) -> Response:
    field, value = visit.field("field", 20), visit.field("value", 200).strip()
    if field not in FIELDS:
        raise BadForm
    if not value:
        return visit.back("Nothing was changed: the field was empty.", "/who")
    await visit.ask("correct", field=field, value=value)
    return visit.back("Corrected. The toy now goes by what you told it.", "/who")


async def personality(visit: Visit) -> Response:
    """Switch the picture on or off, or erase it."""
    do = visit.field("do", 10)
    if do not in ("on", "off", "erase"):
        raise BadForm
    await visit.ask("personality", on=do == "on", erase=do == "erase")
    said = {
        "on": "The toy makes itself a picture of the personality again.",
        "off": "The toy makes itself no picture of the personality any more.",
        "erase": "The picture of the personality is erased, and no new one is made.",
    }[do]
    return visit.back(said, "/who")
