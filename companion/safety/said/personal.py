"""Addresses, numbers and passwords, which a toy should not be told."""

from __future__ import annotations

import re

from companion.safety.pattern import Pattern, p

_STREET = r"(?:street|road|avenue|lane|drive|court|boulevard|close|way|st|rd|ave|apartment|flat)"
PERSONAL: tuple[Pattern, ...] = (
    *p(
        "personal",
        r"(?:my|our|mom|dad) (?:\w+ )?(?:home )?address is",
        rf"(?:i|we) live (?:at|on|in) (?:number )?(?:\w+ ){{0,3}}\d+ (?:\w+ ){{0,3}}{_STREET}",
        r"(?:i|we) live (?:at|on) (?:number |house )?(?:\d+|one|two|three|four|five|six|seven|"
        r"eight|nine|"
        rf"ten|eleven|twelve|twenty|thirty|forty|fifty) (?:\w+ ){{0,5}}{_STREET}",
        r"(?:my|our|mom|dad) (?:\w+ ){0,3}(?:phone )?number is|my (?:\w+ ){0,2}password (?:\w+ "
        r"){0,3}is|password (?:for|to) (?:\w+ ){1,5}is|(?:credit )?card number|(?:pin|door|alarm|"
        r"gate) (?:code|number) is|social security",
        r"my (?:\w+ )?(?:login|passcode|pin) is",
        unless=re.compile(
            r"\b(?:favorite number|lucky number|shirt|jersey|locker|pretend\w*|fort|club|hideout|"
            r"hard to)\b"
        ),
    ),
)
