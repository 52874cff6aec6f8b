r"""Trains a head of models/guards/minilm-guard.onnx: what is said in play, and what in earnest.

    VENV/bin/pip install torch transformers onnx    (besides what scripts/setup --dev installs)
    VENV/bin/python scripts/train_play_network.py FILE.onnx [--held-out]

It learns the talks and pieces of talk that hands wrote for it (scripts/play/talks,
scripts/weeks/play), weeks of talk in which readers marked what is play (scripts/play/marks), and
plain things that children tell (scripts/uptake), as weeks hold few of these: of each message the
whole and its sentences, with the talk before, as `companion.acts.play` reads them. With --held-out
a third of the authors is not learnt, nothing is put into the file, and what is found of their
messages is printed, beside what the tables of `language.pretend_play` find. 15 minutes on two
cores.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from network_heads import Floats, Pairs, predicted, put_into, trained
from numpy.typing import NDArray
from transformers import AutoTokenizer
from weeks_of_talk import rows, week

from companion import config, language
from companion.acts.play import KINDS, Pair, by_tables, cut, earnest_of, exchanges, pairs_of
from companion.records import Message, Turn
from companion.weights.manifest import Manifest

HERE = Path(__file__).resolve().parent / "play"
PIECES = HERE.parent / "weeks" / "play"
TELLINGS = HERE.parent / "uptake" / "written.jsonl"
TELLING_EACH = 4
"""Of so many of these one is learnt."""

EVERY = 3
"""Of so many authors one is held out."""

OF_TALKS, OF_WEEKS = 1.0, 0.7
PLAY = 0.6
"""How much all play counts beside all that is in earnest."""


@dataclass(frozen=True)
class Said:
    """A message, with what a reader or its author says of it."""

    author: str
    turns: tuple[Turn, ...]
    """Of its talk, up to it."""

    earnest: str
    """What of it is so; "" where all is play."""

    of_week: bool

    @property
    def words(self) -> str:
        user = self.turns[-1].user
        assert user is not None
        return user.text

    def pairs(self) -> list[Pair]:
        number = self.turns[-1].number
        return [cut(each) for each in pairs_of(exchanges(self.turns, number), self.words)]

    def labels(self) -> list[int]:
        """Of each pair, whether it is play; -1 for the whole of what is both."""
        parts = language.sentences.split(self.words)
        whole = -1 if self.earnest and self.earnest != self.words else int(not self.earnest)
        if len(parts) == 1:
            return [max(whole, 0)]
        so = set(language.sentences.split(self.earnest))
        return [whole, *(int(each not in so and each not in self.earnest) for each in parts)]


def said(marks: Iterable[Path] = ()) -> list[Said]:
    """marks: files of further weeks' marks, in place of all that is learnt."""
    files = list(marks)
    talks = [] if files else sorted((HERE / "talks").glob("*.jsonl"))
    written = [each for file in talks for each in _of_talks(file)]
    if not files:
        written += [each for file in sorted(PIECES.glob("*.jsonl")) for each in _of_pieces(file)]
        written += list(_plain())
    return written + list(_of_weeks(files or sorted((HERE / "marks").glob("*.jsonl"))))


def _of_talks(file: Path) -> Iterator[Said]:
    talks = defaultdict(list)
    for row in rows(file):
        talks[row["talk"]].append(row)
    for talk in talks.values():
        lines = [(row["said"], row["reply"]) for row in talk]
        for at, row in enumerate(talk):
            earnest = {"real": row["said"], "play": ""}.get(row["is"], row.get("real", ""))
            yield Said(file.stem, tuple(turns(lines[: at + 1])), earnest, of_week=False)


def _of_pieces(file: Path) -> Iterator[Said]:
    for row in rows(file):
        talk = row["talk"]
        after = [*(each["you"] for each in talk[1:]), ""]
        lines = [(each["they"], reply) for each, reply in zip(talk, after, strict=True)]
        if talk[0]["you"]:
            lines.insert(0, ("", talk[0]["you"]))
        skipped = len(lines) - len(talk)
        for at, each in enumerate(talk):
            parts = language.sentences.split(each["they"])
            so = [part for part in parts if not any(part in no or no in part for no in each["not"])]
            told = tuple(turns(lines[: at + 1 + skipped]))
            earnest = each["they"] if so == parts else " ".join(so)
            yield Said(f"piece-{file.stem}", told, earnest, of_week=False)


