"""The parts of the benchmark: characters, what people say, forms, and metrics by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.cli import main
from companion.cli.eval_tables import show_agreement, show_run
from companion.config import LlmSection
from companion.consolidation.structured import Absurd, Malformed
from companion.engines.openai_server import OpenAIServer
from companion.engines.protocols import ChatMessage
from companion.errors import InputError, UsageError
from companion.evaluation import plots
from companion.evaluation.keywords import is_right
from companion.evaluation.simulation import by_words, cost, scores
from companion.evaluation.simulation.agreement import compare, correlation, kappa, share
from companion.evaluation.simulation.asking import Asker, Parked
from companion.evaluation.simulation.calendar import sittings
from companion.evaluation.simulation.character import read, shipped
from companion.evaluation.simulation.fitting import LEFT_OUT, fitted
from companion.evaluation.simulation.generate import generate, keywords, save
from companion.evaluation.simulation.journal import Journal
from companion.evaluation.simulation.judgement import Judgement
from companion.evaluation.simulation.models import section_of
from companion.evaluation.simulation.person import Person
from companion.evaluation.simulation.questions import made, written
from tests.engines.tiny_server import Fault, TinyServer
from tests.evaluation.simulated import BRIEF, PERSON, World
from tests.fakes import ScriptedModel


def asker(replies: Sequence[str]) -> Asker:
    return Asker(ScriptedModel(replies, context_tokens=20_000), pauses_s=())


# Characters


def test_five_people_are_shipped_each_rich_enough_to_be_asked_about() -> None:
    people = shipped()
    assert len(people) == 5
    assert len({person.slug for person in people}) == 5
    for person in people:
        about = {fact.about for fact in person.facts}
        assert {"family", "interests", "school", "dislikes", "wishes"} <= about
        assert {"inferred", "multi-hop", "aggregation"} == {q.type for q in person.questions}
        assert len(person.items()) >= 17
        assert person.events


def test_a_question_about_a_fact_does_not_give_it_away() -> None:
    for person in shipped():
        for fact in person.facts:
            assert by_words.answer_words(fact), f"{person.slug}: {fact.id}"
            assert not is_right(fact.ask, fact.words), f"{person.slug}: {fact.id}"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"age": "old"}, r"line 2: age: .*integer"),
        ({"hobby": "x"}, r"hobby: unknown key"),
        ({"topics": [{"name": "all", "facts": ["nothing"]}] * 2}, "a fact 'nothing' that is not"),
        ({"topics": [{"name": "all", "facts": ["kite"]}] * 2}, "is in no topic"),
    ],
)
def test_a_bad_character_is_named_with_file_and_line(
    tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    path = tmp_path / "ana.yaml"
    path.write_text(yaml.safe_dump({**PERSON.model_dump(), **change}, sort_keys=False))
    with pytest.raises(InputError, match=complaint) as caught:
        read(path)
    assert "ana.yaml" in str(caught.value)


def test_a_saved_character_is_read_as_it_was(tmp_path: Path) -> None:
    for person in shipped():
        save(person, tmp_path / "one.yaml")
        assert read(tmp_path / "one.yaml") == person


THEME = {
    "topic": "your paper boats",
    "facts": [
        {"text": "My biggest boat is called Otter.", "ask": "What is it called?", "answer": "Otter"}
    ]
    * 3,
}
CORE = {
    "name": "Bea Holm",
    "age": 9,
    "gender": "girl",
    "personality": "Patient, proud, and slow to trust people.",
    "manner": "Speaks in few words.",
    "myers_briggs": "ISTJ",
    "big_five": PERSON.big_five.model_dump(),
}


async def test_a_generated_character_is_checked_and_can_be_asked_about() -> None:
    replies = [
        json.dumps({**CORE, "name": "Ana Berg"}),
        "Sure! Here is a child.",
        *map(json.dumps, (CORE, THEME, THEME, THEME, THEME, {"what": "my diving lesson"})),
    ]
    model = asker(replies)
    bea = await generate(model, seed=1, taken=("Ana",))
    assert bea.first_name == "Bea", "a name that is taken is not"
    assert len(bea.facts) == 12
    assert bea.facts[0].words == [["otter"]]
    assert bea.events[0].words == [["diving"], ["lesson"]]
    assert model.spent.calls == 8


async def test_a_model_that_makes_no_character_is_given_up() -> None:
    with pytest.raises(Parked, match="no usable answer in 3 tries"):
        await generate(asker(["no"]), seed=0, taken=())


def test_keywords_are_words_of_the_answer_that_the_text_has() -> None:
    assert keywords("My cat Tom is grey.", "it is Tom") == [["tom"]]
    assert keywords("My grandmother laughs.", "she is funny") == [["grandmother"], ["laughs"]]


# Days


def test_sessions_go_through_topics_and_days_with_what_is_planned() -> None:
    plan = sittings(PERSON, days=3, sessions=2)
    assert [(each.number, each.day) for each in plan] == [
        (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3),
    ]  # fmt: skip
    assert [each.topic.name for each in plan[:3]] == [
        "your parrot and toys", "your treasures", "your parrot and toys",
    ]  # fmt: skip
    assert (plan[2].start - plan[0].start).days == 1
    assert [each.text for each in plan[0].plans] == [
        "Tomorrow, on Tuesday, is a picnic at the lake."
    ]
    assert [each.text for each in plan[2].plans] == ["Today is a picnic at the lake."]
    assert [each.text for each in plan[4].plans] == ["Yesterday was a picnic at the lake."]


# People


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


# Journal


def test_a_torn_last_line_is_dropped_and_made_again(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    Journal(path).put("a", value=1)
    with path.open("a") as file:
        file.write('{"key": "b", "val')
    journal = Journal(path)
    assert "b" not in journal
    journal.put("b", value=2)
    assert [record["value"] for record in Journal(path).under("")] == [1, 2]
    with pytest.raises(ValueError, match="recorded already"):
        journal.put("b", value=3)


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text('{"key": "a"}\nhello\n')
    with pytest.raises(InputError, match="line 2: is no record"):
        Journal(path)


# Judgements


def judgement(kind: Any, size: int = 1) -> Judgement:
    return Judgement("k", "d", kind, (), size)


def test_values_of_answers() -> None:
    assert judgement("scale").values('{"reasons": ["x"], "score": 4}') == [4.0]
    assert judgement("counts").values('{"used": ["a", "b"], "forgotten": []}') == [2.0, 0.0]
    verdicts = '{"1": "yes", "2": "partly", "3": "no"}'
    assert judgement("verdicts", 3).values(verdicts) == [1.0, 0.5, 0.0]
    with pytest.raises(Malformed, match="no verdict on number 4"):
        judgement("verdicts", 4).values(verdicts)
    with pytest.raises(Absurd):
        judgement("scale").values('{"reasons": [], "score": 9}')
    with pytest.raises(Absurd):
        judgement("verdicts").values('{"1": "perhaps"}')
    with pytest.raises(Malformed):
        judgement("scale").values("Four out of five.")


def test_talk_that_is_too_long_loses_its_beginning_and_says_so() -> None:
    model = ScriptedModel(context_tokens=40)
    lines = [f"line {number}" for number in range(20)]

    def prompt(talk: str) -> tuple[ChatMessage, ...]:
        return (ChatMessage("user", talk),)

    messages, shortened = fitted(model, lines, prompt, answer_tokens=10)
    assert shortened
    kept = messages[0].text.splitlines()
    assert kept[0] == LEFT_OUT
    assert kept[-1] == "line 19"
    longer = prompt("\n".join([LEFT_OUT, *lines[-len(kept) :]]))
    assert model.count(messages) <= 30 < model.count(longer), "as much as fits"
    assert fitted(model, lines[:3], prompt, answer_tokens=10) == (
        prompt("\n".join(lines[:3])),
        False,
    )


TALKS: list[dict[str, Any]] = [
    {
        "session": 1,
        "day": 1,
        "lines": [["user", "I have a parrot called Rio."], ["assistant", "Oh."]],
    },
    {"session": 2, "day": 2, "lines": [["user", "My kite is green."], ["assistant", "Lovely."]]},
]


def test_written_questions_are_asked_once_all_they_need_was_said() -> None:
    assert [each.id for each in written(PERSON, TALKS[:1])] == ["written/parrot"]
    assert [each.id for each in written(PERSON, TALKS)] == [
        "written/parrot", "written/kite", "written/two",
    ]  # fmt: skip


async def test_a_made_question_must_rest_on_what_the_person_said() -> None:
    def answer(*lines: int) -> str:
        one = {"question": "What is green?", "answer": "the kite", "lines": list(lines)}
        return json.dumps({"questions": [one]})

    model = asker([answer(2, 4), answer(3), answer(1, 3)])
    found = await made(model, "multi-hop", TALKS, "Pip", 1, 0)
    assert found == [{"ask": "What is green?", "expected": "the kite", "lines": [1, 3]}]
    assert model.spent.calls == 3, "lines of the companion, or one line alone, are not enough"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What colour is my bike?", "blue"),  # the prompt's own example
        ("What is my parrot called?", "Polly"),
        ("What is my parrot Rio called?", "Rio"),
    ],
)
async def test_a_question_that_is_not_about_what_was_said_is_not_taken(
    question: str, answer: str
) -> None:
    one = {"question": question, "answer": answer, "lines": [1]}
    with pytest.raises(Parked, match="no question rests on what the person said"):
        await made(asker([json.dumps({"questions": [one]})]), "specific", TALKS, "Pip", 1, 0)


# Metrics, by hand


def test_agreement_by_hand() -> None:
    # 20 pairs: both yes 8, both no 6, yes/no 4, no/yes 2. Observed 14/20; by chance
    # 12/20 * 10/20 + 8/20 * 10/20 = 0.5; kappa (0.7 - 0.5) / 0.5.
    one = [1.0] * 8 + [0.0] * 6 + [1.0] * 4 + [0.0] * 2
    other = [1.0] * 8 + [0.0] * 6 + [0.0] * 4 + [1.0] * 2
    assert share(one, other) == pytest.approx(0.7)
    assert kappa(one, other) == pytest.approx(0.4)
    assert kappa([1, 0, 0.5], [1, 0, 0.5]) == 1.0
    assert kappa([1, 1], [1, 1]) is None, "chance alone agrees"
    assert share([], []) is None
    assert kappa([1, 0], [0, 1]) == pytest.approx(-1.0)


def test_correlation_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-2, 1, 1): 3 / sqrt(2 * 6).
    assert correlation([1, 2, 3], [1, 4, 4]) == pytest.approx(3 / 12**0.5)
    assert correlation([1, 2, 3], [6, 4, 2]) == pytest.approx(-1.0)
    assert correlation([1, 2], [3, 3]) is None
    assert correlation([1], [1]) is None


def test_two_gradings_are_compared_by_dimension(tmp_path: Path) -> None:
    first, second = Journal(tmp_path / "1.jsonl"), Journal(tmp_path / "2.jsonl")
    for journal, marks in ((first, (4, [1, 0.5, 0], [3, 1])), (second, (2, [1, 0, 0], [3, 2]))):
        score, verdicts, counts = marks
        journal.put("a", dimension="naturalness", kind="scale", values=[score])
        journal.put("b", dimension="coverage", kind="verdicts", values=verdicts)
        journal.put("c", dimension="hits", kind="counts", values=counts)
    first.put("d", dimension="coverage", kind="verdicts", values=[1])
    found = compare(first, second)
    assert found["naturalness"] == {
        "n": 1, "same": 0, "mean_difference": 2, "correlation": None,
    }  # fmt: skip
    # Two of three the same; chance 1/3 * 1/3 + 1/3 * 2/3 = 1/3; kappa (2/3 - 1/3) / (2/3).
    assert found["coverage"] == {"n": 3, "same": 0.667, "kappa": 0.5}
    assert found["hits"]["same"] == 1
    assert found["misses"]["mean_difference"] == 1


def test_coverage_and_completeness_by_hand(tmp_path: Path) -> None:
    talks, grades = Journal(tmp_path / "talks"), Journal(tmp_path / "grades")
    answers = Journal(tmp_path / "answers")
    key = "ana-lund/hybrid"
    said = [["user", "I have a parrot called Rio."], ["assistant", "Nice."]]
    talks.put(f"{key}/talk/1", session=1, lines=said, tokens=12, evaluated_tokens=30)
    talks.put(f"{key}/known/1", statements=["The user has a parrot called Rio."])
    # 11 items: 2 kept and 1 partly; 4 said and 2 partly. 2.5 / 11, 5 / 11, and 2.5 / 5.
    kept, told = [1, 1, 0.5, *[0] * 8], [1, 1, 1, 1, 0.5, 0.5, *[0] * 5]
    for name, marks in (("coverage", kept), ("present", told)):
        grades.put(f"{key}/{name}/1/1", dimension=name, values=marks[:8])
        grades.put(f"{key}/{name}/1/2", dimension=name, values=marks[8:])
    grades.put(f"{key}/correctness/1", dimension="correctness", values=[1, 0.5, 0, 1])
    found = scores.of_life(PERSON, "hybrid", talks, answers, grades)
    assert found["figures"]["coverage"] == pytest.approx(2.5 / 11)
    assert found["figures"]["present"] == pytest.approx(5 / 11)
    assert found["figures"]["completeness"] == pytest.approx(0.5)
    assert found["figures"]["correctness"] == pytest.approx(2.5 / 4)
    assert found["figures"]["kept_by_words"] == pytest.approx(1 / 10)
    assert found["figures"]["evaluated_tokens_per_turn"] == 30
    assert found["curve"][0]["tokens"] == 12


def test_a_list_that_was_judged_in_part_gives_no_share_of_it(tmp_path: Path) -> None:
    talks, grades = Journal(tmp_path / "talks"), Journal(tmp_path / "grades")
    key = "ana-lund/hybrid"
    talks.put(f"{key}/talk/1", session=1, lines=[], tokens=1, evaluated_tokens=1)
    grades.put(f"{key}/coverage/1/1", dimension="coverage", values=[1] * 8)
    found = scores.of_life(PERSON, "hybrid", talks, Journal(tmp_path / "none"), grades)
    assert found["figures"]["coverage"] is None


def test_counting_without_a_judge_by_hand() -> None:
    old = {"lines": [["user", "I have a parrot called Rio. It hates tin."], ["assistant", "Oh."]]}
    new = {
        "lines": [
            ["user", "Let us talk about my pet."],
            ["assistant", "How is Rio?"],  # told before: a hit
            ["user", "He sings to the tin."],
            ["assistant", "Rio sings to tin, and Wanda too?"],  # Rio again; tin was just said
        ]
    }
    assert by_words.hits(PERSON, old, new) == 2
    assert by_words.told_share(PERSON, by_words.spoken([old])) == pytest.approx(2 / 10)
    jonas = shipped()[1]
    answers = [
        {"key": "jonas-brandt/raw/answer/written/grandpa", "text": "A clockmaker, I think."},
        {"key": "jonas-brandt/raw/answer/written/friend", "text": "He moved away."},
        {"key": "jonas-brandt/raw/answer/written/who-repaired", "text": "several facts"},
    ]
    assert by_words.answered_share(jonas, answers) == 0.5
    assert by_words.answered_share(jonas, answers[2:]) is None


# Servers


@pytest.mark.parametrize("fault", ["status 400", "garbage", "cut"])
async def test_a_server_that_gives_no_answer_is_tried_again_then_named(fault: Fault) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with TinyServer(ScriptedModel(), fault=fault) as server:
        section = section_of(f"{server.url}#big", LlmSection(), context=512)
        client = OpenAIServer(section)
        try:
            with pytest.raises(Parked, match=server.url):
                await Asker(client, sleep=sleep).ask(
                    [ChatMessage("user", "How natural is it?")],
                    judgement("scale").values,
                    max_tokens=20,
                )
        finally:
            await client.close()
    assert waits == [1.0, 4.0, 15.0]


async def test_a_server_judges_as_a_local_model_does() -> None:
    model = ScriptedModel(['{"reasons": [], "score": 2}'])
    async with TinyServer(model) as server:
        client = OpenAIServer(section_of(f"{server.url}#big", LlmSection(), context=512))
        try:
            values, raw = await Asker(client, pauses_s=()).ask(
                [ChatMessage("user", "How natural is it?")],
                judgement("scale").values,
                max_tokens=20,
                schema=judgement("scale").schema,
            )
        finally:
            await client.close()
    assert values == [2.0]
    assert json.loads(raw)["score"] == 2


# Around it


def test_a_model_is_meant_by_a_name_a_file_a_server_or_local() -> None:
    active = LlmSection(model="qwen2.5-coder-0.5b", context_tokens=3072)
    assert section_of("local", active).model == "qwen2.5-coder-0.5b"
    assert section_of("local", active).context_tokens == 8192
    assert section_of("smollm2-135m", active, context=2048).context_tokens == 2048
    assert section_of("my/model.gguf", active).file == Path("my/model.gguf")
    server = section_of("http://10.0.0.9:8080/v1#big", active, key_file=Path("key"))
    assert (server.backend, server.url, server.model) == (
        "openai", "http://10.0.0.9:8080/v1", "big",
    )  # fmt: skip
    assert server.allow_public
    with pytest.raises(UsageError, match="names no host"):
        section_of("http://", active)


def test_the_estimate_counts_what_the_run_then_asks() -> None:
    plan = cost.Plan(people=2, sessions=2, turns=3, questions=1, arms=("raw", "hybrid"))
    loads = cost.estimate(plan, [PERSON])
    # A line a turn, also in the last session, and a summary of each of the others.
    assert loads["user"].calls == 2 * 2 * (3 * 3 + 2)
    twice = cost.estimate(
        cost.Plan(people=4, sessions=2, turns=3, questions=1, arms=plan.arms), [PERSON]
    )
    assert twice["judge"].calls == 2 * loads["judge"].calls
    assert cost.Speed(100, 10).seconds(cost.Load(1, 1_000, 50)) == 15


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["grade", "--work-dir", "nowhere"], 1, "nowhere: holds no graded run"),
        (["run", "--characters", "nobody.yaml"], 1, "nobody.yaml: no such file"),
        (["run", "--judge", "http://#x", "--estimate"], 2, "names no host"),
    ],
)
def test_what_cannot_be_is_told_before_a_model_is_loaded(
    words: list[str], code: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *words]) == code
    assert complaint in capsys.readouterr().err


async def test_the_tables_stand_beside_what_was_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = await World().run(tmp_path, BRIEF)
    show_run(document)
    show_agreement({"agreement": {"coverage": {"n": 3, "same": 0.667, "kappa": 0.5}}})
    out = capsys.readouterr().out
    for expected in ("43.6 %", "2.6", "45.1 %", "11.0", "judge: judge here, GPT-5 there", "0.667"):
        assert expected in out
    plots.draw("run", document, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
