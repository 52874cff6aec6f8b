"""From grades to the figures of the paper's tables 1 to 4 and figures 4 to 6.

A pure reading of the journals: another judge's grades of the same run give its figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.evaluation.figures import mean
from companion.evaluation.simulation import by_words
from companion.evaluation.simulation.character import QUESTION_TYPES, Character
from companion.evaluation.simulation.journal import Journal, Record

Figures = dict[str, Any]


def of_run(
    characters: Sequence[Character],
    arms: Sequence[str],
    talks: Journal,
    answers: Journal,
    grades: Journal,
) -> Figures:
    """By arm: means over the people, the curve over sessions, and each person's own figures."""
    people = {
        arm: {
            character.slug: of_life(character, arm, talks, answers, grades)
            for character in characters
        }
        for arm in arms
    }
    return {
        arm: {
            **_means([person["figures"] for person in people[arm].values()]),
            "curve": _mean_curve([person["curve"] for person in people[arm].values()]),
            "people": {slug: person["figures"] for slug, person in people[arm].items()},
        }
        for arm in arms
    }


def of_life(
    character: Character, arm: str, talks: Journal, answers: Journal, grades: Journal
) -> Figures:
    """One person with one arm: `figures` by name (None: not measured) and the `curve`."""
    key = f"{character.slug}/{arm}"
    held = talks.under(f"{key}/talk/")
    figures: dict[str, float | None] = {
        "naturalness": _first(grades, f"{key}/naturalness"),
        "personalization": _first(grades, f"{key}/personalization"),
    }
    for source in ("made", "written"):
        for type in QUESTION_TYPES:
            marks = [
                value
                for record in grades.under(f"{key}/answer/{source}/")
                if record["dimension"] == f"qa/{source}/{type}"
                for value in record["values"]
            ]
            figures[f"{source} {type}"] = _share(marks)
    figures["hits"] = _first(grades, f"{key}/hits", 0)
    figures["misses"] = _first(grades, f"{key}/hits", 1)
    figures["answered_by_words"] = by_words.answered_share(
        character, answers.under(f"{key}/answer/written/")
    )
    figures["hits_by_words"] = _hits_by_words(character, key, held, answers)
    figures["correctness"] = _share(_values(grades, f"{key}/correctness/"))
    curve = [_point(character, key, talks, grades, talk) for talk in held]
    if arm != "raw":
        curve = _with_tokens(curve, held)
        last = curve[-1] if curve else {}
        for name in ("coverage", "completeness", "present", "kept_by_words"):
            figures[name] = last.get(name)
    figures["said_by_words"] = by_words.told_share(character, by_words.spoken(held))
    figures["evaluated_tokens_per_turn"] = _per_turn(held)
    return {"figures": figures, "curve": curve if arm != "raw" else []}


def _point(
    character: Character, key: str, talks: Journal, grades: Journal, talk: Record
) -> dict[str, Any]:
    """Coverage and completeness after one session (section 5.6), by the judge and by keywords."""
    session = talk["session"]
    items = character.items()
    covered = _values(grades, f"{key}/coverage/{session}/")
    present = _values(grades, f"{key}/present/{session}/")
    # A batch that was parked leaves the point out: a part of the list is no share of it.
    coverage = _share(covered) if len(covered) == len(items) else None
    said = _share(present) if len(present) == len(items) else None
    complete = coverage / said if coverage is not None and said else None
    known = f"{key}/known/{session}"
    statements = " \n".join(talks[known]["statements"]) if known in talks else ""
    so_far = [each for each in talks.under(f"{key}/talk/") if each["session"] <= session]
    return {
        "session": session,
        "coverage": coverage,
        "present": said,
        "completeness": complete,
        "kept_by_words": by_words.told_share(character, statements),
        "said_by_words": by_words.told_share(character, by_words.spoken(so_far)),
    }


def _hits_by_words(
    character: Character, key: str, held: Sequence[Record], answers: Journal
) -> float | None:
    again = f"{key}/again"
    if again not in answers:
        return None
    old = next(talk for talk in held if talk["session"] == answers[again]["session"])
    return float(by_words.hits(character, old, answers[again]))


def _with_tokens(curve: list[Figures], held: Sequence[Record]) -> list[Figures]:
    """The points, each with the tokens of talk up to it."""
    total, points = 0, []
    for point, talk in zip(curve, held, strict=True):
        total += talk["tokens"]
        points.append({**point, "tokens": total})
    return points


def _mean_curve(curves: Sequence[list[Figures]]) -> list[Figures]:
    sessions = sorted({point["session"] for curve in curves for point in curve})
    return [
        {"session": session, **_means([p for c in curves for p in c if p["session"] == session])}
        for session in sessions
    ]


def _means(rows: Sequence[Figures]) -> dict[str, float | None]:
    """The mean of each figure over the rows that have it."""
    names = [name for name in dict.fromkeys(n for row in rows for n in row) if name != "session"]
    found: dict[str, float | None] = {}
    for name in names:
        values = [row[name] for row in rows if row.get(name) is not None]
        found[name] = round(mean(values), 4) if values else None
    return found


def _per_turn(held: Sequence[Record]) -> float | None:
    turns = sum(role == "user" for talk in held for role, _ in talk["lines"])
    return sum(talk["evaluated_tokens"] for talk in held) / turns if turns else None


def _values(grades: Journal, prefix: str) -> list[float]:
    return [value for record in grades.under(prefix) for value in record["values"]]


def _first(grades: Journal, key: str, place: int = 0) -> float | None:
    return float(grades[key]["values"][place]) if key in grades else None


def _share(marks: Sequence[float]) -> float | None:
    return mean(marks) if marks else None