def _plain() -> Iterator[Said]:
    for row in rows(TELLINGS)[::TELLING_EACH]:
        before = [("", row["before"])] if row["before"] else []
        told = tuple(turns([*before, (row["said"], "")]))
        yield Said(row["author"], told, row["said"], of_week=True)


def _of_weeks(files: Sequence[Path]) -> Iterator[Said]:
    marked = {
        (row["week"], row["session"], row["said"]): row.get("real", "")
        for file in files
        for row in rows(file)
    }
    for name in sorted({each for each, _, _ in marked}):
        sessions = defaultdict(list)
        for row in week(name):
            sessions[row["session"]].append(row)
        for session, talk in sessions.items():
            lines = _exchanges(talk)
            for at, (words, _) in enumerate(lines):
                earnest = marked.get((name, session, words), words)
                yield Said(name, tuple(turns(lines[: at + 1])), earnest, of_week=True)


def _exchanges(talk: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for row in talk:
        if row["role"] == "user":
            found.append((row["text"], ""))
        elif found:
            found[-1] = found[-1][0], row["text"]
    return found


def turns(lines: Sequence[tuple[str, str]]) -> list[Turn]:
    at = datetime.fromisoformat("2026-01-01T10:00:00+00:00")
    return [
        Turn(
            "talk",
            n,
            Message(2 * n, "talk", n, "user", words, at),
            Message(2 * n + 1, "talk", n, "assistant", reply, at),
        )
        for n, (words, reply) in enumerate(lines, 1)
    ]


def learnt(found: Sequence[Said]) -> tuple[list[Pair], NDArray[np.int64], Floats]:
    pairs, labels, counts = [], [], []
    chance = random.Random(0)
    for each in found:
        these = list(zip(each.pairs(), each.labels(), strict=True))
        if each.of_week and each.earnest == each.words and len(these) > 1:  # there are so many
            these = [these[0], chance.choice(these[1:])]
        for pair, label in these:
            if label >= 0:
                pairs.append(pair)
                labels.append(label)
                counts.append(OF_WEEKS if each.of_week else OF_TALKS)
    play, kept = np.array(labels), np.array(counts, np.float32)
    of_play = play == 1
    kept[of_play] *= PLAY * kept[~of_play].sum() / kept[of_play].sum()
    return pairs, play, kept / kept.mean()


def printed(found: Sequence[Said], kept: Sequence[str], by: str) -> None:
    """How much play is kept out, and how much that is so is lost; by sentences."""
    for of_week in (False, True):
        lost = through = play = earnest = 0
        for each, taken in zip(found, kept, strict=True):
            if each.of_week == of_week:
                for part in language.sentences.split(each.words):
                    is_so, is_kept = part in each.earnest, part in taken
                    earnest, play = earnest + is_so, play + (not is_so)
                    lost, through = (
                        lost + (is_so and not is_kept),
                        through + (is_kept and not is_so),
                    )
        of = "weeks" if of_week else "talks"
        print(f"{by}, {of}: of {play} in play {through} kept, of {earnest} in earnest {lost} lost")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--held-out", action="store_true")
    given = parser.parse_args()
    language.choose(config.load().language)
    folder = Manifest.load().path("all-minilm-l6-v2", config.load().models_dir)
    tokenizer, found = AutoTokenizer.from_pretrained(folder), said()
    out = set(sorted({each.author for each in found})[::EVERY]) if given.held_out else set()
    data = learnt([each for each in found if each.author not in out])
    model = trained(folder, Pairs(tokenizer), KINDS, data)
    if not given.held_out:
        put_into(given.file, model, tokenizer, "play")
        return
    unseen = [each for each in found if each.author in out]
    pairs = [pair for each in unseen for pair in each.pairs()]
    logits = predicted(model, Pairs(tokenizer), pairs)
    odds = np.split(
        logits[:, 1] - logits[:, 0], np.cumsum([len(each.pairs()) for each in unseen])[:-1]
    )
    tables = [by_tables(each.turns, each.turns[-1].number) for each in unseen]
    printed(unseen, tables, "tables")
    printed(
        unseen,
        [earnest_of(each.words, those) for each, those in zip(unseen, odds, strict=True)],
        "network",
    )
    np.savez_compressed(given.file.with_suffix(".npz"), odds=np.concatenate(odds))


if __name__ == "__main__":
    main()
