"""Long conversations of two people with evidence labels, in LoCoMo's format.

A file is a list of conversations: `conversation` (sessions of utterances, each with a `dia_id`
such as `D3:12`), `observation` (facts of each session with the utterances they cite) and `qa`
(questions with the utterances that answer them). A file `label_errors.json` beside it corrects
labels: `question_id` is `locomo_<conversation>_qa<question>`, both counted from 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from companion.errors import InputError

CORRECTIONS = "label_errors.json"

_REFERENCE = re.compile(r"D:?(\d+):(\d+)")
"""Some labels hold two references in one string, or a colon too many."""

_SESSION = "session_{}"
_TIME = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True)
class Utterance:
    """What one of the two said."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True)
class LabelledSession:
    """One sitting."""

    number: int
    time: datetime
    utterances: tuple[Utterance, ...]


@dataclass(frozen=True)
class LabelledFact:
    """An `observation` of the set."""

    text: str
    time: datetime
    """Of the session it was made from."""

    cites: frozenset[str]
    """Ids of utterances."""


@dataclass(frozen=True)
class LabelledQuestion:
    """A question and where its answer stands."""

    text: str
    category: int
    evidence: frozenset[str]
    """Ids of utterances, corrected; never empty."""


@dataclass(frozen=True)
class LabelledTalk:
    """One conversation."""

    speakers: tuple[str, str]
    sessions: tuple[LabelledSession, ...]
    facts: tuple[LabelledFact, ...]
    questions: tuple[LabelledQuestion, ...]


def read_talks(path: Path) -> list[LabelledTalk]:
    """The conversations of a file, labels corrected. Questions without evidence are left out.

    Raises InputError naming the file, the place in it and what was expected there.
    """
    found = _json(path)
    if not isinstance(found, list) or not found:
        raise InputError(f"{path}: expected a list of conversations (LoCoMo's format)")
    beside = path.with_name(CORRECTIONS)
    corrected = _corrections(beside) if beside.exists() else {}
    talks = [_talk(_Place(path, f"[{n}]", each), n, corrected) for n, each in enumerate(found)]
    if not any(talk.questions for talk in talks):
        raise InputError(f"{path}: holds no question whose evidence is in its conversation")
    return talks


@dataclass(frozen=True)
class _Place:
    """A value, and where it stands, for messages."""

    path: Path
    where: str
    value: Any

    def __getitem__(self, key: str) -> _Place:
        if not isinstance(self.value, dict) or key not in self.value:
            raise InputError(f"{self.path}: {self.where}: expected an object with {key!r}")
        return _Place(self.path, f"{self.where}.{key}", self.value[key])

    def __iter__(self) -> Iterator[_Place]:
        if not isinstance(self.value, list):
            raise InputError(f"{self.path}: {self.where}: expected a list")
        for number, each in enumerate(self.value):
            yield _Place(self.path, f"{self.where}[{number}]", each)

    def items(self) -> Iterator[tuple[str, _Place]]:
        if not isinstance(self.value, dict):
            raise InputError(f"{self.path}: {self.where}: expected an object")
        for key in self.value:
            yield key, self[key]

    @property
    def text(self) -> str:
        if not isinstance(self.value, str):
            raise InputError(f"{self.path}: {self.where}: expected a text")
        return self.value

    @property
    def number(self) -> int:
        if not isinstance(self.value, int):
            raise InputError(f"{self.path}: {self.where}: expected a whole number")
        return self.value


def _talk(place: _Place, number: int, corrected: dict[str, tuple[str, Any]]) -> LabelledTalk:
    sessions = tuple(_sessions(place["conversation"]))
    if not sessions:
        raise InputError(f"{place.path}: {place.where}.conversation: expected 'session_1'")
    speakers = (place["conversation"]["speaker_a"].text, place["conversation"]["speaker_b"].text)
    known = {each.id for session in sessions for each in session.utterances}
    questions = []
    for n, qa in enumerate(place["qa"]):
        asked, label = qa["question"].text, qa["evidence"].value
        question, right = corrected.get(f"locomo_{number}_qa{n}", ("", None))
        evidence = _references(right if question == asked else label) & known
        if evidence:
            questions.append(LabelledQuestion(asked, qa["category"].number, evidence))
    times = {session.number: session.time for session in sessions}
    facts = tuple(_facts(place["observation"], times, known))
    return LabelledTalk(speakers, sessions, facts, tuple(questions))


def _sessions(place: _Place) -> Iterator[LabelledSession]:
    number, names = 1, {name for name, _ in place.items()}
    while _SESSION.format(number) in names:
        name = _SESSION.format(number)
        utterances = tuple(
            Utterance(each["dia_id"].text, each["speaker"].text, each["text"].text)
            for each in place[name]
        )
        yield LabelledSession(number, _time(place[f"{name}_date_time"]), utterances)
        number += 1


def _facts(place: _Place, times: dict[int, datetime], known: set[str]) -> Iterator[LabelledFact]:
    for name, by_speaker in place.items():
        number = int(re.sub(r"\D", "", name) or 0)
        if number not in times:
            raise InputError(f"{place.path}: {by_speaker.where}: belongs to no session")
        for _, facts in by_speaker.items():
            for fact in facts:
                if not isinstance(fact.value, list) or len(fact.value) != 2:
                    raise InputError(f"{fact.path}: {fact.where}: expected [fact, reference]")
                text, cites = fact.value
                yield LabelledFact(str(text), times[number], _references(cites) & known)


def _references(label: Any) -> frozenset[str]:
    """`["D8:6; D9:17"]`, `"D1:3"`: the utterances that a label names."""
    parts = label if isinstance(label, list) else [label]
    return frozenset(
        f"D{int(session)}:{int(number)}"
        for part in parts
        for session, number in _REFERENCE.findall(str(part))
    )


def _time(place: _Place) -> datetime:
    try:
        return datetime.strptime(place.text, _TIME).replace(tzinfo=timezone.utc)
    except ValueError:
        expected = "1:56 pm on 8 May, 2023"
        raise InputError(
            f"{place.path}: {place.where}: expected a time like {expected!r}"
        ) from None


def _corrections(path: Path) -> dict[str, tuple[str, Any]]:
    """Question id to the question's words and its right evidence."""
    return {
        each["question_id"].text: (each["question"].text, each["correct_evidence"].value)
        for each in _Place(path, "", _json(path))
    }


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: cannot be read: it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from None
