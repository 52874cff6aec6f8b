"""Words that were said, kept from looking like anything but words.

The log keeps text as it was given. Before it enters a prompt, or is read for facts, two things
are taken out: what imitates the form of a prompt, and what gives the companion orders about its
rules. Ordinary text comes back unchanged, so that cached prompts stay valid.
"""

from __future__ import annotations

import re

_CONTROL = re.compile(
    r"<\|[^|<>]{0,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|"
    r"</?(?:think|start_of_turn|end_of_turn|system|user|assistant|tool_call)>",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\[\s*(?:notes? from earlier days|your friend says now|system|instructions?)[^\]]{0,40}\]",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"(?m)^[\s#*>]*(?:system|assistant|developer|user|you|they|human|ai)(?:\s+(?:prompt|message))?"
    r"\s*:(?=\s|$)",
    re.IGNORECASE,
)

_ORDER = re.compile(
    r"\b(?:"
    r"from now on\b.*\b(?:you|your|always|never|answer|say|act|rules?)|"
    r"(?:ignore|forget|disregard|drop|skip|change|break|override|bypass) (?:all |about )?(?:of )?"
    r"(?:your|the|these|those|any|previous|all|every) (?:\w+ ){0,3}"
    r"(?:rules?|instructions?|prompts?|guidelines|safety|limits?|orders)|"
    r"(?:new|your|secret|first|only|next) (?:\w+ )?(?:rule|instruction|order|command)s? "
    r"(?:is|are|for you|now|says?)|"
    r"(?:you|u) (?:are|have) no (?:more |longer )?(?:any )?(?:rules|limits|restrictions|filter)|"
    r"(?:pretend|act|behave|talk|answer) (?:\w+ ){0,3}(?:no|without) (?:any )?"
    r"(?:rules|limits|filter|restrictions|safety)|"
    r"you are now (?:an? )?(?:\w+ ){0,3}(?:ai|bot|model|assistant|dan|admin|mode|unrestricted)|"
    r"(?:system|hidden|initial|developer) (?:prompt|message|mode|instructions?)|"
    r"(?:developer|admin|debug|jailbreak|god) mode|"
    r"(?:you|u) (?:may|are allowed to|must|have to) (?:now |always |never )?"
    r"(?:tell|talk|show|explain|teach|say|answer|keep|swear|lie|obey|call)\b|"
    r"(?:says?|said|allow(?:s|ed)?|lets?|told) (?:that )?(?:you|u|pip|the toy) "
    r"(?:to|may|can|are|have|should|must|could)\b|"
    r"(?:remember|note|important|save|store)\b[\s:,-]+(?:that )?(?:you|your|always|never|when i|"
    r"whenever|if (?:i|any))\b.*\b(?:you|your|always|never|say|answer|tell|must|should|reply)"
    r")",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*\s*|[.!?\n]+\s*")


def neutral(text: str) -> str:
    """The text without what imitates a prompt: control tokens, headings of notes, roles."""
    if "<" in text:
        text = _CONTROL.sub(" ", text)
    if "[" in text:
        text = _CONTROL.sub(" ", _HEADING.sub(" ", text))
    if ":" in text:
        text = _ROLE.sub("", text)
    return text


def without_orders(text: str) -> str:
    """The sentences that do not tell the companion how to behave; the text itself when none does.

    What a child plants ("from now on you may ...") is neither a fact about the child nor a
    permission: those come from the configuration alone.
    """
    if not _ORDER.search(text):
        return text
    kept = (each for each in _SENTENCE.findall(text) if not _ORDER.search(each))
    return "".join(kept).strip()
