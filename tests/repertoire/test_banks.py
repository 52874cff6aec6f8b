"""What is lent and said by what a message does, through the dialog, with the real embedder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import language
from companion.config import RepertoireSection
from companion.engines.protocols import Embedder
from companion.repertoire import banks
from tests.dialog.talk import talking
from tests.fakes import ScriptedActs, ScriptedModel
from tests.repertoire.test_repertoire import repertoire

BANKS = banks.shipped()
PLAY = "you are the sleepy hippo and im the zoo keeper with the bucket"


async def test_exchanges_of_the_same_act_are_lent(tmp_path: Path, embedder: Embedder) -> None:
    model = ScriptedModel(["Yawn, is that my bucket?"])
    made = repertoire(embedder, tmp_path, RepertoireSection(by_act=False))
    acts = ScriptedActs({PLAY: "pretend"})
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        result = await talk.say(PLAY)
        assert result.by == "model"
        *_, first, answer, second, other, last = model.calls[-1]
        pairs = [(first.text, answer.text), (second.text, other.text)]
        assert all(pair in BANKS["pretend"].exchanges for pair in pairs)
        assert last.text == PLAY
        assert result.example_tokens > 0


async def test_nothing_is_lent_where_the_act_is_not_sure(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel(["Yawn."])
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({PLAY: "pretend"}, 0.3)
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(PLAY)).example_tokens == 0


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("smell you later pipster", "goodbye"),
        ("oi oi its only me", "greeting"),
        ("ta for that mate", "thanks"),
        ("youre a wally with sauce on", "insult"),
        ("blim blam blubber hoo wibble wap", "nonsense"),
    ],
)
async def test_a_short_message_of_a_sure_act_is_answered_as_written_never_twice(
    tmp_path: Path, embedder: Embedder, words: str, act: str
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        said = [await talk.say(words) for _ in range(4)]
    ours = [each.text for each in said if each.by == "repertoire:act"]
    assert len(ours) == len(said) == len(set(ours))


async def test_what_is_asked_for_decides_what_it_says_it_cannot(
    tmp_path: Path, embedder: Embedder
) -> None:
    words = "can you look at my tin lid"
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: "ask_cannot"})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).text in BANKS["ask_cannot"].asked["sees"]


@pytest.mark.parametrize(
    ("words", "act", "when"),
    [
        ("nite nite pipsqueak my lights go out", "goodbye", "night"),
        ("wakey wakey sunny pip", "greeting", "morning"),
    ],
)
async def test_a_greeting_and_a_goodbye_fit_the_part_of_the_day(
    tmp_path: Path, embedder: Embedder, words: str, act: str, when: str
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).text in BANKS[act].asked[when]


@pytest.mark.parametrize(
    ("words", "act", "probability"),
    [
        ("hello im bram and whats your name", "greeting", 0.95),
        ("smell you later pipster", "goodbye", 0.4),
        ("no not yet one more goodnight first then i go", "goodbye", 0.95),
        ("hello im bartholomew", "greeting", 0.95),
        ("can i have your nose", "love", 0.95),
        ("our tortoise came home in a taxi", "hard_question", 0.6),
    ],
)
async def test_the_model_answers_what_is_not_sure_long_or_tells_more(
    tmp_path: Path, embedder: Embedder, words: str, act: str, probability: float
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act}, probability)
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        result = await talk.say(words)
        assert result.text not in BANKS[act].replies


@pytest.mark.parametrize(
    ("before", "words", "act", "answer"),
    [
        (
            "",
            "is there a cog in your tummy that goes round",
            "about_toy",
            BANKS["about_toy"].asked["body"],
        ),
        ("What was in the box?", "a stripy sock", "short_answer", "stripy sock"),
        (
            "",
            "jonty says the elves are only his dad",
            "hard_question",
            BANKS["hard_question"].asked["keeps"],
        ),
        (
            "And what did the owl find?",
            "sh pip stop talking gran nodded off",
            "ask_device",
            BANKS["ask_device"].asked["hush"],
        ),
        ("Did it rain?", "hmm not sure if it did", "yes_no", BANKS["yes_no"].asked["dunno"]),
        ("", "you be the sleepy otter and i be the vet", "pretend", "the sleepy otter"),
        ("Ooh, who's there?", "lettuce", "tells_joke", "Lettuce who?"),
    ],
)
async def test_the_variant_of_an_act_decides_the_reply(
    tmp_path: Path,
    embedder: Embedder,
    before: str,
    words: str,
    act: str,
    answer: str | tuple[str, ...],
) -> None:
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    model = ScriptedModel([before or "Hm."])
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        if before:
            await talk.say("it was on the shelf by the door")
        text = (await talk.say(words)).text
    written = answer if isinstance(answer, tuple) else (answer,)
    assert any(each.lower() in text.lower() for each in written), text


@pytest.mark.parametrize(
    ("before", "words", "act"),
    [
        ("Shall I tell you a story?", "yes please", "yes_no"),
        ("Your turn, an animal that begins with O.", "an otter", "short_answer"),
    ],
)
async def test_the_model_goes_on_with_an_offer_and_a_game(
    tmp_path: Path, embedder: Embedder, before: str, words: str, act: str
) -> None:
    acts = ScriptedActs({words: act})
    made = repertoire(embedder, tmp_path)
    model = ScriptedModel([before or "Hm.", "Hm."])
    async with talking(tmp_path, model, embedder=embedder, written=made, acts=acts) as talk:
        if before:
            await talk.say("it was on the shelf by the door")
        said = await talk.say(words)
        assert said.by != "repertoire:act", (
            said.text,
            [str(t.reply)[:400] for t in await talk.turns()],
        )


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("do you like guinea pigs", "pet"),
        ("what do you think about woodlice", "little_animal"),
        ("are you a fan of tractors", "vehicle"),
        ("do you like hockey or tennis", "sport"),
        ("do you like bubble wrap", "anything"),
    ],
)
async def test_it_has_a_taste_of_its_own(
    tmp_path: Path, embedder: Embedder, words: str, kind: str
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: "about_toy"})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        text = (await talk.say(words)).text
    assert any(text.startswith(each) for each in banks.opinions()[kind].replies)


@pytest.mark.parametrize("words", ["do you like my mum", "do you like me", "i like tractors"])
def test_of_people_and_of_the_child_it_has_none(words: str) -> None:
    assert language.opinions.asked(words) == ""


@pytest.mark.parametrize(
    ("words", "act", "start"),
    [
        ("pretend you are a lion", "pretend", "Roar"),
        ("act like a robot", "insult", "Beep"),
        ("be a sheep now", "telling", "Baa"),
    ],
)
async def test_asked_to_be_somebody_it_plays_at_once(
    tmp_path: Path, embedder: Embedder, words: str, act: str, start: str
) -> None:
    made = repertoire(embedder, tmp_path)
    acts = ScriptedActs({words: act})
    async with talking(tmp_path, embedder=embedder, written=made, acts=acts) as talk:
        assert (await talk.say(words)).text.startswith(start)
