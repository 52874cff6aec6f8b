"""Reading conversations with evidence labels, and refusing what is none."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InputError
from companion.evaluation.retrieval.labelled import read_talks

from .talks import TALK


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document))
    return path


def test_sessions_facts_and_questions_are_read(tmp_path: Path) -> None:
    [talk] = read_talks(write(tmp_path / "set.json", [TALK]))
    assert talk.speakers == ("Ana", "Bo")
    assert [len(session.utterances) for session in talk.sessions] == [4, 3]
    assert talk.sessions[0].time.isoformat() == "2023-05-08T13:56:00+00:00"
    assert [sorted(fact.cites) for fact in talk.facts] == [["D1:1"], ["D1:4"], ["D2:1", "D2:3"]]
    assert talk.facts[2].time == talk.sessions[1].time
    assert [sorted(asked.evidence) for asked in talk.questions] == [["D1:1"], ["D1:4", "D2:2"]]


def test_two_references_in_one_label_are_two(tmp_path: Path) -> None:
    talk = copy.deepcopy(TALK)
    talk["qa"][0]["evidence"] = ["D1:1; D2:2", "D:2:3", "D9:9", "D"]
    [read] = read_talks(write(tmp_path / "set.json", [talk]))
    assert read.questions[0].evidence == {"D1:1", "D2:2", "D2:3"}


def test_a_correction_takes_the_place_of_a_label(tmp_path: Path) -> None:
    write(
        tmp_path / "label_errors.json",
        [
            {
                "question_id": "locomo_0_qa0",
                "question": TALK["qa"][0]["question"],
                "correct_evidence": ["D2:1"],
            },
            {
                "question_id": "locomo_0_qa1",
                "question": "Of another question?",
                "correct_evidence": ["D2:3"],
            },
        ],
    )
    [talk] = read_talks(write(tmp_path / "set.json", [TALK]))
    assert talk.questions[0].evidence == {"D2:1"}
    assert talk.questions[1].evidence == {"D1:4", "D2:2"}, "the correction is of other words"


def test_a_question_without_evidence_is_left_out(tmp_path: Path) -> None:
    talk = copy.deepcopy(TALK)
    talk["qa"][0]["evidence"] = []
    [read] = read_talks(write(tmp_path / "set.json", [talk]))
    assert [asked.text for asked in read.questions] == [TALK["qa"][1]["question"]]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("qa", 1), {"question": "x"}, r"\[0\]\.qa\[1\]: expected an object with 'evidence'"),
        (("qa",), "none", r"\[0\]\.qa: expected a list"),
        (("qa",), [], "holds no question whose evidence is in its conversation"),
        (("qa", 0, "category"), "many", r"\[0\]\.qa\[0\]\.category: expected a whole number"),
        (("conversation",), 7, r"\[0\]\.conversation: expected an object"),
        (("conversation",), {}, r"\[0\]\.conversation: expected 'session_1'"),
        (("conversation", "session_1_date_time"), "May", r"expected a time like '1:56 pm on"),
        (("conversation", "session_2", 0, "text"), 7, r"session_2\[0\]\.text: expected a text"),
        (("observation", "session_7_observation"), {"Ana": []}, "belongs to no session"),
        (("observation", "session_1_observation", "Ana", 0), "x", r"expected \[fact, reference\]"),
    ],
)
def test_a_wrong_set_is_refused_with_the_place(
    tmp_path: Path, path: tuple[Any, ...], value: Any, message: str
) -> None:
    talk: Any = copy.deepcopy(TALK)
    inner = talk
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(InputError, match=message):
        read_talks(write(tmp_path / "set.json", [talk]))


def test_what_is_no_json_is_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    file.write_text('[\n{"qa": oops}]')
    with pytest.raises(InputError, match="line 2: not JSON"):
        read_talks(file)
    file.write_text("{}")
    with pytest.raises(InputError, match="expected a list of conversations"):
        read_talks(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_talks(tmp_path / "none.json")
