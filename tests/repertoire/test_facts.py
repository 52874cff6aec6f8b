"""Questions about the world: reading what is known, finding which is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.engines.protocols import Embedder
from companion.errors import InputError
from companion.repertoire import byte_vectors, facts
from companion.repertoire.check import check_replies
from companion.repertoire.facts import Facts

FILES = sorted(facts.SHIPPED.glob("*.jsonl"))
FACTS = facts.read_folder(facts.SHIPPED)
KNOWN = Facts(FACTS, byte_vectors.read(facts.VECTORS, facts.texts(FACTS)))

GOOD: dict[str, Any] = {
    "asks": ["How many legs has a spider got?", "do spiders have eight legs"],
    "must": [["spider", "spiders"], ["leg", "legs"]],
    "not": ["how many eyes has a spider got"],
    "says": ["Eight!"],
}


def written(folder: Path, *lines: str) -> Path:
    file = folder / "own.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_a_fact_is_read_with_all_that_it_says(tmp_path: Path) -> None:
    (fact,) = facts.read_file(written(tmp_path, json.dumps(GOOD)))
    assert fact.entry.id == "own/1"
    assert fact.entry.says[0] == "how many legs has a spider got"
    assert fact.entry.replies == ("Eight!",)
    assert fact.missing(frozenset("has that spider six legs".split())) == 0
    assert fact.missing(frozenset("has that spider six eyes".split())) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: not JSON"),
        ("[" * 5000, "line 1: not JSON"),
        ("[]", "expected an object with asks, must, not, says"),
        (json.dumps({**GOOD, "more": 1}), "expected an object"),
        (json.dumps({**GOOD, "asks": []}), "each need something"),
        (json.dumps({**GOOD, "must": []}), "each need something"),
        (json.dumps({**GOOD, "must": [[]]}), "each group of must needs words"),
        (json.dumps({**GOOD, "must": [["!"]]}), "each group of must needs words"),
        (json.dumps({**GOOD, "says": "Eight!"}), "says must be a list of texts"),
        (json.dumps({**GOOD, "not": [" "]}), "not must be a list of texts"),
        (json.dumps({**GOOD, "says": ["a\nb"]}), "says must be a list of texts"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(InputError) as raised:
        facts.read_file(written(tmp_path, line))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_facts_of_a_file_share_no_wording(tmp_path: Path) -> None:
    other = {**GOOD, "must": [["spider"]]}
    with pytest.raises(InputError, match="line 1 has 'how many legs"):
        facts.read_file(written(tmp_path, json.dumps(GOOD), json.dumps(other)))


def test_a_file_that_is_no_text_is_told_of(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        facts.read_file(file)
    with pytest.raises(InputError, match="cannot be read"):
        facts.read_file(tmp_path / "none.jsonl")


def test_there_are_facts() -> None:
    assert len(FILES) >= 8
    assert len(KNOWN.facts) >= 900


@pytest.mark.parametrize("field", [file.stem for file in FILES])
def test_guard_and_voice_object_to_no_answer(field: str) -> None:
    own = [each.entry for each in KNOWN.facts if each.entry.pack == field]
    assert [found for entry in own for found in check_replies(entry)] == []


@pytest.mark.parametrize("field", [file.stem for file in FILES])
def test_each_wording_has_a_word_of_each_group(field: str) -> None:
    for fact in KNOWN.facts:
        if fact.entry.pack == field:
            assert [each for each in fact.entry.says if fact.missing(frozenset(each.split()))] == []


def test_no_wording_stands_in_two_fields() -> None:
    owners: dict[str, str] = {}
    twice = []
    for fact in KNOWN.facts:
        for said in fact.entry.says:
            if owners.setdefault(said, fact.entry.id) != fact.entry.id:
                twice.append((said, owners[said], fact.entry.id))
    assert twice == []


def test_the_reason_before_or_after_is_no_part_of_the_question() -> None:
    after = facts.readings("Pip, why do onions make Daddy cry, he isn't even sad", "Pip")
    assert after[-1] == "why do onions make dad cry"
    before = facts.readings("we saw a shark at the zoo so why do they have fins", "Pip")
    assert before[-1] == "why do they have fins"
    assert facts.readings("my tooth came out, it was wobbly", "Pip") == [
        "my tooth came out it was wobbly"
    ]


def test_candidates_are_few_and_the_best_covered_comes_first() -> None:
    found = KNOWN.candidates(["do sharks eat people"])
    assert 1 <= len(found) <= facts.LOOKED_AT
    assert "eat people" in KNOWN.facts[found[0]].entry.says[0]
    assert KNOWN.candidates([]) == []
    assert KNOWN.candidates(["grumble frumble"]) == []


@pytest.mark.parametrize(
    ("said", "has"),
    [
        ("pip how many legs have them spiders got, six?", "eight"),
        ("why is the sky blue?", "blue"),
        ("we saw one at school. do fish go to sleep?", "sleep"),
    ],
)
async def test_a_question_finds_its_answer(embedder: Embedder, said: str, has: str) -> None:
    (fact, likeness), *_ = await KNOWN.likeliest(said, "Pip", embedder)
    assert likeness.certainty >= facts.SURE
    assert has in fact.entry.replies[0].lower()


@pytest.mark.parametrize(
    "said",
    [
        "why did my spider lose a leg at nan's",
        "how many legs has our table got",
        "what did we eat on tuesday",
        "my brother bit me and it's only pretend he's a crocodile",
    ],
)
async def test_what_only_sounds_like_it_is_not_answered(embedder: Embedder, said: str) -> None:
    near = await KNOWN.likeliest(said, "Pip", embedder)
    assert not near or near[0][1].certainty < facts.SURE


async def test_a_long_message_is_not_looked_up(embedder: Embedder) -> None:
    assert await KNOWN.likeliest(" ".join(["spider", "legs"] * 24), "Pip", embedder) == []
    assert (
        await Facts([], byte_vectors.of(np.zeros((0, 384), np.float32))).likeliest(
            "why is the sky blue", "Pip", embedder
        )
        == []
    )
