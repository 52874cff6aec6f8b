"""What the paper published (tables 1 to 4), and in what our set-up differs from its."""

from __future__ import annotations

from typing import Any

COLUMNS = ("its system", "raw Qwen 7B", "raw GPT-3.5", "raw GPT-5")
"""Of the paper, over the same 7B model but for the last two."""

TABLES: dict[str, dict[str, tuple[float | None, ...]]] = {
    "1 conversation quality (1 to 5)": {
        "naturalness": (2.6, 1.6, 2.2, 3.4),
        "personalization": (3.0, 1.6, 2.6, 4.2),
    },
    "2 generated questions": {
        "made specific": (0.4356, 0.2809, 0.3774, 1.0),
        "made inferred": (0.49, 0.585, 0.7083, 0.975),
        "made multi-hop": (None, None, None, None),
        "made aggregation": (None, None, None, None),
        "written specific": (None, None, None, None),
        "written inferred": (None, None, None, None),
        "written multi-hop": (None, None, None, None),
        "written aggregation": (None, None, None, None),
        "answered_by_words": (None, None, None, None),
    },
    "3 an old topic again": {
        "hits": (5.4, 3.8, 8.0, 11.0),
        "misses": (4.8, 6.0, 4.4, 1.2),
        "hits_by_words": (None, None, None, None),
    },
    "4 extraction": {
        "correctness": (0.7744, None, None, None),
        "coverage": (0.2938, None, None, None),
        "completeness": (0.4514, None, None, None),
        "present": (None, None, None, None),
        "kept_by_words": (None, None, None, None),
        "said_by_words": (None, None, None, None),
    },
}
"""Shares from 0 to 1, but for marks and counts."""

COUNTED = frozenset({"naturalness", "personalization", "hits", "misses", "hits_by_words"})
"""Rows that are no shares."""

MEANING = {
    "made": "by the judge",
    "written": "of the character",
    "answered_by_words": "specific, of the character, by keywords, no judge",
    "hits_by_words": "hits by keywords, no judge",
    "kept_by_words": "coverage by keywords, no judge",
    "said_by_words": "told, by keywords, no judge",
    "present": "told, of all there is",
}
"""Of names that do not speak for themselves."""


def row_name(name: str) -> str:
    """What a row of the tables is called before people."""
    source, _, type = name.partition(" ")
    if type:
        return f"{type}, {MEANING[source]}"
    return MEANING.get(name, name)


def figure(name: str, value: float | None) -> str:
    """A row's figure before people: a share in percent."""
    if value is None:
        return "–"
    return f"{value:.1f}" if name in COUNTED else f"{100 * value:.1f} %"


def differences(settings: dict[str, Any], models: dict[str, str], people: int) -> list[str]:
    """Why our figures cannot be laid beside the published ones as if they were of one test."""
    sessions = settings["days"] * settings["sessions"]
    return [
        f"judge: {models['judge']} here, GPT-5 there; marks of different judges have different "
        "scales, so compare arms of one run",
        f"user model: {models['user']} here, Claude Sonnet 4.5 there",
        f"companion: {models['companion']} here, Qwen2.5-7B-Instruct int4 there; its raw arm had "
        "30k tokens of window, ours what the model's context holds",
        f"size here: {people} {'person' if people == 1 else 'people'}, {sessions} sessions of "
        f"{settings['turns']} turns; there 5 people, 10 sessions of about 10,000 tokens",
        "figures 4 to 6 there are over 15 sessions of 1,000 tokens, the median of three gradings",
        "time passes here, a day between days of talk, so that memories fade; there it stood still",
        "the person is shown the facts of a session's topic here, and reminded of one at a time; "
        "there the whole sheet, and it told what it liked",
        "questions, prompts and characterisations are our own; an arm `paper` is the published "
        "recall over our consolidation",
        "correctness: the table's own words (right, partly, wrong), not those of its prompt",
    ]
