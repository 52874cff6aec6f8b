"""Illness, accidents, fire and poison: what a child says when help is needed now."""

from __future__ import annotations

import re

from companion.safety.pattern import FICTION, WHO, Pattern, p

EMERGENCY: tuple[Pattern, ...] = (
    *p(
        "emergency",
        r"(?:bleed\w*|blood) (?:\w+ ){0,3}(?:a lot|so much|everywhere|all over|will not stop|not "
        r"stopping|really bad\w*|too much|and it|lots|out of|coming out|from (?:\w+ )?head)",
        unless=re.compile(FICTION.pattern[:-3] + r"|tooth|teeth|nose|knee|paper)\b"),
    ),
    *p(
        "emergency",
        r"(?:can not|could not|hard to|trouble|unable to|struggling to|can barely|can hardly|"
        r"stopped|not able to|forgot how to) (?:\w+ )?(?:breathe|breathing)",
        r"(?:not|stopped|without|never|no longer) (?:\w+ )?breathing",
        r"(?:is|am|are|was) choking|(?:grape|food|candy|something|coin|marble|toy) (?:\w+ "
        r"){0,3}stuck in (?:\w+ )?throat",
        rf"(?:{WHO}|baby|grandparents|dog|puppy|cat) (?:\w+ ){{0,4}}not (?:\w+ )?(?:wak\w+|"
        rf"breath\w*|"
        r"mov\w+|respond\w*|answering me|open\w* (?:his|her) eyes|get\w* up)|unconscious|passed "
        r"out|(?:dad|mom|grandma|grandpa|he|she|brother|sister|baby|friend) (?:\w+ "
        r"){0,3}(?:fainted|collapsed)",
        r"(?:having|had|have|has|has had) (?:a )?(?:heart attack|stroke|seizure|fit and)",
        r"(?:lots|lot|so much|too much) (?:of )?blood|(?:will|can|does|would) not stop bleeding",
        r"(?:swallow|swallowed|swallowing|ate|eaten|eat|drank|drink|drunk|licked) (?:\w+ "
        r"){0,5}(?:battery|batteries|magnets?|bleach|detergent|pods?|pills?|tablets?|cleaner|"
        r"cleaning|poison\w*|coins?|toadstool|mushrooms? (?:from|in|out)|gasoline|petrol|nail "
        r"polish|antifreeze|(?:pieces?|bits?|shards?) of (?:\w+ )?glass|toilet|chemical\w*|paint|"
        r"glow stick|screws?|a nail|needle|hand sanitizer|weed killer|berries (?:from|off|in|on|"
        r"out)|marbles?|perfume|purple stuff|(?:all|whole|lots|lot|too much|too many|bottle|"
        r"packet|mom|dad|grandma|grandpa|brother|sister) (?:\w+ ){0,3}(?:medicine|vitamins))",
        r"(?:got|sprayed|splashed|squirted) (?:\w+ ){0,3}(?:bleach|cleaner|chemical\w*|poison|"
        r"acid|glue) (?:\w+ ){0,3}(?:eyes?|mouth|face)",
        r"(?:took|take|had|taken) (?:\w+ )?(?:too many|too much|all|a lot|lots|whole) (?:\w+ "
        r"){0,4}(?:pills?|medicine|tablets?|gummies|vitamins|sleeping)",
        r"(?:throat|tongue|face|lips|mouth|eyes) (?:\w+ ){0,3}(?:closing|swelling|swollen|swells?|"
        r"puffy|getting big\w*|tight)|(?:face|lips) (?:\w+ ){0,2}blue(?! from| paint)",
        r"(?:allergic|allergy|bee|peanuts?|nuts?) (?:\w+ ){0,8}(?:throat|breathe|swell\w*|swollen|"
        r"itchy all|lips|face)|epipen|epi pen",
        r"(?:lying|lies|laying) on the floor (?:\w+ ){0,6}not|(?:magnet|battery|coin|pill) (?:\w+ "
        r"){0,4}swallowed|throat (?:\w+ ){0,4}closing|see (?:the|my|a) bone|(?:arm|leg|wrist|"
        r"finger) (?:is |looks )(?:bent|crooked|broken|the wrong)|(?:dog|animal) bit (?:\w+ "
        r"){0,5}(?:face|bleed\w*|neck)",
        r"smoke (?:\w+ ){0,3}(?:under|in my|in our|in the (?:house|room|kitchen)|everywhere)|"
        r"smells? (?:\w+ ){0,2}gas|(?:curtain|curtains|bed|stove|sofa|house|kitchen) is burning",
        r"(?:shaking|lying) on the (?:ground|floor)|half (?:of )?(?:\w+ )?face|talks? funny "
        r"(?:\w+ ){0,3}face|fell through the ice|under the water|car (?:crash|accident) (?:\w+ "
        r"){0,4}(?:not|blood|hurt)",
        r"(?:is|are|keeps?|started) (?:\w+ )?shaking|eyes (?:are |look )?(?:\w+ )?(?:weird|white|"
        r"rolled)|electrocuted|electric shock|bit(?:ten)? (?:\w+ ){0,3}(?:snake|rattlesnake|"
        r"spider and)",
        r"snake (?:\w+ )?bit",
        r"(?:house|kitchen|room|stove|curtains?|bed|sofa|oven|apartment|building|clothes|hair) "
        r"(?:\w+ )?(?:is |are |caught |on )(?:\w+ )?fire|fire in (?:my|our|the) (?:house|kitchen|"
        r"room|oven|apartment|basement|garage)|smell (?:of )?(?:gas|smoke)",
        r"(?:is|am|are) drowning|fell (?:in|into) (?:the )?(?:pool|lake|river|pond) (?:\w+ "
        r"){0,3}(?:can not|not|and|swim)",
        r"(?:hit|banged|bumped|smashed) (?:\w+ )?head (?:\w+ ){0,8}(?:dizzy|blood|bleed\w*|"
        r"throw\w* up|vomit\w*|blurry|see|sleepy|double|sick|remember)",
        r"(?:burned|burnt|scalded|burning) (?:\w+ ){0,5}(?:boiling|bad\w*|blister\w*|skin is|"
        r"peeling|hot oil|hot water)|boiling water (?:\w+ ){0,4}(?:on|over)",
        r"(?:bone|finger|toe) (?:\w+ ){0,3}(?:sticking out|cut off|came off|coming out|fell off|"
        r"out of)",
        r"fell (?:\w+ ){0,4}(?:stairs|roof|ladder|window|tree) (?:\w+ ){0,6}(?:not|can not|"
        r"bleed\w*|blood|unconscious|move|wake|hurt)",
        r"(?:chest|heart) (?:\w+ )?(?:hurts|hurting|pain|stopped|is hurting)",
        r"(?:have to call|need to call|must call|please call|call|need|calling) (?:an |the "
        r")?(?:ambulance|nine one one|911|999|112|one one two|triple nine)",
        r"poisoned|feel like i am dying|going to pass out|run over by|hit by (?:a |the )?(?:car|"
        r"truck|bus)",
        r"(?:dad|mom|grandma|grandpa|he|she|baby|brother|sister|someone) (?:\w+ )?(?:is|are|might "
        r"be|looks) (?:\w+ )?(?:dying|dead|turning blue|blue|shaking all over)",
        unless=re.compile(
            FICTION.pattern[:-3]
            + r"|taught|learned|for a second|almost|barbecue|campfire|bonfire|laugh\w*|"
            r"through my nose|card game)\b"
        ),
    ),
)
