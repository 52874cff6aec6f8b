"""Which written reply fits a message by what it does (`companion.acts`), whatever its theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from companion import language
from companion.answering import Heard
from companion.repertoire.banks import Bank
from companion.repertoire.listening import WANTS
from companion.repertoire.packs import Entry
from companion.repertoire.replies import asks

FEW_OF_GREETING = 5
"""Words of a greeting: a longer one tells something."""

ONE_KIND: dict[str, tuple[str, ...]] = {"fact_question": ("fact_question", "why_question")}
ONE_KIND["why_question"] = ONE_KIND["fact_question"]
ONE_KIND["yes_no"] = ONE_KIND["short_answer"] = ("yes_no", "short_answer", "one_word")
ONE_KIND["correction"] = ("correction", "insult")
ONE_KIND["one_word"] = ("one_word", "short_answer")
"""Acts that are answered alike: their probabilities are added."""

FACTS = ("fact_question", "why_question")

MAY_ASK = (
    *("greeting", "ask_cannot", "about_toy", "hard_question", "tells_joke", "pretend", "insult"),
    *("ask_device", "wants_remember"),
    *FACTS,
)
"""Acts of which a message may ask something."""

ONLY_BY_VARIANT = ("about_toy", "yes_no", "ask_cannot")
"""Acts of which nothing is said where no variant fits."""

LOOSE = ("insult", "nonsense", "one_word", "short_answer", "yes_no")
"""Acts as which a wish is sometimes read: "that's so bad do another"."""

ALSO_WANTS = 0.2
"""How likely it has to be that one of these wants something, for it to be left to others."""

IN_PLAY = ("pretend", "short_answer", "one_word", "yes_no", "nonsense")
"""Acts whose message is a move where the toy is in the middle of a game."""

THINGS = ("short_answer", "one_word")
"""Acts whose message names something, which the reply takes up."""

PLACE = ("{said}", "{Said}")
ROLE = "{role}"
SOUND = "{sound}"

AS_JOKE = 0.2
"""How likely a question may be that of a joke and still be answered as one about the world."""

ALSO_CORRECTS = 0.15
"""How likely an insult has to be a correction, too, for it to be answered as one."""

AS_PLAY = 0.1
"""The same of a wish that may be part of pretend play."""

REMEMBERS = 0.05
"""Probability of a question for what was told from which written replies are held back."""

ABOUT_NOW = ("about_toy", "ask_cannot", "hard_question", "tells_joke")
"""Acts that are seldom about what was told, whoever they speak of."""

SURELY_ASKS = 0.55
"""Probability of a question about the world that needs no other sign of one."""

SURELY_HARD = 0.85
"""The same of a hard question: of 17 messages of weeks and talk that were taken for one and have no
other sign, 9 of 11 below are none, and 5 of 6 above are."""

AS_TOY = 0.3
"""How likely a question may ask about the toy and still be answered as one about the world."""


@dataclass(frozen=True)
class ByAct:
    """Chooses among the replies of the banks."""

    banks: Mapping[str, Bank]
    name: str
    """The companion's own."""

    facts: Literal["honest", "model"]
    """Who answers a question about the world that no pack answers."""

    def entry(self, heard: Heard, said: str) -> Entry | None:
        """The replies that fit; None: somebody else answers. said: the words in the spelling of
        `wording`."""
        if (role := language.variants.be(heard.words)) is not None:
            return self._be(*role)
        if _leaves(heard):
            return self.banks["goodbye"].written(language.lull.part_of_day(heard.words))
        act = _answered_as(heard)
        bank = self.banks.get(act)
        joking = act in FACTS and heard.reading.of("tells_joke") >= AS_JOKE
        if joking:
            return _joke(self.banks["tells_joke"], heard)
        if bank is None or not said or heard.reading.of(*ONE_KIND.get(act, (act,))) < bank.sure:
            return None
        most = FEW_OF_GREETING if act == "greeting" else bank.most_words
        if len(heard.words.split()) > most or not self._free(act, heard):
            return None
        if act in LOOSE and heard.reading.of(*WANTS) >= ALSO_WANTS:
            return None
        if act in IN_PLAY and language.variants.of("toy", heard.previous) == "plays":
            return None
        if act in THINGS:
            return _thing(bank, heard)
        if act == "pretend" and (part := language.variants.role(heard.words)):
            return _filled(bank.written("role_of_toy"), {ROLE: part})
        if act == "tells_joke":
            return _joke(bank, heard)
        return self._chosen(act, bank, heard)

    def _be(self, role: str, sound: str) -> Entry | None:
        """The toy takes a role at once."""
        bank = self.banks["pretend"]
        if sound:
            return _filled(bank.written("sounds_so"), {ROLE: role, SOUND: sound})
        return _filled(bank.written("role_of_toy"), {ROLE: role})

    def _free(self, act: str, heard: Heard) -> bool:
        """Whether the words ask nothing and tell no name that another answer is needed for."""
        if act in FACTS:
            asked = language.question.asking(heard.words) or language.saying_back.asks(heard.words)
            surely = heard.reading.of(*FACTS) >= SURELY_ASKS
            honest = self.facts == "honest" and (bool(asked) or surely)
            return honest and heard.reading.of("about_toy") < AS_TOY
        recalls = act not in ABOUT_NOW or heard.reading.of("about_memory") >= REMEMBERS
        if recalls and language.question.read(heard.words, None).about_past:
            return False
        wants_love = act == "love" and language.variants.of(act, heard.words) == "asks"
        if act not in MAY_ASK and not wants_love and language.question.asking(heard.words):
            return False
        named = language.introduction.said(heard.words, asked=(), companion=self.name)
        return not named or act == "correction"

    def _chosen(self, act: str, bank: Bank, heard: Heard) -> Entry | None:
        variant = language.variants.of(act, heard.words)
        if act in ("greeting", "goodbye"):
            stays = variant == "stays"
            return None if stays else bank.written(language.lull.part_of_day(heard.words))
        if act == "ask_cannot" and not variant:
            variant = language.claims.wants(heard.words) or ""
        if act == "ask_cannot" and heard.reading.of("pretend") >= AS_PLAY:
            return None
        if not variant and act in ONLY_BY_VARIANT:
            return None
        if act == "hard_question" and not variant and not language.question.asking(heard.words):
            return bank.written(None) if heard.reading.of(act) >= SURELY_HARD else None
        if act == "yes_no" and variant == "yes" and _offered(heard.previous):
            return None
        return bank.written(variant if variant in bank.asked else None)


