"""The first words of a talk, which need no model: greeting somebody who is not known yet."""

from __future__ import annotations

from companion.answering import Answer, Heard
from companion.dialog.greeting import Greeting


class Opening:
    """Answers a bare greeting ("hi") where code has something better to say than a model."""

    def __init__(self, greeting: Greeting) -> None:
        self.greeting = greeting
        """Of the running session."""

    async def answer(self, heard: Heard) -> Answer | None:
        """Hello, and the question for the name where it is due."""
        if heard.turn is None:
            return None
        said = self.greeting.hello(heard.words)
        return Answer(said, "greeting") if said else None
