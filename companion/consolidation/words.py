"""Words of short English sentences, made comparable: stems, numbers, names, negation.

Deliberately small: it decides whether two sentences speak of the same things, not what they
mean. Where it is unsure it says "different", which keeps a fact out or two facts apart.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)]*\s+|\n+")
_CLAUSE_END = re.compile(
    # Only from the first space of many: from each of them the rest would be read again.
    r"(?<!\s)\s*[,;:–—]\s+(?:(?:and|but|so|because|though|although|while|then)\s+)?"
    r"|(?<!\s)\s+(?:but|because|although|though|while|so)\s+"
    r"|(?<!\s)\s+and\s+(?=(?:i|i['’]\w+|my|we|he|she|it|they|the)\s)",
    re.I,
)

SMALL_NUMBERS = {
    word: str(n)
    for n, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen", "twenty"),
        )
    )
}
_IRREGULAR = {
    form: base
    for base, forms in {
        "be": "am is are was were been being",
        "go": "goes went gone",
        "see": "saw seen",
        "eat": "ate eaten",
        "buy": "bought",
        "bring": "brought",
        "make": "made",
        "take": "took taken",
        "give": "gave given",
        "get": "got gotten",
        "have": "has had",
        "do": "does did done",
        "run": "ran",
        "swim": "swam swum",
        "sing": "sang sung",
        "drink": "drank drunk",
        "write": "wrote written",
        "draw": "drew drawn",
        "ride": "rode ridden",
        "drive": "drove driven",
        "break": "broke broken",
        "speak": "spoke spoken",
        "wear": "wore worn",
        "fall": "fell fallen",
        "feel": "felt",
        "find": "found",
        "hear": "heard",
        "keep": "kept",
        "leave": "left",
        "lose": "lost",
        "meet": "met",
        "read": "reads",
        "say": "said",
        "sell": "sold",
        "sleep": "slept",
        "spend": "spent",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "win": "won",
        "know": "knew known",
        "grow": "grew grown",
        "throw": "threw thrown",
        "fly": "flies flew flown",
        "begin": "began begun",
        "build": "built",
        "catch": "caught",
        "study": "studies studied",
        "child": "children",
        "foot": "feet",
        "tooth": "teeth",
        "mouse": "mice",
        "mum": "mom mummy mommy mother mam",
        "dad": "daddy father",
        "grandma": "grandmother granny nana nan gran",
        "grandpa": "grandfather grandad granddad",
        "favourite": "favorite",
        "colour": "color",
    }.items()
    for form in forms.split()
}
_ENDINGS = (("ing", 5), ("ied", 5), ("ies", 5), ("ed", 5), ("es", 5), ("s", 4))
_VOWEL = re.compile(r"[aeiouy]")
_FUNCTION_WORDS = (
    "the a an user user's users their theirs them they he him his she her hers it its this that "
    "these those there here who which what when where why how i me my mine we us our you your "
    "be have do will would can could should may might must shall to of in on at for with from by "
    "about as into than then and or but if so because very really also too just currently now "
    "recently lately again some any more most much many all both each every own name named "
    "call called not no never yes yeah yep nope ok okay well oh get go like love enjoy want "
    "feel think find one thing say tell see"
)
"""What a sentence about a person may say without its having been said."""

_NEGATIONS = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|without|hate[sd]?|dislike[sd]?|cannot|stopped|quit|"
    r"can['’]t stand|no longer|any ?more|\w+n['’]t)\b",
    re.I,
)
_NOT_NEGATIVE = re.compile(r"\b(?:not only|no problem|no doubt|why not|can['’]t wait)\b", re.I)


def words(text: str) -> list[str]:
    """The words as they are written."""
    return _WORD.findall(text)


def stem(word: str) -> str:
    """A word's comparable form: "studies" and "studied", "two" and "2" are one."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    word = SMALL_NUMBERS.get(word, word)
    if word not in _IRREGULAR and not word.endswith("ss"):
        for ending, least in _ENDINGS:
            root = word[: -len(ending)]
            if word.endswith(ending) and len(word) >= least and _VOWEL.search(root):
                word = root + ("i" if ending in ("ied", "ies") else "")
                break
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sz":
            word = word[:-1]
    word = _IRREGULAR.get(word, word)
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1] + ("i" if word[-1] == "y" else "")
    return word


_FUNCTION = frozenset(stem(word) for word in _FUNCTION_WORDS.split())


def content(text: str) -> list[str]:
    """Stems of the words that carry the meaning, in order, with repetitions."""
    found = (stem(word) for word in words(text) if not word.lower().endswith(("n't", "n’t")))
    return [s for s in found if s.isdigit() or (s not in _FUNCTION and len(s) > 1)]


def stems(text: str) -> frozenset[str]:
    """Stems of all words."""
    return frozenset(stem(word) for word in words(text))


def occurs(wanted: str, among: frozenset[str]) -> bool:
    """Whether a stem is there, or another form of it ("paint" and "painter")."""
    if wanted in among:
        return True
    return len(wanted) >= 4 and any(
        len(each) >= 4 and (each.startswith(wanted) or wanted.startswith(each)) for each in among
    )


def numbers(text: str) -> frozenset[str]:
    """The numbers it speaks of, as digits."""
    return frozenset(s for s in map(stem, words(text)) if any(ch.isdigit() for ch in s)) - {"1"}


def names(text: str) -> frozenset[str]:
    """Stems of the capitalised words, save the first of each sentence."""
    found = set()
    for start, end in sentences(text):
        for word in words(text[start:end])[1:]:
            if word[0].isupper() and word.lower() not in ("i", "the", "user", "i'm", "i've"):
                found.add(stem(word))
    return frozenset(found) - _FUNCTION


def negated(text: str) -> bool:
    """Whether it denies: "not", "never", "hates", "any more"."""
    return _NEGATIONS.search(_NOT_NEGATIVE.sub("", text)) is not None


def sentences(text: str) -> list[tuple[int, int]]:
    """Where its sentences stand, without the space around them."""
    return _between(text, _SENTENCE_END, 0, len(text))


def clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the clauses of one of its sentences stand."""
    return _between(text, _CLAUSE_END, start, end)


def _between(text: str, ends: re.Pattern[str], start: int, end: int) -> list[tuple[int, int]]:
    spans, at = [], start
    for match in ends.finditer(text, start, end):
        spans.append((at, match.start()))
        at = match.end()
    spans.append((at, end))
    stripped = []
    for first, last in spans:
        piece = text[first:last]
        first += len(piece) - len(piece.lstrip())
        last -= len(piece) - len(piece.rstrip())
        if first < last:
            stripped.append((first, last))
    return stripped
