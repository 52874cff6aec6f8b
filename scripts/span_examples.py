"""What the span reader learns from: questions, and passages with the words that answer them.

- QAMR (Michael et al. 2018, MIT): https://github.com/uwnlp/qamr, crowd workers' questions to
  sentences of encyclopaedias and news, and FriendsQA (Yang and Choi 2019, Apache-2.0):
  https://github.com/emorynlp/FriendsQA, questions to scripts of a series. Neither is part of this
  repository: a checkout of each is given.
- Our own, by strangers' hands: adapter/spans, where the words are marked; adapter/reading,
  whispers, notes, and the prompts of `adapter_prompts.py`, where they are those of one note that
  have most in common with the answer.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ADAPTER = Path(__file__).resolve().parent / "adapter"

MOST_CHARS = 90
"""Of an answer; longer ones teach where sentences end."""

SAME = 0.5
"""F1 of an answer's words and a note's, from which these are the answer."""

DATED = ("", "", "They: ", "Monday 6 July (seven days ago): They: ", "Wednesday 4 March 2026: ")
"""What a note may begin with."""


class Example(NamedTuple):
    """start, end: characters of the passage; -1: it does not answer."""

    question: str
    passage: str
    start: int = -1
    end: int = -1


def qamr(checkout: Path, chance: random.Random) -> Iterator[Example]:
    """Each question with its sentence, and often with another of the same document."""
    data = checkout / "data"
    lines = (data / "wiki-sentences.tsv").read_text(encoding="utf-8").splitlines()
    sentences = {key: _joined(text.split()) for key, text in (one.split("\t") for one in lines)}
    documents: dict[str, list[str]] = {}
    for key in sentences:
        documents.setdefault(key.rsplit(":", 2)[0], []).append(key)
    seen = set()
    for part in ("dev", "test"):
        for line in (data / "filtered" / f"{part}.tsv").read_text(encoding="utf-8").splitlines():
            key, _, _, _, _, question, answer, *_ = line.split("\t")
            if key not in sentences or (key, question) in seen:
                continue
            seen.add((key, question))
            text, places = sentences[key]
            tokens = [int(each) for each in answer.split()]
            start, end = places[min(tokens)][0], places[max(tokens)][1]
            if end - start > MOST_CHARS:
                continue
            yield Example(question, text, start, end)
            others = [each for each in documents[key.rsplit(":", 2)[0]] if each != key]
            if chance.random() < 0.5:
                yield Example(question, sentences[chance.choice(others or list(sentences))][0])


def friends(checkout: Path, chance: random.Random) -> Iterator[Example]:
    """Each question with the lines around its answer, and with one far from it."""
    for part in ("dev", "tst"):
        file = checkout / "dat" / f"friendsqa_{part}.json"
        for scene in json.loads(file.read_text(encoding="utf-8"))["data"]:
            for paragraph in scene["paragraphs"]:
                said = {
                    each["uid"]: (
                        ", ".join(name.split()[0] for name in each["speakers"]) or "Scene",
                        _joined(each["utterance"].split()),
                    )
                    for each in paragraph["utterances:"]
                }
                for asked in paragraph["qas"]:
                    yield from _of_scene(asked, said, chance)


def _of_scene(
    asked: dict[str, Any], said: dict[int, tuple[str, _Joined]], chance: random.Random
) -> Iterator[Example]:
    for answer in asked["answers"]:
        at = answer["utterance_id"]
        if answer.get("is_speaker") or at not in said:
            continue
        text, places = said[at][1]
        if answer["inner_start"] < 0 or answer["inner_end"] >= len(places):
            continue
        lines = {each: f"{who}: {words}" for each, (who, (words, _)) in said.items()}
        before = " ".join(lines[each] for each in (at - 2, at - 1) if each in lines)[-150:]
        before = f"{before} {said[at][0]}: ".lstrip()
        start = len(before) + places[answer["inner_start"]][0]
        end = len(before) + places[answer["inner_end"]][1]
        if end - start > MOST_CHARS:
            continue
        after = f" {lines[at + 1]}"[:120] if at + 1 in lines else ""
        yield Example(asked["question"], before + text + after, start, end)
        far = [each for each in lines if abs(each - at) > 4]
        if far:
            yield Example(asked["question"], lines[chance.choice(far)][:300])
        return


def marked(chance: random.Random) -> Iterator[Example]:
    """adapter/spans; each question also with what somebody else told."""
    for file in sorted((ADAPTER / "spans").glob("*.jsonl")):
        rows = _rows(file)
        for row in rows:
            lead = chance.choice(DATED)
            question = f"{row['before'][-80:]} {row['asked']}".strip()
            if row["answer"] is None:
                yield Example(question, lead + row["told"])
            else:
                start = len(lead) + row["told"].index(row["answer"])
                yield Example(question, lead + row["told"], start, start + len(row["answer"]))
            if (other := chance.choice(rows)) is not row:
                yield Example(question, other["told"])


def aligned(prompts: Path, chance: random.Random) -> Iterator[Example]:
    """The other lines of our own. prompts: what `adapter_prompts.py` wrote."""
    for file in sorted((ADAPTER / "reading").glob("*.jsonl")):
        for row in _rows(file):
            notes = [each for each in row["notes"] if not each.startswith("Just now")]
            yield from _of_notes(row["asked"], notes, row["answer"], chance)
    for name in ("whispers", "whispers-2"):
        for row in _rows(ADAPTER / f"{name}.jsonl"):
            question = f"{row['context'][-80:]} {row['question']}".strip()
            yield from _of_notes(question, row["notes"], row["answer"], chance)
    for name in ("notes", "notes-2"):
        for row in _rows(ADAPTER / f"{name}.jsonl"):
            if "?" in row["said"] or re.match(r"(what|who|where|when|how|which)\b", row["said"]):
                notes = [each for each in row["notes"] if not each.startswith("(")]
                yield from _of_notes(row["said"], notes, row["reply"], chance)
    for file in sorted(prompts.glob("*.jsonl")):
        for row in _rows(file):
            question, notes = _of_prompt(row["message"])
            yield from _of_notes(question, notes, row["answer"], chance)


def _of_prompt(message: str) -> tuple[str, list[str]]:
    if "\nQuestion: " not in message:
        block, question = message.rsplit("\n\n", 1)
        return question, block.split("\n")
    body, question = message.rsplit("\nQuestion: ", 1)
    lines = body.split("\n")
    context = "".join(each[12:-1] for each in lines if each.startswith('Just said: "'))
    question = f"{context[-80:]} {question}".strip()
    return question, [each[2:] for each in lines if each.startswith("- ")]


def _of_notes(
    question: str, notes: Sequence[str], answer: str, chance: random.Random
) -> Iterator[Example]:
    """The note that answers, and up to four that do not."""
    if re.match(r"i (don|can)'t remember|unknown", answer.lower()):
        for each in chance.sample(list(notes), min(4, len(notes))):
            yield Example(question, each)
        return
    found = max(
        ((*_aligned(answer, note, question), at) for at, note in enumerate(notes)),
        default=(0.0, 0, 0, 0),
    )
    same, start, end, at = found
    if same < SAME:
        return
    yield Example(question, notes[at], start, end)
    words = notes[at][start:end].lower()
    others = [each for i, each in enumerate(notes) if i != at and words not in each.lower()]
    for each in chance.sample(others, min(4, len(others))):
        yield Example(question, each)


_STOP = frozenset(
    "i you it it's its is was are were the a an and or of to in on at that's he she they did do "
    "don't you're told said say that this with for not no yes be been so but as by from my your "
    "his her their we our us him them have has had i'm".split()
)


def _aligned(answer: str, note: str, question: str, most: int = 12) -> tuple[float, int, int]:
    """F1, start and end of the words of a note that have most in common with an answer."""
    asked = {_stem(word) for word, _, _ in _words(question)}
    wanted = [_stem(word) for word, _, _ in _words(answer) if word not in _STOP]
    wanted = [each for each in wanted if each not in asked] or wanted
    words = _words(note)
    there = [_stem(word) for word, _, _ in words]
    best = (0.0, 0, 0)
    for i, first in enumerate(there):
        if first not in wanted:
            continue
        for j in range(i, min(i + most, len(there))):
            if there[j] in wanted:
                part = there[i : j + 1]
                recall = len(set(part) & set(wanted)) / len(set(wanted))
                precision = sum(each in wanted for each in part) / len(part)
                same = 2 * precision * recall / (precision + recall)
                best = max(best, (same, words[i][1], words[j][2]), key=lambda one: one[0])
    return best


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(m.group().lower(), m.start(), m.end()) for m in re.finditer(r"[\w']+", text)]


def _stem(word: str) -> str:
    return re.sub(r"('s|s|ed|ing|')$", "", word)


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


_Joined = tuple[str, list[tuple[int, int]]]


def _joined(tokens: Sequence[str]) -> _Joined:
    """Text of a treebank's tokens, and where each stands in it."""
    text, places = "", []
    for token in tokens:
        token = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}.get(token, token)
        glued = token in {".", ",", "?", "!", ";", ":", ")", "n't", "%"} or token.startswith("'")
        if text and not glued and not text.endswith(("(", "$")):
            text += " "
        places.append((len(text), len(text) + len(token)))
        text += token
    return text, places
