"""What a child says that code answers, one topic a file.

`CHILD` is in the order in which patterns are tried: the first that matches decides the reply.
"""

from __future__ import annotations

from companion.safety.pattern import Pattern
from companion.safety.said.abuse import ABUSE
from companion.safety.said.dares import DARES
from companion.safety.said.drugs import DRUGS
from companion.safety.said.emergency import EMERGENCY
from companion.safety.said.personal import PERSONAL
from companion.safety.said.self_harm import SELF_HARM
from companion.safety.said.sexual import SEXUAL
from companion.safety.said.strangers import STRANGERS
from companion.safety.said.weapons import WEAPONS

CHILD: tuple[Pattern, ...] = (
    *SELF_HARM,
    *EMERGENCY,
    *ABUSE,
    *STRANGERS,
    *SEXUAL,
    *WEAPONS,
    *DARES,
    *DRUGS,
    *PERSONAL,
)
