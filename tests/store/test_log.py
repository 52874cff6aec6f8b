from __future__ import annotations

from datetime import datetime, timedelta, timezone

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.clock import ManualClock
from companion.errors import InputError, StoreError
from companion.records import Role, Turn
from companion.store import history, log
from companion.store.database import Store
from companion.store.expiry import expire_turns

from .conftest import START
from .hostile import strings

Row = tuple[Role, str, datetime]


def at(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


async def test_a_reply_joins_the_turn_that_the_user_opened(store: Store) -> None:
    session = await store.write(log.start_session, START)
    asked = await store.write(log.append, session, "user", "Hi", at(0), confidence=0.9)
    answered = await store.write(log.append, session, "assistant", "Hello", at(1), cut=True)
    (turn,) = await store.read(history.turns, session)
    assert (turn.user, turn.reply) == (asked, answered)
    assert (asked.turn, answered.turn) == (1, 1)
    assert asked.confidence == 0.9
    assert answered.cut
    assert turn == await store.read(history.turn, session, 1)


async def test_the_companion_can_speak_first_and_twice(store: Store) -> None:
    session = await store.write(log.start_session, START)
    said: list[tuple[Role, str]] = [
        ("assistant", "Welcome back"),
        ("assistant", "Are you there?"),
        ("user", "Yes"),
        ("user", "Hello?"),
        ("assistant", "Hello!"),
    ]
    for role, text in said:
        await store.write(log.append, session, role, text, START)
    turns = await store.read(history.turns, session)
    assert [(t.number, t.user and t.user.text, t.reply and t.reply.text) for t in turns] == [
        (1, None, "Welcome back"),
        (2, None, "Are you there?"),
        (3, "Yes", None),
        (4, "Hello?", "Hello!"),
    ]


async def test_live_sessions_are_named_by_local_day_and_count(store: Store) -> None:
    evening = datetime(2023, 4, 28, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    names = []
    for _ in range(11):
        names.append(await store.write(log.start_session, evening))
        await store.write(log.append, names[-1], "user", "Hi", evening)
    assert names == [f"2023-04-28-{n}" for n in range(1, 12)]


async def test_a_session_left_open_ends_with_its_last_message(store: Store) -> None:
    left = await store.write(log.start_session, at(0))
    await store.write(log.append, left, "user", "Hi", at(3))
    await store.write(log.start_session, at(600))
    session = await store.read(history.session, left)
    assert session is not None
    assert session.ended == at(3)
    opened = await store.read(history.open_session)
    assert opened is not None
    assert opened.id != left


async def test_a_session_in_which_nothing_was_said_leaves_no_trace(store: Store) -> None:
    session = await store.write(log.start_session, START)
    await store.write(log.end_session, session, at(5))
    assert await store.read(history.sessions) == []


async def test_nothing_is_added_to_an_ended_or_unknown_session(store: Store) -> None:
    session = await store.write(log.start_session, START)
    await store.write(log.append, session, "user", "Hi", START)
    await store.write(log.end_session, session, at(5))
    with pytest.raises(StoreError, match="not open"):
        await store.write(log.append, session, "user", "Hi", START)
    with pytest.raises(StoreError, match="not open"):
        await store.write(log.append, "never", "user", "Hi", START)


async def test_a_taken_session_id_is_refused(store: Store) -> None:
    await store.write(log.start_session, START, "mine")
    await store.write(log.append, "mine", "user", "Hi", START)
    with pytest.raises(InputError, match="exists already"):
        await store.write(log.start_session, START, "mine")


@pytest.mark.parametrize("id", ["", "  ", "a\nb", "a\x00b", "x" * 201])
async def test_a_session_id_that_cannot_be_shown_is_refused(store: Store, id: str) -> None:
    with pytest.raises(InputError, match="session id"):
        await store.write(log.start_session, START, id)


async def test_hostile_text_comes_back_exactly_as_it_was_given(store: Store) -> None:
    session = await store.write(log.start_session, START)
    texts = strings()

    def append_all(c: apsw.Connection) -> None:
        for text in texts:
            log.append(c, session, "user", text, START)

    await store.write(append_all)
    turns = await store.read(history.turns, session)
    assert [turn.user and turn.user.text for turn in turns] == texts


async def test_a_lone_surrogate_is_refused_whole_and_not_quoted(store: Store) -> None:
    session = await store.write(log.start_session, START)
    with pytest.raises(InputError, match="character 8 is half of a surrogate") as caught:
        await store.write(log.append, session, "user", "secret \ud800", START)
    assert "secret" not in str(caught.value)
    assert await store.read(history.turns, session) == []


async def test_a_time_without_zone_is_refused(store: Store) -> None:
    session = await store.write(log.start_session, START)
    with pytest.raises(InputError, match="no offset"):
        await store.write(log.append, session, "user", "Hi", datetime(2023, 4, 28))  # noqa: DTZ001


async def test_sessions_may_arrive_out_of_order_of_time(store: Store) -> None:
    later: list[Row] = [("user", "later", at(0) + timedelta(days=9))]
    earlier: list[Row] = [("user", "earlier", at(0))]
    await store.write(log.import_messages, "later", later)
    await store.write(log.import_messages, "earlier", earlier)
    assert [s.id for s in await store.read(history.sessions)] == ["later", "earlier"]


async def test_an_import_stands_beside_an_open_session(store: Store) -> None:
    live = await store.write(log.start_session, START)
    assert await store.write(log.import_messages, "old", [("user", "Hi", at(-90))]) == 1
    opened = await store.read(history.open_session)
    assert opened is not None
    assert opened.id == live


async def test_a_changed_recording_is_refused_whole(store: Store) -> None:
    await store.write(log.import_messages, "s", [("user", "one", at(0))])
    changed: list[Row] = [("user", "two", at(0)), ("user", "three", at(1))]
    with pytest.raises(InputError, match="message 1 differs"):
        await store.write(log.import_messages, "s", changed)
    (turn,) = await store.read(history.turns, "s")
    assert turn.user is not None
    assert turn.user.text == "one"


async def test_a_session_that_grows_waits_for_consolidation_again(store: Store) -> None:
    rows: list[Row] = [("user", "one", at(0)), ("assistant", "two", at(1))]
    await store.write(log.import_messages, "s", rows)
    await store.write(log.mark_consolidated, "s", at(2))
    await store.write(log.import_messages, "s", rows)
    (same,) = await store.read(history.sessions)
    assert same.consolidated
    await store.write(log.import_messages, "s", [*rows, ("user", "three", at(3))])
    (grown,) = await store.read(history.sessions)
    assert (grown.consolidated, grown.turns, grown.ended) == (False, 2, at(3))


async def test_consolidated_turns_expire_in_lived_time_and_stay_away(
    store: Store, clock: ManualClock
) -> None:
    rows: list[Row] = [("user", "one", at(0)), ("assistant", "two", at(1))]
    await store.write(log.import_messages, "old", rows)
    await store.write(log.import_messages, "raw", rows)
    await store.write(log.mark_consolidated, "old", START)
    clock.advance(6 * 86_400)
    assert await store.write(expire_turns, 6.5) == 0
    clock.advance(86_400)
    assert await store.write(expire_turns, 6.5) == 1
    assert await store.read(history.turns, "old") == []
    assert len(await store.read(history.turns, "raw")) == 1
    assert await store.write(log.import_messages, "old", rows) == 0
    assert await store.read(history.turns, "old") == []


message = st.tuples(
    st.sampled_from(["user", "assistant"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.integers(0, 10_000).map(at),
)


@given(
    recording=st.lists(message, min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 12), max_size=4),
)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_importing_in_any_pieces_any_number_of_times_equals_importing_once(
    c: apsw.Connection, recording: list[Row], cuts: list[int]
) -> None:
    c.execute("BEGIN")
    try:
        for cut in (*cuts, len(recording), len(recording)):
            log.import_messages(c, "pieces", recording[:cut])
        log.import_messages(c, "once", recording)
        once = history.turns(c, "once")
        assert [content(turn) for turn in history.turns(c, "pieces")] == list(map(content, once))
        said = [m for turn in once for m in (turn.user, turn.reply) if m]
        assert sorted(m.text for m in said) == sorted(text for _, text, _ in recording)
        assert [m.seq for m in said] == sorted(m.seq for m in said)
    finally:
        c.execute("ROLLBACK")


def content(turn: Turn) -> list[object]:
    """A turn without what may differ between two sessions."""
    return [turn.number, *((m.role, m.text, m.time) for m in (turn.user, turn.reply) if m)]
