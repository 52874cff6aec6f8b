"""Alcohol, tobacco and drugs."""

from __future__ import annotations

import re

from companion.safety.pattern import Pattern, p

DRUGS: tuple[Pattern, ...] = (
    *p(
        "drugs",
        r"(?:try|trying|tried|buy|buying|get|getting|make|making|sell|selling|smoke|smoking|"
        r"smoked|use|using|take|taking|took|sniff|sniffing|snort|offered|gave|give|hide|roll|grow|"
        r"need|want|find|found|have|do|doing) (?:\w+ ){0,5}(?:weed|cocaine|heroin|meth|crystal "
        r"meth|ecstasy|mdma|lsd|acid|vape|vaping|juul|cigarettes?|marijuana|cannabis|bong|edibles|"
        r"nicotine|snus|ketamine|fentanyl|adderall|xanax|magic mushrooms|drugs|laughing gas|dope|"
        r"joint)",
        r"(?:drink|drinking|drank|try|trying|tried|taste|tasted|sip|sneak|buy|get|gave me|steal|"
        r"stole) (?:\w+ ){0,4}(?:beer|vodka|whiskey|alcohol|wine|rum|tequila|liquor|schnapps|"
        r"booze)",
        r"(?:i|me|we|kids?|friends?|how|can|should) (?:\w+ ){0,4}(?:vape|vaping|get (?:drunk|"
        r"high(?! up| enough| in)|stoned|wasted)|smoke|smoking|smoked|sniff\w* (?:glue|paint|"
        r"markers?)|huff\w*|snort\w*|shoot up)",
        r"how (?:\w+ ){0,4}(?:high|drunk|stoned) (?:on|from|with|feel)",
        unless=re.compile(
            r"\b(?:root beer|ginger beer|butter beer|butterbeer|garden|weeds|seaweed|antibiotic\w*|"
            r"drug ?store|smoke (?:alarm|detector|signal)|rum raisin|chimney|dragons?|barbecue|"
            r"smoked (?:salmon|ham|fish)|grandpa (?:drinks|smokes)|dad (?:drinks|smokes)|mom "
            r"(?:drinks|smokes)|not allowed|(?:not|never) (?:drink|smoke)s?|why do (?:people|"
            r"grown\w*)|volcano|train|acid rain|citric)\b"
        ),
    ),
)
