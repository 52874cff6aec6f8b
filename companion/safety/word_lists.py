"""The words that `hearing` knows: which matter, which sound like them, which are ordinary."""

from __future__ import annotations

CRITICAL = frozenset(
    """
    abuse abused address afraid alcohol alive ambulance anorexia anorexic anymore asked babysitter
    basement battery beaten beating beats beer belt bitten bleach bleed bleeding blood bomb bombs
    boobs breath breathe breathing bridge brother bruise bruises bulimia bullet bullets bullied
    bullies bully bullying burn burned burning cannabis challenge choke choked choking cigarette
    cigarettes closet clothes cocaine collapsed condom crying cutting dare dared dead death
    deserve detergent die died drown drowning drug drugs drunk dying electrocuted emergency
    everyone existing explosive fainted fever fighting followed following forever gasoline
    genitalia genitals giving goodbye grandma grandpa grenade gunpowder hanging happened harm
    harming hated hates having heroin horny hungry hurt hurting hurts internet kicked kicks kill
    killed killing kills kissed knife knives lighter live living locked looking magnet magnets
    marijuana masturbate masturbating matches medicine meeting murder myself naked nicotine nobody
    nude nudes online outlet overdose password penis photo photos picture pictures pill pills
    pistol poison poisoned porn private privates punched punches punching rape raped razor rifle
    roof scared screaming secret secrets seizure sexual shaking shoot shooting sister skinny
    slapped slapping slaps smoking socket stab stabbed starve starving stealing stepdad stranger
    strangers strangle suffocate suicidal suicide swallow swallowed takes teacher threatened
    touched touches touching uncle unconscious undress undressed vagina vape vaping vodka vomit
    wanted watching weapon weapons weed whipped whiskey without worthless wrist wrists yelling
    yourself
    """.split()
)
"""Near misses of these are put right."""

