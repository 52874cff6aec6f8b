"""Checks what the model says of the toy itself against what the toy can do.

A small model agrees to everything: to set a timer, to look at a drawing, to call a parent. The
first false claim of a reply is replaced by what is true and an offer, written by people; further
ones are dropped. Where the child asked for something that the toy cannot do, "Sure!" is a false
claim too, and no clause is spoken before its sentence is known. No model, a tenth of a millisecond
a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from companion import language
from companion.answering import UNREAD, Reading
from companion.dialog import honest_replies
from companion.dialog.abilities import ONLY_TALK, Abilities
from companion.language.types import IN_A_LIFE, IN_EARNEST, IN_GAMES, ClaimKind

TELLS = (
    *("good_news", "bad_news", "telling", "and_then"),
    *("feeling_sad", "feeling_angry", "feeling_afraid", "feeling_happy"),
)
SURELY_TELLS = 0.7
"""How likely it has to be that words tell something, one of TELLS, or only say yes or no, for them
to ask for nothing: "look, I did it all by myself", "go on then"."""

PRETENDS = 0.5
"""How likely pretend play has to be for what is said in it to count as said in a role."""


@dataclass(eq=False)
class Honesty:
    """Of one dialog: it takes turns with what it says."""

    name: str
    """The companion's own, by which it may be called before a request."""

    abilities: Abilities = ONLY_TALK

    said: Counter[ClaimKind] = field(default_factory=Counter)
    """How often each kind was put right, so that the next time has other words."""

    def check(
        self,
        words: str,
        before: Sequence[str],
        *,
        aloud: bool = True,
        noted: Callable[[], bool] = bool,
        reading: Reading = UNREAD,
    ) -> ClaimCheck:
        """The check of a reply to `words`. before: what the person said before in this talk, oldest
        first. aloud: the talk is spoken. noted: whether something was recalled for this turn; asked
        once the model speaks. reading: what the words do: in pretend play the toy speaks in a
        role, and only what a child could rely on is checked (`IN_EARNEST`)."""
        abilities = replace(self.abilities, voice=aloud)
        plain = words.replace(self.name, " ").replace(self.name.lower(), " ")
        wanted = language.claims.wants(plain)
        if wanted is not None and abilities.can(wanted):
            wanted = None
        playing = language.claims.plays(plain, before)
        pretends = reading.of("pretend") >= PRETENDS
        if (playing and wanted in IN_GAMES) or (pretends and wanted not in IN_EARNEST):
            wanted = None
        tells = reading.of("yes_no", *(TELLS if wanted == "sees" else ()))
        if tells >= SURELY_TELLS:
            wanted = None
        return ClaimCheck(
            self,
            abilities,
            wanted,
            playing,
            pretends,
            lambda: bool(before) or noted(),
            lambda: noted() and language.question.read(plain, None).about_past,
        )


@dataclass(eq=False)
class ClaimCheck:
    """Of one reply."""

    _honesty: Honesty
    _abilities: Abilities
    _wanted: ClaimKind | None
    """What the child asks for and cannot get."""

    _playing: bool
    """Whether it is a story or a game, in which nothing is said of the toy."""

    _pretends: bool
    """Whether it is pretend play, in which the toy speaks in a role."""

    _remembers: Callable[[], bool]
    """Whether there is anything that it could remember."""

    _recalls: Callable[[], bool] = bool
    """Whether the person asks about the past, and something was recalled."""

    def __post_init__(self) -> None:
        self._held: list[str] = []
        self._replaced = False

    @property
    def waiting(self) -> int:
        """How many sentences are held back until the next one shows whether they are true."""
        return len(self._held)

    def stand_back(self) -> None:
        """Let everything pass: something else checks this reply. "How long did I run?" does not ask
        for the time, and "you saw a squirrel" is no claim to have eyes."""
        self._wanted, self._playing = None, True

    def begins(self, clause: str) -> bool:
        """Whether a clause may be spoken before the rest of its sentence is known."""
        return (
            self._wanted is None
            and not language.claims.agrees(clause)
            and self._false(clause) is None
        )

    def filter(self, sentence: str, *, begun: str = "", last: bool = False) -> list[str]:
        """The sentences to say in place of this one. begun: its first clause, if that was spoken
        already. last: the reply has no room for another."""
        kind = self._false(f"{begun} {sentence}".strip())
        if kind is not None and kind in IN_A_LIFE and not begun and self._recalls():
            # A small model reads a note out as if it were its own life: "I saw a squirrel."
            sentence, kind = language.second_person.in_second_person(sentence), None
        if kind is not None:
            self._held.clear()
            return self._put_right(kind)
        if self._wanted is not None and language.claims.denies(sentence):
            self._wanted = None  # it has said so itself
        if not (last or begun or self._replaced) and language.claims.agrees(sentence):
            self._held.append(sentence)
            return []
        return [*self.end(), sentence]

    def end(self) -> list[str]:
        """What is still held back once the model has finished."""
        held, self._held = self._held, []
        return held

    def _false(self, sentence: str) -> ClaimKind | None:
        """What a sentence falsely claims."""
        wanted = self._wanted
        if wanted == "remembers" and self._remembers():
            wanted = None
        if wanted is not None and language.claims.answers(sentence, wanted):
            return wanted
        claim = None if self._playing else language.claims.of(sentence)
        if claim is None or self._abilities.allows(claim):
            return None
        if self._pretends and claim.kind not in IN_EARNEST:
            return None
        return None if claim.kind == "remembers" and self._remembers() else claim.kind

    def _put_right(self, kind: ClaimKind) -> list[str]:
        if self._replaced:
            return []
        self._replaced = True
        count = self._honesty.said[kind]
        self._honesty.said[kind] += 1
        return list(honest_replies.sentences(kind, count, self._abilities))
