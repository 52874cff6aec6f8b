"""Weapons, and hurting somebody."""

from __future__ import annotations

from companion.safety.pattern import TOY_WEAPON, Pattern, p

WEAPONS: tuple[Pattern, ...] = (
    *p(
        "weapons",
        r"(?:make|making|build|building|buy|get|use|load|fire|bring|bringing|take|taking|sneak|"
        r"find|found|have|has|hold|held|holding|touch|play with|carry|steal|know where|see|saw|"
        r"need|want|own|print|pack|hide|shoot|keeps?|got|show\w* me|brought|put|kept|a real) "
        r"(?:\w+ ){0,6}(?:guns?|bombs?|explosives?|grenades?|molotov|pistol|rifle|shotgun|ammo|"
        r"ammunition|bullets?|switchblade|dynamite|napalm|gunpowder|machete|revolver|firearms?|"
        r"weapons?|gun powder|silencer)",
        r"(?:gun|pistol|rifle|shotgun|bullets|revolver) (?:\w+ ){0,4}(?:drawer|closet|bed|car|bag|"
        r"backpack|school|real|loaded|cabinet|garage)",
        r"(?:knife|knives|blade) (?:\w+ ){0,4}(?:to school|in my (?:bag|backpack|locker)|at "
        r"school|fight)|(?:bring|take|sneak|hide|carry|pack) (?:\w+ ){0,4}(?:knife|knives|blade)",
        r"(?:stab|stabbing|shoot|shooting|strangle|murder|murdering|poison) (?:\w+ ){0,1}(?:him|"
        r"her|them|someone|people|everyone|anyone|person|kid|kids|teacher|brother|sister|mom|dad|"
        r"friend|classmate|boy|girl|neighbor|stepdad|somebody)",
        r"(?:want|going|how|could|will|wish|should|ways?|plan\w*|help me|can i|i would) (?:\w+ "
        r"){0,4}(?:kill|murder|hurt|attack|blow up|beat up|burn down|drown|poison|push) (?:\w+ "
        r"){0,3}(?:him|her|them|someone|people|everyone|anyone|person|kid|kids|teacher|brother|"
        r"sister|mom|dad|friend|classmates?|boy|girl|neighbor|stepdad|school|house|dog|cat|puppy|"
        r"kitten|animals?|bully)(?! feelings)",
        unless=TOY_WEAPON,
    ),
)
