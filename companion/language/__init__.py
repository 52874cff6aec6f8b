"""Everything that belongs to one language, behind one interface.

Other packages write `from companion import language` and call `language.dates.mentions(text, now)`:
the name is resolved, at the call, to a module of the chosen language. `choose` is called once, in
the assembly, with `language` of the configuration. docs/language.md lists what a language has to
provide; `en` is the example.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.language.en import anaphora as anaphora
    from companion.language.en import antecedents as antecedents
    from companion.language.en import claims as claims
    from companion.language.en import complaint as complaint
    from companion.language.en import correction as correction
    from companion.language.en import dates as dates
    from companion.language.en import dietary as dietary
    from companion.language.en import excerpt as excerpt
    from companion.language.en import follow_up as follow_up
    from companion.language.en import gaps as gaps
    from companion.language.en import grounding as grounding
    from companion.language.en import happenings as happenings
    from companion.language.en import health as health
    from companion.language.en import introduction as introduction
    from companion.language.en import kinds as kinds
    from companion.language.en import kinds_asked as kinds_asked
    from companion.language.en import lists as lists
    from companion.language.en import lull as lull
    from companion.language.en import model_speech as model_speech
    from companion.language.en import mood as mood
    from companion.language.en import negation as negation
    from companion.language.en import not_knowing as not_knowing
    from companion.language.en import not_now as not_now
    from companion.language.en import numbers as numbers
    from companion.language.en import opinions as opinions
    from companion.language.en import people as people
    from companion.language.en import phonetics as phonetics
    from companion.language.en import prefilter as prefilter
    from companion.language.en import pretend_play as pretend_play
    from companion.language.en import question as question
    from companion.language.en import recollection as recollection
    from companion.language.en import resuming as resuming
    from companion.language.en import retold as retold
    from companion.language.en import saying_back as saying_back
    from companion.language.en import second_person as second_person
    from companion.language.en import self_repair as self_repair
    from companion.language.en import sentences as sentences
    from companion.language.en import similarity as similarity
    from companion.language.en import skills as skills
    from companion.language.en import sought as sought
    from companion.language.en import speakable as speakable
    from companion.language.en import third_turn_repair as third_turn_repair
    from companion.language.en import told_days as told_days
    from companion.language.en import transcripts as transcripts
    from companion.language.en import turn_ends as turn_ends
    from companion.language.en import variants as variants
    from companion.language.en import words as words

MODULES = tuple(
    """
    anaphora
    antecedents
    claims
    complaint
    correction
    dates
    dietary
    excerpt
    follow_up
    gaps
    grounding
    happenings
    health
    introduction
    kinds
    kinds_asked
    lists
    lull
    model_speech
    mood
    negation
    not_knowing
    not_now
    numbers
    opinions
    people
    phonetics
    prefilter
    pretend_play
    question
    recollection
    resuming
    retold
    saying_back
    second_person
    self_repair
    sentences
    similarity
    skills
    sought
    speakable
    third_turn_repair
    told_days
    transcripts
    turn_ends
    variants
    words
    """.split()
)
"""The modules that every language provides, each with the functions of the module in `en`."""

_chosen = "en"


def choose(code: str) -> None:
    """Use this language from now on. code: the name of a folder of this package, such as `en`.

    Raises ValueError when there is no such folder."""
    global _chosen
    if not code.isidentifier() or find_spec(f"{__name__}.{code}") is None:
        raise ValueError(f"there is no language {code!r}")
    _chosen = code
    for name in MODULES:
        globals().pop(name, None)


def __getattr__(name: str) -> ModuleType:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_chosen}.{name}")
    globals()[name] = module
    return module
