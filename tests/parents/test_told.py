"""What a parent says and sets, and who comes in: the documents of corrections, settings, access."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.config import Config
from companion.errors import CompanionError, InputError, StoreError
from companion.parents import ACCESS, CHANGES, READS
from companion.records import Source
from companion.store import access, memories, profile, questions
from companion.store.database import Store

from .conftest import NOW

Do = Callable[..., Awaitable[Any]]


@pytest.fixture
def do(store: Store, config: Config, clock: ManualClock) -> Do:
    """Any request; its document has to be JSON."""

    async def asked(name: str, **request: Any) -> Any:
        act = READS.get(name) or CHANGES.get(name) or ACCESS[name]
        document = await act(store, config, clock, request)
        json.dumps(document)
        return document

    return asked


async def test_a_memory_is_put_right(do: Do, store: Store) -> None:
    found = await do("memories", status="active", query="guinea")
    [old] = found["memories"]
    told = (await do("correct", memory=old["id"], text=" Biscuit is\na rabbit. "))["memory"]
    assert (told["text"], told["told_by_parent"]) == ("Biscuit is a rabbit.", True)
    assert told["corrected"] == {"time": NOW.isoformat(), "before": old["text"]}
    assert [each["quote"] for each in told["sources"]] == [each["quote"] for each in old["sources"]]
    again = await do("memory", id=told["id"])
    assert again["corrected"]["before"] == old["text"]
    with pytest.raises(InputError, match=f"was replaced by memory {told['id']}"):
        await do("correct", memory=old["id"], text="No.")


async def test_the_day_in_a_correction_is_noted(do: Do) -> None:
    [old] = (await do("memories", query="guinea"))["memories"]
    told = await do("correct", memory=old["id"], text="Biscuit goes to the vet tomorrow.")
    assert told["memory"]["event_time"] == "2026-11-22"


@pytest.mark.parametrize(
    "text", [None, 3, "", "   ", "\0\x07", "...", "x" * 16_000, "\ud800\ud801", "\u202e"]
)
async def test_what_is_no_correction(do: Do, text: Any) -> None:
    with pytest.raises(InputError) as caught:
        await do("correct", memory=1, text=text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("id", [0, 999, -1, True, "1", None, 10**30])
async def test_a_memory_that_there_is_not(do: Do, id: Any) -> None:
    with pytest.raises(InputError):
        await do("correct", memory=id, text="Biscuit is a rabbit.")


async def test_markup_and_other_scripts_are_kept_as_they_are(do: Do) -> None:
    [old] = (await do("memories", query="guinea"))["memories"]
    text = "<script>alert('Ж')</script> שלום & \u202eabc\0"
    told = (await do("correct", memory=old["id"], text=text))["memory"]
    assert told["text"] == "<script>alert('Ж')</script> שלום & abc"


@pytest.mark.parametrize(
    ("field", "value", "known"),
    [
        ("name", "  Mia-Sofie ", "Mia-Sofie"),
        ("name", "Жанна", "Жанна"),
        ("age", "8", 8),
        ("age", "٨", 8),
        ("age", 8, 8),
        ("gender", "girl", "female"),
        ("gender", "Non-Binary", "non-binary"),
    ],
)
async def test_the_profile_is_put_right(do: Do, field: str, value: Any, known: Any) -> None:
    document = await do("correct", field=field, value=value)
    assert document[field] == {"value": known, "source": "parent"}
    assert (await do("who"))[field]["value"] == known


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "7"),
        ("name", "x" * 41),
        ("age", "0"),
        ("age", "121"),
        ("age", "-3"),
        ("age", "eight"),
        ("age", True),
        ("gender", "?"),
        ("shoe size", "30"),
        (None, "x"),
    ],
)
async def test_what_the_profile_cannot_hold(do: Do, field: Any, value: Any) -> None:
    with pytest.raises(InputError):
        await do("correct", field=field, value=value)


# ---- questions


async def a_question(store: Store, do: Do) -> tuple[int, int]:
    [old] = (await do("memories", query="guinea"))["memories"]
    told = (await do("correct", memory=old["id"], text="Biscuit is a rabbit."))["memory"]
    source = Source("second", 1, "Biscuit is a hedgehog")
    await store.write(questions.ask, "Biscuit is a hedgehog.", source, NOW, memory=told["id"])
    await do("correct", field="age", value=8)
    await store.write(profile.note, "age", "9", Source("second", 1, "I'm nine"), NOW)
    today = await do("today")
    [question], [other] = today["questions"], today["profile_questions"]
    assert (question["memory"]["text"], question["said"]) == (
        "Biscuit is a rabbit.",
        "Biscuit is a hedgehog",
    )
    assert (other["item"], other["told"], other["text"]) == ("age", 8, "9")
    return question["id"], other["id"]


async def test_a_parent_says_that_it_is_as_the_child_says(do: Do, store: Store) -> None:
    memory, age = await a_question(store, do)
    told = await do("answer", question=memory, accept=True)
    assert told["memory"]["text"] == "Biscuit is a hedgehog."
    assert told["memory"]["told_by_parent"]
    await do("answer", question=age, accept=True)
    assert (await do("who"))["age"] == {"value": 9, "source": "parent"}
    assert await do("questions") == {"questions": [], "profile_questions": []}
    with pytest.raises(InputError):
        await do("answer", question=memory, accept=True)


async def test_a_parent_says_that_it_stays(do: Do, store: Store) -> None:
    memory, age = await a_question(store, do)
    for id in (memory, age):
        await do("answer", question=id, accept=False)
    assert (await do("who"))["age"]["value"] == 8
    assert "Biscuit is a rabbit." in [
        each.text for each in await store.read(memories.list_memories)
    ]
    assert await do("questions") == {"questions": [], "profile_questions": []}


# ---- settings


async def test_settings_are_shown_and_set(do: Do) -> None:
    keys = {each["key"]: each for each in (await do("settings"))["keys"]}
    assert keys["service.quiet"]["value"] is None
    after = await do("set", key="service.quiet", value="20:00-07:00")
    [quiet] = [each for each in after["keys"] if each["key"] == "service.quiet"]
    assert (quiet["value"], quiet["from"], quiet["applies"]) == ("20:00-07:00", "settings", "now")
    back = await do("set", key="service.quiet", value=None)
    assert next(each for each in back["keys"] if each["key"] == "service.quiet")["value"] is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("safety.guard", "patterns"), ("web.lan", True), ("store.encrypt", False), ("x", 1)),
        *(("tts.model", "no-such-voice"), ("service.quiet", [1]), ("service.quiet", "late")),
    ],
)
async def test_what_may_not_be_set(do: Do, config: Config, key: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        await do("set", key=key, value=value)
    assert "\n" not in str(caught.value)
    assert not (config.data_dir / "settings.yaml").exists()


async def test_the_personality_is_switched_off_and_erased(do: Do, store: Store) -> None:
    assert (await do("who"))["personality"]["on"]
    await do("personality", on=False, erase=True)
    after = (await do("who"))["personality"]
    assert (after["on"], after["text"], after["evidence"]) == (False, None, [])
    assert not await store.read(profile.has_personality)
    await do("personality", on=True)
    assert (await do("who"))["personality"]["on"]


# ---- who comes in


async def test_a_pin_is_set_and_tried(do: Do, clock: ManualClock) -> None:
    assert await do("pin_state") == {"set": False, "wait_s": 0, "version": 0}
    assert not (await do("pin_try", pin="493817", who="x"))["ok"]
    assert (await do("pin_set", pin=" ٤٩٣ ８１７"))["set"]
    assert await do("pin_try", pin="493 817", who="x") == {
        "ok": True, "set": True, "wait_s": 0, "version": 1,
    }  # fmt: skip
    for _ in range(4):
        assert not (await do("pin_try", pin="letters", who="x"))["ok"]
    assert (await do("pin_try", pin="000000", who="x"))["wait_s"] == 60
    clock.advance(30)
    assert (await do("pin_state"))["wait_s"] == pytest.approx(30)
    assert not (await do("pin_try", pin="493817", who="x"))["ok"]
    clock.advance(31)
    assert (await do("pin_try", pin="493817", who="x"))["ok"]
    assert [each["topic"] for each in await do("notices")].count(access.TOPIC) == 1
    assert [each["what"] for each in await do("audit")] == ["set the pin"]


async def test_a_first_pin_with_the_code_that_was_spoken(do: Do, store: Store) -> None:
    with pytest.raises(InputError, match="no code now"):
        await do("pin_set", pin="493817", code="123123")
    code = await store.write(access.make_code)
    with pytest.raises(InputError, match="not the code"):
        await do("pin_set", pin="493817", code="letters")
    with pytest.raises(InputError, match="guessed first"):
        await do("pin_set", pin="111111", code=code)
    assert (await do("pin_set", pin="493817", code=f"{code[:3]} {code[3:]}"))["set"]
    with pytest.raises(InputError, match="no code now"):
        await do("pin_set", pin="382716", code=code)


async def test_after_five_wrong_codes_a_pin_has_to_wait_too(do: Do, store: Store) -> None:
    await do("pin_set", pin="493817")
    code = await store.write(access.make_code)
    for _ in range(5):
        with pytest.raises(InputError, match="not the code"):
            await do("pin_set", pin="382716", code="x")
    with pytest.raises(InputError, match="too many wrong tries"):
        await do("pin_set", pin="382716", code=code)
    assert not (await do("pin_try", pin="493817", who="x"))["ok"]
    assert (await do("pin_state")) == {"set": True, "wait_s": 60, "version": 1}


@pytest.mark.parametrize("pin", [None, 493817, "1" * 2000, "123456", "12345", "a"])
async def test_what_is_no_pin(do: Do, pin: Any) -> None:
    with pytest.raises(InputError):
        await do("pin_set", pin=pin)
    assert not (await do("pin_state"))["set"]


async def test_a_reader_sees_and_cannot_change(
    store: Store, config: Config, clock: ManualClock
) -> None:
    reader = await Store.open(config.data_dir, config.store, clock, mode="reader")
    try:
        for name in ("pin_state", "audit", "settings", "questions", "today", "who"):
            await READS[name](reader, config, clock, {})
        for act, request in (
            (CHANGES["correct"], {"memory": 1, "text": "Biscuit is a rabbit."}),
            (CHANGES["answer"], {"question": 1, "accept": True}),
            (ACCESS["pin_set"], {"pin": "493817"}),
            (ACCESS["pin_try"], {"pin": "493817"}),
            (ACCESS["audit_add"], {"what": "look"}),
        ):
            with pytest.raises(StoreError) as caught:
                await act(reader, config, clock, dict(request))
            assert isinstance(caught.value, CompanionError)
    finally:
        await reader.close()


async def test_a_backup_is_made_when_asked_for(
    do: Do, store: Store, config: Config, clock: ManualClock
) -> None:
    before = (await do("storage"))["backups"]
    made = await do("backup")
    assert (store.directory / made["file"]).stat().st_size == made["bytes"] > 0
    assert made["backups"] == before + 1
    for _ in range(5):
        made = await do("backup")
    assert made["backups"] == config.store.backups, "the oldest ones go"
