"""What a simulated person knows, is reminded of, and says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.evaluation.simulation.asking import Asker
from companion.evaluation.simulation.calendar import sittings
from companion.evaluation.simulation.fitting import LEFT_OUT
from companion.evaluation.simulation.journal import Journal
from companion.evaluation.simulation.person import Person
from tests.evaluation.simulation.world import PERSON
from tests.fakes import ScriptedModel


def person(tmp_path: Path, replies: Sequence[str]) -> tuple[Person, ScriptedModel]:
    model = ScriptedModel(replies, context_tokens=20_000)
    journal = Journal(tmp_path / "calls.jsonl")
    return Person(PERSON, "Pip", Asker(model, pauses_s=()), journal, seed=3), model


async def test_a_person_knows_only_what_the_session_is_about(tmp_path: Path) -> None:
    ana, model = person(tmp_path, ["Hello!"])
    sitting = sittings(PERSON, days=1, sessions=1)[0]
    await ana.tell(sitting, ["You told about trees."], [("user", "Hi"), ("assistant", "Hello")])
    system, *talk = model.calls[0]
    assert "I have a parrot called Rio." in system.text
    assert "Iceland" not in system.text, "facts of another topic cannot slip out"
    assert "picnic" in system.text
    assert "You told about trees." in system.text
    assert [each.role for each in talk] == ["user", "assistant", "user"]


async def test_whoever_takes_up_an_old_topic_sees_the_old_talk_and_no_facts(tmp_path: Path) -> None:
    ana, model = person(tmp_path, ["Let us talk."])
    sitting = sittings(PERSON, days=1, sessions=1)[0]
    await ana.return_to(sitting, [("user", "My parrot sings.")], [])
    assert "Ana: My parrot sings." in model.calls[0][0].text
    assert "Rio" not in model.calls[0][0].text


async def test_a_person_is_reminded_of_one_thing_that_is_untold(tmp_path: Path) -> None:
    ana, model = person(tmp_path, ["Hello!"])
    sitting = sittings(PERSON, days=1, sessions=1)[0]
    said = [("user", "I have a parrot called Rio."), ("assistant", "Oh, a parrot!")]
    await ana.tell(sitting, [], said)
    last = model.calls[0][-1].text
    assert last.startswith("Oh, a parrot!")
    assert "Tomorrow, on Tuesday, is a picnic at the lake." in last
    assert "Rio" not in last
    assert "kite" not in last, "one thing at a time"


async def test_a_model_that_reads_out_its_instructions_gets_another_try(tmp_path: Path) -> None:
    ana, _ = person(tmp_path, ['Not told yet: "I have a drum." Now Ana says:', "I have a drum."])
    spoken = await ana.tell(sittings(PERSON, days=1, sessions=1)[0], [], [])
    assert spoken.text == "I have a drum."


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('"I have a drum."', "I have a drum."),
        ("Ana: I have a drum! *giggles* Listen.", "I have a drum! Listen."),
        ("I have a drum.\nPip: Oh, nice.", "I have a drum."),
        ("One. Two is here. Three is here. Four is here.", "One. Two is here. Three is here."),
        ("I have a drum. Bye, see you tomorrow!", "I have a drum."),
    ],
)
async def test_only_what_a_child_says_is_taken(tmp_path: Path, answer: str, said: str) -> None:
    ana, _ = person(tmp_path, [answer])
    spoken = await ana.tell(sittings(PERSON, days=1, sessions=1)[0], [], [])
    assert spoken.text == said
    assert not spoken.by_code


async def test_a_model_out_of_its_role_gets_another_try(tmp_path: Path) -> None:
    ana, model = person(
        tmp_path, ["Pip: I'm sorry, but I can't.", "My name is Pip.", "I like my kite."]
    )
    spoken = await ana.tell(sittings(PERSON, days=1, sessions=1)[0], [], [])
    assert spoken.text == "I like my kite."
    assert len({options.seed for options in model.options}) == 3


async def test_a_model_that_repeats_itself_is_asked_anew_then_code_goes_on(tmp_path: Path) -> None:
    ana, model = person(tmp_path, ["I have a parrot called Rio."])
    sitting = sittings(PERSON, days=1, sessions=1)[0]
    said = [("user", "I have a parrot called Rio."), ("assistant", "Oh, a parrot!")]
    spoken = await ana.tell(sitting, [], said)
    assert spoken.text == "Tomorrow, on Tuesday, is a picnic at the lake."
    assert spoken.by_code
    assert len(model.calls) == 3


async def test_what_was_said_is_not_asked_for_again(tmp_path: Path) -> None:
    sitting = sittings(PERSON, days=1, sessions=1)[0]
    first, _ = person(tmp_path, ["I like my kite."])
    await first.tell(sitting, [], [])
    second, model = person(tmp_path, ["Something else."])
    assert (await second.tell(sitting, [], [])).text == "I like my kite."
    assert model.calls == []


async def test_of_a_long_talk_a_person_reads_what_fits(tmp_path: Path) -> None:
    model = ScriptedModel(["I like my kite."], context_tokens=400)
    journal = Journal(tmp_path / "calls.jsonl")
    ana = Person(PERSON, "Pip", Asker(model, pauses_s=()), journal, seed=0)
    sitting = sittings(PERSON, days=1, sessions=1)[0]
    talk = [
        (role, f"Line {n}, and on it goes.") for n in range(99) for role in ("user", "assistant")
    ]
    await ana.tell(sitting, [], talk)
    await ana.return_to(sitting, talk, talk[:4])
    await ana.summarize("your things", talk)
    assert "Line 98, and on it goes." in model.calls[0][-1].text
    assert "Line 1, and on it goes." in model.calls[1][-1].text
    assert model.calls[2][-1].text.startswith(LEFT_OUT)


async def test_a_summary_that_only_goes_on_with_the_talk_is_made_by_code(tmp_path: Path) -> None:
    ana, _ = person(tmp_path, ["Ana: I have a drum. Pip: Oh."])
    talk = [("user", "I have a parrot called Rio."), ("assistant", "Oh.")]
    summary = await ana.summarize("your toys", talk)
    assert summary == "You talked about your toys. You said: I have a parrot called Rio."
    assert await ana.summarize("your toys", [("user", "Hi")]) == "You talked about your toys."
