"""What is whispered, measured: how a person is read, what counts as right, and a whole run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, default_path, load
from companion.errors import InputError
from companion.evaluation.assist.marks import verdict
from companion.evaluation.assist.people import Touched, read_person
from companion.evaluation.assist.run import run

PERSON: dict[str, Any] = {
    "person": "nobody",
    "memories": [
        {"time": "2026-05-04T08:15:00+00:00", "text": "Ben likes Catan, Pandemic and Azul."},
        {"time": "2026-05-05T08:15:00", "text": "Wanda's cat is called Mr. Plum. It rained."},
    ],
    "query": [
        {
            "context": "Ben? He likes Catan, Pandemic and",
            "query": "What else?",
            "answer": "Azul",
            "all_of": [["azul"]],
            "max_chars": 10,
        }
    ],
    "queryless": [
        {
            "context": "Wanda's cat is called",
            "need": "the cat's name",
            "answer": "Mr. Plum",
            "all_of": [["plum"]],
            "max_chars": 4,
        },
        {"context": "and then I", "need": "-", "answer": "", "all_of": [], "max_chars": 0},
    ],
    "unanswerable": [{"context": "", "query": "What is Wanda's dog called?"}],
}


def written(folder: Path, **changed: object) -> Path:
    path = folder / "nobody.json"
    path.write_text(json.dumps({**PERSON, **changed}))
    return path


@pytest.mark.parametrize(
    ("answer", "wanted", "found"),
    [
        ("Azul", {}, "right"),
        ("", {}, "unknown"),
        ("Chess", {}, "wrong"),
        ("Azul and a lot more", {}, "long"),
        ("", {"answer": "", "all_of": []}, "right"),
        ("Azul", {"answer": "", "all_of": []}, "wrong"),
    ],
)
def test_what_counts(answer: str, wanted: dict[str, Any], found: str) -> None:
    asked = {"context": "", "need": "", "answer": "Azul", "all_of": [["azul"]], "max_chars": 10}
    assert verdict(answer, Touched.model_validate(asked | wanted)) == found
    assert verdict(answer, None) == ("wrong" if answer else "unknown")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"memories": []}, "memories"),
        ({"memories": [{"time": "soon", "text": "x"}]}, r"memories\.0\.time"),
        ({"query": [{"context": ""}]}, r"query\.0\.answer"),
        ({"extra": 1}, "extra"),
        (
            {
                "queryless": [
                    {"context": "", "need": "", "answer": "x", "all_of": [], "max_chars": 1}
                ]
            },
            r"queryless\.0",
        ),
    ],
)
def test_what_is_no_person_is_refused_with_its_place(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        read_person(written(tmp_path, **changed))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000])
def test_what_is_no_document_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"bad\.json"):
        read_person(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_person(tmp_path / "none.json")


def rules_alone() -> Config:
    config = load(default_path())
    chosen = config.assist.model_copy(update={"by": "cloze"})
    return config.model_copy(update={"assist": chosen})


async def test_a_run_by_rules_alone(tmp_path: Path) -> None:
    """Without any language model; the embedder is real."""
    path = written(tmp_path)
    told: list[str] = []
    result = await run(rules_alone(), [path], arm="all", alone=True, on_progress=told.append)
    counts = {"n": 1, "right": 1, "unknown": 0, "wrong": 0, "long": 0, "chars": 4.0}
    assert result["query"] == counts
    assert result["queryless"] == counts | {"n": 2, "right": 1, "long": 1, "chars": 8.0}
    assert result["unanswerable"] == {"n": 1, "refused": 1}
    assert result["evaluated_tokens"] == 0
    assert [each["verdict"] for each in result["answers"]] == ["right", "long", "right", "unknown"]
    assert len(told) == 1
    one = await run(rules_alone(), [path], arm="queryless", alone=True, on_progress=told.append)
    assert (one["arm"], one["query"]["n"], one["queryless"]["n"]) == ("queryless", 0, 2)
    assert one["unanswerable"]["n"] == 0
