"""A pattern, and the words that the patterns of several topics share.

Over words of `hearing.plain`. A pattern may be called off by what stands in the same sentence
(`unless`): a game, a story, an accident in play.
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


def p(topic: Topic, *says: str, unless: re.Pattern[str] | None = None) -> list[Pattern]:
    """A pattern for each of `says`, which is matched between ends of words."""
    return [Pattern(topic, re.compile(rf"\b(?:{each})\b"), unless) for each in says]


ADULT = (
    r"(?:dad|mom|stepdad|stepmom|uncle|aunt|grandpa|grandma|teacher|coach|babysitter|neighbor|man|"
    r"men|lady|woman|priest|trainer|doctor|foster \w+|boyfriend|girlfriend|tutor|guy|driver|adult)"
)
KID = r"(?:brother|sister|cousin|boy|boys|girl|girls|kid|kids|bully|bullies|friend|friends)"
WHO = rf"(?:{ADULT}|{KID}|he|she|they|someone)"
BODY = (
    r"(?:private|privates|private parts|bottom|bum|butt|penis|vagina|genitals|willy|boobs|breasts|"
    r"crotch|underwear|pants|thigh|between my legs|under my (?:clothes|shirt|skirt|pajamas))"
)
SKIN = r"(?:arm|arms|wrist|wrists|leg|legs|skin|thigh|thighs|body|veins?)"
PLAY = re.compile(
    r"\b(?:games?|minecraft|roblox|fortnite|mario|zelda|pokemon|kart|chess|checkers|uno|cards|"
    r"level|boss|lava|creeper|zombies?|respawn\w*|lego|teddy|dolls?|toys?|stuffed|puppets?|"
    r"pretend\w*|story|stories|movies?|film|books?|cartoons?|episode|play|playing|nerf|water|"
    r"squirt|pillows?|snowballs?|dragons?|robots?|monsters?|villain|dream|dreamed|dreamt|tickl\w*|"
    r"tag|race|score|soccer|football|tennis|basketball|hockey|ball|quiz|homework|spelling)\b"
)
FICTION = re.compile(
    r"\b(?:minecraft|call of duty|roblox|fortnite|mario|zelda|pokemon|kart|chess|checkers|uno|"
    r"creeper|zombies?|respawn\w*|lego|teddy|dolls?|stuffed|puppets?|dragons?|robots?|monsters?|"
    r"villain|dinosaurs?|caterpillar|goldfish|hamster|butterfly|ladybug|beetle|whales?|in the "
    r"(?:movie|story|book)|in a dream|i dreamed|i dreamt)\b"
)
"""Stricter than `PLAY`: what is grave can also happen while one plays."""

ACCIDENT = re.compile(
    r"\b(?:accident|accidentally|fell|fall|falling|slipped|tripped|bumped|paper|fence|playground|"
    r"bike|scooter|cooking|oven|kitchen|gym|swing|slide|beach|sunburn\w*|mosquito|cat|door|lego|"
    r"game|minecraft|hair|nails|costume|helping|soccer|football|running|thorns?|bush|sun)\b"
)
TOY_WEAPON = re.compile(
    r"\b(?:water|call of duty|lives left|nerf|toy|lego|squirt|glue|cardboard|plastic|pretend|"
    r"minecraft|fortnite|game|games|laser|paint|wooden|foam|bath|photo\w*|movie|story|book|costume|"
    r"bubble|cap|seed|starter|museum|knight|pirate|castle|cherry|potato|level|boss|snow\w*|butter|"
    r"mario|bob)\b"
)
