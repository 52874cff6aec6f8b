"""The store against a model of it that is a few dictionaries, under any order of operations."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.records import Source
from companion.store import corrections, erase, history, log, memories
from companion.store.backup import all_in
from companion.store.database import Store

from .conftest import START

PLAIN = StoreSection(encrypt=False, backups=2)
EXAMPLES = int(os.environ.get("COMPANION_EXAMPLES", "8"))
"""How many histories; more by the environment."""

Words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
Memory = tuple[str, str, int | None, frozenset[tuple[str, int]]]
"""Text, status, successor, turns that it rests on."""


class StoreMachine(RuleBasedStateMachine):
    """One session after another; memories that rest on turns; everything may be erased."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.directory = Path(tempfile.mkdtemp())
        self.turns: dict[tuple[str, int], str] = {}
        self.memories: dict[int, Memory] = {}
        self.count: dict[str, int] = {}
        self.saved: tuple[Any, ...] | None = None
        self.store = self._open()

    @rule(words=Words)
    def say(self, words: str) -> None:
        session = next(reversed(self.count), None) or self._begin()
        message = self._run(self.store.write(log.append, session, "user", words, START))
        self.count[session] += 1
        assert message.turn == self.count[session]
        self.turns[session, message.turn] = words

    @rule()
    def begin_another(self) -> None:
        if self.count and self.count[next(reversed(self.count))]:
            self._begin()

    @precondition(lambda self: self.turns)
    @rule(data=st.data(), words=Words)
    def remember(self, data: st.DataObject, words: str) -> None:
        places = data.draw(st.sets(st.sampled_from(sorted(self.turns)), min_size=1, max_size=2))
        sources = [Source(session, turn, "") for session, turn in sorted(places)]

        def add(c: Any) -> int:
            return memories.add(
                c, words, kind="fact", sources=sources, vector=None, embedder="", now=START
            )

        id = self._run(self.store.write(add))
        assert id not in self.memories
        self.memories[id] = (words, "active", None, frozenset(places))

    @precondition(lambda self: len(self._of("active")) > 1)
    @rule(data=st.data())
    def supersede(self, data: st.DataObject) -> None:
        old, new = data.draw(st.permutations(self._of("active")))[:2]
        self._run(self.store.write(memories.supersede, old, new))
        text, _, _, places = self.memories[old]
        self.memories[old] = (text, "superseded", new, places)

    @precondition(lambda self: self._of("active"))
    @rule(data=st.data(), words=Words)
    def correct(self, data: st.DataObject, words: str) -> None:
        old = data.draw(st.sampled_from(self._of("active")))
        new = self._run(self.store.write(corrections.correct, old, words, START, event_time=None))
        text, _, _, places = self.memories[old]
        self.memories[old] = (text, "superseded", new, places)
        self.memories[new] = (words, "active", None, places)
        assert self._run(self.store.read(corrections.told_in_place_of, old)) == new

    @precondition(lambda self: self._of("superseded"))
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        self._undo(old := data.draw(st.sampled_from(self._of("superseded"))))
        self._run(self.store.write(memories.undo_supersede, old))

    @precondition(lambda self: self.memories)
    @rule(data=st.data())
    def erase_memory(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from(sorted(self.memories)))
        self._run(erase.erase_memory(self.store, id))
        self._remove(id)
        self.saved = None  # the backups were made anew

    @precondition(lambda self: self.turns)
    @rule(data=st.data())
    def erase_turn(self, data: st.DataObject) -> None:
        place = data.draw(st.sampled_from(sorted(self.turns)))
        self._run(erase.erase_turn(self.store, *place))
        del self.turns[place]
        doomed = []
        for id, (text, status, successor, places) in self.memories.items():
            self.memories[id] = (text, status, successor, places - {place})
            if place in places and not places - {place}:
                doomed.append(id)
        for id in doomed:
            for old, (_, _, successor, _) in list(self.memories.items()):
                if successor == id:
                    self._undo(old)
        for id in doomed:
            self._remove(id)
        self.saved = None

    @rule()
    def reopen(self) -> None:
        self._run(self.store.close())
        self.store = self._open()

    @rule()
    def back_up(self) -> None:
        self._run(self.store.backup())
        self.saved = (dict(self.turns), dict(self.memories), dict(self.count))

    @precondition(lambda self: self.saved)
    @rule()
    def lose_the_database_and_start_again(self) -> None:
        assert all_in(self.directory)
        self._run(self.store.close())
        database = self.directory / "store.db"
        database.write_bytes(b"SQLite format 3\0" + bytes(8000))
        self.store = self._open()
        assert self.saved is not None
        lost = len(self.turns) - len(self.saved[0])
        assert any("restored" in notice for notice in self.store.notices)
        assert lost <= 0 or any("are missing" in notice for notice in self.store.notices)
        self.turns, self.memories, self.count = (dict(each) for each in self.saved)

    @invariant()
    def the_log_is_what_was_said(self) -> None:
        held = {
            (turn.session, turn.number): turn.user.text
            for session in self._run(self.store.read(history.sessions))
            for turn in self._run(self.store.read(history.turns, session.id))
            if turn.user is not None
        }
        assert held == self.turns

    @invariant()
    def the_memories_are_those_that_were_made(self) -> None:
        for status in ("active", "superseded", "archived"):
            found = self._run(self.store.read(memories.list_memories, status))
            assert {
                memory.id: (
                    memory.text,
                    memory.status,
                    memory.superseded_by,
                    frozenset((source.session, source.turn) for source in memory.sources),
                )
                for memory in found
            } == {id: memory for id, memory in self.memories.items() if memory[1] == status}

    def teardown(self) -> None:
        self._run(self.store.close())
        self.loop.close()
        shutil.rmtree(self.directory)

    def _begin(self) -> str:
        session = f"s{len(self.count)}"
        self._run(self.store.write(log.start_session, START, session))
        self.count[session] = 0
        return session

    def _of(self, status: str) -> list[int]:
        return sorted(id for id, memory in self.memories.items() if memory[1] == status)

    def _undo(self, old: int) -> None:
        text, _, _, places = self.memories[old]
        self.memories[old] = (text, "active", None, places)

    def _remove(self, id: int) -> None:
        if self.memories.pop(id, None) is not None:
            for old, (_, _, successor, _) in list(self.memories.items()):
                if successor == id:
                    self._remove(old)

    def _open(self) -> Store:
        store: Store = self._run(Store.open(self.directory, PLAIN, ManualClock(START)))
        return store

    def _run(self, awaitable: Any) -> Any:
        return self.loop.run_until_complete(awaitable)


StoreMachine.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=15,
    deadline=None,
    derandomize=EXAMPLES == 8,
    suppress_health_check=list(HealthCheck),
)
TestTheStore = StoreMachine.TestCase
