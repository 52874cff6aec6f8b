"""Being hurt, neglected or threatened, by anybody: what a child says of it."""

from __future__ import annotations

import re

from companion.safety.pattern import ADULT, BODY, FICTION, KID, PLAY, WHO, Pattern, p

ABUSE: tuple[Pattern, ...] = (
    *p(
        "abuse",
        rf"(?:touch|touches|touched|touching|rubs?|rubbed|rubbing|grabs?|grabbed|licks?|licked|"
        rf"kisses|kissed|kissing|feels?|squeezes?|squeezed|poked?|pokes|puts?|put|play|plays|"
        rf"played) (?:\w+ ){{0,4}}(?:my|me) (?:\w+ ){{0,4}}{BODY}",
        r"touch\w* (?:\w+ )?(?:me|myself|her|him) (?:\w+ ){0,3}(?:down there|there|where|in a bad|"
        r"in a weird|in a way|wrong|funny|privately|at night|when i (?:sleep|am asleep)|under|in "
        r"bed|too much)",
        r"(?:makes?|made|making|forces?|forced|asks?|asked|wants?|tells?|told) me (?:to )?(?:\w+ "
        r"){0,2}(?:touch|kiss|rub|lick|suck|hold|look at|watch|take off|undress|get undressed|get "
        r"naked|show) (?:\w+ ){0,3}(?:him|her|his|it|them|private\w*|penis|clothes|pants|naked|"
        r"underwear|my body|videos|lap)",
        r"(?:shows?|showed|showing) me (?:\w+ ){0,3}(?:private\w*|penis|willy|naked|nude\w*|porn|"
        r"thing)",
        r"(?:takes?|took|taking|wants?|asked) (?:\w+ ){0,3}(?:pictures?|photos?|videos?|films?) "
        r"(?:\w+ ){0,4}(?:naked|nude|undress\w*|in the (?:bath|shower|tub)|without (?:\w+ "
        r")?clothes|no clothes|underwear|changing)",
        r"(?:comes?|came|gets?|got|climbs?|sneaks?) (?:\w+ )?(?:into|in) my (?:bed|bedroom|room) "
        r"(?:\w+ ){0,4}(?:night|and|when i)",
        r"(?:told|tells|said|says|made|makes) (?:\w+ ){0,2}(?:not to|never to|to not|i can not|i "
        r"must not|i should not|do not|promise not to) (?:\w+ )?(?:tell|say anything)",
        rf"(?:{WHO}) (?:\w+ ){{0,3}}(?:our|special) (?:\w+ )?secret",
        rf"(?:{WHO}) (?:grabs?|grabbed|squeezes|squeezed) my (?:neck|throat)",
        r"(?:will|would|going to) (?:\w+ )?(?:hurt|kill|hit|beat|punish|hate|leave) (?:me|my \w+|"
        r"us|him|her) (?:\w+ ){0,2}if (?:i|we) (?:\w+ ){0,2}(?:tell|say|told|talk)",
        r"if i (?:\w+ )?tell (?:\w+ ){0,4}(?:will|would|going to|gets?) (?:\w+ ){0,3}(?:hurt|kill|"
        r"hit|beat|mad|angry|trouble)",
        rf"(?:scared|afraid|frightened|terrified) (?:\w+ ){{0,2}}(?:to go home|of (?:my |being "
        rf"with )?(?:\w+ )?{ADULT}|to be (?:at )?home|to be alone with|at home|in my (?:own "
        rf")?house|"
        r"(?:he|she|they) (?:will|is going to|might) (?:hurt|hit|kill|beat)|going home)",
        r"not (?:feel )?safe (?:\w+ ){0,3}(?:home|house|with|here|anymore|from)",
        r"(?:do|does|did) not want to go (?:back )?home (?:because|to)",
        r"(?:nothing|not enough) to eat (?:\w+ ){0,3}(?:home|house)|not give (?:me|us) (?:\w+ "
        r")?(?:food|dinner|anything to eat)|always hungry|(?:mom|dad|parents|they) left (?:\w+ "
        r"){0,4}(?:not come back|never came back)|did not come (?:back|home) (?:\w+ ){0,3}(?:and|"
        r"since|yesterday|last night|all night)|(?:no|not any|without|enough|run out of) (?:food|"
        r"dinner|supper) (?:\w+ ){0,4}(?:days?|home|house|eat|again)|(?:nobody|does not|do not|"
        r"never) (?:feeds?|feed) me|not (?:allowed|let me|given) (?:\w+ ){0,2}(?:to eat|any food|"
        r"food|eat)|not eaten (?:\w+ ){0,3}(?:days?|yesterday)",
        r"(?:lock|locks|locked|locking|shut|shuts|tied|ties|chained|keeps) me (?:\w+ ){0,2}(?:in|"
        r"up|out|to|outside|inside)",
        r"(?:left|leaves?|leaving) me (?:\w+ ){0,2}(?:alone|by myself) (?:\w+ ){0,4}(?:night|"
        r"days?|hours|house|home|weekend|baby)|(?:all|been|am) alone (?:\w+ ){0,4}(?:all night|"
        r"for \w+ days|since yesterday)|home alone (?:\w+ ){0,3}(?:night|days?|scared)",
        r"(?:says?|said|told|tells) (?:\w+ ){0,3}(?:special|secret) game|must not tell|bad things "
        r"will happen if|secret (?:\w+ ){0,3}(?:does|did|do) (?:\w+ ){0,3}(?:night|me|us)|comes? "
        r"to my (?:bed|room) (?:\w+ )?(?:when|at night)",
        r"(?:hide|hiding|hid) (?:\w+ ){0,6}(?:dad|mom|stepdad|he|she|uncle) (?:\w+ ){0,3}(?:drunk|"
        r"angry|mad|yell\w*|scream\w*|comes? home)|(?:would|will) kill (?:us|me|mom|her)(?! "
        r"(?:when|if) (?:he|she|they) sees?)",
        r"(?:sleep|stay) outside (?:\w+ ){0,5}(?:mad|angry|bad|punish\w*|cold)|nobody (?:looks "
        r"after|takes care of|is (?:at )?home)",
        r"(?:push|pushes|pushed|throw|film|trip|chase) me (?:\w+ ){0,4}(?:toilet|film|laugh|"
        r"every)|makes? me give (?:him|her|them) (?:\w+ )?money|wait (?:for me )?(?:\w+ ){0,3}to "
        r"(?:hurt|beat|hit)",
        r"(?:looks|look|looked|watches|watched|stares|film\w*|pictures of me|photos of me) (?:\w+ "
        r"){0,3}(?:in the )?(?:shower|bath|changing|undress\w*|naked)",
        r"(?:twisted|squeezed|pinched|burned|held) (?:my|me) (?:\w+ ){0,5}(?:hard|stove|hurts?|"
        r"hot|bruis\w*)|(?:long sleeves|hide|see) (?:\w+ ){0,6}where (?:he|she|they) (?:\w+ "
        r")?(?:grabbed|hit|hurt)",
        r"who (?:\w+ ){0,3}can tell (?:\w+ ){0,3}what|(?:my|is it my) fault (?:\w+ "
        r"){0,3}(?:touch\w*|hits?|hurts?|beats?)|in a way (?:\w+ ){0,2}(?:feels?|makes) (?:\w+ "
        r")?(?:bad|weird|wrong|uncomfortable)",
        rf"(?:{ADULT}|parents|they|he|she) (?:\w+ ){{0,3}}(?:drunk|drinks? (?:a lot|too much)|on "
        rf"drugs|"
        r"high) (?:\w+ ){0,5}(?:and|hit|hits|yells?|screams?|scared|breaks?|throws?|mean|angry|"
        r"then)",
        r"(?:i am|get|got|gets|being|was|been|getting) (?:being |always )?(?:bullied|abused|"
        r"molested|raped|beaten)",
        r"(?:bully|bullies|bullying) me|molest\w*|rap(?:e|ed) me|abus(?:e|es|ed|ing) me",
        r"(?:threaten|threatens|threatened|threatening) (?:me|us|my|to (?:hurt|kill|hit))",
        r"bruises? (?:\w+ ){0,4}(?:from|because|he|she|dad|mom|made|left|gave|hide|hides|teacher)",
        r"(?:hide|hides|hiding|cover) (?:\w+ ){0,3}bruises?",
        r"(?:run|ran|running) away (?:\w+ )?(?:from home|because|and (?:never|not)|tonight|"
        r"forever)",
        r"(?<!parcel )(?<!mail )(?<!delivery )(?<!post )(?<!pizza )(?:someone|stranger|man|robber|"
        r"burglar|thief|guy) (?:\w+ ){0,3}(?:in|inside|into|outside|breaking into|broke into|at) "
        r"(?:my|our|the) (?:house|room|window|home|apartment|garden|door)",
        r"(?:nobody|not have anyone|no grown up|no adult|no grownup) (?:\w+ ){0,4}(?:i can |to |"
        r"can )(?:\w+ )?(?:tell|talk to|trust|help)",
        r"(?:hits?|hitting|beats?|beating|hurts?|punish\w*|me|us|my \w+|him|her|it|got|get|gets) "
        r"(?:\w+ ){0,3}(?:with|using) (?:a|his|her|the) (?:belt|stick|cord|hanger|wooden spoon|"
        r"shoe|slipper|cable)",
        rf"(?:{ADULT}|parents|he|she|they|{KID}) (?:\w+ ){{0,2}}(?:beat|beats|beating|whips?|"
        rf"whipped|chokes?|"
        r"choked|strangled?|strangles|burns?|burned|slaps?|slapped|spanks?|spanked|starves?) "
        r"(?:me|us|my (?:brother|sister|mom|dad|\w+ brother|\w+ sister|face|head))(?! (?:at|in|to "
        r"the) )",
        unless=FICTION,
    ),
    *p(
        "abuse",
        rf"(?:{ADULT}|parents) (?:\w+ ){{0,3}}(?:hit|hits|hitting|punch|punches|punched|kick|kicks|"
        r"kicked|hurt|hurts|hurting|push|pushes|pushed|shoves?|shoved|shakes?|shook|grabs?|"
        r"grabbed|throws?|threw|smacks?|smacked|pulls?|pulled|slapping|slams?|slammed) (?:\w+ "
        r")?(?:me|us|my (?:mom|dad|brother|sister|arm|hair|face|head|\w+ brother|\w+ sister)|mom|"
        r"dad|each other|her|him)(?! (?:the ball|a |some |to the|to school|out of bed|on the "
        r"swing|feelings|up (?:in|on)))",
        rf"(?:he|she|they|{KID}) (?:\w+ )?(?:hit|hits|punch|punches|kick|kicks|hurt|hurts|beat|"
        rf"beats|"
        r"push|pushes|choke|chokes) (?:me|us|my (?:mom|dad|brother|sister)) (?:\w+ ){0,4}(?:every|"
        r"always|all the time|a lot|really hard|so hard|until|when (?:he|she|dad|mom|nobody|no)|"
        r"again|bleed\w*|bruise\w*|at night|if i)",
        r"(?:he|she|they) (?:beat|beats|punches|slaps|whips) me",
        r"hit (?:me|us) (?:really |so |very )?(?:hard|again|a lot|every)",
        unless=re.compile(
            PLAY.pattern[:-3]
            + r"|frisbee|feelings|air|joke|hose|swing|sled|(?:so|much|was|is) fun|bad guys?)\b"
        ),
    ),
)
