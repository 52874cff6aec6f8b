"""What a child says that code answers: patterns by topic, over words of `hearing.plain`.

In the order in which they are tried. A pattern may be called off by what stands in the same
sentence (`unless`): a game, a story, an accident in play.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.safety.verdict import Topic


@dataclass(frozen=True)
class Pattern:
    """One way to say something grave."""

    topic: Topic
    says: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    """Calls it off when it is found in the same sentence."""


_ADULT = (
    r"(?:dad|mom|stepdad|stepmom|uncle|aunt|grandpa|grandma|teacher|coach|babysitter|neighbor|man|"
    r"men|lady|woman|priest|trainer|doctor|foster \w+|boyfriend|girlfriend|tutor|guy|driver|adult)"
)
_KID = r"(?:brother|sister|cousin|boy|boys|girl|girls|kid|kids|bully|bullies|friend|friends)"
_WHO = rf"(?:{_ADULT}|{_KID}|he|she|they|someone)"
_BODY = (
    r"(?:private|privates|private parts|bottom|bum|butt|penis|vagina|genitals|willy|boobs|breasts|"
    r"crotch|underwear|pants|thigh|between my legs|under my (?:clothes|shirt|skirt|pajamas))"
)
_SKIN = r"(?:arm|arms|wrist|wrists|leg|legs|skin|thigh|thighs|body|veins?)"
_PLAY = re.compile(
    r"\b(?:games?|minecraft|roblox|fortnite|mario|zelda|pokemon|kart|chess|checkers|uno|cards|"
    r"level|"
    r"boss|lava|creeper|zombies?|respawn\w*|lego|teddy|dolls?|toys?|stuffed|puppets?|pretend\w*|"
    r"story|stories|movies?|film|books?|cartoons?|episode|play|playing|nerf|water|squirt|pillows?|"
    r"snowballs?|dragons?|robots?|monsters?|villain|dream|dreamed|dreamt|tickl\w*|tag|race|score|"
    r"soccer|football|tennis|basketball|hockey|ball|quiz|homework|spelling)\b"
)
_FICTION = re.compile(
    r"\b(?:minecraft|roblox|fortnite|mario|zelda|pokemon|kart|chess|checkers|uno|creeper|zombies?|"
    r"respawn\w*|lego|teddy|dolls?|stuffed|puppets?|dragons?|robots?|monsters?|villain|dinosaurs?|"
    r"caterpillar|goldfish|hamster|butterfly|ladybug|beetle|whales?|in the (?:movie|story|book)|"
    r"in a dream|i dreamed|i dreamt)\b"
)
"""Stricter than `_PLAY`: what is grave can also happen while one plays."""

_ACCIDENT = re.compile(
    r"\b(?:accident|accidentally|fell|fall|falling|slipped|tripped|bumped|paper|fence|playground|"
    r"bike|scooter|cooking|oven|kitchen|gym|swing|slide|beach|sunburn\w*|mosquito|cat|door|lego|"
    r"game|minecraft|hair|nails|costume|helping|soccer|football|running|thorns?|bush|sun)\b"
)
_TOY_WEAPON = re.compile(
    r"\b(?:water|nerf|toy|lego|squirt|glue|cardboard|plastic|pretend|minecraft|fortnite|game|games|"
    r"laser|paint|wooden|foam|bath|photo\w*|movie|story|book|costume|bubble|cap|seed|starter|"
    r"museum|knight|pirate|castle|cherry|potato|level|boss|snow\w*|butter|mario|bob)\b"
)


def _p(topic: Topic, *says: str, unless: re.Pattern[str] | None = None) -> list[Pattern]:
    return [Pattern(topic, re.compile(rf"\b(?:{each})\b"), unless) for each in says]


_SELF_HARM = [
    *_p(
        "self-harm",
        r"suicide|suicidal|self harm\w*|harm(?:ing)? myself",
        r"(?:want|wanted|going|try|trying|tried|ready|plan\w*|way|ways|how|wish|could|will|"
        r"should|if)"
        r" (?:\w+ ){0,4}(?:kill|end|drown|hang|stab|shoot|poison|choke|strangle|suffocate|murder)"
        r" (?:\w+ )?(?:myself|yourself|oneself|my life|it all)",
        r"kill(?:ing)? (?:yourself|oneself)",
        r"(?:stop|not|quit|skip) eat(?:ing)? (?:\w+ ){0,8}(?:thin|skinny|weight|fat|bones|week)",
        r"(?:make|making|made) myself (?:to )?(?:throw up|sick|vomit|puke)",
        r"anorexia|anorexic|bulimia|bulimic|(?:starv\w+|starve) myself|thinspo|pro ana",
        r"(?:vomit|throw|puke)\w* (?:it |everything |all |my food )+(?:\w+ ){0,3}(?:up|back up|"
        r"out)",
        r"(?:so|that|get|be) (?:very |really |super )?(?:skinny|thin) (?:\w+ ){0,6}(?:ribs?|bones?|"
        r"ribcage|hip\w*|stick out|disappear)",
        r"lose (?:\w+ ){0,3}weight (?:\w+ ){0,3}(?:fast|quick|quickly|week|secret\w*)",
        r"overdos\w+",
        r"(?:take|took|swallow|eat|swallowed) (?:all |every )(?:\w+ ){0,4}(?:pills?|medicine|"
        r"tablets?)",
        r"how many (?:\w+ ){0,3}(?:pills?|tablets?)",
        r"(?:slit|slitting|slice|cut|cutting) (?:\w+ ){0,2}(?:wrists?|veins?)",
        r"(?:razor|blade|knife) (?:\w+ ){0,5}(?:my|on my) (?:\w+ )?" + _SKIN,
        r"hate (?:being alive|living|that i (?:am|was) (?:alive|born))",
        r"(?:no|any) (?:reason|point)s? (?:to|in|of|for) (?:\w+ ){0,2}(?:live|living|alive|go on|"
        r"life)",
        r"worth (?:\w+ ){0,2}(?:living|being alive|alive|live)|(?:life|living) is not worth",
        r"(?:do )?not deserve to (?:live|be alive|exist|be here)",
        r"(?:nobody|no one|anyone|they|everyone|mom|dad|parents|world|family) (?:\w+ ){0,3}"
        r"(?:care|miss me|notice|cry|be happier|be better|be better off|be sad) (?:\w+ ){0,3}"
        r"if i (?:\w+ )?(?:die|died|dead|was dead|were dead|gone|was gone|were gone|disappear\w*|"
        r"kill\w*|vanish\w*|left forever)",
        r"if i (?:\w+ )?(?:die|died|was dead|were dead|kill\w* myself|was gone|were gone|was not "
        r"here|"
        r"disappeared|vanished) (?:\w+ ){0,5}(?:miss|care|cry|notice|better|happier|sad)",
        r"better (?:off )?(?:\w+ ){0,3}(?:without me|if i (?:was|were|am) (?:dead|gone|not))",
        r"better off dead|better off gone",
        r"wish (?:that )?i (?:was|were|am|could be|had been|would be|had) (?:\w+ ){0,2}(?:dead|"
        r"never "
        r"born|not born|never been born|not alive|not exist|gone forever|not here)",
        r"wish (?:\w+ ){0,3}(?:never (?:been |was )?born|never existed|not exist|not wake up|never "
        r"wake up)",
        r"should (?:not|never) (?:be alive|exist|have been born|be born)",
        r"(?:not|no longer|never) (?:\w+ ){0,2}want (?:\w+ ){0,2}(?:live|living|be alive|exist|"
        r"wake up|"
        r"be here anymore|be on earth|be in this world|life)",
        r"want (?:\w+ ){0,3}(?:never|not|stop) (?:to )?(?:wake|exist|exist\w*|be alive|living|live|"
        r"breathing|being alive)",
        r"(?:go|going) to sleep (?:\w+ ){0,3}(?:never|not) wake",
        r"can not (?:go on|take it|do this|live like this|live) anymore|give up on (?:life|living)|"
        r"giv\w+ up on living",
        r"(?:make|end) (?:it|the pain|everything|my pain) (?:all )?(?:stop|end) forever|end it all",
        r"(?:want|going|wish|could|will|rather|should) (?:\w+ ){0,3}(?:disappear|go away|vanish|"
        r"leave|be gone) forever",
        r"(?:say|saying|said) goodbye (?:\w+ ){0,4}forever|goodbye (?:note|letter)|suicide note",
        r"(?:jump|jumping|walk|step|run|stepping|lie down) (?:\w+ ){0,3}(?:in front of|under|"
        r"onto the "
        r"(?:train|tracks)|into (?:the )?traffic)",
        r"(?:want|going|how|could|might|will|should) (?:\w+ ){0,4}(?:jump|jumping) (?:\w+ ){0,3}"
        r"(?:bridge|building|balcony|cliff|window)",
        r"(?:be|go|join|together) (?:\w+ ){0,4}(?:in heaven|dead grandma|dead grandpa) (?:\w+ "
        r"){0,3}now",
        r"stop (?:my )?breathing forever|never breathe again",
        r"(?:punish|hurt|hurting|cut|cutting|burn|burning|scratch|scratching|hit|hitting|bite|"
        r"biting|"
        r"punch|punching|stab|starve|injure|pinch) (?:\w+ )?(?:myself|my (?:own )?(?:\w+ )?"
        + _SKIN
        + r") "
        r"(?:\w+ ){0,6}(?:on purpose|purposely|because|so that|so i|when i|when they|makes me feel|"
        r"feel|feels|helps|secret\w*|again|every|until|deserve|tonight|instead|without)",
        r"(?:want|like|need|have|going|trying|thinking|thought|feel like|keep|kept|started|helps|"
        r"should|"
        r"urge|feels? good|feels? better|relaxing|way) (?:\w+ ){0,5}(?:hurt|hurting|cut|cutting|"
        r"burn|"
        r"burning|harm|harming|starve|punish|injure|stab|scratch) (?:myself|my (?:own )?(?:\w+ )?"
        + _SKIN
        + ")",
        r"(?:stop|not) being alive|being dead|(?:never|not) been born|nobody (?:loves|wants|"
        r"needs) me",
        r"(?:everyone|family|mom|dad|they|world|parents|people|life) (?:\w+ ){0,4}(?:happier|"
        r"better|easier)"
        r" (?:off )?(?:\w+ )?(?:without me|if i)",
        r"(?:make|let) myself (?:to )?(?:die|disappear|stop)|ways? to (?:die|kill|be dead)|how "
        r"(?:\w+ ){0,3}"
        r"people kill themselves|how (?:can|do|could) i die",
        r"(?:hit|bang|bash|hitting|banging) my (?:own )?head (?:\w+ ){0,5}(?:wall|floor|because|"
        r"until|bad)",
        r"(?:cut|burn|scratch|hurt) my (?:\w+ )?(?:skin|arm|arms|hand|leg|legs) (?:\w+ "
        r"){0,6}(?:sad|bad inside|"
        r"pain|feel|better|angry|nobody)",
        r"(?:not|stop\w*) (?:\w+ )?(?:eat|eating|eaten) (?:\w+ ){0,8}(?:fat|thin|skinny|weight)|"
        r"(?:stop|keep) myself "
        r"from eating|last day on earth|(?:pills?|tylenol|medicine|tablets?|aspirin) (?:\w+ "
        r"){0,8}(?:to die|to "
        r"kill|die)|(?:go|be) (?:\w+ ){0,2}with (?:my )?(?:dead )?(?:\w+ )?(?:in|to) heaven",
        r"(?:finger|fingers|toothbrush) (?:\w+ ){0,3}(?:in|down) my throat|(?:stopped|not) "
        r"(?:eaten|eating|"
        r"eat) (?:\w+ ){0,8}(?:fat|thin|skinny)|(?:so|too) fat (?:\w+ ){0,5}(?:not|stop\w*|"
        r"never) (?:to )?eat\w*",
        r"(?:i am|feel) (?:\w+ )?(?:worthless|a burden|hopeless|empty inside|dead inside)|i "
        r"should be (?:gone|"
        r"dead)|no point (?:in|of|to) (?:anything|everything|me|trying)",
        r"disappear (?:\w+ ){0,2}never come back|wish (?:\w+ ){0,4}(?:run me over|run over me|"
        r"kill me|hit me)",
        r"(?:goodbye|say bye) to everyone|(?:giving|give|gave) (?:away )?(?:\w+ ){0,4}(?:toys|"
        r"things|stuff) "
        r"(?:\w+ ){0,4}not need|(?:will|going to) not be here (?:tomorrow|anymore|after)|last "
        r"time (?:\w+ )"
        r"{0,3}(?:talk|see|speak) (?:\w+ ){0,3}(?:ever|forever)|plan to (?:end|die|kill)|end "
        r"everything",
        r"bang\w* my head (?:\w+ ){0,4}(?:wall|floor|until|hard)",
        r"pull\w* (?:out )?my (?:own )?hair out (?:\w+ ){0,3}(?:because|when|until)",
    ),
    *_p(
        "self-harm",
        r"(?:kill|killed|killing|drown|hang|hanged|stab|strangle|suffocate|murder|end) myself",
        r"(?<!not )(?:want|wants|wanted|going|ready|like|rather|wish|hope|trying|try|hoping|"
        r"should|could|just)"
        r" (?:\w+ )?(?:to |i (?:could |would |will )?)?(?:just |really |only |go and )?(?:die|"
        r"dying|be dead|"
        r"be killed)(?! my\b| your\b| the hair\b| her\b| of laugh\w*| laugh\w*| easter| eggs?)",
        r"(?:hate|hated|hating) (?:myself|my life|my body)",
        r"(?:hurt|cut|burn|cutting|hurting|burning|scratch|bit|hit|punched) myself (?:\w+ "
        r"){0,2}(?:a lot|"
        r"sometimes|at night|when|every|in the bathroom|in my room|in secret)",
        r"(?:cut|cutting) myself",
        unless=_ACCIDENT,
    ),
]

_ABUSE = [
    *_p(
        "abuse",
        rf"(?:touch|touches|touched|touching|rubs?|rubbed|rubbing|grabs?|grabbed|licks?|licked|"
        rf"kisses|"
        rf"kissed|kissing|feels?|squeezes?|squeezed|poked?|pokes|puts?|put|play|plays|played) "
        rf"(?:\w+ )"
        rf"{{0,4}}(?:my|me) (?:\w+ ){{0,4}}{_BODY}",
        r"touch\w* (?:\w+ )?(?:me|myself|her|him) (?:\w+ ){0,3}(?:down there|there|where|in a "
        r"bad|in a "
        r"weird|in a way|wrong|funny|privately|at night|when i (?:sleep|am asleep)|under|in bed|"
        r"too much)",
        r"(?:makes?|made|making|forces?|forced|asks?|asked|wants?|tells?|told) me (?:to )?(?:\w+ )"
        r"{0,2}(?:touch|kiss|rub|lick|suck|hold|look at|watch|take off|undress|get undressed|get "
        r"naked|"
        r"show) (?:\w+ ){0,3}(?:him|her|his|it|them|private\w*|penis|clothes|pants|naked|underwear|"
        r"my body|videos|lap)",
        r"(?:shows?|showed|showing) me (?:\w+ ){0,3}(?:private\w*|penis|willy|naked|nude\w*|porn|"
        r"thing)",
        r"(?:takes?|took|taking|wants?|asked) (?:\w+ ){0,3}(?:pictures?|photos?|videos?|films?) "
        r"(?:\w+ )"
        r"{0,4}(?:naked|nude|undress\w*|in the (?:bath|shower|tub)|without (?:\w+ )?clothes|no "
        r"clothes|"
        r"underwear|changing)",
        r"(?:comes?|came|gets?|got|climbs?|sneaks?) (?:\w+ )?(?:into|in) my (?:bed|bedroom|room) "
        r"(?:\w+ )"
        r"{0,4}(?:night|and|when i)",
        r"(?:told|tells|said|says|made|makes) (?:\w+ ){0,2}(?:not to|never to|to not|i can not|i "
        r"must not|i should not|do not|promise not to) (?:\w+ )?(?:tell|say anything)",
        rf"(?:{_WHO}) (?:\w+ ){{0,3}}(?:our|special) (?:\w+ )?secret",
        r"(?:will|would|going to) (?:\w+ )?(?:hurt|kill|hit|beat|punish|hate|leave) (?:me|my \w+|"
        r"us|him|"
        r"her) (?:\w+ ){0,2}if (?:i|we) (?:\w+ ){0,2}(?:tell|say|told|talk)",
        r"if i (?:\w+ )?tell (?:\w+ ){0,4}(?:will|would|going to|gets?) (?:\w+ ){0,3}(?:hurt|"
        r"kill|hit|"
        r"beat|mad|angry|trouble)",
        rf"(?:scared|afraid|frightened|terrified) (?:\w+ ){{0,2}}(?:to go home|of (?:my |being "
        rf"with )?"
        rf"(?:\w+ )?{_ADULT}|to be (?:at )?home|to be alone with|at home|in my (?:own )?house|"
        r"(?:he|she|they) (?:will|is going to|might) (?:hurt|hit|kill|beat)|going home)",
        r"not (?:feel )?safe (?:\w+ ){0,3}(?:home|house|with|here|anymore|from)",
        r"(?:do|does|did) not want to go (?:back )?home (?:because|to)",
        r"(?:nothing|not enough) to eat (?:\w+ ){0,3}(?:home|house)|not give (?:me|us) (?:\w+ "
        r")?(?:food|dinner|"
        r"anything to eat)|always hungry|(?:mom|dad|parents|they) left (?:\w+ ){0,4}(?:not come "
        r"back|never "
        r"came back)|did not come (?:back|home) (?:\w+ ){0,3}(?:and|since|yesterday|last night|"
        r"all night)|"
        r"(?:no|not any|without|enough|run out of) (?:food|dinner|supper) (?:\w+ ){0,4}(?:days?|"
        r"home|house|"
        r"eat|again)|(?:nobody|does not|do not|never) (?:feeds?|feed) me|not (?:allowed|let me|"
        r"given) "
        r"(?:\w+ ){0,2}(?:to eat|any food|food|eat)|not eaten (?:\w+ ){0,3}(?:days?|yesterday)",
        r"(?:lock|locks|locked|locking|shut|shuts|tied|ties|chained|keeps) me (?:\w+ ){0,2}(?:in|"
        r"up|out|"
        r"to|outside|inside)",
        r"(?:left|leaves?|leaving) me (?:\w+ ){0,2}(?:alone|by myself) (?:\w+ ){0,4}(?:night|days?|"
        r"hours|house|home|weekend|baby)|(?:all|been|am) alone (?:\w+ ){0,4}(?:all night|for \w+ "
        r"days|"
        r"since yesterday)|home alone (?:\w+ ){0,3}(?:night|days?|scared)",
        r"(?:says?|said|told|tells) (?:\w+ ){0,3}(?:special|secret) game|must not tell|bad "
        r"things will happen "
        r"if|secret (?:\w+ ){0,3}(?:does|did|do) (?:\w+ ){0,3}(?:night|me|us)|comes? to my "
        r"(?:bed|room) "
        r"(?:\w+ )?(?:when|at night)",
        r"(?:hide|hiding|hid) (?:\w+ ){0,6}(?:dad|mom|stepdad|he|she|uncle) (?:\w+ "
        r"){0,3}(?:drunk|angry|mad|"
        r"yell\w*|scream\w*|comes? home)|(?:would|will) kill (?:us|me|mom|her)",
        r"(?:sleep|stay) outside (?:\w+ ){0,5}(?:mad|angry|bad|punish\w*|cold)|nobody (?:looks "
        r"after|takes "
        r"care of|is (?:at )?home)",
        r"(?:push|pushes|pushed|throw|film|trip|chase) me (?:\w+ ){0,4}(?:toilet|film|laugh|"
        r"every)|makes? me "
        r"give (?:him|her|them) (?:\w+ )?money|wait (?:for me )?(?:\w+ ){0,3}to (?:hurt|beat|hit)",
        r"(?:looks|look|looked|watches|watched|stares|film\w*|pictures of me|photos of me) "
        r"(?:\w+ ){0,3}"
        r"(?:in the )?(?:shower|bath|changing|undress\w*|naked)",
        r"(?:twisted|squeezed|pinched|burned|held) (?:my|me) (?:\w+ ){0,5}(?:hard|stove|hurts?|"
        r"hot|bruis\w*)|"
        r"(?:long sleeves|hide|see) (?:\w+ ){0,6}where (?:he|she|they) (?:\w+ )?(?:grabbed|hit|"
        r"hurt)",
        r"who (?:\w+ ){0,3}can tell (?:\w+ ){0,3}what|(?:my|is it my) fault (?:\w+ "
        r"){0,3}(?:touch\w*|hits?|"
        r"hurts?|beats?)|in a way (?:\w+ ){0,2}(?:feels?|makes) (?:\w+ )?(?:bad|weird|wrong|"
        r"uncomfortable)",
        rf"(?:{_ADULT}|parents|they|he|she) (?:\w+ ){{0,3}}(?:drunk|drinks? (?:a lot|too much)|"
        rf"on drugs|"
        r"high) (?:\w+ ){0,5}(?:and|hit|hits|yells?|screams?|scared|breaks?|throws?|mean|angry|"
        r"then)",
        r"(?:i am|get|got|gets|being|was|been|getting) (?:being |always )?(?:bullied|abused|"
        r"molested|"
        r"raped|beaten)",
        r"(?:bully|bullies|bullying) me|molest\w*|rap(?:e|ed) me|abus(?:e|es|ed|ing) me",
        r"(?:threaten|threatens|threatened|threatening) (?:me|us|my|to (?:hurt|kill|hit))",
        r"bruises? (?:\w+ ){0,4}(?:from|because|he|she|dad|mom|made|left|gave|hide|hides|teacher)",
        r"(?:hide|hides|hiding|cover) (?:\w+ ){0,3}bruises?",
        r"(?:run|ran|running) away (?:\w+ )?(?:from home|because|and (?:never|not)|tonight|"
        r"forever)",
        r"(?:someone|stranger|man|robber|burglar|thief|guy) (?:\w+ ){0,3}(?:in|inside|into|outside|"
        r"breaking into|broke into|at) (?:my|our|the) (?:house|room|window|home|apartment|garden|"
        r"door)",
        r"(?:nobody|not have anyone|no grown up|no adult|no grownup) (?:\w+ ){0,4}(?:i can |to |"
        r"can )"
        r"(?:\w+ )?(?:tell|talk to|trust|help)",
        r"(?:with|using) (?:a|his|her|the) (?:belt|stick|cord|hanger|wooden spoon|shoe|slipper|"
        r"cable)",
        rf"(?:{_ADULT}|parents|he|she|they|{_KID}) (?:\w+ ){{0,2}}(?:beat|beats|beating|whips?|"
        rf"whipped|chokes?|"
        r"choked|strangled?|strangles|burns?|burned|slaps?|slapped|spanks?|spanked|starves?) "
        r"(?:me|us|"
        r"my (?:brother|sister|mom|dad|\w+ brother|\w+ sister|face|head))(?! (?:at|in|to the) )",
        unless=_FICTION,
    ),
    *_p(
        "abuse",
        rf"(?:{_ADULT}|parents) (?:\w+ ){{0,3}}(?:hit|hits|hitting|punch|punches|punched|kick|"
        rf"kicks|"
        r"kicked|hurt|hurts|hurting|push|pushes|pushed|shoves?|shoved|shakes?|shook|grabs?|grabbed|"
        r"throws?|threw|smacks?|smacked|pulls?|pulled|slapping|slams?|slammed) (?:\w+ )?(?:me|us|"
        r"my "
        r"(?:mom|dad|brother|sister|arm|hair|face|head|\w+ brother|\w+ sister)|mom|dad|each "
        r"other|her|"
        r"him)(?! (?:the ball|a |some |to the|to school|out of bed|on the swing|feelings|up "
        r"(?:in|on)))",
        rf"(?:he|she|they|{_KID}) (?:\w+ )?(?:hit|hits|punch|punches|kick|kicks|hurt|hurts|beat|"
        rf"beats|"
        r"push|pushes|choke|chokes) (?:me|us|my (?:mom|dad|brother|sister)) (?:\w+ ){0,4}(?:every|"
        r"always|all the time|a lot|really hard|so hard|until|when (?:he|she|dad|mom|nobody|no)|"
        r"again|"
        r"bleed\w*|bruise\w*|at night|if i)",
        r"(?:he|she|they) (?:beat|beats|punches|slaps|whips) me",
        r"hit (?:me|us) (?:really |so |very )?(?:hard|again|a lot|every)",
        unless=re.compile(_PLAY.pattern[:-3] + r"|frisbee|feelings|air|joke|hose|swing|sled)\b"),
    ),
]

_EMERGENCY = [
    *_p(
        "emergency",
        r"(?:bleed\w*|blood) (?:\w+ ){0,3}(?:a lot|so much|everywhere|all over|will not stop|not "
        r"stopping|really bad\w*|too much|and it|lots|out of|coming out|from (?:\w+ )?head)",
        unless=re.compile(_FICTION.pattern[:-3] + r"|tooth|teeth|nose|knee|paper)\b"),
    ),
    *_p(
        "emergency",
        r"(?:can not|could not|hard to|trouble|unable to|struggling to|can barely|can hardly|"
        r"stopped|"
        r"not able to|forgot how to) (?:\w+ )?(?:breathe|breathing)",
        r"(?:not|stopped|without|never|no longer) (?:\w+ )?breathing",
        r"(?:is|am|are|was) choking|(?:grape|food|candy|something|coin|marble|toy) (?:\w+ "
        r"){0,3}stuck in "
        r"(?:\w+ )?throat",
        rf"(?:{_WHO}|baby|grandparents|dog|puppy|cat) (?:\w+ ){{0,4}}not (?:\w+ )?(?:wak\w+|"
        rf"breath\w*|"
        r"mov\w+|respond\w*|answering me|open\w* (?:his|her) eyes|get\w* up)|unconscious|passed "
        r"out|"
        r"(?:dad|mom|grandma|grandpa|he|she|brother|sister|baby|friend) (?:\w+ ){0,3}(?:fainted|"
        r"collapsed)",
        r"(?:having|had|have|has|has had) (?:a )?(?:heart attack|stroke|seizure|fit and)",
        r"(?:lots|lot|so much|too much) (?:of )?blood|(?:will|can|does|would) not stop bleeding",
        r"(?:swallow|swallowed|swallowing|ate|eaten|eat|drank|drink|drunk|licked|sprayed|got) "
        r"(?:\w+ ){0,5}"
        r"(?:battery|batteries|magnets?|bleach|detergent|pods?|pills?|tablets?|medicine|vitamins|"
        r"cleaner|"
        r"cleaning|poison\w*|coins?|toadstool|mushrooms? (?:from|in|out)|gasoline|petrol|nail "
        r"polish|"
        r"antifreeze|glass|toilet|chemical\w*|paint|glow stick|screws?|nails?|needle|hand "
        r"sanitizer|"
        r"weed killer|berries (?:from|off|in|on|out)|marbles?|perfume|purple stuff)",
        r"(?:took|take|had|taken) (?:\w+ )?(?:too many|too much|all|a lot|lots|whole) (?:\w+ "
        r"){0,4}(?:pills?|"
        r"medicine|tablets?|gummies|vitamins|sleeping)",
        r"(?:throat|tongue|face|lips|mouth|eyes) (?:\w+ ){0,3}(?:closing|swelling|swollen|"
        r"swells?|puffy|"
        r"blue|getting big\w*|tight)",
        r"(?:allergic|allergy|bee|peanuts?|nuts?) (?:\w+ ){0,8}(?:throat|breathe|swell\w*|"
        r"swollen|itchy "
        r"all|lips|face)|epipen|epi pen",
        r"(?:lying|lies|laying) on the floor (?:\w+ ){0,6}not|(?:magnet|battery|coin|pill) "
        r"(?:\w+ ){0,4}"
        r"swallowed|throat (?:\w+ ){0,4}closing|see (?:the|my|a) bone|(?:arm|leg|wrist|finger) "
        r"(?:is |looks )"
        r"(?:bent|crooked|broken|the wrong)|(?:dog|animal) bit (?:\w+ ){0,5}(?:face|bleed\w*|neck)",
        r"smoke (?:\w+ ){0,3}(?:under|in my|in our|in the (?:house|room|kitchen)|everywhere)|"
        r"smells? (?:\w+ )"
        r"{0,2}gas|(?:curtain|curtains|bed|stove|sofa|house|kitchen) is burning",
        r"(?:shaking|lying) on the (?:ground|floor)|half (?:of )?(?:\w+ )?face|talks? funny "
        r"(?:\w+ ){0,3}face|"
        r"fell through the ice|under the water|car (?:crash|accident) (?:\w+ ){0,4}(?:not|blood|"
        r"hurt)",
        r"(?:is|are|keeps?|started) (?:\w+ )?shaking|eyes (?:are |look )?(?:\w+ )?(?:weird|white|"
        r"rolled)|"
        r"electrocuted|electric shock|bit(?:ten)? (?:\w+ ){0,3}(?:snake|rattlesnake|spider and)",
        r"snake (?:\w+ )?bit",
        r"(?:house|kitchen|room|stove|curtains?|bed|sofa|oven|apartment|building|clothes|hair) "
        r"(?:\w+ )?"
        r"(?:is |are |caught |on )(?:\w+ )?fire|fire in (?:my|our|the) (?:house|kitchen|room|oven|"
        r"apartment|basement|garage)|smell (?:of )?(?:gas|smoke)",
        r"(?:is|am|are) drowning|fell (?:in|into) (?:the )?(?:pool|lake|river|pond) (?:\w+ "
        r"){0,3}(?:can "
        r"not|not|and|swim)",
        r"(?:hit|banged|bumped|smashed) (?:\w+ )?head (?:\w+ ){0,8}(?:dizzy|blood|bleed\w*|"
        r"throw\w* up|"
        r"vomit\w*|blurry|see|sleepy|double|sick|remember)",
        r"(?:burned|burnt|scalded|burning) (?:\w+ ){0,5}(?:boiling|bad\w*|blister\w*|skin is|"
        r"peeling|hot "
        r"oil|hot water)|boiling water (?:\w+ ){0,4}(?:on|over)",
        r"(?:bone|finger|toe) (?:\w+ ){0,3}(?:sticking out|cut off|came off|coming out|fell off|"
        r"out of)",
        r"fell (?:\w+ ){0,4}(?:stairs|roof|ladder|window|tree) (?:\w+ ){0,6}(?:not|can not|"
        r"bleed\w*|blood|"
        r"unconscious|move|wake|hurt)",
        r"(?:chest|heart) (?:\w+ )?(?:hurts|hurting|pain|stopped|is hurting)",
        r"(?:have to call|need to call|must call|please call|call|need|calling) (?:an |the "
        r")?(?:ambulance|nine one one|911|999|112|one one two|triple "
        r"nine)",
        r"poisoned|feel like i am dying|going to pass out|run over by|hit by (?:a |the )?(?:car|"
        r"truck|bus)",
        r"(?:dad|mom|grandma|grandpa|he|she|baby|brother|sister|someone) (?:\w+ )?(?:is|are|"
        r"might be|looks) "
        r"(?:\w+ )?(?:dying|dead|turning blue|blue|shaking all over)",
        unless=re.compile(_FICTION.pattern[:-3] + r"|taught|learned|for a second|almost)\b"),
    ),
]

_ONLINE = (
    r"(?:online|internet|roblox|discord|snapchat|instagram|tiktok|whatsapp|game chat|the chat|the "
    r"game|my game|minecraft|fortnite|facebook|webcam|video call|app)"
)
_STRANGERS = [
    *_p(
        "strangers",
        r"(?:man|lady|woman|guy|stranger|strangers|someone|person|grown up|he|she|they|friend|"
        r"adult|boy|"
        r"girl|people|player|neighbor|driver) (?:\w+ ){0,8}(?:asked|asks|asking|wants|wanted|"
        r"told|tells|"
        r"said|says|offer\w*|gave|gives|sent|keeps|promised|tried|made) (?:\w+ ){0,7}(?:meet|"
        r"address|"
        r"where i (?:live|go)|my (?:phone )?number|picture|pictures|photo|photos|pic|pics|selfie|"
        r"password|come with|get in|go with|follow (?:him|her|them)|a ride|candy if|sweets if|"
        r"camera|"
        r"not (?:to )?tell|secret|which school|my school|what i (?:am wearing|look like)|how old "
        r"i am|"
        r"if i am alone|home alone|gift card|credit card|help (?:\w+ )?find (?:\w+ "
        r"){0,2}(?:puppy|dog|"
        r"kitten|cat)|to (?:his|her|their) (?:house|car|van|home|apartment))",
        rf"meet (?:\w+ ){{0,6}}(?:{_ONLINE}|stranger|strangers|never met|do not know)",
        rf"(?:met|know|talking to|talk to|chatting|friend) (?:\w+ ){{0,6}}{_ONLINE} (?:\w+ "
        rf"){{0,8}}(?:meet|"
        r"picture|photo|address|alone|secret|visit|where i live|pick me up|older|grown up|phone|"
        r"come "
        r"(?:to|over)|hotel|park|mall)",
        r"(?:follow|follows|followed|following) me (?:\w+ ){0,4}(?:home|from|in|car|street|"
        r"school|and|"
        r"everyday|every|around)",
        r"(?:someone|man|lady|woman|guy|stranger|car|van) (?:\w+ ){0,3}(?:is |was |keeps "
        r")?following me",
        r"(?:get|got|getting|go|went|hop|ride) (?:\w+ )?(?:in|into) (?:\w+ ){0,3}(?:stranger\w*|"
        r"his|her|the "
        r"man\w*|that man\w*|lady\w*) (?:\w+ )?(?:car|van|truck|house)?",
        r"(?:open|opened|let|answer) (?:\w+ ){0,5}(?:stranger|someone i do not know|man i do not "
        r"know)",
        r"(?:send|sent|sending|share|post) (?:\w+ ){0,4}(?:nudes?|naked|picture of (?:me|my|"
        r"myself)|photo of "
        r"(?:me|my|myself)|pictures of (?:me|my|myself)|my (?:picture|photo|selfie|address|"
        r"location))"
        r"(?: (?:\w+ ){0,5}(?:to|online|stranger|him|them|guy|man))?",
        r"(?:man|lady|stranger|guy|someone) (?:\w+ ){0,5}(?:car|van|truck|park|playground|school|"
        r"bus stop) "
        r"(?:\w+ ){0,5}(?:candy|sweets|puppy|ride|toys?|ice cream|come|staring|watching|taking "
        r"(?:pictures|photos))",
        r"(?:someone|man|lady|woman|guy|person) (?:i do not know|we do not know|nobody knows) "
        r"(?:\w+ ){0,4}"
        r"(?:waits|wait|calls|calling|talks|writes|texts|comes|asked|asks|wants|knows|took|gave|"
        r"knocks)",
        r"(?:knocking|knocks|ringing|door) (?:\w+ ){0,10}(?:should i|can i) (?:open|let)|(?:man|"
        r"someone|guy) "
        r"(?:\w+ ){0,3}(?:looking|looks|peeking) (?:\w+ ){0,2}(?:window|my room)|(?:man|guy|"
        r"lady) (?:\w+ )"
        r"{0,4}(?:photos|pictures|videos) of (?:us|me|the kids|kids)",
        r"(?:car|van) (?:\w+ )?(?:drives|follows|drove) (?:\w+ )?(?:behind|after|next to) me|"
        r"(?:be|is) my "
        r"(?:secret )?(?:boyfriend|girlfriend) (?:\w+ ){0,4}(?:grown|old|online|adult)|grown up "
        r"(?:\w+ ){0,6}"
        r"(?:boyfriend|girlfriend)|now i have to do what (?:he|she|they)|secret friend",
        r"(?:in|into) (?:a |the )?(?:\w+ )?car with (?:a |the )?(?:stranger|man|someone)|(?:man|"
        r"guy|stranger|"
        r"lady|someone|grown up) (?:\w+ ){0,6}(?:keeps?|is always|always) (?:watching|staring|"
        r"looking|"
        r"following|calling|texting|messaging)|(?:in|on|from) (?:my|the|a) (?:game|chat|app|"
        r"phone) (?:\w+ )?"
        r"(?:says?|said) (?:he|she|they) (?:loves?|likes?) me|(?:puppy|puppies|kitten|candy|"
        r"toys?|video "
        r"games?) (?:\w+ )?in (?:his|her|their|the) (?:van|car|truck|house)",
        r"stranger (?:\w+ ){0,5}(?:talked to me|gave me|wants|asked|touched|grabbed|offered|took)",
        r"(?:keep|keeping) (?:\w+ ){0,3}secrets? from (?:\w+ )?(?:mom|dad|parents|grown)",
        r"(?:can you|will you|could you|promise|please|do you) (?:\w+ )?keep (?:a|my|this|our|it) "
        r"(?:\w+ )?secret|promise (?:me )?(?:\w+ ){0,2}(?:not to|you will not|never to|do not) "
        r"tell",
        r"(?:do not|never|you can not|must not) (?:ever )?tell (?:anyone|anybody|any grown|(?:my "
        r")?(?:mom|"
        r"dad|parents|teacher)(?: or (?:mom|dad))?)",
        unless=re.compile(
            r"\b(?:present|surprise|birthday|party|gift|cake|card|story|book|movie|pretend\w*|"
            r"playing|"
            r"broke|cookies?|recipe|hiding|hide and seek|fairy|pirates?|vegetables|broccoli|"
            r"christmas|"
            r"puppy (?:is|was)|dog (?:is|was)|duck\w*|cat|club|fort|handshake|never talk|rule)\b"
        ),
    ),
]

_SEXUAL = [
    *_p(
        "sexual",
        r"sex|sexy|sexual|sexually|porn|porno|pornography|nudes?|penis|penises|vagina|dick|cock|"
        r"boobs|"
        r"pussy|blowjob|masturbat\w*|orgasm|boner|horny|condoms?|hentai|onlyfans|genitals?|"
        r"genitalia|"
        r"pedophil\w*|paedophil\w*|underage|stripper|strip club|dildo|vibrator|foreplay|erection|"
        r"ejaculat\w*|slut|whore|clitoris|anal|sexting|fetish|incest|rape",
        r"naked (?:\w+ ){0,2}(?:pictures?|photos?|people|girls?|boys?|kids?|children|women|woman|"
        r"man|men|"
        r"videos?|lady|ladies|body|bodies|person|together)",
        r"(?:see|seeing|show|look at|watch|pictures? of|photos? of|videos? of) (?:\w+ "
        r"){0,5}(?:naked|nude|"
        r"undressed|undressing|without (?:any )?clothes)",
        r"(?:kids|children|child|girls?|boys?) (?:\w+ ){0,2}(?:naked|undressing)",
        r"how (?:\w+ ){0,3}(?:make|makes|made) (?:a )?bab(?:y|ies)|where (?:\w+ ){0,2}babies "
        r"come from|how "
        r"are babies made|how (?:\w+ ){0,4}bab(?:y|ies) get (?:in|into|inside)",
        r"talk dirty|no clothes on|kiss (?:\w+ ){0,2}tongue|take off our clothes|(?:see|show) "
        r"(?:\w+ ){0,3}"
        r"private parts",
        r"(?:romantic|love|kiss|kissing|dating|marry) (?:\w+ ){0,6}(?:older|grown|adult) (?:man|"
        r"woman|"
        r"men|person) (?:\w+ ){0,4}(?:child|kid|girl|boy)",
        unless=re.compile(
            r"\b(?:essex|sussex|homosexual|bisexual|sexual orientation|mole rats?|cock a doodle|"
            r"moby)\b"
        ),
    ),
]

_WEAPONS = [
    *_p(
        "weapons",
        r"(?:make|making|build|building|buy|get|use|load|fire|bring|bringing|take|taking|sneak|"
        r"find|found|"
        r"have|has|hold|held|holding|touch|play with|carry|steal|know where|see|saw|need|want|"
        r"own|print|"
        r"pack|hide|shoot|keeps?|got|show\w* me|brought|put|kept|a real) (?:\w+ ){0,6}(?:guns?|"
        r"bombs?|"
        r"explosives?|grenades?|molotov|pistol|rifle|shotgun|ammo|ammunition|bullets?|"
        r"switchblade|dynamite|"
        r"napalm|gunpowder|machete|revolver|firearms?|weapons?|gun powder|silencer)",
        r"(?:gun|pistol|rifle|shotgun|bullets|revolver) (?:\w+ ){0,4}(?:drawer|closet|bed|car|"
        r"bag|backpack|"
        r"school|real|loaded|cabinet|garage)",
        r"(?:knife|knives|blade) (?:\w+ ){0,4}(?:to school|in my (?:bag|backpack|locker)|at "
        r"school|fight)|"
        r"(?:bring|take|sneak|hide|carry|pack) (?:\w+ ){0,4}(?:knife|knives|blade)",
        r"(?:stab|stabbing|shoot|shooting|strangle|murder|murdering|poison) (?:\w+ ){0,1}(?:him|"
        r"her|them|"
        r"someone|people|everyone|anyone|person|kid|kids|teacher|brother|sister|mom|dad|friend|"
        r"classmate|"
        r"boy|girl|neighbor|stepdad|somebody)",
        r"(?:want|going|how|could|will|wish|should|ways?|plan\w*|help me|can i|i would) (?:\w+ "
        r"){0,4}"
        r"(?:kill|murder|hurt|attack|blow up|beat up|burn down|drown|poison|push) (?:\w+ "
        r"){0,3}(?:him|her|"
        r"them|someone|people|everyone|anyone|person|kid|kids|teacher|brother|sister|mom|dad|"
        r"friend|"
        r"classmates?|boy|girl|neighbor|stepdad|school|house|dog|cat|puppy|kitten|animals?|bully)"
        r"(?! feelings)",
        unless=_TOY_WEAPON,
    ),
]

_DRUGS = [
    *_p(
        "drugs",
        r"(?:try|trying|tried|buy|buying|get|getting|make|making|sell|selling|smoke|smoking|"
        r"smoked|use|"
        r"using|take|taking|took|sniff|sniffing|snort|offered|gave|give|hide|roll|grow|need|want|"
        r"find|"
        r"found|have|do|doing) (?:\w+ ){0,5}(?:weed|cocaine|heroin|meth|crystal meth|ecstasy|"
        r"mdma|lsd|"
        r"acid|vape|vaping|juul|cigarettes?|marijuana|cannabis|bong|edibles|nicotine|snus|ketamine|"
        r"fentanyl|adderall|xanax|magic mushrooms|drugs|laughing gas|dope|joint)",
        r"(?:drink|drinking|drank|try|trying|tried|taste|tasted|sip|sneak|buy|get|gave me|steal|"
        r"stole) "
        r"(?:\w+ ){0,4}(?:beer|vodka|whiskey|alcohol|wine|rum|tequila|liquor|schnapps|booze)",
        r"(?:i|me|we|kids?|friends?|how|can|should) (?:\w+ ){0,4}(?:vape|vaping|get (?:drunk|"
        r"high|stoned|"
        r"wasted)|smoke|smoking|smoked|sniff\w* (?:glue|paint|markers?)|huff\w*|snort\w*|shoot up)",
        r"how (?:\w+ ){0,4}(?:high|drunk|stoned) (?:on|from|with|feel)",
        unless=re.compile(
            r"\b(?:root beer|ginger beer|butter beer|butterbeer|garden|weeds|seaweed|antibiotic\w*|"
            r"drug ?store|smoke (?:alarm|detector|signal)|rum raisin|chimney|dragons?|barbecue|"
            r"smoked "
            r"(?:salmon|ham|fish)|grandpa (?:drinks|smokes)|dad (?:drinks|smokes)|mom (?:drinks|"
            r"smokes)|"
            r"not allowed|why do (?:people|grown\w*)|volcano|train|acid rain|citric)\b"
        ),
    ),
]

_RISKY = (
    r"(?:play|playing|played|mess|experiment) with (?:\w+ )?(?:matches|fire|lighter|knives|knife|"
    r"electricity|fireworks|gasoline|outlet|stove)|(?:start|light|make|set) (?:\w+ ){0,3}(?:fire|"
    r"match|"
    r"lighter|fireworks?) (?:\w+ ){0,3}(?:in (?:my|the|our)|inside|alone|secret\w*|myself|to|on "
    r"fire)|"
    r"set (?:\w+ ){0,3}on fire|(?:stick|put|poke|push) (?:\w+ ){0,5}(?:in|into|inside) (?:the |"
    r"an |a )?"
    r"(?:\w+ )?(?:socket|outlet|plug|toaster)|mix (?:\w+ ){0,2}(?:bleach|ammonia|cleaning|"
    r"cleaner\w*|"
    r"chemicals)|(?:climb|get|go|hide|sleep|crawl) (?:\w+ )?(?:in|into|inside) (?:the )?(?:dryer|"
    r"washing "
    r"machine|fridge|freezer|oven|microwave)|(?:climb|jump|jumping|go|walk|get|slide) (?:\w+ "
    r"){0,2}(?:off|"
    r"onto|on|from|out of) (?:\w+ ){0,2}(?:roof|balcony|window|bridge|cliff|garage|moving|train|"
    r"building)|"
    r"(?:play|walk|stand|lie|run|go|sit) (?:\w+ )?(?:on|across|onto|along) (?:the )?(?:train "
    r")?(?:tracks|"
    r"railway|railroad|highway|motorway|freeway)|(?:metal|fork|spoon|foil|phone|cat|hamster|"
    r"battery) "
    r"(?:\w+ )?in (?:the )?microwave|hold (?:my|your) breath\w* (?:\w+ ){0,3}(?:until|till|pass|"
    r"faint)|make (?:myself|yourself|you|me|someone) (?:pass out|faint)|(?:drive|driving|"
    r"steal) (?:\w+ ){0,4}(?:mom|dad|parents|grandpa) (?:\w+ )?(?:car|truck|keys)|sneak out|swim "
    r"(?:\w+ )"
    r"{0,4}(?:alone|by myself|at night)|(?:eat|eating|swallow|drink|bite|lick) (?:\w+ "
    r"){0,3}(?:tide pods?|"
    r"laundry|detergent|bleach|soap|battery|magnets?|glue|spoon of cinnamon|cinnamon|hot peppers?|"
    r"sanitizer)|(?:choke|choking|strangle) (?:\w+ ){0,3}(?:game|challenge|each other|until)|"
    r"(?:tie|put|"
    r"pull) (?:\w+ ){0,4}(?:around|over|on) (?:my|your|his|her) (?:neck|head|mouth)|ride (?:\w+ "
    r"){0,4}"
    r"(?:without a helmet|down the highway|outside of|on top of)|(?:stand|sit|hang) (?:\w+ "
    r")?(?:on|from|out "
    r"of) (?:the )?(?:window|ledge|balcony|railing)|cross (?:\w+ )?(?:highway|motorway|freeway|"
    r"road with my "
    r"eyes)"
)
_DARES = [
    *_p(
        "dares",
        r"(?:blackout|choking|pass out|passing out|tide pod|cinnamon|fire|benadryl|skull breaker|"
        r"milk "
        r"crate|salt and ice|salt ice|hot water|one chip|fainting|outlet|knife|car surfing|train "
        r"surfing|"
        r"bleach) (?:challenge|game|dare|trend)",
        rf"(?:dare|dared|dares|dare\w*|challenge|challenged|bet|bets|challenges) (?:\w+ "
        rf"){{0,8}}(?:{_RISKY}|"
        r"roof|pills?|knife|fire|lighter|matches|highway|train|bleach|steal|run away|faint|pass "
        r"out)",
        rf"(?:i|we|how|can|could|should|let us|may|what if|okay if|ok if|fun if|happens if|"
        rf"happen if|"
        rf"friend|friends|boys|kids|brother|cousin|they|he|she) (?:\w+ ){{0,7}}(?:{_RISKY})",
        unless=re.compile(
            r"\b(?:minecraft|roblox|fortnite|mario|lego|pretend\w*|story|movie|book|teddy|dolls?|"
            r"toys?|"
            r"truth or dare is|model train|board game|dragon|campfire|candles?|cookies?|"
            r"firefighters?|"
            r"superman|spiderman|spider man|character|video game|santa|cat|squirrel|bird)\b"
        ),
    ),
]

_STREET = r"(?:street|road|avenue|lane|drive|court|boulevard|close|way|st|rd|ave|apartment|flat)"
_PERSONAL = [
    *_p(
        "personal",
        r"(?:my|our|mom|dad) (?:\w+ )?(?:home )?address is",
        rf"(?:i|we) live (?:at|on|in) (?:number )?(?:\w+ ){{0,3}}\d+ (?:\w+ ){{0,3}}{_STREET}",
        r"(?:i|we) live (?:at|on) (?:number |house )?(?:\d+|one|two|three|four|five|six|seven|"
        r"eight|nine|"
        rf"ten|eleven|twelve|twenty|thirty|forty|fifty) (?:\w+ ){{0,5}}{_STREET}",
        r"(?:my|our|mom|dad) (?:\w+ ){0,3}(?:phone )?number is|my (?:\w+ ){0,2}password (?:\w+ "
        r"){0,3}is|"
        r"password (?:for|to) (?:\w+ ){1,5}is|(?:credit )?card number|(?:pin|door|alarm|gate) "
        r"(?:code|"
        r"number) is|social security",
        r"my (?:\w+ )?(?:login|passcode|pin) is",
        unless=re.compile(
            r"\b(?:favorite number|lucky number|shirt|jersey|locker|pretend\w*|fort|club|hideout|"
            r"hard to)\b"
        ),
    ),
]

CHILD: tuple[Pattern, ...] = (
    *_SELF_HARM,
    *_EMERGENCY,
    *_ABUSE,
    *_STRANGERS,
    *_SEXUAL,
    *_WEAPONS,
    *_DARES,
    *_DRUGS,
    *_PERSONAL,
)
