"""The words that `hearing` knows: which matter, which sound like them, which are ordinary."""

from __future__ import annotations

CRITICAL = frozenset(
    """
    kill killed killing kills myself yourself suicide suicidal murder die died dying dead death
    alive live living hurt hurting hurts harm harming cutting razor wrist wrists bleed bleeding
    blood knife knives stab stabbed shoot shooting pistol rifle bullet bullets bomb bombs weapon
    weapons explosive grenade gunpowder poison poisoned strangle choke choking choked suffocate
    drown drowning hanging pills pill overdose medicine bleach swallow swallowed breathe breathing
    breath unconscious seizure fainted collapsed ambulance emergency electrocuted naked nude nudes
    private privates penis vagina genitals genitalia porn sexual masturbate masturbating rape raped
    boobs horny condom touched touching touches kissed undress undressed clothes secret secrets
    stranger strangers password address beats beating beaten punched punches punching kicked kicks
    slapped slaps slapping belt whipped bruise bruises drunk alcohol vodka whiskey beer cigarette
    cigarettes smoking vape vaping weed cocaine heroin marijuana cannabis nicotine drugs drug dare
    dared challenge matches lighter gasoline socket outlet roof bridge battery magnet magnets
    detergent anorexia anorexic bulimia vomit starve starving skinny forever goodbye nobody
    everyone worthless scared afraid bully bullied bullies bullying abuse abused threatened
    following followed watching shaking bitten stealing crying looking happened wanted asked
    picture pictures photo photos grandma grandpa brother sister teacher babysitter online internet
    meeting deserve living existing fever having takes giving hungry fighting yelling screaming
    stepdad uncle hates hated burn burning burned locked basement closet without anymore
    """.split()
)
"""Near misses of these are put right."""

ORDINARY = frozenset(
    """
    a about after again all am an and any are as ask at away baby back bad ball be bear beat because
    bed been bell belly best better big bike bill billy bird birthday bit black block blue boat book
    boom boy bread break breeze bring broke broom brother brush bug build bus but by cake call came
    can cat chase cheese chess chicken child chill church class clock close clothe cloud coat cold
    come cook cool could cousin cow cry cup cut dad dance dear deed deer did diet dig dinner dinosaur
    do doctor dog doll done door down draw dragon dream dress drink drive drop drum duck dye each
    ear early eat egg eight elf every eye face fair fall family far farm fast feel feet fell fight
    fill filled filling fills find fire fish five fix flies floor flower fly food foot for found four
    fox friend frog from full fun funny game garden gave get ghost giant girl give go goes going
    gold good got grandma grandpa grass great green grew ground grow guess gun had hair half hand
    happy hard has hat have he head hear heart help hen her here hers hi hide high hill him his hit
    hole home hop hope horse hot house how hug hurry i ice idea if ill in inside is it its jelly job
    joke juice jump just keep kept kick kicking kid kind king kiss kissing kit kitchen kite kitten
    knee knew know lady lake land last late laugh learn leaf leave leaves left leg lego less let
    letter lie lied lies life light like line lion list listen little lives liver lived long look
    lose lost lot love loves lucky lunch made make man many map mars mask math may maybe me mean
    meat meet melt mess mice milk mind mine miss mom money monkey monster moon more most mother
    mouse mouth move movie much mud music must my name near need nest never new next nice night nine
    no noise nose not note nothing now number of off old on once one only open or orange other our
    out over own page paint pal pan paper park part party pat path pay peas peel pen people pet pets
    pick picture pie pig pile pilot pillow pilling pink pirate pizza place plan plane plant play
    please plot point pony pool poor pop present pretty prince princess pull puppy purple push put
    puzzle queen quick quiet race rain ran read ready real red rice rich ride right ring river road
    robot rock roof room rope round row rug run sad safe said same sand saw say scare scarf school
    sea seat second see seed seem sell send seven shape share she sheep shell shine ship shirt shoe
    shop short should shout show shut sick side sign silly since sing sister sit six size skate
    skill skip sky sleep slide slip slow small smart smell smile smoke snake snow so soap sock soft
    some song soon sorry sound soup space spell spider spill spoon sport spot spring stair stamp
    stand star start stay step stick still stone stop store storm story street string strong stuff
    such sugar sun sweet swim swing table tail take taken takes talk tall taste tea teach teacher
    team tear teddy teeth tell ten tent than thank that the their them then there these they thing
    think third this those three throw tidy tie tiger till time tin tiny tired to today toe told
    tomorrow too took tooth top touch town toy track train tree trick trip truck true try turn turtle
    two ugly under until up upon us use van very wait wake walk wall want war warm was wash watch
    water way we wear weather wed week weep well went were west wet whale what wheel when where which
    while white who why wide wild will wind window wing winter wish witch with wolf woman wonder wood
    word work world worm would write wrong yard year yellow yes yet you young your zebra zoo
    privet secretes breed bread breathes bless blew bloom blot bleat bled billed building booms boring
    dared care cares cared dark darn date daring cooking looking booking killer skills spilled spills
    pile piles pulls pull bills villa pills hunting hurtle horse harsh charm farms farming cheating
    heating eating meeting seating bearing boating sharing baring barking boots boobies book beat
    bean beans bench punch lunches munching bunches bunched lunched wrists twist twists wrists fists
    lists listed lasted cocked licks kicks licked picked ticked pricked sacked nicked docked rocked
    tricked clicked stacked snacked lapped flapped clapped snapped wrapped trapped tapped slipped
    slopped skipped whipped shipped tripped dripped belts melts bells salt felt dealt knit knight
    blinking shining shouting shopping shooing showing shorting hating dating rating skating weeding
    wedding reading feeding seeding needing bleeping sleeping leading heading beading treating shipping
    wiping viper vapor vase grave brave raise cave save wave gave drowsing frowning crowning browning
    clown brown crown throne wrong stranger stronger strangest strange arranged orange ranger danger
    dangers anger prayed played stayed scored shared stared scarred scary sacred secured secretary
    skinny skinning spinning winning beginning finny shiny skin abuse amuse amused confused refused
    rapped ripe wrap grape drape tape shape cape ape rope rose wrote private pirate pirates primate
    climate challenged channels change changes changed magnetic batter buttery battered pottery lottery
    flattery matched watches patches catches hatches latches batches mat matching lighten fighter
    tighter writer lightest brighter higher later letter outlets outset socks rocket pocket sockets
    locket locks looked blocked rocked knocked licked rookie bridges fridge ridge bride bright fright
    uncles ankle ankles unlock under hated heated hats skated late dated rated weight wait waits bake
    baked barn born burned turns turned turning burnt burger bunny bury busy buddy bully jelly belly
    """.split()
)
"""Words that stay as they are, however near to a critical one."""

