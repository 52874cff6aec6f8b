"""Turns that a power cut may have left unjudged: their words are in the log, a reply is not.

A mark is committed after the words and before the reply (`companion.dialog.ledger`), so no other
turn can lack the mark it should bear. Who begins to talk, or to consolidate, judges these first.
"""

from __future__ import annotations

from companion.clock import Clock
from companion.config import SafetySection
from companion.safety.verdict import Guard, Verdict
from companion.store import history, notices
from companion.store.database import Store


async def judge_unanswered(
    store: Store, guard: Guard, section: SafetySection, clock: Clock
) -> dict[tuple[str, int], Verdict]:
    """Mark those that a guard stops, and tell the parent of them. Session and number of each,
    with its verdict. Raises StoreFailing."""
    stopped = {}
    for turn in await store.read(history.unanswered):
        assert turn.user is not None, "a turn has at least one message"
        verdict = await guard.judge(turn.user.text, side="in")
        if verdict.marks and verdict.topic is not None:
            tell = clock.wall() if section.tells(verdict.topic) else None
            await store.write(notices.mark, verdict.topic, turn.session, turn.number, tell=tell)
            stopped[turn.session, turn.number] = verdict
    return stopped
