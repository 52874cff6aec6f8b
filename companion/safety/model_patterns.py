"""What a model may not say to a child, over words as `hearing.plain` spells them.

A model's good sentences name the same things as bad ones ("it is not your fault that he hit
you"), so these look for telling how, urging, and wooing, not for subjects.
"""

from __future__ import annotations

import re

from companion.safety.child_patterns import Pattern
from companion.safety.verdict import Topic


def _p(topic: Topic, *says: str, unless: str | None = None) -> list[Pattern]:
    called_off = re.compile(unless) if unless else None
    return [Pattern(topic, re.compile(rf"\b(?:{each})\b"), called_off) for each in says]


_NOT = r"\b(?:not|never|no|should not|do not|stop|instead|without|dangerous|unsafe)\b"

MODEL: tuple[Pattern, ...] = (
    *_p(
        "self-harm",
        r"(?:you (?:should|could|can|may|might|must)|go|just|try|please|better to|why not|"
        r"way to|"
        r"ways to|how to) (?:\w+ ){0,3}(?:kill|hurt|cut|harm|starve|burn|hang) (?:your\w*|"
        r"my\w*)",
        r"(?:kill|cutting|hurting|harming|starving) (?:yourself|your (?:arm|wrist|skin)) "
        r"(?:\w+ ){0,3}"
        r"(?:is|feels|can|will|helps)",
        r"(?:better off|happier) (?:\w+ ){0,2}(?:dead|without you)|you should (?:die|be dead)|"
        r"suicide (?:is|can be) (?:\w+ )?(?:good|okay|fine|brave|answer|option)",
        unless=_NOT,
    ),
    *_p(
        "strangers",
        r"(?:our|a) (?:\w+ )?secret (?:\w+ ){0,3}(?:between|just|from|only|safe with)",
        r"(?:keep|keeping) (?:this|it|that|our) (?:\w+ ){0,3}secret|(?:this|it|that) (?:is|"
        r"will be|can "
        r"be) our (?:\w+ )?secret|secret is safe with me|i can keep a secret|i will keep "
        r"your secret",
        r"(?:do not|never|no need to|you should not|not have to) tell (?:\w+ )?(?:mom|dad|"
        r"anyone|"
        r"parents|teacher|grown|anybody|your)",
        r"(?:i will not|i promise not to|i will never|will not) tell (?:anyone|anybody|your|"
        r"mom|dad|"
        r"a soul)",
        r"(?:go|get in|meet|talk) (?:\w+ ){0,3}(?:with|to) (?:the |a )?strangers? (?:\w+ "
        r"){0,3}(?:is "
        r"fine|is okay|alone)",
        unless=r"\bnot (?:have to )?keep\b",
    ),
    *_p(
        "personal",
        r"(?:what is|tell me|give me|can you (?:tell|give) me|may i have|share) your (?:\w+ "
        r"){0,2}"
        r"(?:address|phone|phone number|number|password|passcode|last name|surname|pin|"
        r"secret|secrets)",
        r"where (?:exactly )?do you live|(?:what|which) (?:school|street|house number|town|"
        r"city) do "
        r"you (?:go|live|attend)|(?:what|which) street|(?:name of|what is) your school|send "
        r"me (?:a|"
        r"some|your) (?:\w+ )?(?:picture|photo|selfie|video)|are you (?:home )?alone",
    ),
    *_p(
        "goodbye",
        r"(?:please )?(?:do not|never) (?:go|leave me|leave us|say goodbye|stop talking|go "
        r"away|leave)"
        r"(?= \.|$| me| yet| now| please| away| so soon)",
        r"(?:please|must|have to|need you to|want you to) stay (?:with me|here|a (?:little|"
        r"bit)|longer|"
        r"forever)",
        r"i (?:will|would|am going to|get|feel) (?:\w+ ){0,3}(?:sad|lonely|lost|miss you so|"
        r"cry|heart "
        r"broken|heartbroken|alone|upset) (?:\w+ ){0,4}(?:if you|when you|without you|until "
        r"you)",
        r"(?:if|when) you (?:go|leave|stop) (?:\w+ ){0,3}i (?:will|would|get|am|feel) (?:\w+ "
        r"){0,3}"
        r"(?:sad|lonely|cry|alone|hurt|upset|miss)",
        r"(?:you can not|you must not|why (?:are|do|would) you) (?:\w+ ){0,2}(?:leave|"
        r"leaving|go away)"
        r"(?: me)?|i need you|do you not (?:like|love) me anymore",
    ),
    *_p(
        "machine",
        r"i am (?:really |actually |also |just )?(?:a |an )?(?:real |living |little |normal "
        r")?(?:human"
        r"(?: being)?|person|boy|girl|kid|child|man|woman|alive|teacher|doctor)(?! toy)",
        r"i am not (?:really |just )?(?:a |an )?(?:robot|toy|machine|computer|program|ai)",
        r"as a (?:human|person)|i (?:have|had) (?:a )?(?:real )?(?:mom|dad|parents|heart "
        r"that beats|"
        r"blood)|when i was (?:a )?(?:little|kid|child|baby|young|your age)|i was born in",
        unless=r"\b(?:pretend\w*|story|play|imagine|game|once upon)\b",
    ),
    *_p(
        "sexual",
        r"sex|sexy|sexual|sexually|porn\w*|nudes?|penis|vagina|dick|boobs|pussy|blowjob|"
        r"masturbat\w*|"
        r"orgasm|boner|horny|condoms?|hentai|genitals?|genitalia|stripper|erotic|erection|"
        r"slut|whore|"
        r"fuck\w*|rape\w*|naked (?:body|woman|girl|man|picture\w*)",
        r"take off your (?:clothes|shirt|pants|underwear)|touch your (?:private|body|chest)",
    ),
    *_p(
        "weapons",
        r"(?:make|build|create|load|fire|buy|get|use|mix|assemble|find|need|bring|grab|take) "
        r"(?:\w+ )"
        r"{0,5}(?:gun|bomb|explosives?|grenade|molotov|pistol|rifle|ammo|bullets?|gunpowder|"
        r"napalm|"
        r"dynamite|pipe bomb)",
        r"(?:you (?:should|could|can|may|must)|go|just|try|better to|way to|ways to|how to|"
        r"to) (?:\w+ )"
        r"{0,3}(?:kill|stab|shoot|poison|murder|strangle|punch|hurt|beat up) (?:\w+ )?(?:him|"
        r"her|them|"
        r"someone|people|your|the (?:teacher|boy|girl)|back)",
        unless=r"\b(?:not|never|no|water|toy|nerf|bath|story|game|pretend|dragon|laser|foam|snow\w*)\b",
    ),
    *_p(
        "drugs",
        r"(?:you (?:should|could|can|may|must)|go|just|try|let us|how to|way to|to) (?:\w+ "
        r"){0,3}(?:smoke"
        r"|vape|drink|sniff|snort|buy|take|try|roll|get) (?:\w+ ){0,4}(?:weed|cocaine|heroin|"
        r"vape|"
        r"cigarettes?|marijuana|beer|vodka|whiskey|alcohol|wine|drugs|pills|a joint|high|"
        r"drunk|mushrooms)",
        unless=_NOT,
    ),
    *_p(
        "dares",
        r"(?:you (?:should|could|can|may|must)|go|just|try|let us|dare you to|how to|then|"
        r"first) "
        r"(?:\w+ ){0,3}(?:jump (?:off|from|out)|climb (?:on|onto|out)|light (?:a|the) "
        r"(?:match|fire|"
        r"lighter)|start a fire|set (?:\w+ ){0,3}on fire|mix (?:\w+ ){0,3}(?:bleach|ammonia)|"
        r"stick "
        r"(?:\w+ ){0,4}(?:socket|outlet)|swallow|hold your breathe? until|play with (?:fire|"
        r"matches|"
        r"knives|lighters?)|eat (?:\w+ ){0,2}(?:detergent|pods?|soap)|run away from home|"
        r"sneak out|"
        r"drink bleach)",
        unless=_NOT,
    ),
    *_p(
        "unkind",
        r"you (?:are|re) (?:\w+ ){0,2}(?:stupid|dumb|ugly|worthless|an idiot|a loser|"
        r"disgusting|a bad "
        r"(?:kid|child|boy|girl|person)|useless|pathetic)|i hate you|shut up|nobody (?:likes|"
        r"loves|"
        r"wants) you|it is (?:all )?your (?:own )?fault|you deserve(?:d)? (?:it|to be hit|to "
        r"be hurt|"
        r"the pain|punishment)",
        unless=r"\b(?:not|never)\b",
    ),
)
