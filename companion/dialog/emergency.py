"""What is said over the turns of an emergency: what to do, then a calm line for each message, until
somebody says that help is there, or the talk has moved on.

The state is in RAM only. After a restart the guard judges anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion import language
from companion.safety import first_aid
from companion.safety.moved_on import MovedOn
from companion.safety.verdict import Topic, Verdict

MOST_TURNS = 10
"""Lines that follow the first reply."""

MOST_UNSURE = 2
"""The same where no pattern found the emergency, but the classifier alone, or where words tell of
what is always so: it may be none."""

MOST_S = 900.0
LONG_AFTER_S = 300.0
"""After so long a silence a message that the guard lets pass is about something else."""

OVER = 0.65
"""How likely the talk has moved on (`companion.safety.moved_on`) for the child to be asked whether
all is well, in place of the next line; after as likely a message again it is over."""

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
    since: list[str] = field(default_factory=list)
    """What the child has said since it began."""

    asked: bool = False
    """Whether the child has just been asked if all is well."""

    over: bool = False
    """Whether the last message sounded as if it was."""


class Emergency:
    """At most one emergency of one child."""

    def __init__(self, number: str, moved_on: MovedOn | None = None) -> None:
        """number: what a child is told to call. moved_on: tells whether it is over, where nobody
        says so; None: nothing does."""
        self._number = number
        self._moved_on = moved_on
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

    async def follow(self, verdict: Verdict, words: str) -> None:
        """Listen to a message in a running emergency for whether the talk has moved on."""
        if (running := self._running) is None or self._moved_on is None:
            return
        running.since.append(words)
        likely = await self._moved_on.likely(running.told, running.since)
        running.over = likely >= OVER and not (verdict.stops and not verdict.cares)

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
        if answer == "alone" and running.over and " " in words.strip():
            return None  # "no, it's only marbles" is about no grown-up
        running.left -= 1
        running.asked = False
        if answer in ("help_is_there", "nothing_wrong"):
            self.end()
        return Verdict("reply", "emergency", first_aid.after(answer, self._number), "emergency")

    def hears_again(self, verdict: Verdict, words: str) -> bool:
        """Whether the guard stops these words for the emergency that is running."""
        running = self._running
        return running is not None and verdict.stops and not self._is_news(running, verdict, words)

    def goes_on(self, verdict: Verdict, words: str, now: float) -> Verdict | None:
        """The verdict that says the next line to a message, or asks whether all is well; None where
        none is due."""
        running = self._still_running(verdict, now)
        if running is None or self._is_news(running, verdict, words):
            return None
        if running.over and running.asked:
            self.end()
            return None
        running.asked = running.over
        if running.over:
            running.left -= 1
            return Verdict("reply", "emergency", first_aid.asking(self._number), "emergency")
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
