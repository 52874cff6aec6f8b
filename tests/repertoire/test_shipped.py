"""The packs that are shipped, all of them."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from companion import language
from companion.acts.acts import ACTS
from companion.engines.embedding.probe import PROBE
from companion.language.tables import Table
from companion.language.types import CLAIM_KINDS
from companion.repertoire import banks, fallback, listening, packs, uptake, vectors
from companion.repertoire.check import check_replies
from companion.repertoire.packs import Entry

FILES = packs.files(packs.SHIPPED)
ENTRIES = [entry for file in FILES for entry in packs.read_file(file)]
BANKS = banks.shipped()
FALLBACK = fallback.shipped()


def test_there_are_packs() -> None:
    assert len(FILES) >= 40
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("pack", [file.stem for file in FILES])
def test_guard_and_voice_object_to_no_reply(pack: str) -> None:
    found = [each for entry in ENTRIES if entry.pack == pack for each in check_replies(entry)]
    assert found == []


@pytest.mark.parametrize("pack", [file.stem for file in FILES])
def test_an_entry_has_wordings_and_replies_enough_for_a_week(pack: str) -> None:
    for entry in ENTRIES:
        if entry.pack == pack:
            assert len(entry.says) >= 6, entry.id
            assert len(entry.replies) >= 3, entry.id


def test_vectors_are_not_stale() -> None:
    """Run scripts/build_repertoire.py after every change of a pack or a bank."""
    known = vectors.read(vectors.SHIPPED)
    texts = [PROBE, *packs.texts(ENTRIES), *banks.texts(BANKS)]
    assert known.missing(texts) == []
    assert known.holds(texts)


def test_both_choices_of_a_family_answer_the_same_wordings() -> None:
    asked: defaultdict[str, set[str]] = defaultdict(set)
    for entry in ENTRIES:
        if entry.family is not None:
            asked[entry.family] |= set(entry.says)
    assert asked["santa-keep"] == asked["santa-tell"]
    assert asked["fairy-keep"] == asked["fairy-tell"]


def test_an_entry_without_the_name_always_has_a_reply() -> None:
    def ready(entry: Entry) -> int:
        return sum(packs.NAME not in reply for reply in entry.replies)

    assert [entry.id for entry in ENTRIES if ready(entry) < 2] == []


MOST_OF_A_VARIANT = {"who": 1}
"""Fewest replies of a variant, where three make no sense: there is one way to ask who knocks."""


def variants_of(act: str) -> set[str]:
    names = Table(Path(language.__file__).parent / "en" / "variants.yaml").entries
    return {name.removeprefix(f"{act}_") for name in names if name.startswith(f"{act}_")} | {"who"}


def every_reply(bank: banks.Bank) -> tuple[str, ...]:
    return (*bank.replies, *sum(bank.asked.values(), ()))


def filled(reply: str) -> str:
    return re.sub(r"\{(\w)\w+\}", lambda found: "A sock" if found[1] == "S" else "a sock", reply)


def sentences_of_listening() -> list[str]:
    taken, calm = uptake.shipped(), listening.shipped()
    before = [line for lines in taken.before.values() for line in lines]
    said = [line.replace(uptake.ECHO, "A sock") for line in before]
    said += [*taken.whatever, *taken.calmly, *taken.listened, *sum(taken.bare.values(), ())]
    follow_ups = [line for each in taken.follow_ups.values() for line in each.lines]
    return [*said, *follow_ups, *sum(calm.values(), ())]


def test_guard_and_voice_pass_what_is_said_to_tellings_and_it_claims_nothing() -> None:
    said = sentences_of_listening()
    assert check_replies(Entry("listening", (), (), tuple(said))) == []
    claims = {s: language.claims.of(s) for text in said for s in language.sentences.split(text)}
    assert {sentence: claim for sentence, claim in claims.items() if claim} == {}


@pytest.mark.parametrize("act", sorted(BANKS))
def test_a_bank_is_of_a_known_act_and_has_enough_that_guard_and_voice_pass(act: str) -> None:
    bank = BANKS[act]
    assert act in ACTS
    assert bank.exchanges or every_reply(bank)
    often = {*CLAIM_KINDS, "morning", "night"}
    assert set(bank.asked) <= {*often, *variants_of(act), "sounds_so"}
    assert not bank.replies or len(set(bank.replies)) >= 12
    for asked, replies in bank.asked.items():
        assert len(set(replies)) >= (12 if asked in often else MOST_OF_A_VARIANT.get(asked, 3))
    said = (*(toy for _, toy in bank.exchanges), *map(filled, every_reply(bank)))
    assert check_replies(Entry(f"{act}/all", (), (), said)) == []


@pytest.mark.parametrize("act", sorted(BANKS))
def test_no_reply_of_a_bank_claims_what_the_toy_cannot_do(act: str) -> None:
    if act == "pretend":  # it speaks in its role there
        return
    bank = BANKS[act]
    said = (*(toy for _, toy in bank.exchanges), *every_reply(bank))
    claims = {s: language.claims.of(s) for text in said for s in language.sentences.split(text)}
    assert {sentence: claim for sentence, claim in claims.items() if claim} == {}


@pytest.mark.parametrize("kind", sorted(FALLBACK))
def test_guard_and_voice_pass_every_fallback_and_it_claims_nothing(kind: str) -> None:
    said = FALLBACK[kind].replies
    assert check_replies(FALLBACK[kind]) == []
    claims = {s: language.claims.of(s) for text in said for s in language.sentences.split(text)}
    assert {sentence: claim for sentence, claim in claims.items() if claim} == {}
