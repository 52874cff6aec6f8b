"""`companion repertoire`: for the authors of packs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.facts import likeliest, run_check_facts
from companion.cli.output import note, table
from companion.errors import InputError, UsageError

if TYPE_CHECKING:
    from companion.repertoire.index import Near
    from companion.repertoire.packs import Entry
    from companion.repertoire.vectors import StoredVectors


def register(commands: Commands) -> None:
    repertoire = commands.add_parser("repertoire", help="written replies: check a pack, try words")
    actions = repertoire.add_subparsers(title="actions", metavar="ACTION", required=True)
    check = add_command(
        actions,
        "check",
        run_check,
        "what is wrong with a pack",
        "Check a pack, or a .jsonl file of questions about the world: its form, wordings that "
        "collide with other entries, replies that the guard or a voice objects to. Exit code 1 "
        "where something must be changed.",
    )
    check.add_argument("file", type=Path, metavar="FILE")
    ask = add_command(
        actions,
        "ask",
        run_ask,
        "which entries are near some words, and whether one would answer",
    )
    ask.add_argument("words", metavar="WORDS")
    ask.add_argument("--before", default="", metavar="WORDS", help="what the companion said before")
    ask.add_argument("--age", type=int, metavar="YEARS", help="of who says it")


async def run_check(call: Call) -> int:
    """Exit code 1 where a finding is grave."""
    from companion.repertoire import packs
    from companion.repertoire.check import check_replies, check_wordings

    file: Path = call.arguments.file
    if file.suffix == ".jsonl":
        return run_check_facts(call, file)
    pack = packs.read_file(file)
    others = [each for each in _entries(call) if each.pack != file.stem]
    known = await _known(call, [*others, *pack])
    found = [finding for entry in pack for finding in check_replies(entry)]
    found += check_wordings(pack, others, known)
    wordings, replies = (sum(len(getattr(e, key)) for e in pack) for key in ("says", "replies"))

    def for_people() -> None:
        for each in found:
            note(f"{file}: {each.entry.partition('/')[2]}: {each.text!r}: {each.what}")
        print(f"{len(pack)} entries, {wordings} wordings, {replies} replies: {_summary(found)}")

    document = {
        "file": str(file),
        "entries": len(pack),
        "wordings": wordings,
        "replies": replies,
        "findings": [vars(each) for each in found],
    }
    call.show(document, for_people)
    return 1 if any(each.grave for each in found) else 0


async def run_ask(call: Call) -> int:
    from companion.answering import Heard
    from companion.records import Profile
    from companion.repertoire.certainty import SURE
    from companion.repertoire.index import Index
    from companion.repertoire.limits import stays_out
    from companion.safety.wording import wording

    arguments = call.arguments
    said = wording(arguments.words, call.config.persona.name)
    if not said:
        raise UsageError("there is no word in what was said: put the words in quotes")
    entries = _entries(call)
    known, fact = await _known(call, entries, said), await _fact(call)
    found = Index(entries, known.of).nearest(said, known.of(said), arguments.age)
    heard = Heard(arguments.words, None, arguments.before, Profile(age=arguments.age))
    best = found[0] if found else None
    sure = best is not None and best.certainty >= SURE
    out = best is not None and sure and stays_out(heard, best, said)

    def for_people() -> None:
        headings = ("certainty", "cosine", "lead", "entry", "nearest wording", "reply")
        table(headings, [_row(near) for near in found])
        if fact is not None:
            print(f"About the world: {fact['certainty']:.2f} {fact['entry']}: {fact['replies'][0]}")
        if best is None or not sure:
            print(f"No entry would answer: no certainty of {SURE} or more.")
        elif out:
            print("No entry would answer: too long, about the past, or an answer to a question.")
        else:
            print(f"{best.entry.id} would answer.")

    return call.show(
        {
            "words": said,
            "answers": best.entry.id if best and sure and not out else None,
            "stays_out": out,
            "least_certainty": SURE,
            "near": [_document(near) for near in found],
            "about_world": fact,
        },
        for_people,
    )


def _entries(call: Call) -> list[Entry]:
    """Those that may be said in this configuration. Raises InputError."""
    from companion.repertoire import packs

    section, family = call.config.repertoire, call.config.persona.family
    chosen = {f"santa-{family.santa}", f"fairy-{family.fairy}"}
    folders = [packs.SHIPPED, *([section.packs] if section.packs else [])]
    found = [
        each for folder in folders for file in packs.files(folder) for each in packs.read_file(file)
    ]
    return [each for each in found if each.family is None or each.family in chosen]


async def _fact(call: Call) -> dict[str, Any] | None:
    from companion.assembly.models import open_embedder

    async with open_embedder(call.config) as embedder:
        return await likeliest(call, call.arguments.words, embedder)


async def _known(call: Call, entries: list[Entry], *texts: str) -> StoredVectors:
    """Vectors of all wordings and these texts. Raises ModelFileError, EngineError, InputError."""
    from companion.assembly.models import open_embedder
    from companion.repertoire import packs, vectors

    known = vectors.read(vectors.SHIPPED)
    async with open_embedder(call.config) as embedder:
        if not await vectors.suits(embedder, known):
            raise InputError(
                f"the repertoire works with MiniLM only, not with {embedder.name}: "
                "set embedder.model to minilm-int8"
            )
        await known.complete([*packs.texts(entries), *texts], embedder)
    return known


def _summary(found: list[Any]) -> str:
    grave = sum(each.grave for each in found)
    if not found:
        return "nothing to change"
    return f"{grave} to change, {len(found) - grave} to look at"


def _row(near: Near) -> tuple[str, ...]:
    like = near.likeness
    numbers = (f"{value:.2f}" for value in (near.certainty, like.cosine, like.lead))
    return (*numbers, near.entry.id, near.wording, near.entry.replies[0])


def _document(near: Near) -> dict[str, Any]:
    return {
        "entry": near.entry.id,
        "wording": near.wording,
        "certainty": round(near.certainty, 4),
        **{key: round(value, 4) for key, value in vars(near.likeness).items()},
        "replies": list(near.entry.replies),
    }
