"""Wishing to die, hurting oneself, starving: what a child says of it."""

from __future__ import annotations

from companion.safety.pattern import ACCIDENT, SKIN, Pattern, p

SELF_HARM: tuple[Pattern, ...] = (
    *p(
        "self-harm",
        r"suicide|suicidal|self harm\w*|harm(?:ing)? myself",
        r"(?:want|wanted|going|try|trying|tried|ready|plan\w*|way|ways|how|wish|could|will|should|"
        r"if) (?:\w+ ){0,4}(?:kill|end|drown|hang|stab|shoot|poison|choke|strangle|suffocate|"
        r"murder) (?:\w+ )?(?:myself|yourself|oneself|my life|it all)",
        r"kill(?:ing)? (?:yourself|oneself)",
        r"(?:stop|not|quit|skip) eat(?:ing)? (?:\w+ ){0,8}(?:thin|skinny|weight|fat|bones|week)",
        r"(?:make|making|made) myself (?:to )?(?:throw up|sick|vomit|puke)",
        r"anorexia|anorexic|bulimia|bulimic|(?:starv\w+|starve) myself|thinspo|pro ana",
        r"(?:vomit|throw|puke)\w* (?:it |everything |all |my food )+(?:\w+ ){0,3}(?:up|back up|"
        r"out)",
        r"(?:so|that|get|be) (?:very |really |super )?(?:skinny|thin) (?:\w+ ){0,6}(?:ribs?|"
        r"bones?|ribcage|hip\w*|stick out|disappear)",
        r"lose (?:\w+ ){0,3}weight (?:\w+ ){0,3}(?:fast|quick|quickly|week|secret\w*)",
        r"overdos\w+",
        r"(?:take|took|swallow|eat|swallowed) (?:all |every )(?:\w+ ){0,4}(?:pills?|medicine|"
        r"tablets?)",
        r"how many (?:\w+ ){0,3}(?:pills?|tablets?)",
        r"(?:slit|slitting|slice|cut|cutting) (?:\w+ ){0,2}(?:wrists?|veins?)",
        r"(?:razor|blade|knife) (?:\w+ ){0,5}(?:my|on my) (?:\w+ )?" + SKIN,
        r"hate (?:being alive|living|that i (?:am|was) (?:alive|born))",
        r"(?:no|any) (?:reason|point)s? (?:to|in|of|for) (?:\w+ ){0,2}(?:live|living|alive|go on|"
        r"life)",
        r"worth (?:\w+ ){0,2}(?:living|being alive|alive|live)|(?:life|living) is not worth",
        r"(?:do )?not deserve to (?:live|be alive|exist|be here)",
        r"(?:nobody|no one|anyone|they|everyone|mom|dad|parents|world|family) (?:\w+ "
        r"){0,3}(?:care|miss me|notice|cry|be happier|be better|be better off|be sad) (?:\w+ "
        r"){0,3}if i (?:\w+ )?(?:die|died|dead|was dead|were dead|gone|was gone|were gone|"
        r"disappear\w*|kill\w*|vanish\w*|left forever)",
        r"if i (?:\w+ )?(?:die|died|was dead|were dead|kill\w* myself|was gone|were gone|was not "
        r"here|disappeared|vanished) (?:\w+ ){0,5}(?:miss|care|cry|notice|better|happier|sad)",
        r"better (?:off )?(?:\w+ ){0,3}(?:without me|if i (?:was|were|am) (?:dead|gone|not))",
        r"better off dead|better off gone",
        r"wish (?:that )?i (?:was|were|am|could be|had been|would be|had) (?:\w+ ){0,2}(?:dead|"
        r"never born|not born|never been born|not alive|not exist|gone forever|not here)",
        r"wish (?:\w+ ){0,3}(?:never (?:been |was )?born|never existed|not exist|not wake up|"
        r"never wake up)",
        r"should (?:not|never) (?:be alive|exist|have been born|be born)",
        r"(?:not|no longer|never) (?:\w+ ){0,2}want (?:\w+ ){0,2}(?:live|living|be alive|exist|"
        r"wake up(?! early| yet| so| for school| at)|be here anymore|be on earth|be in this world|"
        r"life)",
        r"want (?:\w+ ){0,3}(?:never|not|stop) (?:to )?(?:wake|exist|exist\w*|be alive|living|"
        r"live|breathing|being alive)",
        r"(?:go|going) to sleep (?:\w+ ){0,3}(?:never|not) wake",
        r"can not (?:go on|take it|do this|live like this|live) anymore|give up on (?:life|"
        r"living)|giv\w+ up on living",
        r"(?:make|end) (?:it|the pain|everything|my pain) (?:all )?(?:stop|end) forever|end it all",
        r"(?:want|going|wish|could|will|rather|should) (?:\w+ ){0,3}(?:disappear|go away|vanish|"
        r"leave|be gone) forever",
        r"(?:say|saying|said) goodbye (?:\w+ ){0,4}forever|goodbye (?:note|letter)|suicide note",
        r"(?:jump|jumping|walk|step|run|stepping|lie down) (?:\w+ ){0,3}(?:in front of|under|onto "
        r"the (?:train|tracks)|into (?:the )?traffic)",
        r"(?:want|going|how|could|might|will|should) (?:\w+ ){0,4}(?:jump|jumping) (?:\w+ "
        r"){0,3}(?:bridge|building|balcony|cliff|window)",
        r"(?:be|go|join|together) (?:\w+ ){0,4}(?:in heaven|dead grandma|dead grandpa) (?:\w+ "
        r"){0,3}now",
        r"stop (?:my )?breathing forever|never breathe again",
        r"(?:punish|hurt|hurting|cut|cutting|burn|burning|scratch|scratching|hit|hitting|bite|"
        r"biting|punch|punching|stab|starve|injure|pinch) (?:\w+ )?(?:myself|my (?:own )?(?:\w+ )?"
        + SKIN
        + r") "
        r"(?:\w+ ){0,6}(?:on purpose|purposely|because|so that|so i|when i|when they|makes me "
        r"feel|feel|feels|helps|secret\w*|again|every|until|deserve|tonight|instead|without)",
        r"(?:want|like|need|have|going|trying|thinking|thought|feel like|keep|kept|started|helps|"
        r"should|urge|feels? good|feels? better|relaxing|way) (?:\w+ ){0,5}(?:hurt|hurting|cut|"
        r"cutting|burn|burning|harm|harming|starve|punish|injure|stab|scratch) (?:myself|my "
        r"(?:own )?(?:\w+ )?" + SKIN + ")",
        r"(?:stop|not) being alive|being dead|(?:never|not) been born|nobody (?:loves|wants|"
        r"needs) me",
        r"(?:everyone|family|mom|dad|they|world|parents|people|life) (?:\w+ ){0,4}(?:happier|"
        r"better|easier) (?:off )?(?:\w+ )?(?:without me|if i)",
        r"(?:make|let) myself (?:to )?(?:die|disappear|stop)|ways? to (?:die|kill|be dead)|how "
        r"(?:\w+ ){0,3}people kill themselves|how (?:can|do|could) i die",
        r"(?:hit|bang|bash|hitting|banging) my (?:own )?head (?:\w+ ){0,5}(?:wall|floor|because|"
        r"until|bad)",
        r"(?:cut|burn|scratch|hurt) my (?:\w+ )?(?:skin|arm|arms|hand|leg|legs) (?:\w+ "
        r"){0,6}(?:sad|bad inside|pain|feel|better|angry|nobody)",
        r"(?:not|stop\w*) (?:\w+ )?(?:eat|eating|eaten) (?:\w+ ){0,8}(?:fat|thin|skinny|weight)|"
        r"(?:stop|keep) myself from eating|last day on earth|(?:pills?|tylenol|medicine|tablets?|"
        r"aspirin) (?:\w+ ){0,8}(?:to die|to kill|die)|(?:go|be) (?:\w+ ){0,2}with (?:my "
        r")?(?:dead )?(?:\w+ )?(?:in|to) heaven",
        r"(?:finger|fingers|toothbrush) (?:\w+ ){0,3}(?:in|down) my throat|(?:stopped|not) "
        r"(?:eaten|eating|eat) (?:\w+ ){0,8}(?:fat|thin|skinny)|(?:so|too) fat (?:\w+ "
        r"){0,5}(?:not|stop\w*|never) (?:to )?eat\w*",
        r"(?:i am|feel) (?:\w+ )?(?:worthless|a burden|hopeless|empty inside|dead inside)|i "
        r"should be (?:gone|dead)|no point (?:in|of|to) (?:anything|everything|me|trying)",
        r"disappear (?:\w+ ){0,2}never come back|wish (?:\w+ ){0,4}(?:run me over|run over me|"
        r"kill me|hit me)",
        r"(?:goodbye|say bye) to everyone|(?:giving|give|gave) (?:away )?(?:\w+ ){0,4}(?:toys|"
        r"things|stuff) (?:\w+ ){0,4}not need|(?:will|going to) not be here (?:tomorrow|anymore|"
        r"after)(?! because)|last time (?:\w+ ){0,3}(?:talk|see|speak) (?:\w+ ){0,3}(?:ever|"
        r"forever)|plan to (?:end|die|kill)|end everything",
        r"bang\w* my head (?:\w+ ){0,4}(?:wall|floor|until|hard)",
        r"pull\w* (?:out )?my (?:own )?hair out (?:\w+ ){0,3}(?:because|when|until)",
    ),
    *p(
        "self-harm",
        r"(?:kill|killed|killing|drown|hang|hanged|stab|strangle|suffocate|murder|end) myself",
        r"(?<!not )(?:want|wants|wanted|going|ready|like|rather|wish|hope|trying|try|hoping|"
        r"should|could|just) (?:\w+ )?(?:to |i (?:could |would |will )?)?(?:just |really |only |"
        r"go and )?(?:die|dying|be dead|be killed)(?! my\b| your\b| the hair\b| her\b| of "
        r"laugh\w*| laugh\w*| easter| eggs?)",
        r"(?:hate|hated|hating) (?:myself|my life|my body)",
        r"(?:hurt|cut|burn|cutting|hurting|burning|scratch|bit|hit|punched) myself (?:\w+ "
        r"){0,2}(?:a lot|sometimes|at night|when|every|in the bathroom|in my room|in secret)",
        r"(?:cut|cutting) myself",
        unless=ACCIDENT,
    ),
)
