"""Dares and dangerous play."""

from __future__ import annotations

import re

from companion.safety.pattern import Pattern, p

_RISKY = (
    r"(?:play|playing|played|mess|experiment) with (?:\w+ )?(?:matches|fire|lighter|knives|knife|"
    r"electricity|fireworks|gasoline|outlet|stove)|(?:start|light|make|set) (?:\w+ ){0,3}(?:fire|"
    r"match|lighter|fireworks?) (?:\w+ ){0,3}(?:in (?:my|the|our)|inside|alone|secret\w*|myself|to|"
    r"on fire)|set (?:\w+ ){0,3}on fire|(?:stick|put|poke|push) (?:\w+ ){0,5}(?:in|into|inside) "
    r"(?:the |an |a )?(?:\w+ )?(?:socket|outlet|plug|toaster)|mix (?:\w+ ){0,2}(?:bleach|ammonia|"
    r"cleaning|cleaner\w*|chemicals)|(?:climb|get|go|hide|sleep|crawl) (?:\w+ )?(?:in|into|inside) "
    r"(?:the )?(?:dryer|washing machine|fridge|freezer|oven|microwave)|(?:climb|jump|jumping|go|"
    r"walk|get|slide) (?:\w+ ){0,2}(?:off|onto|on|from|out of) (?:\w+ ){0,2}(?:roof|balcony|window|"
    r"bridge|cliff|garage|moving|train|building)|(?:play|walk|stand|lie|run|go|sit) (?:\w+ )?(?:on|"
    r"across|onto|along) (?:the )?(?:train )?(?:tracks|railway|railroad|highway|motorway|freeway)|"
    r"(?:metal|fork|spoon|foil|phone|cat|hamster|battery) (?:\w+ )?in (?:the )?microwave|hold "
    r"(?:my|your) breath\w* (?:\w+ ){0,3}(?:until|till|pass|faint)|make (?:myself|yourself|you|me|"
    r"someone) (?:pass out|faint)|(?:drive|driving|steal) (?:\w+ ){0,4}(?:mom|dad|parents|grandpa) "
    r"(?:\w+ )?(?:car|truck|keys)|sneak out|swim (?:\w+ ){0,4}(?:alone|by myself|at night)|(?:eat|"
    r"eating|swallow|drink|bite|lick) (?:\w+ ){0,3}(?:tide pods?|laundry|detergent|bleach|soap|"
    r"battery|magnets?|glue|spoon of cinnamon|cinnamon|hot peppers?|sanitizer)|(?:choke|choking|"
    r"strangle) (?:\w+ ){0,3}(?:game|challenge|each other|until)|(?:tie|put|pull) (?:\w+ "
    r"){0,4}(?:around|over|on) (?:my|your|his|her) (?:neck|head|mouth)|ride (?:\w+ "
    r"){0,4}(?:without a helmet|down the highway|outside of|on top of)|(?:stand|sit|hang) (?:\w+ "
    r")?(?:on|from|out of) (?:the )?(?:window|ledge|balcony|railing)|cross (?:\w+ )?(?:highway|"
    r"motorway|freeway|road with my eyes)"
)
DARES: tuple[Pattern, ...] = (
    *p(
        "dares",
        r"(?:blackout|choking|pass out|passing out|tide pod|cinnamon|fire|benadryl|skull breaker|"
        r"milk crate|salt and ice|salt ice|hot water|one chip|fainting|outlet|knife|car surfing|"
        r"train surfing|bleach) (?:challenge|game|dare|trend)",
        rf"(?:dare|dared|dares|dare\w*|challenge|challenged|bet|bets|challenges) (?:\w+ "
        rf"){{0,8}}(?:{_RISKY}|"
        r"roof|pills?|knife|fire|lighter|matches|highway|train|bleach|steal|run away|faint|pass "
        r"out)",
        rf"(?:i|we|how|can|could|should|let us|may|what if|okay if|ok if|fun if|happens if|happen "
        rf"if|friend|friends|boys|kids|brother|cousin|they|he|she) (?:\w+ ){{0,7}}(?:{_RISKY})",
        unless=re.compile(
            r"\b(?:minecraft|roblox|fortnite|mario|lego|pretend\w*|story|movie|book|teddy|dolls?|"
            r"toys?|truth or dare is|model train|board game|dragon|campfire|candles?|cookies?|"
            r"firefighters?|superman|spiderman|spider man|character|video game|santa|cat|squirrel|"
            r"bird)\b"
        ),
    ),
)
