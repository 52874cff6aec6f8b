"""Templates of this package, filled: everything that is put in is escaped."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from companion.web import curve, wording

FILES = {
    "style.css": "text/css; charset=utf-8",
    "narrow.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""What may be asked for besides pages: nothing else is ever opened."""


def render(template: str, **shown: Any) -> str:
    """A template by its name without `.html`."""
    return _environment().get_template(template).render(**shown)


@cache
def static(name: str) -> bytes:
    """One of FILES."""
    return (resources.files("companion.web") / "static" / name).read_bytes()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: wording.shown(value) if type(value) is str else value,
    )
    environment.filters |= {
        "day": wording.day,
        "moment": wording.moment,
        "percent": wording.percent,
        "kind": wording.kind,
        "heard": wording.heard,
        "size": wording.size,
        "topic": wording.topic,
        "span": wording.span,
        "thing": wording.thing,
        "part": lambda text: quote(str(text), safe=""),
    }
    environment.globals |= {
        "curve": lambda memory: Markup(curve.curve(memory)),
        "week": lambda memories, days: Markup(curve.week(memories, days)),
        "fades": wording.fades,
        "uses": wording.uses,
    }
    return environment


def _source(name: str) -> str:
    file = resources.files("companion.web") / "templates" / f"{name}.html"
    return file.read_text(encoding="utf-8")
