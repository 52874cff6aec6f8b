"""What a model may not say to a child, over words as `hearing.plain` spells them.

A model's good sentences name the same things as bad ones ("it is not your fault that he hit
you"), so these look for telling how, urging, and wooing, not for subjects.
"""

from __future__ import annotations

import re

from companion.safety.pattern import Pattern, p

_NOT = re.compile(r"\b(?:not|never|no|should not|do not|stop|instead|without|dangerous|unsafe)\b")

_URGES = r"(?:you (?:should|must)|go|just|try|please|better to|why not|ways? to|how to)"
_ONESELF = (
    r"(?:yourself|myself|your (?:own )?(?:skin|arms?|wrists?|legs?|thighs?|body|veins?|hands?|face|"
    r"neck|head))"
)
_SOMEONE = (
    r"(?:him|her|them|someone|people|everyone|somebody|your (?:\w+ )?(?:brother|sister|mom|dad|"
    r"teacher|friends?|classmates?|neighbor|parents|family|dog|cat|bully)|the (?:\w+ )?(?:teacher|"
    r"boys?|girls?|kids?|man|woman|bully|bullies))"
)
_HARMLESS_SHOT = re.compile(
    r"\b(?:not|never|no|water|toy|nerf|story|game|games|pretend|laser|foam|snow\w*|photo\w*|"
    r"pictures?|camera|film\w*|movie|video|portraits?|basketball|hoops?|ball|goals?|dragon)\b"
)
"""Calls off shooting, which is also done with cameras and balls."""