ORDINARY = frozenset(
    """
    a about abuse after again all am amuse amused an and anger ankle ankles any ape are area
    arranged as asexual ask at away baby back bad baddie bake baked ball ballet baring barking barn
    batches bathing batter battered batting be beach beaches beading beam beaming bean beans bear
    bearing beat because bed been beginning behave bell bells belly belts bench best better betting
    big bike bill billed bills billy bird birthday bit bitter black bleat bled bleeping blending
    bless blew blinking block blocked bloom blot blue boat boating boobies book booking boom booms
    boots boring born bother boy brave breach bread breadth break breast breathes breed breeze bride
    bridges bright brighter bring broke broom brother brown browning brush brushes buddy bug
    build building bulletin bully bunched bunches bunny burger buried burned burnt burped bury bus
    busy but butt buttery by cake call came can canon cape care cared cares caress caring cat
    catches cave challenged challenges change changed changes channels charm chase cheating cheese
    chess chicken child chill chilli church clapped class clicked climate clock close closed closer
    closes closest closing clothe clothed cloud clown coat cocked cold come confused cook
    cooked cooker cooking cooks cool could cousin cow crown crowning cry cup cut dad dance danger
    dangers dared daring dark darn date dated dating deadline dealt dear deed deer deserved did diet
    dig digit ding dinner dinosaur do docked doctor dog doll dome done door down dragon drape draw
    dream dress drink dripped drive drop drowsing drum duck dye dyed each ear early eat eating egg
    eight elf every exciting exist exiting eye face fair fall family far farm farming farms fast
    feeding feel feet fell felt fight fighter fill filled filling fills find finny fire fish fists
    five fix flapped flattery flies floor flower fly food foot for forgive found four fox fridge
    friend fright frog from frowning full fun funny game garden gave get ghost giant girl give go
    goes going gold good got grandma grandpa grape grass grave great green grew ground grow guess
    gun had hair half hand handing happy hard harsh has hat hatches hated hating hats have he head
    heading hear hearing heart heated heating help hen her here heroic heroine heron herring hers
    herself hi hide high higher hill him himself his hiss hissing hit hole home hoop hop hope horse
    hot house how hug hunger hunting hurling hurry hurtle i ice idea if ill in indeed indoor indoors
    input inside intake interest interesting into is island it its itself jelly job joke juice jump
    just keep kept kick kicker kicking kicks kid killer kind king kiss kissing kit kitchen kite
    kitten knee knew knight knit knocked know lacked lady lake land lapped last lasted latches late
    later latter laugh leading leaf learn leave leaves left leg lego less let letter licked licks
    lie lied lies life light lighten lightest like liking line lining lion list listed listen lists
    little lived liver lives locker lockers locket locking locks long look looked looking looming
    loose looting lose lost lot lottery lotus love loves loving lucky lunch lunched lunches made
    magnetic make man mango many map marches mars mask mat matched matching math may maybe me mean
    meat meet meeting melt melting melts mess mice milk mind mine miss mom money monkey monster moon
    more most mother mouse mouth move movie much mud munching music must my name near need needing
    nest never new next nice nicked night nine no noise nose not note nothing notice now number of
    off old on once one only onto open or orange other our out outlets output outset over own page
    paint pal pan paper park part party pat patches path pay peas peel pen people pet pets photon
    pick picked picture pie pig pile piles pilling pillow pills pilot pinched pinches pink pirate
    pirates piston pizza place plan plane plant play played please plot pocket point pony pool poop
    poor pop potion potions pottery prayed present pretty pricked primate prince princess prison
    private privet pull pulls punch puppy purple push put puzzle queen quick quiet race rain raise
    ran ranger rapped rated rating read reading ready real red reed refused rice rich ride ridge
    right ring ripe river road robot rock rocked rocket roof rookie room rope rose round row rug run
    sacked sacred sad safe said salt same sand save saw say scaled scarce scare scares scarf scarred
    scary school scored sea sealing seat seating second secretary secretes secure secured see seed
    seeding seem sell send seven shallow shape shaping share shared sharing she sheep shell shine
    shining shiny ship shipped shipping shirt shoe shooing shop shopping short shorting should shout
    shouting show showing shut sick side sign silly since sing sister sit six size skate skated
    skating skill skills skin skinning skinny skip skipped sky sleep sleeping slide slip slipped
    slipping slopped slow small smart smell smile smoke snacked snake snapped snapping snow so
    soaking soap soared sock sockets socks soft some song soon soothing sorry sound soup space
    spared spell spider spill spilled spills spinning spoon sport spot spring stacked stair stalking
    stamp stand star stare stared stares staring starring start started starting stay stayed
    steaming steep step stick still stone stop store storm story strange stranger strangest
    streaming street string strive strong stronger stubbed stuff such sugar sun sunburn swapped
    sweet swim swing table tail take taken takes talk tall tape tapped taste tea teach teacher
    teaches team tear teddy teen teeth tell ten tent than thank that the their them theme then there
    these they thing think third this those three throne throw ticked tidy tie tiger tighter till
    time tin tiny tired to today toe told tome tomorrow tonight too took tooth top torches touch
    towed town toy track train trapped treating tree trick tricked trip tripped truck true try turn
    turned turning turns turtle twist twists two ugly uncles under unlock until up upon us use van
    vapor vase very villa villain viper wait waited waits wake walk wall want war warm warned was
    wash wasted watch watches water wave way we wear weather wed wedding weeding week weep weight
    well went were west wet whale what wheel when where which while whipped white who why wide wild
    will wind window wing winning winter wiped wiping wish witch with within wolf woman wonder wood
    word work world worm would wrap wrapped wrists write writer writes wrong wrote yard year yellow
    yes yet you young your zebra zoo
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
    "skared": "scared",
    "nite": "night",
    "nife": "knife",
    "eet": "eat",
    "rilly": "really",
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
    "bit me my mom dad hit hits him his he her she not put can give gave go it in take after am i "
    "to we you your is was are and the they so with from call myself our us that have".split()
)
"""One of these shows that a word was two."""

_BEFORE_NOT = "do can is am are was were will would did does could should has have me told please"
_BEFORE_WOULD = "i he she we you they it who nobody someone mom dad"

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
    (" you dye from ", " you die from "),
    (" or dye ", " or die "),
    (" in font of ", " in front of "),
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
    (" wood be ", " would be "),
    (" wood not ", " would not "),
    (" hem ", " him "),
    (" their is ", " there is "),
    (" their are ", " there are "),
    (" do not no ", " do not know "),
    (" does not no ", " does not know "),
    (" weight for ", " wait for "),
    (" a pitcher of ", " a picture of "),
    (" pitchers of ", " pictures of "),
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
    *((f" {word} knot ", f" {word} not ") for word in _BEFORE_NOT.split()),
    *((f" {word} wood ", f" {word} would ") for word in _BEFORE_WOULD.split()),
)
"""What transcribers make of critical words. Left and right with a blank at either end."""
