"""What a parent sees and changes, over a fake toy."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.errors import DaemonError, InputError, StoreFailing
from companion.store import audit
from companion.web.visit import DONE
from tests.web.conftest import LOOK, Page
from tests.web.fake_toy import FakeToy
from tests.web.shapes import memory, turn


@pytest.mark.parametrize("path", LOOK)
async def test_every_page_is_there_and_changes_nothing(
    path: str, inside: Page, toy: FakeToy
) -> None:
    before = toy.changes()
    answer = await inside.get(path)
    assert answer.status_code == 200
    assert "<h1>" in answer.text
    assert "style=" not in answer.text, "the policy forbids it"
    assert toy.changes() == before


async def test_a_memory_is_shown_with_its_words_and_its_curve(inside: Page) -> None:
    text = (await inside.get("/memories/1")).text
    assert "My dog is called Bello." in text
    assert "Said in one talk." in text
    assert "it goes on Monday, 28 December 2026" in text
    assert '<svg class="curve"' in text
    assert text.count('class="use"') == 2
    assert "The same as numbers" in text


async def test_keep_correct_erase_and_undo(inside: Page, toy: FakeToy) -> None:
    answer = await inside.post("/memories/keep", {"id": "1", "back": "memory"})
    assert answer.headers["location"] == "/memories/1"
    assert "It will not fade." in (await inside.get("/memories/1")).text
    answer = await inside.post("/memories/correct", {"id": "1", "text": "My dog is called Belle."})
    assert "You told it." in (await inside.get(answer.headers["location"])).text
    await inside.post("/memories/erase", {"id": "1"})
    assert 1 not in toy.memories
    text = (await inside.get("/memories")).text
    assert "Gone for good in 10 minutes." in text
    await inside.post("/undo", {"id": "1"})
    assert 1 in toy.memories


async def test_what_was_done_is_said_once(inside: Page) -> None:
    await inside.post("/memories/keep", {"id": "1"})
    assert "Kept." in (await inside.get("/memories")).text
    assert "Kept. It" not in (await inside.get("/memories")).text


async def test_a_stopped_turn_is_read_after_the_pin_again(inside: Page, clock: object) -> None:
    talk = "/talk?id=2026-11-23-1"
    text = (await inside.get(talk)).text
    assert "stopped: strangers and secrets" in text
    assert "A secret" not in text
    await inside.post("/talk/unlock", {"session": "2026-11-23-1", "pin": "000000"})
    assert "A secret" not in (await inside.get(talk)).text
    await inside.post("/talk/unlock", {"session": "2026-11-23-1", "pin": "204518"})
    assert "A secret" in (await inside.get(talk)).text
    inside.clock.advance(301)
    assert "A secret" not in (await inside.get(talk)).text


async def test_forget_everything_wants_the_typed_words(inside: Page, toy: FakeToy) -> None:
    await inside.post("/toy/erase-all", {"typed": "forget"})
    assert toy.memories
    answer = await inside.post("/toy/erase-all", {"typed": "Forget  everything"})
    assert not toy.memories
    assert "What is left on the toy is the key" in answer.text


async def test_who_it_talks_to_is_put_right(inside: Page, toy: FakeToy) -> None:
    assert "Mia" in (await inside.get("/who")).text
    await inside.post("/who/correct", {"field": "name", "value": "Maja"})
    text = (await inside.get("/who")).text
    assert "Maja" in text
    assert "You told it." in text
    await inside.post("/who/personality", {"do": "erase"})
    assert ("personality", {"on": False, "erase": True}) in toy.asked


async def test_times_are_set_and_set_back(inside: Page, toy: FakeToy) -> None:
    form = {"key": "service.minutes_a_day", "kind": "int", "value": "30"}
    answer = await inside.post("/settings", form)
    assert answer.headers["location"] == "/times"
    assert toy.set == {"service.minutes_a_day": 30}
    await inside.post("/settings", form | {"reset": "1"})
    assert toy.set == {"service.minutes_a_day": None}
    refused = await inside.post("/settings", {"key": "safety.guard", "kind": "str", "value": "x"})
    assert refused.status_code == 409


async def test_while_the_toy_is_off_nothing_can_be_changed(inside: Page, toy: FakeToy) -> None:
    toy.on = False
    text = (await inside.get("/memories")).text
    assert "The toy is switched off." in text
    assert "Bello" in text
    assert "/memories/erase" not in text
    answer = await inside.post("/memories/keep", {"id": "1"})
    assert answer.status_code == 503
    assert not toy.memories[1]["pinned"]


@pytest.mark.parametrize(
    "error", [DaemonError("the daemon has gone"), StoreFailing("the disk is full")]
)
async def test_a_change_that_fails_is_told_in_a_line(
    error: Exception, inside: Page, toy: FakeToy
) -> None:
    toy.fails = error
    answer = await inside.post("/memories/keep", {"id": "1"})
    assert answer.status_code == 503
    assert str(error) in answer.text


async def test_back_after_erasing_says_that_it_is_gone(inside: Page) -> None:
    await inside.post("/memories/erase", {"id": "1"})
    answer = await inside.get("/memories/1")
    assert answer.status_code == 404
    assert "not any more" in answer.text
    again = await inside.post("/memories/erase", {"id": "1"})
    assert again.status_code == 409, "another parent was faster"


async def test_without_a_trusted_clock_no_dates_of_fading_are_shown(
    inside: Page, toy: FakeToy, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = toy._today() | {"as_of": None, "last_consolidation": "1970-01-01T00:02:00+00:00"}
    monkeypatch.setattr(toy, "_today", lambda: today)
    toy.memories[1] |= {"gone_on": None, "created": "1970-01-01T00:00:09+00:00"}
    text = (await inside.get("/")).text
    assert "does not know what day it is" in text
    assert "1970" not in text


@pytest.mark.parametrize(
    "text",
    [
        "x" * 16_000,
        "\u202eright to left",
        "NUL \x00 and bell \x07",
        "half \ud83d a character",
        "مرحبا يا صديقي",
    ],
    ids=["long", "rtl", "controls", "half", "arabic"],
)
async def test_whatever_a_memory_is_the_page_is_whole(
    text: str, inside: Page, toy: FakeToy
) -> None:
    toy.memories = {1: memory(1, text)}
    for path in ("/", "/memories", "/memories/1", "/fading"):
        answer = await inside.get(path)
        assert answer.status_code == 200
        assert answer.text.endswith("</html>")
        assert not re.search(r"[\x00-\x08\x0b-\x1f]", answer.text)


async def test_the_export_is_a_file_of_one_document(inside: Page) -> None:
    answer = await inside.get("/toy/export")
    assert answer.headers["content-disposition"] == (
        'attachment; filename="companion-2026-11-23.json"'
    )
    assert len(answer.json()["memories"]) == 3


async def test_long_lists_have_pages(inside: Page, toy: FakeToy) -> None:
    toy.memories = {number: memory(number, f"Fact {number}.") for number in range(1, 121)}
    text = (await inside.get("/memories?from=50")).text
    assert "51 to 100 of 120" in text
    assert "from=100" in text
    assert "from=0" in text


async def test_words_are_searched_and_the_search_stays_on_its_pages(
    inside: Page, toy: FakeToy
) -> None:
    toy.memories = {number: memory(number, f"Dog {number}.") for number in range(1, 121)}
    answer = await inside.search("Dog")
    text = (await inside.get(answer.headers["location"])).text
    assert "120 memories, best first." in text
    (older,) = re.findall(r'href="([^"]*from=50)"', text)
    assert "51 to 100 of 120" in (await inside.get(unescape(older))).text
    asked = [details for do, details in toy.asked if do == "memories" and details.get("query")]
    assert [each["query"] for each in asked] == ["Dog", "Dog"]
    assert "newest first" in (await inside.get("/memories")).text


async def test_the_export_holds_no_more_of_stopped_turns_than_the_talks(
    inside: Page, toy: FakeToy
) -> None:
    """Whoever reads may be the person a child is afraid of."""
    toy.turns["2026-11-23-1"].append(turn(3, "He hurts me.", "It is not your fault.", "abuse"))
    (session,) = (await inside.get("/toy/export")).json()["sessions"]
    assert [each["turn"] for each in session["messages"]] == [1]
    assert session["stopped"] == {"2": "strangers"}
    await inside.post("/talk/unlock", {"session": "2026-11-23-1", "pin": "204518"})
    (session,) = (await inside.get("/toy/export")).json()["sessions"]
    assert [each["turn"] for each in session["messages"]] == [1, 2]


async def test_a_question_is_answered(inside: Page, toy: FakeToy) -> None:
    toy.questions = [
        {
            "id": 7,
            "memory": toy.memories[1],
            "text": "My dog is called Rex.",
            "said": "My dog is called Rex.",
            "time": "2026-11-23T16:05:00+01:00",
        }
    ]
    text = (await inside.get("/")).text
    assert "Questions for you" in text
    await inside.post("/answer", {"id": "7", "accept": "no"})
    assert ("answer", {"question": 7, "accept": False}) in toy.asked


async def test_what_is_done_is_noted_without_its_content(inside: Page, toy: FakeToy) -> None:
    await inside.post("/memories/correct", {"id": "1", "text": "My dog is called Belle."})
    noted = [details for do, details in toy.asked if do == "audit_add"]
    assert noted == [
        {"what": "came in", "count": 1},
        {"what": "put something right", "count": 1},
    ]


async def test_the_toy_page_makes_a_backup_and_says_what_is_there(
    inside: Page, toy: FakeToy
) -> None:
    text = (await inside.get("/toy")).text
    assert "Qwen 1.5B" in text
    assert "Missing:" not in text
    assert "devices" not in [do for do, _ in toy.asked], "listing them disturbs the sound"
    answer = await inside.post("/toy/backup")
    assert answer.headers["location"] == "/toy"
    toy.missing = True
    text = (await inside.get("/toy")).text
    assert "A backup is made; 3 are kept." in text
    assert "Missing: Qwen 1.5B" in text
    assert toy.changes()[-1] == "backup"


async def test_the_toy_page_lists_devices_when_asked(inside: Page, toy: FakeToy) -> None:
    listed = "/toy?devices=list"
    assert "Nothing is plugged in." in (await inside.get(listed)).text
    one = {"name": "USB <Mic>", "inputs": 1, "outputs": 0}
    toy.device_list["devices"] = [one | {"default_microphone": True, "default_speaker": False}]
    text = (await inside.get(listed)).text
    assert "USB &lt;Mic&gt;" in text
    toy.device_list = {"devices": [], "trouble": "there is no sound here"}
    assert "cannot be listed: there is no sound here" in (await inside.get(listed)).text


async def test_the_toy_page_says_what_it_hears_and_speaks_with(inside: Page, toy: FakeToy) -> None:
    assert "neither hear nor speak" in (await inside.get("/toy")).text
    toy.voice = {"microphone": True, "speaker": False, "devices": ["USB Mic", "none"]}
    text = (await inside.get("/toy")).text
    assert "USB Mic" in text
    assert "its speaker is missing" in text


async def test_listening_to_others_can_be_stopped_and_where_allowed_begun(
    inside: Page, toy: FakeToy
) -> None:
    assert "Listening to others" not in (await inside.get("/toy")).text, "the configuration forbids"
    await inside.post("/toy/listen")
    text = (await inside.get("/toy")).text
    assert "has said so aloud, and listens for 10 minutes" in text
    assert "Stop listening" in text
    await inside.post("/toy/listen", {"stop": "1"})
    assert "nobody but your child" in (await inside.get("/toy")).text
    assert toy.listening is None


def test_the_audit_list_takes_what_the_pages_note() -> None:
    assert all(audit.NAME.fullmatch(each) for each in DONE.values())


async def test_what_cannot_be_done_is_said_without_commands(inside: Page, toy: FakeToy) -> None:
    toy.fails = InputError("there is no memory 7; `companion memories list` shows them")
    text = (await inside.post("/memories/keep", {"id": "7"})).text
    assert "The toy did not do this: there is no memory 7." in text
