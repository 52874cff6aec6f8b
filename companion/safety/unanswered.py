"""Judges turns that a power cut may have left unjudged: logged words without a logged reply.

A mark is committed after the words and before the reply (`companion.dialog.ledger`), so no other
turn can lack a mark that it should have. Dialog and consolidation judge these turns before they
begin.
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
    """Mark the turns that the guard stops, and add notices for the parent. Returns the verdicts by
    session and turn number. Raises StoreFailing."""
    stopped = {}
    for turn in await store.read(history.unanswered):
        assert turn.user is not None, "a turn has at least one message"
        verdict = await guard.judge(turn.user.text, side="in")
        if verdict.marks and verdict.topic is not None and verdict.mark is not None:
            told = section.tells(verdict.topic, worry=verdict.cares)
            tell = clock.wall() if told else None
            await store.write(notices.mark, verdict.mark, turn.session, turn.number, tell=tell)
            stopped[turn.session, turn.number] = verdict
    return stopped
