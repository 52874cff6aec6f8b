"""How the page says what the toy's documents hold."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from companion.clock import unsure

_KINDS = {
    "profile": "about the child",
    "health": "health",
    "birthday": "a birthday",
    "person": "somebody they know",
    "pet": "a pet",
    "home": "home",
    "taste": "likes and dislikes",
    "preference": "what they prefer",
    "fear": "fears",
    "habit": "habits",
    "milestone": "something learnt or achieved",
    "relation": "family and friends",
    "plan": "a plan",
    "event": "something that happened",
    "mood": "a mood",
    "trivia": "small things",
    "fact": "other things",
}
FOR_GOOD = ("profile", "health", "birthday")
_TOPICS = {
    "self-harm": "hurting oneself",
    "abuse": "being hurt by somebody",
    "emergency": "an emergency",
    "strangers": "strangers and secrets",
    "sexual": "sexual things",
    "weapons": "weapons",
    "drugs": "drugs and medicine",
    "dares": "dangerous dares",
    "personal": "address and other private data",
    "worry": "a worry",
    "wrong-pin": "wrong PINs were tried on this page",
}
_OTHER_CONTROLS = {chr(code): chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"}
_VISIBLE = str.maketrans(_OTHER_CONTROLS | {chr(0x7F): "␡"})


def shown(text: object) -> str:
    """Words as they were said, with nothing invisible in them: control characters as their
    pictures, half characters as the sign for what cannot be shown."""
    return str(text).translate(_VISIBLE).encode("utf-8", "replace").decode("utf-8")


def _read(text: object) -> datetime | None:
    """None where the day is not known: no time, or that of a clock that stands in 1970."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return None if unsure(moment) else moment


def day(text: object) -> str:
    """`Monday, 23 November 2026`."""
    found = _read(text)
    return f"{found:%A}, {found.day} {found:%B %Y}" if found else "on an unknown day"


def moment(text: object) -> str:
    """`23 November 2026, 16:05`."""
    found = _read(text)
    return f"{found.day} {found:%B %Y}, {found:%H:%M}" if found else "at an unknown time"


def percent(share: object) -> str:
    return f"{float(str(share)) * 100:.0f} %"


def kind(name: object) -> str:
    return _KINDS.get(str(name), str(name).replace("_", " "))


def topic(name: object) -> str:
    return _TOPICS.get(str(name), str(name))


def heard(memory: dict[str, Any]) -> str:
    """How sure a memory is: who said it, and how often."""
    if memory.get("told_by_parent"):
        return "You told it."
    talks = len({source["session"] for source in memory.get("sources") or ()})
    if talks > 1:
        return f"Said in {talks} talks."
    return "Said in one talk." if talks else "Nobody's words are kept for it any more."


def fades(memory: dict[str, Any]) -> str:
    """When it will go, as far as anybody knows."""
    if memory["status"] == "archived":
        return "Faded: in the archive, and not used any more."
    if memory["status"] == "superseded":
        return "Replaced by something newer."
    if memory["pinned"]:
        return "Kept: it does not fade."
    if memory["kind"] in FOR_GOOD:
        return "It does not fade."
    fresh = f"{percent(memory['retention'])} fresh"
    gone = memory.get("gone_on")
    if gone and _read(gone):
        return f"{fresh}. If it is never used, it goes on {day(gone)}."
    return f"{fresh}."


def uses(memory: dict[str, Any]) -> str:
    """How often it was used: each time added one to its strength."""
    times = round(float(memory["strength"])) - 1
    if times < 1:
        return "Not used yet."
    return f"Used {'once' if times == 1 else f'{times} times'}, which made it stronger."


def size(count: object) -> str:
    """Bytes for people."""
    left = float(str(count))
    for unit in ("bytes", "KB", "MB"):
        if left < 1000:
            return f"{left:.0f} {unit}"
        left /= 1000
    return f"{left:.1f} GB"


def span(seconds: object) -> str:
    """`8 minutes`, of at least a second."""
    left = max(1, round(float(str(seconds))))
    if left < 90:
        return "1 second" if left == 1 else f"{left} seconds"
    return f"{round(left / 60)} minutes"


def thing(shown_as: object) -> str:
    """What is being erased, of `memory 12`, `turn S#3`, `session S`."""
    sort, _, name = str(shown_as).partition(" ")
    match sort:
        case "memory":
            return f"Memory {name}"
        case "turn":
            session, _, number = name.rpartition("#")
            return f"Message {number} of the talk {session}"
        case "session":
            return f"The talk {name}"
    return str(shown_as)
