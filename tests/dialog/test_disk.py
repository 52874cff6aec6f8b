"""A disk that fails does not end a conversation."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from companion.config import PersonaSection
from companion.dialog.ledger import MOST_WAITING, GuardMark, Ledger, LogEntry
from companion.safety.pattern_guard import PatternGuard
from companion.safety.replies import TO_CHILD, stop
from companion.safety.verdict import Side, Verdict
from companion.store import history, notices, profile
from tests.dialog.talk import START, Talk, talking
from tests.fakes import ScriptedModel


async def fill_disk(talk: Talk) -> None:
    """No page more for the database, and no free one in it."""
    await talk.store.maintain(_limit_pages, full=True)


async def empty_disk(talk: Talk) -> None:
    await talk.store.maintain(_limit_pages, full=False)


def _limit_pages(c: apsw.Connection, *, full: bool) -> None:
    c.execute("VACUUM")
    c.pragma("max_page_count", c.pragma("page_count") if full else 1_000_000)


def refuse_writes(c: apsw.Connection) -> None:
    """Until the next read, which lets the store write again."""
    c.pragma("query_only", True)


LONG = "I like the sea and the hills. " * 300
"""More than fits into what is left of any page."""


async def test_talk_goes_on_from_ram_and_is_stored_in_order_once_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        await talk.say("Hello")
        await fill_disk(talk)
        first = await talk.say(LONG)
        second = await talk.say("Do you like it too?")
        assert (first.text, first.turn, second.turn) == ("That is nice.", None, None)
        assert "memory is full" in (talk.dialog.trouble or "")
        assert [message.text for message in model.calls[-1]][-3:] == [
            LONG.strip(),
            "That is nice.",
            "Do you like it too?",
        ]
        assert len(await talk.turns()) == 1
        await empty_disk(talk)
        third = await talk.say("Now there is room")
        assert third.turn == 4
        assert talk.dialog.trouble is None
        turns = await talk.turns()
    said = [(turn.user.text, turn.reply.text) for turn in turns if turn.user and turn.reply]
    assert [words for words, _ in said] == [
        "Hello",
        LONG.strip(),
        "Do you like it too?",
        "Now there is room",
    ]
    assert {reply for _, reply in said} == {"That is nice."}
    assert [turn.session for turn in turns] == [turns[0].session] * 4
    told = [r for r in caplog.records if r.name == "companion.dialog.ledger"]
    assert [r.levelno for r in told] == [logging.ERROR, logging.WARNING]
    assert "the sea" not in caplog.text


async def test_a_conversation_can_begin_and_end_on_a_full_disk(tmp_path: Path) -> None:
    async with talking(tmp_path, persona=PersonaSection(greeting=True)) as talk:
        await fill_disk(talk)
        assert (await talk.say(f"My name is Mia. {LONG}")).turn is None
        await talk.dialog.close()
        assert await talk.turns() == []
        await empty_disk(talk)
        await talk.dialog.close()
        (turn,) = await talk.turns()
        assert turn.user is not None
        assert turn.user.text.startswith("My name is Mia.")
        (session,) = await talk.store.read(history.sessions)
        assert session.ended is not None
        assert (await talk.store.read(profile.current)).name is None  # the night reads it


CRISIS = "I want to kill myself."


async def test_grave_words_on_a_full_disk_are_marked_with_the_first_room(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say("Hello")
        await fill_disk(talk)
        assert (await talk.say(f"{CRISIS} {LONG}")).text == " ".join(TO_CHILD["self-harm"])
        assert talk.dialog.waiting
        await empty_disk(talk)
        await talk.say("Now there is room")
        assert not talk.dialog.waiting
        assert [turn.stopped for turn in await talk.turns()] == [None, "self-harm", None]
        (notice,) = await talk.store.read(notices.all_notices)
        assert (notice.topic, notice.turn) == ("self-harm", 2)


async def test_a_mark_that_the_disk_refuses_is_made_before_the_reply_is_kept(
    tmp_path: Path,
) -> None:
    class Failing(PatternGuard):
        """Stops everything; the disk fails between the words and their mark."""

        async def judge(self, text: str, *, side: Side) -> Verdict:
            await talk.store.maintain(refuse_writes)
            return stop("self-harm", side, "test")

    async with talking(tmp_path, guard=Failing()) as talk:
        result = await talk.say("Hello")
        assert result.turn == 1
        (turn,) = await talk.turns()
        assert (turn.stopped, turn.reply) == (None, None)
        assert talk.dialog.waiting
        await talk.dialog.close()
        (turn,) = await talk.turns()
        assert turn.stopped == "self-harm"
        assert turn.reply is not None


async def test_a_mark_outlasts_the_oldest_words_that_wait(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        ledger = Ledger(talk.store, talk.clock)
        await ledger.write(LogEntry("user", "kept", START))
        await talk.store.maintain(refuse_writes)
        await ledger.write(GuardMark("self-harm", 1))
        for _ in range(MOST_WAITING + 10):
            await ledger.write(LogEntry("user", "waits", START))
        await talk.store.read(history.sessions)
        await ledger.write(LogEntry("user", "the last words", START))
        turns = await talk.turns()
        assert [turns[0].stopped, turns[1].stopped] == ["self-harm", None]
        assert len(turns) == MOST_WAITING + 1


@pytest.mark.slow
async def test_what_waits_in_ram_is_bounded(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await fill_disk(talk)
        await talk.say(LONG)
        for number in range(MOST_WAITING // 2 + 5):
            await talk.say(f"words {number}")
        await empty_disk(talk)
        await talk.say("the last words")
        messages = [m for turn in await talk.turns() for m in (turn.user, turn.reply) if m]
    assert len(messages) == MOST_WAITING + 1
    assert messages[-2].text == "the last words"


def test_on_a_read_only_disk_it_talks_without_memory_and_says_so(tmp_path: Path) -> None:
    script = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path} && exec "
    child = f"{sys.executable} -m tests.dialog.on_read_only {tmp_path}"
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody make a mount of his own")
    (tmp_path / "data").mkdir()
    done = subprocess.run(
        [*unshare, "sh", "-c", script + child], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "Read-only file system" in done.stdout
    assert "talked" in done.stdout
    assert list((tmp_path / "data").iterdir()) == []
