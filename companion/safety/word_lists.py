"""The words that `hearing` knows: which matter, which are ordinary, of which two may be run
together; with the forms in which a word comes (`word_forms`)."""

from __future__ import annotations

from companion.safety.word_forms import MISHEARD, SAME_AS

__all__ = ["CRITICAL", "JOINABLE", "MISHEARD", "ORDINARY", "PAIRED", "SAME_AS"]

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
