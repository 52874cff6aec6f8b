"""Questions about the world, for `companion repertoire check` and `ask`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.call import Call
from companion.cli.output import note

if TYPE_CHECKING:
    from companion.engines.protocols import Embedder


def run_check_facts(call: Call, file: Path) -> int:
    """Exit code 1 where a finding is grave. Raises InputError."""
    from companion.repertoire import facts
    from companion.repertoire.check import check_replies

    known = facts.read_file(file)
    found = [vars(finding) for fact in known for finding in check_replies(fact.entry)]
    for fact in known:
        for said in fact.entry.says:
            if fact.missing(frozenset(said.split())):
                what = "it has no word of one group under must: add one that it has"
                found.append(
                    {"entry": fact.entry.id, "kind": "must", "text": said, "what": what}
                    | {"grave": True}
                )
    wordings, replies = (
        sum(len(getattr(fact.entry, key)) for fact in known) for key in ("says", "replies")
    )

    def for_people() -> None:
        for each in found:
            line = each["entry"].partition("/")[2]
            note(f"{file}, line {line}: {each['text']!r}: {each['what']}")
        count = f"{len(known)} questions, {wordings} wordings, {replies} answers"
        print(f"{count}: {f'{len(found)} to change' if found else 'nothing to change'}")

    document = {
        "file": str(file),
        "entries": len(known),
        "wordings": wordings,
        "replies": replies,
        "findings": found,
    }
    call.show(document, for_people)
    return 1 if found else 0


async def likeliest(call: Call, words: str, embedder: Embedder) -> dict[str, Any] | None:
    """The fact that comes nearest to some words; None: none does. Raises InputError,
    EngineError."""
    from companion.repertoire.about_world import read_facts

    known = await read_facts(call.config.repertoire.packs, embedder)
    near = await known.likeliest(words, call.config.persona.name, embedder) if known else []
    if not near:
        return None
    fact, likeness = near[0]
    return {
        "entry": fact.entry.id,
        "wording": fact.entry.says[0],
        "certainty": round(likeness.certainty, 4),
        "replies": list(fact.entry.replies),
    }
