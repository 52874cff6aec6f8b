"""eval retrieval: what counts as found, and all arms on a small set with the real embedder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion import config
from companion.config import RetrievalSection
from companion.evaluation.retrieval import run, told
from companion.evaluation.retrieval.dense import DenseRecall, Shown
from companion.evaluation.retrieval.labelled import LabelledQuestion, Utterance, read_talks
from companion.evaluation.retrieval.labelled_store import LabelledStore
from companion.evaluation.retrieval.run import Marks, tokens
from companion.records import Recalled
from tests.fakes import HashEmbedder

from .talks import TALK


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "set.json"
    path.write_text(json.dumps([TALK]))
    return path


def test_words_and_marks_are_counted() -> None:
    assert tokens("They: I can't, on 8 May!") == 11  # They : I can ' t , on 8 May !
    assert tokens("") == 0


def test_the_recall_of_a_question_is_the_share_of_its_evidence() -> None:
    marks = Marks()
    half = LabelledQuestion("?", 1, frozenset({"D1:1", "D1:2"}))
    marks.add("1", half, Shown("two words", frozenset({"D1:2", "D4:4"})))
    marks.add("1", LabelledQuestion("?", 2, frozenset({"D1:3"})), Shown("", frozenset({"D1:3"})))
    marks.add("2", LabelledQuestion("?", 2, frozenset({"D1:3"})), Shown("one", frozenset()))
    document = marks.as_json()
    assert document["n"] == 3
    assert document["recall"] == 0.5
    assert document["by_category"] == {"1": {"n": 1, "recall": 0.5}, "2": {"n": 2, "recall": 0.5}}
    assert document["by_conversation"]["1"] == {"n": 2, "recall": 0.75}
    assert document["mean_tokens"] == 1.0
    assert document["ci95"][0] < 0.5 < document["ci95"][1]


def test_conversations_stand_in_the_order_of_their_numbers() -> None:
    marks = Marks()
    for number in (1, 2, 10):
        asked = LabelledQuestion("?", number, frozenset({"D1:1"}))
        marks.add(str(number), asked, Shown("", frozenset()))
    document = marks.as_json()
    assert list(document["by_conversation"]) == list(document["by_category"]) == ["1", "2", "10"]


def test_a_line_stands_for_the_message_it_shows_and_no_other() -> None:
    said = Utterance("D1:1", "Ana", "My parrot Rio learned to whistle a whole song.")
    reply = Utterance("D1:2", "Bo", "That must be loud in the morning.")
    store = LabelledStore({("s#1", 1): (said, reply)}, {7: frozenset({"D9:9"})})

    def found(text: str) -> frozenset[str]:
        return store.found(Recalled("s#1#1", "turn", text, 0.0))

    assert found(f"Monday: They: {said.text}") == {"D1:1"}
    assert found(f"Monday: You: {reply.text}") == {"D1:2"}
    assert found("Monday: They: My parrot ...") == frozenset(), "less than half of it is left"
    assert store.found(Recalled("m7", "memory", "A fact.", 0.0)) == {"D9:9"}


async def test_the_papers_arm_takes_the_nearest_with_their_neighbours(file: Path) -> None:
    [talk] = read_talks(file)
    axes = np.eye(9, dtype=np.float32)
    words = HashEmbedder(dimension=9)
    asked = (await words.embed(["marathon?"]))[0]
    others = axes - np.outer(axes @ asked, asked)  # nothing of them lies along the question
    facts, utterances = others[:3].copy(), others[:7].copy()
    facts[1] = utterances[4] = asked  # Bo's marathon; "The bakery gave me a job", D2:1
    section = RetrievalSection(k_long=1, k_short=1, k_surrounding=1)
    shown = await DenseRecall(talk, words, section, facts, utterances).recall("marathon?")
    assert shown.evidence == {"D1:4", "D2:1", "D2:2"}, "a session has no neighbour before its first"
    assert shown.block.splitlines() == [
        "Monday 8 May 2023: Bo trains for a mountain marathon.",
        "Thursday 25 May 2023: You: The bakery gave me a job on Saturdays.",
        "Thursday 25 May 2023: They: How is the marathon going?",
    ]


@pytest.mark.real
async def test_the_arms_measure_a_set(file: Path, embedder_dir: Path) -> None:
    documents = {}
    for arm in run.ARMS:
        documents[arm] = await run.run(config.load(), file, arm=arm, on_progress=lambda line: None)
        assert documents[arm]["arm"] == arm
        assert documents[arm]["n"] == 2
        assert set(documents[arm]["by_category"]) == {"1", "4"}
    assert documents["hybrid"]["recall"] >= 0.75
    assert documents["hybrid"]["mean_tokens"] <= documents["hybrid"]["budget"]
    narrow = await run.run(
        config.load(), file, arm="hybrid", budget=20, on_progress=lambda line: None
    )
    assert 0 < narrow["mean_tokens"] <= 20


@pytest.mark.real
async def test_a_life_is_asked_about_what_was_told_in_it(
    tmp_path: Path, embedder_dir: Path
) -> None:
    said = ["I have a hamster.", "What is it called?", "Biscuit! He climbs the curtain.", "Brave!"]
    lines = [
        {"user": "Mia", "session": "1", "time": f"2026-10-05T17:00:{number:02}", "role": role,
         "text": text}
        for number, (role, text) in enumerate(zip(("user", "assistant") * 2, said, strict=True))
    ]  # fmt: skip
    (tmp_path / "Mia.jsonl").write_text("\n".join(map(json.dumps, lines)))
    fact = {"text": "-", "all_of": [["biscuit"]], "session": "1", "status": "current"}
    asked = {"question": "what's my hamster called", "answer": "-", "all_of": [["biscuit"]],
             "type": "fact"}  # fmt: skip
    other = {"question": "Why do magnets stick?", "answer": "-", "all_of": [], "type": "never_told"}
    absent = {**asked, "question": "Who gave him to me?", "all_of": [["granny"]]}
    gold = {"profile": {"name": "Mia"}, "facts": [fact], "questions": [asked, other, absent]}
    (tmp_path / "Mia_gold.json").write_text(json.dumps(gold))
    found = await told.run(config.load(), [tmp_path / "Mia.jsonl"], on_progress=lambda line: None)
    assert found["n"] == 1, "what no exchange answers is not asked"
    assert found["best"] == {"2": 1.0, "4": 1.0, "8": 1.0}
    assert found["block"] == 1.0
    assert found["refused"] == 0.0
    assert found["never_told"] == {"n": 1, "admitted": 1.0}
    assert found["lives"]["Mia"]["n"] == 1
