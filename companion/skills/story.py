"""A story as its author wrote it: parts, and the choices between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from companion import language
from companion.errors import InputError

FOLDER = Path(__file__).parent / "stories"
OF_ANYBODY = Path(__file__).parent / "tales"
"""Stories of whatever hero is asked for: {a_hero} where it comes in, {hero} and {Hero} after."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MOST_BYTES = 65_536
FEWEST_PARTS = 6
WORDS = range(25, 76)
"""How many words a part may have."""

MOST_SO_FAR = 20
"""Words of what has happened so far."""


@dataclass(frozen=True)
class Option:
    """One way to go on, and the words with which a child chooses it."""

    words: tuple[str, ...]
    goes: str


@dataclass(frozen=True)
class Part:
    """What is told in one go."""

    id: str
    sentences: tuple[str, ...]
    so_far: str
    """What has happened before it, in a sentence; "" for the first."""

    ask: str
    """The question that the choice puts; "" without one."""

    options: tuple[Option, ...]
    goes: str
    """The next part; "" at the end, and where a choice decides."""


@dataclass(frozen=True)
class Story:
    """A story with all its parts."""

    title: str
    says: tuple[str, ...]
    about: frozenset[str]
    ages: tuple[int, int]
    bedtime: bool
    parts: tuple[Part, ...]
    after: str
    """A question after its end, or ""."""

    def part(self, id: str) -> Part | None:
        """The part of that name."""
        return next((part for part in self.parts if part.id == id), None)


def read(path: Path) -> Story:
    """A story from its file. Raises InputError, one line that names the file and the fault."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: has more than {MOST_BYTES} bytes: make it shorter")
        with path.open(encoding="utf-8") as file:
            document = yaml.load(file, _LOADER)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path}: is no YAML: {' '.join(str(error).split())}") from None
    try:
        story = _story(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: is no story: {type(error).__name__} {error}") from None
    if fault := next(_broken(story), None):
        raise InputError(f"{path}: {fault}")
    return story


@cache
def shelf() -> tuple[Story, ...]:
    """The stories that come with the program, by title."""
    found = [read(path) for path in sorted(FOLDER.glob("*.yaml"))]
    return tuple(sorted(found, key=lambda story: story.title))


@cache
def tales() -> tuple[Story, ...]:
    """The stories that can be told of any hero, by title."""
    found = [read(path) for path in sorted(OF_ANYBODY.glob("*.yaml"))]
    return tuple(sorted(found, key=lambda story: story.title))


def told_of(story: Story, first: str, after: str) -> Story:
    """A tale with its hero. first: as it comes in; after: ever after."""
    names = {"{a_hero}": first, "{hero}": after, "{Hero}": after[:1].upper() + after[1:]}
    titled = {**names, "{Hero}": " ".join(w[:1].upper() + w[1:] for w in after.split())}

    def filled(text: str, names: dict[str, str] = names) -> str:
        for slot, name in names.items():
            text = text.replace(slot, name)
        return text

    parts = tuple(
        replace(
            part,
            sentences=tuple(map(filled, part.sentences)),
            so_far=filled(part.so_far),
            ask=filled(part.ask),
        )
        for part in story.parts
    )
    title = filled(story.title, titled)
    return replace(story, title=title, parts=parts, after=filled(story.after))


def faults(story: Story) -> list[str]:
    """What a story does that it should not, one line each; none of it keeps it from being told."""
    found = []
    for part in story.parts:
        words = sum(len(each.split()) for each in part.sentences)
        if words not in WORDS:
            found.append(f"part {part.id}: {words} words; {WORDS[0]} to {WORDS[-1]} are told well")
        if part is not story.parts[0] and not part.so_far:
            found.append(f"part {part.id}: has no so_far")
        if len(part.so_far.split()) > MOST_SO_FAR:
            found.append(f"part {part.id}: so_far has more than {MOST_SO_FAR} words")
        if story.bedtime and part.ask:
            found.append(f"part {part.id}: a bedtime story asks nothing")
    if story.bedtime and story.after:
        found.append("a bedtime story ends without a question")
    if (shortest := min(map(len, ways(story)))) < FEWEST_PARTS:
        found.append(f"one way through it has {shortest} parts; {FEWEST_PARTS} are wanted")
    return found


def ways(story: Story) -> list[list[str]]:
    """Every way through a story, as the names of its parts."""
    done: list[list[str]] = []
    open_ways = [[story.parts[0].id]]
    while open_ways and len(done) < 1000:
        way = open_ways.pop()
        part = story.part(way[-1])
        assert part is not None, "checked when it was read"
        on = [option.goes for option in part.options] or [part.goes] * bool(part.goes)
        if not on:
            done.append(way)
        open_ways += [[*way, each] for each in on]
    return done


def _story(document: dict[str, Any]) -> Story:
    listed = document["parts"]
    ids = [str(each.get("id", f"part-{number}")) for number, each in enumerate(listed, 1)]
    following = [*ids[1:], ""]
    low, high = document.get("ages", (4, 99))
    return Story(
        str(document["title"]),
        _texts(document.get("says", ())),
        frozenset(map(language.skills.singular, _texts(document.get("about", ())))),
        (int(low), int(high)),
        bool(document.get("bedtime", False)),
        tuple(_part(each, id, on) for each, id, on in zip(listed, ids, following, strict=True)),
        str(document.get("after", "")).strip(),
    )


def _part(each: dict[str, Any], id: str, following: str) -> Part:
    choice = each.get("choice") or {}
    options = tuple(Option(_texts(o["words"]), str(o["goes"])) for o in choice.get("options", ()))
    goes = "" if each.get("end") or options else str(each.get("goes", following))
    text = " ".join(str(each["text"]).split())
    return Part(
        id,
        tuple(language.sentences.split(text)),
        " ".join(str(each.get("so_far", "")).split()),
        str(choice.get("ask", "")).strip(),
        options,
        goes,
    )


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ValueError(f"{values!r} should be a list")
    return tuple(str(each).lower() for each in values)


def _broken(story: Story) -> Iterator[str]:
    """What keeps a story from being told."""
    ids = [part.id for part in story.parts]
    if not ids:
        yield "has no parts"
    for number, part in enumerate(story.parts):
        if ids.count(part.id) > 1:
            yield f"two parts are called {part.id!r}"
        if not part.sentences:
            yield f"part {part.id}: has no text"
        if bool(part.ask) != (len(part.options) > 1):
            yield f"part {part.id}: a choice has a question and at least two options"
        for goes in (part.goes, *(option.goes for option in part.options)):
            if goes and goes not in ids[number + 1 :]:
                yield f"part {part.id}: goes to {goes!r}, which is no part further down"
        words = [word for option in part.options for word in option.words]
        if len(words) != len(set(words)):
            yield f"part {part.id}: two options have a word in common"
