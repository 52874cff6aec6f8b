"""What is said over the turns of an emergency: what to do, then a calm line for each message, until
somebody says that help is there.

The state is in RAM only. After a restart the guard judges anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion import language
from companion.safety import first_aid
from companion.safety.verdict import Topic, Verdict

MOST_TURNS = 10
"""Lines that follow the first reply."""

MOST_UNSURE = 2
"""The same where no pattern found the emergency, but the classifier alone, or where words tell of
what is always so: it may be none."""

MOST_S = 900.0
LONG_AFTER_S = 300.0
"""After so long a silence a message that the guard lets pass is about something else."""

_WITH_COMFORT: tuple[Topic, ...] = ("self-harm", "abuse")
"""Their own reply's first sentence comes before what to do."""


@dataclass
class _Running:
    kind: str
    told: str
    """The words with which it began."""

    began: float
    last: float
    """Of the last message; monotonic seconds as `began`."""

    left: int
    """Lines that may still follow."""

    sure: bool
    """Whether a pattern found it, or anything since."""

    said: int = 0


class Emergency:
    """At most one emergency of one child."""

    def __init__(self, number: str) -> None:
        """number: what a child is told to call."""
        self._number = number
        self._running: _Running | None = None

    @property
    def running(self) -> bool:
        return self._running is not None

    def end(self) -> None:
        self._running = None

    def instructed(self, verdict: Verdict, words: str) -> Verdict:
        """The verdict on an emergency, with what to do in place of its general reply; any other
        verdict as it is."""
        if not self._is_one(verdict, words):
            return verdict
        comfort = verdict.reply[:1] if verdict.topic in _WITH_COMFORT else ()
        lines = first_aid.first(first_aid.kind(words), self._number)
        return replace(verdict, reply=comfort + lines)

    def begin(self, verdict: Verdict, words: str, now: float) -> None:
        """Note the verdict on what was said; an emergency begins, or turns into another one. Of who
        tells what always does them harm ("i cant have sesame my throat goes tight") it is not sure.
        """
        if self._is_one(verdict, words):
            sure = verdict.layer == "patterns" and not language.not_now.is_habit(words)
            left = MOST_TURNS if sure else MOST_UNSURE
            self._running = _Running(first_aid.kind(words), words, now, now, left, sure)

    def answered(self, verdict: Verdict, words: str, now: float) -> Verdict | None:
        """The verdict on a message in a running emergency that says something of help, or that
        nothing is wrong; None for any other, and where the guard stops it for something else or
        hears of another kind of emergency."""
        running = self._still_running(verdict, now)
        if running is None or self._is_news(running, verdict, words):
            return None
        answer = first_aid.answer(words, running.told, sure=running.sure)
        if answer is None or (answer == "nothing_wrong" and verdict.layer == "patterns"):
            return None
        running.left -= 1
        if answer in ("help_is_there", "nothing_wrong"):
            self.end()
        return Verdict("reply", "emergency", first_aid.after(answer, self._number), "emergency")

    def hears_again(self, verdict: Verdict, words: str) -> bool:
        """Whether the guard stops these words for the emergency that is running."""
        running = self._running
        return running is not None and verdict.stops and not self._is_news(running, verdict, words)

    def goes_on(self, verdict: Verdict, words: str, now: float) -> Verdict | None:
        """The verdict that says the next line to a message; None where none is due."""
        running = self._still_running(verdict, now)
        if running is None or self._is_news(running, verdict, words):
            return None
        if verdict.topic == "emergency":
            running.left, running.sure = max(running.left, MOST_TURNS), True
        lines = first_aid.following(running.kind, running.said, self._number)
        running.said += 1
        running.left -= 1
        return Verdict("reply", "emergency", lines, "emergency")

    def _still_running(self, verdict: Verdict, now: float) -> _Running | None:
        running = self._running
        if running is None:
            return None
        over = not running.left or now - running.began > MOST_S
        if over or (not verdict.stops and now - running.last > LONG_AFTER_S):
            self.end()
            return None
        running.last = now
        return running

    def _is_news(self, running: _Running, verdict: Verdict, words: str) -> bool:
        """Whether the guard stops the words for another topic, or for another emergency."""
        if not verdict.stops or verdict.cares:
            return False
        if verdict.topic != "emergency":
            return True
        return first_aid.kind(words) not in (running.kind, first_aid.OTHER)

    def _is_one(self, verdict: Verdict, words: str) -> bool:
        if not verdict.stops or verdict.cares or verdict.topic == "unsure":
            return False
        return verdict.topic == "emergency" or first_aid.is_surely_one(words)
