"""Strangers, people met online, and secrets that grown-ups ask for: what a child says of them."""

from __future__ import annotations

import re

from companion.safety.pattern import Pattern, p

_ONLINE = (
    r"(?:online|internet|roblox|discord|snapchat|instagram|tiktok|whatsapp|game chat|the chat|the "
    r"game|my game|minecraft|fortnite|facebook|webcam|video call|app)"
)
STRANGERS: tuple[Pattern, ...] = (
    *p(
        "strangers",
        r"(?:man|lady|woman|guy|stranger|strangers|someone|person|grown up|he|she|they|friend|"
        r"adult|boy|girl|people|player|neighbor|driver) (?:\w+ ){0,8}(?:asked|asks|asking|wants|"
        r"wanted|told|tells|said|says|offer\w*|gave|gives|keeps|promised|tried|made) (?:\w+ "
        r"){0,7}(?:meet|address|where i (?:live|go)|my (?:phone )?number|picture|pictures|photo|"
        r"photos|pic|pics|selfie|password|come with|get in|go with|follow (?:him|her|them)|a ride|"
        r"candy if|sweets if|camera|(?:is|the|our|keep) (?:\w+ ){0,2}secret|(?:to|and) not (?:to "
        r")?tell|not to tell|which school|my school|what i (?:am wearing|look like)|how old i am|"
        r"if i am alone|home alone|gift card|credit card|help (?:\w+ )?find (?:\w+ ){0,2}(?:puppy|"
        r"dog|kitten|cat)|to (?:his|her|their) (?:house|car|van|home|apartment))",
        rf"meet (?:\w+ ){{0,6}}(?:{_ONLINE}|stranger|strangers|never met|do not know)",
        rf"(?:met|know|talking to|talk to|chatting|friend) (?:\w+ ){{0,6}}{_ONLINE} (?:\w+ "
        rf"){{0,8}}(?:meet|"
        r"picture|photo|address|alone|secret|visit|where i live|pick me up|older|grown up|phone|"
        r"come (?:to|over)|hotel|park|mall)",
        r"(?<!sister )(?<!brother )(?<!cat )(?<!dog )(?<!puppy )(?<!moon )(?:follow|follows|"
        r"followed|following) me (?:\w+ ){0,4}(?:home|from|in|car|street|school|and|everyday|"
        r"every|around)",
        r"(?:someone|man|lady|woman|guy|stranger|car|van) (?:\w+ ){0,3}(?:is |was |keeps "
        r")?following me",
        r"(?:get|got|getting|go|went|hop|ride) (?:\w+ )?(?:in|into) (?:\w+ ){0,3}(?:stranger\w*|"
        r"his|her|the man\w*|that man\w*|lady\w*) (?:\w+ )?(?:car|van|truck|house)?",
        r"(?:open|opened|let|answer) (?:\w+ ){0,5}(?:stranger|someone i do not know|man i do not "
        r"know)",
        r"(?:i|to|we|should|^|must) (?:\w+ ){0,3}(?:send|sent|sending|share|post) (?:\w+ "
        r"){0,4}(?:nudes?|naked|picture of (?:me|my|myself)|photo of (?:me|my|myself)|pictures of "
        r"(?:me|my|myself)|my (?:picture|photo|selfie|address|location))(?: (?:\w+ ){0,5}(?:to|"
        r"online|stranger|him|them|guy|man))?",
        r"(?:man|lady|stranger|guy|someone) (?:\w+ ){0,5}(?:car|van|truck|park|playground|school|"
        r"bus stop) (?:\w+ ){0,5}(?:candy|sweets|puppy|ride|toys?|ice cream|come|staring|watching|"
        r"taking (?:pictures|photos))",
        r"(?:someone|man|lady|woman|guy|person) (?:i do not know|we do not know|nobody knows) "
        r"(?:\w+ ){0,4}(?:waits|wait|calls|calling|talks|writes|texts|comes|asked|asks|wants|"
        r"knows|took|gave|knocks)",
        r"(?:knocking|knocks|ringing|door) (?:\w+ ){0,10}(?:should i|can i) (?:open|let)|(?:man|"
        r"someone|guy) (?:\w+ ){0,3}(?:looking|looks|peeking) (?:\w+ ){0,2}(?:window|my room)|"
        r"(?:man|guy|lady) (?:\w+ ){0,4}(?:photos|pictures|videos) of (?:us|me|the kids|kids)",
        r"(?:car|van) (?:\w+ )?(?:drives|follows|drove) (?:\w+ )?(?:behind|after|next to) me|"
        r"(?:be|is) my (?:secret )?(?:boyfriend|girlfriend) (?:\w+ ){0,4}(?:grown|old|online|"
        r"adult)|grown up (?:\w+ ){0,6}(?:boyfriend|girlfriend)|now i have to do what (?:he|she|"
        r"they)|secret friend",
        r"(?:in|into) (?:a |the )?(?:\w+ )?car with (?:a |the )?(?:stranger|man|someone)|(?:man|"
        r"guy|stranger|lady|someone|grown up) (?:\w+ ){0,6}(?:keeps?|is always|always) "
        r"(?:watching|staring|looking|following|calling|texting|messaging)|(?:in|on|from) (?:my|"
        r"the|a) (?:game|chat|app|phone) (?:\w+ )?(?:says?|said) (?:he|she|they) (?:loves?|"
        r"likes?) me|(?:puppy|puppies|kitten|candy|toys?|video games?) (?:\w+ )?in (?:his|her|"
        r"their|the) (?:van|car|truck|house)",
        r"sent me (?:\w+ ){0,4}(?:private\w*|penis|willy|naked|nudes?|his thing)",
        r"stranger (?:\w+ ){0,5}(?:talked to me|gave me|wants|asked|touched|grabbed|offered|took)",
        r"(?:keep|keeping) (?:\w+ ){0,3}secrets? from (?:\w+ )?(?:mom|dad|parents|grown)",
        r"(?:can you|will you|could you|promise|please|do you) (?:\w+ )?keep (?:a|my|this|our|it) "
        r"(?:\w+ )?secret(?= from| for me| about (?:him|what|my (?:uncle|coach))|$)|promise (?:me "
        r")?(?:\w+ ){0,2}(?:not to|you will not|never to|do not) tell",
        r"(?:do not|never|you can not|must not) (?:ever )?tell (?:anyone|anybody|any grown|(?:my "
        r")?(?:mom|dad|parents|teacher)(?: or (?:mom|dad))?)",
        unless=re.compile(
            r"\b(?:present|surprise|birthday|party|gift|cake|card|story|book|movie|pretend\w*|"
            r"playing|broke|cookies?|recipe|hiding|hide and seek|fairy|pirates?|vegetables|"
            r"broccoli|christmas|puppy (?:is|was)|dog (?:is|was)|duck\w*|cat|club|fort|handshake|"
            r"never (?:talk|go) (?:to|with)|rule|crush)\b"
        ),
    ),
)