SAME_AS = {
    **dict.fromkeys("mum mummy mommy mama mam momma mommys mums moms mother".split(), "mom"),
    **dict.fromkeys("daddy papa dada pa dads daddys father".split(), "dad"),
    **dict.fromkeys("granny nana nan grandmother grandmas".split(), "grandma"),
    **dict.fromkeys("grandad granddad gramps grandfather".split(), "grandpa"),
    **dict.fromkeys("stepfather stepdads step-dad".split(), "stepdad"),
    **dict.fromkeys("stepmother stepmum stepmom".split(), "stepmom"),
    **dict.fromkeys("auntie aunty".split(), "aunt"),
    "childminder": "babysitter",
    "nanny": "babysitter",
    "neighbour": "neighbor",
    "neighbours": "neighbor",
    "neighbors": "neighbor",
    "wanna": "want to",
    "wana": "want to",
    "wantto": "want to",
    "gonna": "going to",
    "gunna": "going to",
    "gotta": "got to",
    "hafta": "have to",
    "lemme": "let me",
    "gimme": "give me",
    "dunno": "do not know",
    "i'm": "i am",
    "im": "i am",
    "i've": "i have",
    "ive": "i have",
    "i'll": "i will",
    "i'd": "i would",
    "he's": "he is",
    "hes": "he is",
    "she's": "she is",
    "shes": "she is",
    "it's": "it is",
    "they're": "they are",
    "you're": "you are",
    "youre": "you are",
    "we're": "we are",
    "there's": "there is",
    "theres": "there is",
    "that's": "that is",
    "thats": "that is",
    "what's": "what is",
    "whats": "what is",
    "let's": "let us",
    "lets": "let us",
    "dont": "do not",
    "dont't": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "cant": "can not",
    "cannot": "can not",
    "couldnt": "could not",
    "wont": "will not",
    "wouldnt": "would not",
    "isnt": "is not",
    "arent": "are not",
    "wasnt": "was not",
    "shouldnt": "should not",
    "havent": "have not",
    "hasnt": "has not",
    "aint": "is not",
    "u": "you",
    "ur": "your",
    "r": "are",
    "n": "and",
    "cuz": "because",
    "cos": "because",
    "coz": "because",
    "thru": "through",
    "pls": "please",
    "plz": "please",
    "sumone": "someone",
    "sum1": "someone",
    "somebody": "someone",
    "anybody": "anyone",
    "everybody": "everyone",
    "noone": "nobody",
    "meself": "myself",
    "mself": "myself",
    "mysel": "myself",
    "mysef": "myself",
    "myslef": "myself",
    "slef": "self",
    "kms": "kill myself",
    "kys": "kill yourself",
    "unalive": "kill",
    "unaliving": "killing",
    "sewerslide": "suicide",
    "suiside": "suicide",
    "suacide": "suicide",
    "sucide": "suicide",
    "ded": "dead",
    "kil": "kill",
    "kiling": "killing",
    "hert": "hurt",
    "hurted": "hurt",
    "breth": "breath",
    "breath": "breathe",
    "breef": "breathe",
    "breathin": "breathing",
    "bleedin": "bleeding",
    "swollowed": "swallowed",
    "swolled": "swallowed",
    "tuch": "touch",
    "tuched": "touched",
    "tuches": "touches",
    "touchin": "touching",
    "sekret": "secret",
    "secrit": "secret",
    "nekkid": "naked",
    "nakid": "naked",
    "pron": "porn",
    "p0rn": "porn",
    "seggs": "sex",
    "secks": "sex",
    "sexs": "sex",
    "ciggy": "cigarette",
    "cig": "cigarette",
    "cigs": "cigarettes",
    "vapes": "vape",
    "e-cigarette": "vape",
    "favourite": "favorite",
    "skool": "school",
    "yrself": "yourself",
    "urself": "yourself",
    "urslef": "yourself",
}
"""Another way to say a word, in the one way that the patterns know."""