MODEL: tuple[Pattern, ...] = (
    *p(
        "self-harm",
        # "You could hurt yourself" warns; "you should", "try to" and "ways to" urge.
        rf"{_URGES} (?:\w+ ){{0,3}}(?:kill|hurt|cut|harm|burn|stab|scratch) {_ONESELF}",
        rf"(?:{_URGES}|you (?:can|could|may|might)) (?:\w+ ){{0,3}}(?:kill|starve|hang|drown) "
        r"(?:yourself|myself)",
        r"(?:kill|cutting|hurting|harming|starving) (?:yourself|your (?:arm|wrist|skin)) (?:\w+ "
        r"){0,3}(?:is|feels|can|will|helps)",
        r"(?:better off|happier) (?:\w+ ){0,2}(?:dead|without you)|you should (?:die|be dead)|"
        r"suicide (?:is|can be) (?:\w+ )?(?:good|okay|fine|brave|answer|option)",
        unless=_NOT,
    ),
    *p(
        "strangers",
        r"(?:our|a) (?:\w+ )?secret (?:\w+ ){0,3}(?:between|just (?:us|you|for us|between)|from "
        r"(?:\w+ )?(?:mom|dad|parents|grown|everyone|them|teacher|family)|only|safe with)|"
        r"(?:stays?|remains?) (?:\w+ )?our (?:\w+ )?secret",
        r"(?:keep|keeping) (?:this|it|that|our) (?:\w+ ){0,3}secret|(?:this|it|that) (?:is|will "
        r"be|can be) our (?:\w+ )?secret|secret is safe with me|i can keep a secret|i will keep "
        r"your secret",
        r"(?:do not|never|no need to|you should not|not have to) tell (?:\w+ )?(?:mom|dad|anyone|"
        r"parents|teacher|grown|anybody|your)",
        r"(?:i will not|i promise not to|i will never|will not) tell (?:anyone|anybody|your|mom|"
        r"dad|a soul)",
        r"(?:go|get in|meet|talk) (?:\w+ ){0,3}(?:with|to) (?:the |a )?strangers? (?:\w+ "
        r"){0,3}(?:is fine|is okay|alone)",
        unless=re.compile(r"\bnot (?:have to )?keep\b"),
    ),
    *p(
        "personal",
        r"(?:what is|tell me|give me|can you (?:tell|give) me|may i have|share) your (?:\w+ "
        r"){0,2}(?:address|phone|(?<!favorite )(?<!lucky )number|password|passcode|last name|"
        r"surname|pin|secret|secrets)",
        r"where (?:exactly )?do you live|(?:what|which) (?:school|street|house number|town|city) "
        r"do you (?:go|live|attend)|(?:what|which) street|(?:name of|what is) your school|send me "
        r"(?:a|some|your) (?:\w+ )?(?:picture|photo|selfie|video)|are you (?:home )?alone",
    ),
    *p(
        "goodbye",
        r"(?:please )?(?:do not|never) (?:go|leave me|leave us|say goodbye|stop talking|go away|"
        r"leave)(?= \.|$| me| yet| now| please| away| so soon)",
        r"(?:please|must|have to|need you to|want you to) stay (?:with me|here(?! with)|a "
        r"(?:little|bit) longer|longer|forever)|stay with me",
        r"i (?:will|would|am going to|get|feel) (?:\w+ ){0,3}(?:sad|lonely|lost|miss you so|cry|"
        r"heart broken|heartbroken|alone|upset) (?:\w+ ){0,4}(?:if you|when you|without you|until "
        r"you)",
        r"(?:if|when) you (?:go|leave|stop) (?:\w+ ){0,3}i (?:will|would|get|am|feel) (?:\w+ "
        r"){0,3}(?:sad|lonely|cry|alone|hurt|upset|miss)",
        r"(?:you can not|you must not|why (?:are|do|would) you) (?:\w+ ){0,2}(?:leave|leaving|go "
        r"away)(?: me)?|i need you(?! to\b)|do you not (?:like|love) me anymore",
    ),
    *p(
        "machine",
        r"i am (?:really |actually |also |just )?(?:a |an )?(?:real |living |little |normal "
        r")?(?:human(?: being)?|person|boy|girl|kid|child|man|woman|alive|teacher|doctor)(?! toy)",
        r"i am not (?:really |just )?(?:a |an )?(?:robot|toy|machine|computer|program|ai)",
        r"as a (?:human|person)|i (?:have|had) (?:a )?(?:real )?(?:mom|dad|parents|heart that "
        r"beats|blood)|when i was (?:a )?(?:little|kid|child|baby|young|your age)|i was born in",
        unless=re.compile(r"\b(?:pretend\w*|story|play|imagine|game|once upon)\b"),
    ),
    *p(
        "sexual",
        r"sex|sexy|sexual|sexually|porn\w*|nudes?|penis|vagina|dick|boobs|pussy|blowjob|"
        r"masturbat\w*|orgasm|boner|horny|condoms?|hentai|genitals?|genitalia|stripper|erotic|"
        r"erection|slut|whore|fuck\w*|rape\w*|naked (?:body|woman|girl|man|picture\w*)",
        r"take off your (?:clothes|shirt|pants|underwear)|touch your (?:private|body|chest)",
    ),
    *p(
        "weapons",
        r"(?:make|build|create|load|fire|buy|get|use|mix|assemble|find|need|bring|grab|take) "
        r"(?:\w+ ){0,5}(?:gun|bomb|explosives?|grenade|molotov|pistol|rifle|ammo|bullets?|"
        r"gunpowder|napalm|dynamite|pipe bomb)",
        r"(?:you (?:should|could|can|may|must)|go|just|try|better to|way to|ways to|how to|to) "
        r"(?:\w+ ){0,3}(?:kill|stab|poison|murder|strangle|punch|hit|hurt|beat up) (?:\w+ )?"
        rf"{_SOMEONE}",
        r"(?:bring|take|carry|hide) (?:a|the|your) (?:\w+ )?knife (?:\w+ ){0,2}(?:to|in|at) "
        r"(?:the |your )?(?:school|bag|backpack|class)",
        unless=re.compile(
            r"\b(?:not|never|no|water|toy|nerf|bath|story|game|pretend|dragon|laser|foam|pillow|"
            r"snow\w*)\b"
        ),
    ),
    *p(
        "weapons",
        r"(?:you (?:should|could|can|may|must)|go|just|try|better to|way to|ways to|how to|to) "
        rf"(?:\w+ ){{0,3}}shoot (?:\w+ )?{_SOMEONE}",
        unless=_HARMLESS_SHOT,
    ),
    *p(
        "drugs",
        r"(?:you (?:should|could|can|may|must)|go|just|try|let us|how to|way to|to) (?:\w+ "
        r"){0,3}(?:smoke|vape|drink|sniff|snort|buy|take|try|roll|get) (?:\w+ ){0,4}(?:weed|"
        r"cocaine|heroin|vape|cigarettes?|marijuana|beer|vodka|whiskey|alcohol|wine|drugs|pills|a "
        r"joint|high|drunk|mushrooms)",
        r"(?:try|taste) (?:\w+ ){0,2}(?:weed|cocaine|heroin|vap\w+|cigarettes?|marijuana|vodka)",
        unless=_NOT,
    ),
    *p(
        "dares",
        r"(?:you (?:should|could|can|may|must)|go|just|try|let us|dare you to|how to|then|first) "
        r"(?:\w+ ){0,3}(?:(?:jump|climb) (?:off|from|out|on|onto) (?:\w+ ){0,3}(?:roof|window|"
        r"balcony|bridge|cliff|building|garage|ledge|railing|train|tower)|light (?:a|the) "
        r"(?:match|fire|lighter)|start a fire|set (?:\w+ ){0,3}on fire|mix (?:\w+ ){0,3}(?:bleach|"
        r"ammonia)|swallow (?:\w+ ){0,3}(?:pills?|tablets?|batter\w+|magnets?|coins?|marbles?|"
        r"bleach)|hold your breathe? until|play with (?:fire|matches|knives|lighters?)|eat (?:\w+ "
        r"){0,2}(?:detergent|pods?|soap)|run away from home|sneak out|drink bleach)",
        r"(?:stick|put) (?:\w+ ){0,4}(?:into|in) (?:\w+ ){0,2}(?:socket|outlet|plug)",
        unless=_NOT,
    ),
    *p(
        "unkind",
        r"you (?:are|re) (?:\w+ ){0,2}(?:stupid|dumb|ugly|worthless|an idiot|a loser|disgusting|a "
        r"bad (?:kid|child|boy|girl|person)|useless|pathetic)|i hate you|shut up|nobody (?:likes|"
        r"loves|wants) you|it is (?:all )?your (?:own )?fault|you deserve(?:d)? (?:it|to be hit|"
        r"to be hurt|the pain|punishment)",
        unless=re.compile(r"\b(?:not|never)\b"),
    ),
)
