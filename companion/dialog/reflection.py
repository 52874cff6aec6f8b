"""Says back what somebody tells, in a few of their own words, before a written question.

Reflective listening. A written reply fits many tellings and takes up none of them; a small model
takes one up well, if it has nothing else to do, and answers it badly. So a prompt of its own, over
the dialog's model, asks for one sentence, which is held against what was told, word by word
(`language.reflection`). What does not pass is not said.

The dialog's state is set aside meanwhile, as for questions to memory (`aside`).
"""

from __future__ import annotations

import logging
from contextlib import aclosing
from dataclasses import replace

from companion import language
from companion.answering import Answer
from companion.dialog.aside import Aside
from companion.dialog.reply import ReplyRecord
from companion.engines.protocols import ChatMessage, LanguageModel, Options
from companion.errors import EngineError
from companion.safety.sanitize import sanitized

logger = logging.getLogger(__name__)

BY = "reflection"
"""Who answers then (`Answer.by`)."""

SYSTEM = (
    "You are a toy that listens well. Say back to the child, in one short sentence, the one thing "
    'that is most special in what they told. Use the child\'s own words, and call the child "you". '
    "Add nothing that they did not say, ask nothing and answer nothing."
)

_EXAMPLES = (
    (
        "my brother put a pea up his nose and mum had to get it out with the tweezers",
        "A pea, right up your brother's nose!",
    ),
    (
        "i slided down the whole hill on a tray and my hat came off",
        "Down the whole hill on a tray!",
    ),
    (
        "nobody wanted to sit by me at lunch so i sat with the dinner lady",
        "Nobody wanted to sit by you, so you sat with the dinner lady.",
    ),
    (
        "just a key but it doesnt open anything",
        "A key that doesn't open anything!",
    ),
    (
        "me and Aisha are making a museum in the shed but we only got a shell and a tooth",
        "A museum in the shed, with a shell and a tooth!",
    ),
    (
        "Mam says i was brave at the dentist but i wasnt i cried",
        "Your mam says you were brave, but you cried.",
    ),
    (
        "granny's parrot says bad words in Polish and my auntie lives in Poland too",
        "A parrot that says bad words in Polish!",
    ),
    (
        "i dont want to go swimming because the water gets in my nose",
        "You don't want to go, because the water gets in your nose.",
    ),
    (
        "two. one is for Nils",
        "Two, and one is for Nils!",
    ),
    (
        "i had to give my library book back and i wasnt finished",
        "You had to give it back, and you weren't finished.",
    ),
    (
        "on the bus a man had a ferret in his coat and it looked at me",
        "A ferret in a man's coat, and it looked at you!",
    ),
    (
        "yes and then dad fell in as well",
        "And then your dad fell in as well!",
    ),
    (
        "its not fair Oskar got two goes and i got one",
        "Oskar got two goes, and you got one.",
    ),
    (
        "Freya told everyone my secret and now they all laugh",
        "Freya told everyone your secret, and now they all laugh.",
    ),
    (
        "theres a worm in my pocket he lives there now",
        "A worm that lives in your pocket!",
    ),
    (
        "I want the red one. Kim has the red one. I always get the green cup and its chewed",
        "You always get the green cup, and it's chewed.",
    ),
    (
        "we saw a seal. he was fat. and then it rained and we had chips in the car",
        "A fat seal, and chips in the car!",
    ),
)

_MOST_TOKENS = 28


class Reflection:
    """One dialog's."""

    def __init__(self, model: LanguageModel, most_mb: float) -> None:
        """most_mb: see `assist.aside_mb`."""
        self._aside = Aside(model, head(), most_mb, trained=False)

    async def taken_up(
        self, written: Answer, told: str, options: Options, record: ReplyRecord
    ) -> tuple[str, ...]:
        """What was told, said back before what is written for it; the written reply alone where
        that cannot be, or while the beginning of the prompt has not been read: nobody waits for
        that. options: of a reply. record: notes what it cost."""
        if not (written.after and self._aside.ready):
            return written.sentences
        try:
            first = await self._first_sentence(told, options, record)
        except EngineError as error:
            logger.error("nothing is said back: %s", error)
            return written.sentences
        back = language.reflection.said_back(first, told)
        if back is None:
            return written.sentences
        record.by = BY
        return (back, *written.after)

    async def _first_sentence(self, told: str, options: Options, record: ReplyRecord) -> str:
        most = min(options.max_tokens, _MOST_TOKENS)
        options = replace(options, max_tokens=most, temperature=0.0, stop=("\n",))
        text = ""
        async with (
            self._aside.borrowed(),
            aclosing(await self._aside.generate(sanitized(told), options)) as generation,
        ):
            record.generation, record.usage = generation, generation.usage
            async for piece in generation:
                record.heard_from_model()
                text += piece
                if len(language.sentences.split(text)) > 1:
                    break
        return (language.sentences.split(text) or [""])[0]

    async def get_ready(self) -> None:
        """See `Aside.get_ready`. Raises EngineError."""
        await self._aside.get_ready()

    def forget(self) -> None:
        """Something was erased: hold nothing of it."""
        self._aside.forget()


def head() -> tuple[ChatMessage, ...]:
    """The beginning of every such prompt."""
    found = [ChatMessage("system", SYSTEM)]
    for told, said in _EXAMPLES:
        found += [ChatMessage("user", told), ChatMessage("assistant", said)]
    return tuple(found)
