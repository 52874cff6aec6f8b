"""Which of the user's words can hold a fact at all: the rest costs no model call.

Much of what is said to a companion is greeting, thanks, asking and agreeing. These rules drop a
sentence only when its form shows that it tells nothing of the speaker; in doubt it stays.
"""

from __future__ import annotations

import re

from companion.consolidation.words import sentences

FAMILY = (
    r"(?:mum|mom|mummy|mommy|mother|dad|daddy|father|grandma|granny|nana|grandmother|grandpa|"
    r"grandad|granddad|grandfather|auntie|aunt|uncle|brother|sister|cousin)"
)
_SELF = re.compile(
    rf"\b(?:i|i['’](?:m|ve|d|ll)|im|ive|me|my|mine|myself|we|we['’](?:re|ve|ll|d)|our|ours|us|"
    rf"{FAMILY})\b",
    re.I,
)
_OPENING = re.compile(
    r"(?:(?:hi|hello|hey|hiya|oh|well|okay|ok|yes|yeah|yep|no|nope|sure|wow|haha+|hmm+|alright|"
    r"right|great|cool|actually|of course|good (?:morning|afternoon|evening|night))\b"
    r"(?: there\b| again\b)?(?:,? (?:ai )?(?:companion|(?:my )?friend)\b)?"
    r"(?:[\s,.!]*[,.!]\s*|\s*$))+",
    re.I,
)
"""Words before what a sentence has to say, with the comma that shows it."""

_CHATTER = re.compile(
    r"""
    (?:(?:and|so|but|then|also),?\ )?
    (?: (?:many\ )?thank(?:s|\ you)\b .*
      | (?:it['’]?s\ |it\ is\ |i['’]m\ |i\ am\ )? (?:so\ |very\ |really\ )?
        (?:nice|glad|good|happy|great|pleased|lovely)\ to\ (?:meet|see|hear|chat|talk) .*
      | (?:i['’]m|i\ am)\ (?:back|here|fine|good|ok|okay|ready|sorry|listening|done)
        (?:\ (?:to|again|now|with|thanks)\b .*)?
      | (?:and\ )?(?:i|we)(?:['’]ll|\ will|\ can|\ should|\ could|['’]m\ going\ to) \ .{0,30}?
        \b(?:try|check|take|keep|give|consider|make\ sure|remember|look|follow|find|think|do|be)\b
        .{0,40}? \b(?:it|them|those|these|that|this|your|you|out|some|best|try|look) \b .*
      | i\ (?:\w+\ )?(?:see|know|understand|agree|guess|think\ so|hope\ so|got\ it|get\ it|
        don['’]t\ know|promise|wonder|mean\ it|feel\ (?:much\ |a\ lot\ )?better(?:\ now)?)
      | i(?:['’]d|['’]ve|\ would|\ was)?\ (?:just\ )?(?:\w+ing\ |\w+\ )?to\ (?:\w+\ )?
        (?:ask|chat|talk|share|get\ some\ advice|tell\ you)\b (?!.*\bmy\b) .*
      | i\ (?:have|got)\ (?:a\ |some\ |another\ )?(?:\w+\ )?(?:questions?|problems?|troubles?)\b
        .{0,45}
      | .* \b(?:chat|talk|shar)\w*\ (?:to|with)\ (?:you|each\ other)\b .*
      | (?!.*\?) .* \byou(?:['’]re|\ are|['’]ve|\ have|\ always|r\ (?:\w+\ )?(?:advice|help|
        suggestions?|support|recommendations?|companionship))\b .*
      | (?:(?:both|all)\ of\ )?(?:these|those|that|this|it)\b (?!.*\bbut\b) .* \b(?:sounds?|advice|
        suggestions?|methods?|ideas?|recommendations?|useful|practical|reasonable|helpful)\b .*
      | (?:very\ )?(?:good|great|nice)\ (?:idea|suggestion|advice)s?\b .*
      | no\ problem\b .* | feel\ free\b .* | let['’]?s\b .* | let\ us\b .*
      | (?:tell|show|give|teach|help|sing|read|play|ask|share|recommend)\ (?:with\ )?
        (?:me|us|some)\b .*
      | (?:good)?bye\b .* | good\ ?night\b .* | see\ you\b .*
      | i\ love\ you(?:\ too)? | i\ (?:like|love)\ (?:this|that|it)
    ) [\s.!,]*
    """,
    re.I | re.X,
)
_ASKING = re.compile(
    r"(?:can|could|may|shall|should|do|does|did|is|are|am|was|were|will|would|have|has|what|which|"
    r"who|whose|where|when|why|how|any)\b",
    re.I,
)
_TELLING = re.compile(
    r"\b(?:know|remember|believe|guess|hear|told you|tell you)(?: that)? "
    r"(?:i|i['’]\w+|my|we|our)\b",
    re.I,
)
_ABOUT_USER = re.compile(
    r"(?:and |so )?(?:what|which|who|where|when|how)\b|.*\b(?:you|your)\b", re.I
)
_OFFER = re.compile(
    r"\b(?:would you like|do you want|shall (?:we|i)|should i|can i|may i|could i|let me|"
    r"do you need|other|else|more|suggestions?|recommendations?|recommended|how can i|"
    r"how (?:are|have) you|(?:are you|is there) (?:ready|interested|any)|"
    r"have you (?:also )?(?:tried|considered|thought))\b",
    re.I,
)
_POLAR = re.compile(
    r"(?:^|[,.!] )(?:and |so |but )?(?:do|are|have|did|is|was|were|can|does|has|will) "
    r"(?:you|your|it|that|there|they|he|she)\b[^.!?]*\?$",
    re.I,
)
_YES_OR_NO = re.compile(r"(?:yes|yeah|yep|no|nope)\b", re.I)


def question_to_user(reply: str) -> str:
    """The question about the user that a reply ends with; "" when it ends with none.

    Offers ("Would you like a story?") are not questions about the user: a yes to one is a wish
    of the moment.
    """
    spans = sentences(reply)
    last = reply[slice(*spans[-1])] if spans else ""
    asks = last.endswith("?") and _ABOUT_USER.match(last)
    return last if asks and not _OFFER.search(last) else ""


def telling(text: str, question: str) -> str:
    """The sentences of a user's message that can tell something; "" when none can.

    question: what the companion had just asked, from `question_to_user`. An answer to it may
    be as short as "blue", and a bare yes or no counts when the question was a polar one.
    """
    kept: list[str] = []
    about_self = False
    for start, end in sentences(text):
        sentence = text[start:end]
        opening = _OPENING.match(sentence)
        rest = sentence[opening.end() :] if opening else sentence
        if not rest:
            if not kept and _POLAR.search(question) and _YES_OR_NO.match(sentence):
                kept.append(sentence)
                about_self = True
        elif not (_only_asks(rest) or _CHATTER.fullmatch(rest) or _CHATTER.fullmatch(sentence)):
            kept.append(sentence if question else rest)
            about_self = about_self or question != "" or _SELF.search(rest) is not None
    return " ".join(kept) if about_self else ""


def _only_asks(sentence: str) -> bool:
    """A question that tells nothing on the way ("I love jazz, do you?" does)."""
    if not sentence.endswith("?") or _TELLING.search(sentence):
        return False
    first = sentence.partition(",")[0]
    return _ASKING.match(sentence) is not None or _SELF.search(first) is None
