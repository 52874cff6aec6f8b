"""Fits how sure the repertoire is (`companion/repertoire/certainty.py`), or measures it.

    .venv/bin/python scripts/fit_repertoire.py TALK.jsonl ... [--answers]

TALK: sets of messages as tests/strangers/talk has them; besides, tests/safety/ordinary.txt. Which
entry answers which message rightly stands in scripts/repertoire/right.txt, by one reader. Besides
messages it learns from the packs: of each entry a quarter of the wordings is left out in turn,
and looked up among the rest. Prints weights, and coverage and precision on messages that were left
out in turn. With --answers: what the weights that stand in the code answer, wrong ones marked.

Some packs were written from messages of three strangers, who are among TALK as acts-elm, acts-iris
and acts-moss: scripts/repertoire/authors.tsv says which wording came from whose. Their messages
are looked up without the wordings that came from them, so that the fit sees what a new child is to
the packs; and they are told of by themselves, by a fit that saw none of the one's messages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import config
from companion.answering import Heard
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import TextVectors
from companion.records import Profile
from companion.repertoire import packs
from companion.repertoire.certainty import LEAST_COSINE, SURE
from companion.repertoire.index import Index, Near
from companion.repertoire.limits import stays_out
from companion.repertoire.packs import Entry
from companion.safety.wording import wording

ROOT = Path(__file__).resolve().parent.parent
ORDINARY = ROOT / "tests" / "safety" / "ordinary.txt"
RIGHT = ROOT / "scripts" / "repertoire" / "right.txt"
WRITTEN_FROM = ROOT / "scripts" / "repertoire" / "authors.tsv"
AUTHORS = ("elm", "iris", "moss")
NAME = "Pip"
FOLDS = 10
MESSAGE, SAME_WORDING, OWN, UNLIKE = 5.0, 1.5, 0.03, 0.05
"""Weights of a message, of one that is a wording, of a wording left out, and of one under `not`."""

Floats = NDArray[np.float64]
Tokens = dict[str, TextVectors]


@dataclass(frozen=True)
class Case:
    """An entry near a message."""

    message: str
    said: str
    near: Near
    right: bool
    weight: float


def messages(files: list[Path], ordinary: bool = True) -> Iterator[tuple[str, Heard]]:
    """Each with its name: file and line. ordinary: with tests/safety/ordinary.txt."""
    for file in files:
        for at, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            before = row["before"][-1][1] if row["before"] else ""
            yield f"{file.stem}-{at}", Heard(row["said"], None, before, Profile(age=row["age"]))
    lines = ORDINARY.read_text(encoding="utf-8").splitlines() if ordinary else []
    for at, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            yield f"ord-{at}", Heard(line.split("\t")[-1], None, "", Profile())


def of_messages(
    index: Index, tokens: Tokens, files: list[Path], ordinary: bool = True
) -> list[Case]:
    lines = RIGHT.read_text(encoding="utf-8").splitlines()[1:]
    right = {tuple(line.split()) for line in lines}
    cases = []
    for name, heard in messages(files, ordinary):
        said = wording(heard.words, NAME)
        found = index.nearest(said, tokens[said].vector, heard.profile.age) if said else []
        for near in found:
            if near.likeness.cosine >= LEAST_COSINE and not stays_out(heard, near, said):
                weight = SAME_WORDING if near.likeness.cosine > 0.97 else MESSAGE
                looked = aligned(index, near, said, tokens)
                answers = (name, near.entry.id) in right
                cases.append(Case(name, heard.words, looked, answers, weight))
    return cases


def of_packs(entries: list[Entry], tokens: Tokens) -> Iterator[Case]:
    """Wordings left out, a quarter at a time."""
    for part in range(4):
        rest = [
            replace(
                each,
                says=tuple(text for at, text in enumerate(each.says) if at % 4 != part),
                unlike=tuple(text for at, text in enumerate(each.unlike) if at % 4 != part),
            )
            for each in entries
        ]
        index = Index(rest, lambda text: tokens[text].vector)
        for entry in entries:
            own = set(entry.says)
            for said in (*entry.says[part::4], *entry.unlike[part::4]):
                found = index.nearest(said, tokens[said].vector)[:2]
                for rank, near in enumerate(found):
                    if near.likeness.cosine < LEAST_COSINE:
                        continue
                    wanted = said in own
                    right = wanted and (
                        near.entry.id == entry.id or bool(own & set(near.entry.says))
                    )
                    if wanted or near.entry.id == entry.id:
                        weight = (OWN if rank == 0 else OWN / 3) if wanted else UNLIKE
                        yield Case("", said, aligned(index, near, said, tokens), right, weight)


def aligned(index: Index, near: Near, said: str, tokens: Tokens) -> Near:
    return index.aligned(near, said, tokens[said], tokens[near.wording])


def without(author: str, entries: list[Entry]) -> list[Entry]:
    """The entries without wordings that came from this author alone."""
    own = set()
    for line in WRITTEN_FROM.read_text(encoding="utf-8").splitlines():
        entry, text, by = line.split("\t")
        if by == author:
            own.add((entry, text))
    left = [
        replace(each, says=tuple(text for text in each.says if (each.id, text) not in own))
        for each in entries
    ]
    return [each for each in left if each.says]


def arrays(cases: list[Case]) -> tuple[Floats, Floats, Floats]:
    likenesses = np.array([astuple(each.near.likeness) for each in cases], dtype=np.float64)
    right = np.array([each.right for each in cases], dtype=np.float64)
    return likenesses, right, np.array([each.weight for each in cases])


def fit(likenesses: Floats, right: Floats, weights: Floats, l2: float = 1e-4) -> Floats:
    """Logistic regression by Newton's method; the bias last."""
    mean, spread = likenesses.mean(0), likenesses.std(0) + 1e-9
    x = np.hstack([(likenesses - mean) / spread, np.ones((len(right), 1))])
    found = np.zeros(x.shape[1])
    held = np.r_[np.full(len(found) - 1, l2 * len(right)), 1e-9]
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ found))
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x + np.diag(held)
        found -= np.linalg.solve(hessian, x.T @ (weights * (p - right)) + held * found)
    slopes = found[:-1] / spread
    fitted: Floats = np.r_[slopes, found[-1] - slopes @ mean]
    return fitted