def _leaves(heard: Heard) -> bool:
    """Whether somebody has to go, whatever else is told."""
    leaves = language.variants.of("goodbye", heard.words) == "leaves"
    return leaves and not language.question.asking(heard.words)


def _answered_as(heard: Heard) -> str:
    """The likeliest act, or the one as which it is answered: a rude correction as a correction, a
    short answer that is only a yes as such."""
    act = heard.reading.act
    if act == "insult" and heard.reading.of("correction") >= ALSO_CORRECTS:
        return "correction"
    says_so = act in THINGS and language.saying_back.thing(heard.words) is None
    return "yes_no" if says_so and language.variants.of("yes_no", heard.words) else act


def _thing(bank: Bank, heard: Heard) -> Entry | None:
    """What was named is taken up, where it answers a question that wanted to know something."""
    if _offered(heard.previous):
        return None
    if (thing := language.saying_back.thing(heard.words)) is None:
        return None
    if bank.act == "short_answer" and not asks(heard.previous):
        return None
    return _filled(bank.written(None), _places(thing))


def _joke(bank: Bank, heard: Heard) -> Entry | None:
    waits = language.variants.of("toy", heard.previous)
    if waits == "knocked":
        who = language.saying_back.thing(heard.words)
        return _filled(bank.written("who"), _places(who)) if who else bank.written("done")
    if variant := language.variants.of("tells_joke", heard.words):
        return bank.written(variant)
    return bank.written("done") if waits == "gives_up" else None


def _offered(previous: str) -> bool:
    return language.variants.of("toy", previous) == "offers"


def _places(text: str) -> dict[str, str]:
    small, capital = PLACE
    return {small: text, capital: text[:1].upper() + text[1:]}


def _filled(entry: Entry | None, places: Mapping[str, str]) -> Entry | None:
    if entry is None:
        return None
    replies = []
    for reply in entry.replies:
        for place, text in places.items():
            reply = reply.replace(place, text)
        replies.append(reply)
    return replace(entry, replies=tuple(replies))
