"""The simulated user (paper B.9): speaks as the characterisation, from what fits the day.

The person knows at each session only the facts of its topic, the plans of the day, and what was
talked about before. So nobody can tell everything at once, and small models have less to read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.consolidation.structured import Absurd, Malformed
from companion.dialog.sentences import Sentences
from companion.engines.protocols import ChatMessage
from companion.evaluation.keywords import is_right, normalised
from companion.evaluation.simulation import part
from companion.evaluation.simulation.asking import Asker, Unusable
from companion.evaluation.simulation.calendar import Sitting
from companion.evaluation.simulation.character import Character
from companion.evaluation.simulation.fitting import fitted
from companion.evaluation.simulation.journal import Journal

Line = tuple[str, str]
"""Who (`user` or `assistant`, as in the log) and what was said."""

MOST_SENTENCES = 3
MOST_WORDS = 60
SUMMARIES = 4
"""Sessions of which the person still knows what they were about."""

SPOKEN_TOKENS = 70
SUMMARY_TOKENS = 90
LIVELINESS = 0.7
"""Temperature: people do not always say the likeliest thing."""

_OUT_OF_ROLE = re.compile(
    r"\bas an ai\b|language model|\bi(?: am|'m) an ai\b|\bai (?:toy|assistant)|"
    r"how (?:can|may) i (?:help|assist)|\bassist (?:you|with)|\bi(?: am|'m) here to\b|"
    r"\bsorry, but i (?:can|am|'m)|"
    r"(?:can't|cannot|can not|unable to) (?:help|assist|fulfil|comply|answer|provide)",
    re.IGNORECASE,
)
_ECHO = re.compile(r"not told yet|\bnow \w+ says\b|short sentences", re.IGNORECASE)
_OWN_NAME = re.compile(r"\bmy name is (\w+)", re.IGNORECASE)
_CLOSES = re.compile(r"\b(good ?bye|bye|good night|see you (later|tomorrow|soon))\b", re.IGNORECASE)


@dataclass(frozen=True)
class Spoken:
    """What the person says."""

    text: str
    by_code: bool = False
    """The model never found into its role, and code said a fact in its place."""


class Person:
    """Speaks for one character in one arm. Whatever it said stands in a journal, so that nothing
    is asked for twice."""

    def __init__(
        self, character: Character, toy: str, asker: Asker, calls: Journal, *, seed: int
    ) -> None:
        """toy: the companion's name. calls: answers so far, by what was asked."""
        self._character = character
        self._toy = toy
        self._asker = asker
        self._calls = calls
        self._seed = seed

    async def tell(self, sitting: Sitting, summaries: Sequence[str], said: list[Line]) -> Spoken:
        """What the person says next in a session with a topic. Raises Parked."""
        left = self._untold(sitting, said)
        cue = f'Not told yet: "{left[0]}"' if left else f"Let {self._toy} play or wonder with you."
        system = part.told(self._character, self._toy, sitting, summaries)
        return await self._next(system, said, sitting, cue, plain=left)

    async def return_to(self, sitting: Sitting, old: Sequence[Line], said: list[Line]) -> Spoken:
        """What the person says next when an old topic is taken up again, and nothing of it is
        given away (paper B.12.2). Raises Parked."""
        cue = f"Give nothing of the old talk away, let {self._toy} lead."
        return await self._next(self._again(sitting, old), said, sitting, cue, plain=[])

    async def summarize(self, topic: str, lines: Sequence[Line]) -> str:
        """What the session was about, for the sessions to come (paper B.9.2); by code where the
        model only goes on with the talk. Raises Parked."""
        name = self._character.first_name
        task = (
            f"You sum up talks between {name} and the toy {self._toy}. Write one to three short "
            f'sentences to {name}: "You told about ...". Only what was said; do not go on with '
            "the talk."
        )
        messages, _ = fitted(
            self._asker.model,
            self._named(lines),
            lambda talk: (ChatMessage("system", task), ChatMessage("user", talk)),
            answer_tokens=SUMMARY_TOKENS,
        )
        try:
            return await self._told(messages, SUMMARY_TOKENS, 0.0, 0, self._summary)
        except Unusable:
            spoken = "\n".join(text for role, text in lines if role == "user")
            told = [item.text for item in self._character.items() if item.told_in(spoken)]
            return f"You talked about {topic}. You said: {' '.join(told)}".removesuffix(
                " You said: "
            )

    async def _next(
        self, system: str, said: list[Line], sitting: Sitting, cue: str, *, plain: list[str]
    ) -> Spoken:
        """A line of the model; where it never finds into its role, one that code says: the first
        of `plain`, or a question about the topic."""
        messages = self._prompt(system, said, cue)
        seed = (self._seed * 1_000_000 + sitting.number * 1_000 + len(said)) % 2**31
        before = {normalised(text) for _, text in said}

        def accept(answer: str) -> str:
            """Raises Malformed, Absurd."""
            text = self._spoken(answer)
            if normalised(text) in before:
                raise Absurd("said before")
            return text

        try:
            words = await self._told(messages, SPOKEN_TOKENS, LIVELINESS, seed, accept)
        except Unusable:
            return Spoken(plain[0] if plain else _question(sitting, said), by_code=True)
        return Spoken(words)

    async def _told(
        self,
        messages: Sequence[ChatMessage],
        tokens: int,
        temperature: float,
        seed: int,
        accept: Callable[[str], str],
    ) -> str:
        prompt = [[each.role, each.text] for each in messages]
        asked = [self._asker.model.name, temperature, seed, prompt]
        key = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
        if key not in self._calls:
            try:
                text, raw = await self._asker.ask(
                    messages, accept, max_tokens=tokens, temperature=temperature, seed=seed
                )
            except Unusable as error:
                self._calls.put(key, text=None, why=str(error))
            else:
                self._calls.put(key, text=text, raw=raw)
        if self._calls[key]["text"] is None:
            raise Unusable(self._calls[key]["why"])
        return str(self._calls[key]["text"])

    def _prompt(self, system: str, said: list[Line], cue: str) -> list[ChatMessage]:
        """As much of the talk, from its end, as the model's context holds, and a last reminder:
        small models forget who they are in a long prompt."""
        model, name = self._asker.model, self._character.first_name
        reminder = f"\n\n({cue} Now {name} says, in one or two short sentences:)"
        for start in range(0, len(said) + 1, 2):
            *before, last = _mirrored(said[start:], self._toy)
            last = ChatMessage(last.role, last.text + reminder)
            messages = [ChatMessage("system", system), *before, last]
            if model.count(messages) + SPOKEN_TOKENS <= model.context_tokens:
                break
        return messages

    def _summary(self, answer: str) -> str:
        """Raises Malformed when there is none, Absurd when it is a talk."""
        text = " ".join(answer.split()[:80])
        if not text:
            raise Malformed("nothing was said")
        if re.search(rf"\b({re.escape(self._toy)}|{self._character.first_name}):", text):
            raise Absurd("a talk, not what it was about")
        return text

    def _untold(self, sitting: Sitting, said: list[Line]) -> list[str]:
        """What the person has not told yet in this session: near plans come after the first fact,
        far ones after all of them."""
        spoken = "\n".join(text for role, text in said if role == "user")
        facts = [(f.text, f.words) for f in map(self._character.fact, sitting.topic.facts)]
        near, far = (
            [(plan.text, plan.words) for plan in sitting.plans if plan.near is wanted]
            for wanted in (True, False)
        )
        things: list[tuple[str, Sequence[Sequence[str]]]] = [
            *facts[:1],
            *near,
            *facts[1:],
            *far,
        ]
        return [text for text, words in things if not is_right(spoken, words)]

    def _named(self, lines: Sequence[Line]) -> list[str]:
        """The lines with the names of who said them."""
        names = {"user": self._character.first_name, "assistant": self._toy}
        return [f"{names[role]}: {text}" for role, text in lines]

    def _again(self, sitting: Sitting, old: Sequence[Line]) -> str:
        model = self._asker.model

        def system(talk: str) -> tuple[ChatMessage, ...]:
            return (
                ChatMessage(
                    "system", part.taken_up_again(self._character, self._toy, sitting, talk)
                ),
            )

        # The new talk needs room, too.
        messages, _ = fitted(
            model, self._named(old), system, answer_tokens=model.context_tokens // 2
        )
        return messages[0].text

    def _spoken(self, answer: str) -> str:
        """The words of an answer. Raises Malformed when there are none, Absurd out of role."""
        names = (self._character.first_name, self._character.name)
        for name in names:
            answer = re.sub(rf"^\W*{re.escape(name)}\s*:\s*", "", answer)
        if re.match(rf"\W*{re.escape(self._toy)}\s*:", answer):
            raise Absurd("the words of the other")
        answer = re.split(rf"\n\W*{re.escape(self._toy)}\s*:", answer)[0]
        sentences = Sentences(MOST_SENTENCES)
        said = sentences.feed(answer.strip().strip('"“”'))
        said += sentences.finish(complete=True)
        words = [each for each in said if not _CLOSES.search(each)]
        text = " ".join(" ".join(words).split()[:MOST_WORDS])
        if not re.search(r"[^\W\d_]{2}", text):
            raise Malformed("nothing was said")
        if _ECHO.search(text):
            raise Absurd("its own instructions")
        named = _OWN_NAME.search(text)
        stranger = named is not None and named[1].lower() != self._character.first_name.lower()
        if stranger or _OUT_OF_ROLE.search(text):
            raise Absurd("out of its role")
        return text


def _question(sitting: Sitting, said: list[Line]) -> str:
    """Words without the model, where nothing is to be told."""
    topic = re.sub(r"\byour\b", "my", sitting.topic.name)
    asked = f"Shall we talk about {topic}?"
    return "Tell me more about that." if ("user", asked) in said else asked


def _mirrored(said: Sequence[Line], toy: str) -> list[ChatMessage]:
    """The talk as the person's model sees it: it is the one who answers."""
    messages = [ChatMessage("user", f"({toy} is switched on and listens. Begin to talk.)")]
    for role, text in said:
        messages.append(ChatMessage("user" if role == "assistant" else "assistant", text))
    return messages