def certainties(likenesses: Floats, fitted: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(likenesses @ fitted[:-1] + fitted[-1]))))


def left_out(cases: list[Case], others: list[Case]) -> Floats:
    """The certainty of each case by a fit that did not see its message."""
    names = sorted({each.message for each in cases})
    fold_of = dict(zip(names, np.random.default_rng(0).integers(0, FOLDS, len(names)), strict=True))
    fold = np.array([fold_of[each.message] for each in cases])
    found = np.zeros(len(cases))
    for out in range(FOLDS):
        seen = [each for each, at in zip(cases, fold, strict=True) if at != out]
        fitted = fit(*arrays([*seen, *others]))
        found[fold == out] = certainties(arrays(cases)[0][fold == out], fitted)
    return found


def tell(cases: list[Case], certain: Floats, number: int) -> None:
    """Coverage and precision by threshold; a message is answered by its likeliest entry."""
    best: dict[str, int] = {}
    for at, case in enumerate(cases):
        if case.message not in best or certain[at] > certain[best[case.message]]:
            best[case.message] = at
    for least in sorted({0.5, 0.6, 0.7, 0.75, 0.8, SURE, 0.9, 0.95}):
        told = []
        for title, worded in (("all", True), ("no wording of a pack", False)):
            said = [at for at in best.values() if certain[at] >= least]
            said = [at for at in said if worded or cases[at].near.likeness.cosine <= 0.97]
            right = sum(cases[at].right for at in said)
            told.append(f"{title}: {right} right of {len(said)}, {right / max(1, len(said)):.3f}")
        print(f"from {least}: of {number} messages, " + "; ".join(told))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("talk", nargs="+", type=Path)
    parser.add_argument("--answers", action="store_true")
    arguments = parser.parse_args()
    entries = [e for file in packs.files(packs.SHIPPED) for e in packs.read_file(file)]
    entries = [e for e in entries if e.family is None or e.family.endswith("keep")]
    heard = dict(messages(arguments.talk))
    texts = [wording(each.words, NAME) for each in heard.values()]
    texts = [text for text in dict.fromkeys([*packs.texts(entries), *texts]) if text]
    async with open_uncached_embedder(config.load()) as embedder:
        tokens: Tokens = {}
        for start in range(0, len(texts), 8):
            batch = texts[start : start + 8]
            tokens.update(zip(batch, await embedder.embed_tokens(batch), strict=True))
    index = Index(entries, lambda text: tokens[text].vector)
    cases = of_messages(index, tokens, arguments.talk)
    if arguments.answers:
        seen: set[str] = set()
        for case in sorted(cases, key=lambda each: -each.near.certainty):
            if case.near.certainty >= SURE and case.message not in seen:
                seen.add(case.message)
                mark = "      " if case.right else "WRONG?"
                answer = f"{case.message} {case.said!r} {case.near.entry.id}"
                print(f"{case.near.certainty:.2f} {mark} {answer}")
        tell(cases, np.array([each.near.certainty for each in cases]), len(heard))
        return
    strange = []
    for file in arguments.talk:
        if (author := file.stem.removeprefix("acts-")) in AUTHORS:
            less = Index(without(author, entries), lambda text: tokens[text].vector)
            strange += of_messages(less, tokens, [file], ordinary=False)
    cases = [each for each in cases if not each.message.startswith("acts-")] + strange
    others = list(of_packs(entries, tokens))
    fitted = fit(*arrays([*cases, *others]))
    print("weights", np.round(fitted[:-1], 3).tolist(), "bias", round(float(fitted[-1]), 3))
    tell(cases, left_out(cases, others), len(heard))
    if strange:
        print("strangers, by a fit that saw none of the one's messages:")
        doubt = np.zeros(len(strange))
        for author in AUTHORS:
            theirs = np.array([each.message.startswith(f"acts-{author}-") for each in strange])
            if theirs.any():
                rest = [each for each in cases if not each.message.startswith(f"acts-{author}-")]
                known = fit(*arrays([*rest, *others]))
                doubt[theirs] = certainties(arrays(strange)[0][theirs], known)
        tell(strange, doubt, sum(name.startswith("acts-") for name in heard))
    own = [each for each in others if each.weight == OWN]
    certain = certainties(arrays(own)[0], fitted) >= SURE
    right = np.array([each.right for each in own])
    answered, wrong = np.mean(certain & right), np.mean(certain & ~right)
    print(f"wordings left out: {answered:.3f} right, {wrong:.4f} wrong")


if __name__ == "__main__":
    asyncio.run(main())