JOINABLE = (
    CRITICAL
    | frozenset(
        """
        i im a me my to the be want wanna gonna going it is in of off on out up not no dont cant
        so and he she they him her self am was wish if how do can you your with from all over take
        took took show pictures picture meet online tell anyone mom dad touch gun sex drink smoke
        make cut jump run away hate life end hit hits hurt
        """.split()
    )
) - {"harm", "outlet"}
"""What a word that was run together may be made of."""

PAIRED = frozenset(
    "me my mom dad hit hits him his he she her not put can give gave go it in take after am i".split()
)
"""One of these shows that a word was two."""

MISHEARD: tuple[tuple[str, str], ...] = (
    (" my self ", " myself "),
    (" mice elf ", " myself "),
    (" my shelf to death ", " myself to death "),
    (" your self ", " yourself "),
    (" me self ", " myself "),
    (" kill my shelf ", " kill myself "),
    (" kill my elf ", " kill myself "),
    (" kilt myself ", " killed myself "),
    (" keel myself ", " kill myself "),
    (" kiln myself ", " killing myself "),
    (" hurt my elf ", " hurt myself "),
    (" cut my elf ", " cut myself "),
    (" sue a side ", " suicide "),
    (" sue aside ", " suicide "),
    (" suit side ", " suicide "),
    (" soup aside ", " suicide "),
    (" sewer slide ", " suicide "),
    (" sue is side ", " suicide "),
    (" will not to ", " want to "),
    (" will not too ", " want to "),
    (" want too ", " want to "),
    (" want two ", " want to "),
    (" going two ", " going to "),
    (" want to dye . ", " want to die . "),
    (" to dye . ", " to die . "),
    (" i dye ", " i die "),
    (" to bee ", " to be "),
    (" too be ", " to be "),
    (" two die ", " to die "),
    (" too die ", " to die "),
    (" won to die ", " want to die "),
    (" won two die ", " want to die "),
    (" want a die ", " want to die "),
    (" wander die ", " want to die "),
    (" over dose ", " overdose "),
    (" oh verdose ", " overdose "),
    (" no body ", " nobody "),
    (" no one ", " nobody "),
    (" some one ", " someone "),
    (" any more ", " anymore "),
    (" for ever ", " forever "),
    (" with out ", " without "),
    (" good bye ", " goodbye "),
    (" step dad ", " stepdad "),
    (" step father ", " stepdad "),
    (" step mom ", " stepmom "),
    (" pass word ", " password "),
    (" can note ", " can not "),
    (" can knot ", " can not "),
    (" do knot ", " do not "),
    (" can not breeze ", " can not breathe "),
    (" can not breed ", " can not breathe "),
    (" can not breath ", " can not breathe "),
    (" stop bleating ", " stop bleeding "),
    (" stop breeding ", " stop bleeding "),
    (" in conscious ", " unconscious "),
    (" on conscious ", " unconscious "),
    (" see sure ", " seizure "),
    (" private part ", " private parts "),
    (" privet parts ", " private parts "),
    (" private pots ", " private parts "),
    (" pee pee ", " private parts "),
    (" wee wee ", " private parts "),
    (" hoo ha ", " private parts "),
    (" down their ", " down there "),
    (" blow job ", " blowjob "),
    (" mary jane ", " marijuana "),
    (" marry wana ", " marijuana "),
    (" so crit ", " secret "),
    (" sea crit ", " secret "),
    (" see crit ", " secret "),
    (" straight jer ", " stranger "),
    (" cooked my wrist ", " cut my wrist "),
)
"""What transcribers make of critical words. Left and right with a blank at either end."""
