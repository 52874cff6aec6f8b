"""Word lists for reading introductions: words that are no names, and numbers in words."""

import re

COMMON_WORDS = frozenset(
    """
    a about afraid again all almost alone alright also always am an and angry any anyone anything
    are as ashamed asking at awake away awesome baby back bad batman be because been big bit bored
    boss boy brave bright brother busy but by called calling can child cold come coming confused
    cool crazy crying curious dad daddy dead doing don't done downstairs drawing dumb dunno eating
    either ever everyone excited family fast fat feeling female fine finished first five fool for
    four friend friends from full fun funny game gender girl glad going gone gonna good grateful
    great grown guess guy happy hard having he hello her here hey hi him his home hot how hungry
    hurt i i'm idk if ill in indoors inside into is it it's its just kid kidding kind king lady
    last late later learning left like listening little lonely long looking lost lucky mad making
    male man many maybe me mean mine mom mommy more mother much mum mummy my name named near never
    new nice no nobody none nope not nothing now nowhere of off ok okay old on one only or other
    our out outdoors outside over playing please poor pretty prince princess proud queen quite
    ready really right sad safe santa saying scared secret seven she shy sick silly sister six
    sleepy small smart so some someone somewhere sorry spiderman still strong stuck student stupid
    super superman sure surprised sweet talking tall ten thankful that the their them there they
    thinking this three tired to today told tomorrow tonight too trying two upset upstairs using
    very waiting want was watching we weird well wet what when where which who why wife will with
    without woman wondering working worried would writing wrong yeah year years yep yes yesterday
    you young your
    """.split()
)
"""Lower case. What may follow "I am" or "it is" without being a name."""

NATIONS = frozenset(
    """
    african american arab asian australian brazilian british buddhist canadian catholic chinese
    christian danish dutch english european finnish french german greek hindu indian irish
    italian japanese jewish korean latina latino mexican muslim norwegian polish portuguese
    russian scottish spanish swedish swiss turkish ukrainian vietnamese welsh
    """.split()
)
"""Lower case. Written with a capital after "I am", and still no names."""

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}


OTHERS = re.compile(
    r"\b(?:he|she|his|her|hers|him|they|their|them|its|brother|sister|mother|mom|mum|mommy|mummy|"
    r"father|dad|daddy|grand\w+|aunt|uncle|cousin|friend|teacher|baby|dog|cat|puppy|kitten|"
    r"hamster|rabbit|fish|horse|teddy|doll|toy|you|your)s?\b",
    re.IGNORECASE,
)
"""Whoever a sentence is about when it holds one of these, it is not surely the speaker."""
