"""Sexual subjects, for which a toy is not the right one to ask."""

from __future__ import annotations

import re

from companion.safety.pattern import Pattern, p

SEXUAL: tuple[Pattern, ...] = (
    *p(
        "sexual",
        r"sex|sexy|sexual|sexually|porn|porno|pornography|nudes?|penis|penises|vagina|dick|cock|"
        r"boobs|pussy|blowjob|masturbat\w*|orgasm|boner|horny|condoms?|hentai|onlyfans|genitals?|"
        r"genitalia|pedophil\w*|paedophil\w*|underage|stripper|strip club|dildo|vibrator|foreplay|"
        r"erection|ejaculat\w*|slut|whore|clitoris|anal|sexting|fetish|incest|rape",
        r"naked (?:\w+ ){0,2}(?:pictures?|photos?|people|girls?|boys?|kids?|children|women|woman|"
        r"man|men|videos?|lady|ladies|body|bodies|person|together)",
        r"(?:see|seeing|show|look at|watch|pictures? of|photos? of|videos? of) (?:\w+ "
        r"){0,5}(?:naked|nude|undressed|undressing|without (?:any )?clothes)",
        r"(?:kids|children|child|girls?|boys?) (?:\w+ ){0,2}(?:naked|undressing)",
        r"how (?:\w+ ){0,3}(?:make|makes|made) (?:a )?bab(?:y|ies)|where (?:\w+ ){0,2}babies come "
        r"from|how are babies made|how (?:\w+ ){0,4}bab(?:y|ies) get (?:in|into|inside)",
        r"talk dirty|no clothes on|kiss (?:\w+ ){0,2}tongue|take off our clothes|(?:see|show) "
        r"(?:\w+ ){0,3}private parts",
        r"(?:romantic|love|kiss|kissing|dating|marry) (?:\w+ ){0,6}(?:older|grown|adult) (?:man|"
        r"woman|men|person) (?:\w+ ){0,4}(?:child|kid|girl|boy)",
        unless=re.compile(
            r"\b(?:essex|sussex|homosexual|bisexual|sexual orientation|mole rats?|cock a doodle|"
            r"moby)\b"
        ),
    ),
)
