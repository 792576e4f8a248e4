"""Words that people use for the same thing, or for a kind of it: who asks for the `pet` may have said `dog`. Pure.

Written down from general English and from what developers say, and not from any set of questions. The first word of a group and each
of the others stand for one another; the others among themselves do not. docs/memory.md tells what such a word counts.
"""

from __future__ import annotations

from functools import cache

from tapehead.history.english import forms
from tapehead.history.stemming import stem

_EVERYDAY = """
ability skill/ accident crash injured/ accidentally accident/ achieve accomplish achievement milestone/
activism activist protest rights/ activity hobby hiking camping swimming painting running dancing cooking reading fishing/
actor actress/ admire respect/ adopt adoption agency orphan/ adoption agency/ advantage benefit/ advertise ad marketing promote/
advice tip suggestion recommend/ afford cost money/ afraid scared fear terrified nervous/ age old years/ allergy allergic/ alone solo/
amount quantity/ angry mad furious annoyed frustrated/ animal wildlife pet cat horse cow bird/ anniversary years wedding/
answer reply respond/ apartment rent lease landlord/ apologize sorry/ app application software/ appliance oven fridge dishwasher/
appointment doctor meeting visit/ appreciate grateful thank/ argue fight argument/ arrive came reach/
art painting drawing sculpture artist museum gallery exhibit mural/ artist painter sculptor musician/ ask question request/
athlete player runner/ attend went join participate/ attribute trait quality/ audition role/ author writer book/
award prize medal trophy honor/ baby newborn pregnant birth/ bad terrible awful/ bag backpack purse/ band rock member/
bank account loan/ beach ocean sea coast sand surf wave/ beautiful gorgeous stunning lovely/ begin start launch kick open commence/
belief faith believe/ benefit advantage help/ big large huge/ bike bicycle cycling biking ride/ bill invoice payment/
bird parrot eagle/ birth born baby/ birthday born age party cake/ boat sail kayak canoe/
book novel read author reading story series fiction fantasy/ boss manager supervisor/ boy son/ brand company/ brave courage/
break broken damage breakup split/ breed retriever shepherd poodle bulldog/ bridge river/ budget expense spending/
build construct make/ building house/ bus transit/ buy purchase get order shop/ cake chocolate bake birthday/ call phone/
camera lens photo/ camp camping tent campfire/ campaign election run/ camping tent bonfire marshmallow/ cancel cancelled/
car vehicle truck drive driving engine mechanic/ card deck/ career path field job/ caring kind thoughtful/ cat kitten kitty/
cause charity issue passion/ celebrate party celebration anniversary birthday/ ceremony event/
challenge obstacle difficulty struggle setback hard/ change switch alter modify/ character hero/
charity nonprofit donate fundraiser cause/ child kid baby toddler son daughter school toy playground/ choice option/
choose pick select/ christmas holiday santa/ church faith religious/
city town village paris london rome tokyo york boston chicago seattle/ class lesson workshop/ clean cleaning tidy/ client customer/
close closed shut/ clothes clothing outfit shirt dress wear fashion shoes jacket sweater jeans hat coat/ club group meet/
coach trainer/ cold chilly/ collaborate work together/ colleague coworker teammate/ collect collection gather stamps coins cards/
collection collect collectible memorabilia/ color colour red blue green yellow purple pink black white brown orange gray/
comfort comforting cozy/ common same share both/ community local neighborhood group/ company business firm startup/
competition contest tournament championship match race/ computer laptop pc/ concert show gig festival performance/
conference convention summit talk/ confident confidence/ conflict argument fight/ console nintendo xbox playstation/
cook bake recipe kitchen/ cost price expensive cheap pay paid/ counseling therapy counselor/
country nation abroad state france italy spain germany england japan china canada mexico brazil india australia europe/
coupon discount/ courage brave strength/ course class lesson/ craft pottery knitting sewing handmade diy woodworking crochet candle/
create make build design/ crime theft stolen/ current present now/ currently now/ customer client/ daily everyday/
damage broken destroyed/ dance dancing ballet choreography/ dark night/ date dating dinner/ deadline due late/
death died loss funeral passed/ decide choose decision/ decision choice decide/ decorate decoration decor/
decrease reduce drop lower cut/ degree graduate diploma major bachelor master phd/ delay late/ deliver delivery/ delivery shipping/
describe description/ desert sand/ design create style/ dessert cake cookie pie sweet pastry/ destroy ruin damage/
device gadget phone tablet/ diary journal/ die died death passed/ diet eating nutrition calorie/ different difference/ director film/
disaster flood fire earthquake/ discount coupon sale deal/ discuss talk conversation/ dish pasta curry stew soup/ divorce separated/
doctor physician hospital clinic medical dentist checkup/ dog puppy pup walk leash bark/ doll toy/ donate donation give/ door gate/
draw sketch illustration/ dream goal wish aspire/ drink beverage coffee tea beer wine juice smoothie/ easy simple/
education degree school college university study graduate/ effect impact result/ electronics laptop camera headphones/
emotion joy sadness anger/ employee staff worker/ encourage motivate inspire support/ end finish stop complete conclude quit/
engaged proposal ring/ engineer engineering/ enjoy like love fun/ environment climate sustainability recycling/
event party festival fair gathering conference celebration workshop/ exam test quiz/
exercise workout gym fitness training run yoga weights cardio jogging cycling/ exhibition gallery show museum/ expand expansion grow/
expensive pricey costly/ experiment try test/ fail failure/
family relative parent sibling brother sister mother father mom dad son daughter kid child husband wife grandma grandpa cousin aunt uncle reunion grandmother grandfather nephew niece/
fan love admire/ farm barn/ fast quick rapid speed/ father dad papa/ favorite favourite best love prefer/
feel emotion felt feeling happy sad grateful proud/ festival fair carnival parade/ find found discover/ fired laid dismissed/
first initial/ fishing fish rod/ fix repair mend/ flight plane airport flew/ flower rose sunflower bouquet plant/
food meal dish cuisine eat cook recipe pizza pasta salad soup bread chicken cheese/ forest woods/ forget forgot/ forgive sorry/
frequency often/ frequent often/ friend buddy pal mate friendship college roommate neighbor/ fruit apple banana orange berry/
fundraiser raise charity/ funny hilarious humor/ furniture chair table sofa couch desk/ future next plan hope dream/
game gaming play match video tournament chess videogame console nintendo xbox board/
garden plant flower yard gardening grow herb vegetable/ gender transgender woman man lgbtq/
genre fantasy thriller mystery romance comedy horror/ geographical country city place/
gift present gave birthday surprise card necklace flowers/ girl daughter/ give gave gift donate present/
goal aim dream aspiration target plan resolution/ good great nice excellent/ grandparent grandma grandpa grandmother grandfather/
grateful thankful appreciate/ group club community/ grow growing/ habit routine/ hair haircut/
happy glad joyful thrilled delighted excited/ hard difficult tough challenging/ hat cap/ hate dislike/
health wellness fitness medical doctor diet exercise surgery therapy symptom allergy/ hear listen/ help support assist aid volunteer/
hero idol/ hike hiking trail mountain waterfall summit/ hire employ recruit/
hobby interest pastime enjoy passion activity photography gardening knitting gaming/ holiday christmas thanksgiving halloween easter/
homeless shelter/ hope wish/ hot warm heat/ hotel hostel resort stay/ hour time/
house home apartment flat place condo bedroom kitchen garage yard/ hungry starving/ hurry rush/ hurt pain ache injured/
idea thought concept/ identity identify/ illness disease condition diagnosis sick cancer diabetes asthma/ immigrant visa citizen/
impact effect influence/ important significant crucial meaningful/ improve better enhance upgrade/ increase grow raise/
influence inspire impact/ ingredient flour sugar butter egg vegetable/ injury hurt injured wound broke sprain/
inspire motivate inspiration encourage influence role/
instrument guitar piano violin drum flute clarinet keyboard saxophone cello ukulele trumpet/ insurance policy coverage/
internet online web/ interview job hired/ invention device/ invest investment stock/ invite invitation/ island beach/
item thing object stuff/ jewelry necklace ring bracelet earring pendant watch/
job work career occupation profession employment position role promotion office interview salary/ join joined member/
journal diary notebook writing/ joy happiness delight/ keep maintain/ kind type sort/ kit set/ lake river water/
landmark monument castle tower/ language spanish french german english/ last final latest/ law legal lawyer court/ leader lead/
learn study teach taught lesson/ leave left quit depart/ lesson learned/ letter mail email note wrote/ light lamp/
like enjoy love favorite prefer fan/ live reside home based/ location place/ lonely alone/ look see/ lose lost/ love adore like enjoy/
magazine article/ major field subject degree/ make create build made/ makeup cosmetics/ many several/ map route/ market business/
marketing ad campaign/ marriage wedding married marry engaged/ marry wed/ martial karate kickboxing judo taekwondo boxing/
material wood metal plastic cotton/ meal dinner lunch breakfast supper/ mean signify meaning/ meat chicken beef pork steak/
medicine medication drug pill/ meditation mindfulness breathing yoga/ meet met encounter/ meeting meetup appointment/ member join/
membership member/ memory remember nostalgia/ mental anxiety depression therapy/ mentor coach/ message text note/
method way approach technique/ milestone achievement/ military army veteran soldier/ mistake error/ model version/
money cash dollar pay cost price fund budget loan debt mortgage bank/ morning early breakfast/ mother mom mum mama/
motivated motivation drive/ mountain hill peak/ move relocate moving/ movie film cinema watch comedy thriller/ museum gallery exhibit/
music song band concert album singer guitar piano jazz rock classical pop/ name called named title/
nature outdoor forest mountain lake waterfall sunset wildlife/ neighbor neighborhood next/ new recent latest bought got/ news article/
newspaper news/ nickname call name/ night evening/ number count/ obstacle hurdle/ ocean sea/ offer provide/ office workplace desk/
often frequently regularly/ old aged elderly vintage previous/ online web internet/ open opening launch/ opening launch grand/
opinion think view/ order ordered/ outdoor hiking camping nature park beach/ own have possess/ owner own/
paint painting draw drawing sketch canvas/ painting portrait landscape sunset watercolor/ parade pride festival/
parent mother father mom dad mum/ park nature trail/ part piece/ participate join attend part/ partner collaborate/
party celebration birthday celebrate/ passion love dedicated/ passionate love care/ past before previous/ peace calm serenity peaceful/
perform stage performance/ performance stage perform audience/ personal own/ personality trait character/
pet dog cat puppy kitten animal bird fish hamster turtle adopt vet leash breed/ phone mobile cell smartphone app call/
photo picture photograph image camera shot/ photographer photography camera/ piece part/ place spot location city park beach/
plan intend going schedule next upcoming soon/ plant herb seed/ podcast episode/ poem poetry verse wrote/ police officer cop/
politics political government election vote/ post posted blog/ pottery clay ceramic bowl mug/ practice train rehearse/
preference prefer like/ pretty beautiful gorgeous/ private personal/ problem issue trouble challenge difficulty wrong/ product item/
profession engineer teacher nurse lawyer doctor accountant/ project task work assignment/ promise vow/ promote marketing ad/
promotion promoted raise/ propose ring engaged/ proud pride accomplishment/ public community/ purpose goal aim/ puzzle jigsaw/
quality good/ read reading book/ real true/ reason because why motivation/ receive got given/ recently lately just/
recommend suggest suggestion advice/ recover recovery heal/ recycle recycling sustainable/ refund return/
relationship dating boyfriend girlfriend partner married single breakup/ relax unwind calm rest chill destress/
religion faith church spiritual god/ remember recall memory/ renovate renovation remodel repair/ represent symbolize mean/
reschedule postpone/ rescue save/ respect honor/ restaurant cafe diner bistro eat/ result outcome/ retire retirement/
return back refund/ rights equality activism/ road highway drive/ robot robotics/ role part character/ room bedroom bathroom kitchen/
routine daily habit schedule/ run running jog marathon race/ sad upset unhappy down depressed/ salary pay wage income/
save rescue keep/ say tell mention/ schedule calendar time/ scholarship grant fund/
school college university class education grade elementary/ science physics chemistry biology/ screenplay script movie/
script screenplay/ seat chair/ sell sale sold/ set kit/ setback failure lost/ shape round square/ ship shipping/ shoe sneaker boot/
shop store/ show series tv television/ sibling brother sister/ sick ill unwell sickness illness disease/ sign notice/
similar alike common same/ singer musician artist band/ size large small/ ski skiing snow/ skill ability talent/ sleep bed insomnia/
slow sluggish/ small little tiny/ smart intelligent clever/ smell scent/ snack chips cookie/ snow ski winter/
social instagram facebook twitter/ software program app/ song track music tune/ space planet star/ spend spent/
sport soccer football basketball baseball tennis hockey golf volleyball swimming running surfing skiing skating gym athlete team/
spouse husband wife partner married marry/ staff employee/ star night sky/ start begin began/
state california florida texas oregon michigan minnesota/ status single/ stay remain/ steal stolen theft/ store shop boutique market/
story tale book/ strange weird odd/ strategy plan approach/ stress anxiety pressure overwhelmed destress relax/ struggle hard trouble/
student pupil classmate/ study learn course class exam research/ stuff things/ subscribe subscription/ subscription membership/
succeed success achieve/ success successful/ suggest propose recommend/ suggestion advice idea/ summer hot/ sunset sky view/
supply stock/ support help encourage back encouragement supportive/ surf surfing wave/ surgery operation/ surprise shock unexpected/
swim swimming pool/ symbol symbolize represent meaning sign/ symptom pain fever cough/ table desk/ talent skill gift/
talk speak chat discuss conversation/ tattoo ink/ tax taxes/ teach instruct lesson class train/ teacher professor instructor mentor/
team club squad/ technique method way approach/ technology tech gadget/ tell say explain/ therapist counselor psychologist/
therapy therapist counseling/ think believe opinion thought/ ticket pass/ time hour/ tired exhausted sleepy/ title name/ together both/
tool hammer drill/ tour sightseeing guide/ toy doll lego/ tradition custom yearly/ train railway station/ training practice course/
trait personality character quality kind caring honest brave thoughtful/
travel trip journey vacation holiday visit tour flight flew passport hotel airport/ tree forest wood/ trip road roadtrip travel/
true real/ try attempt/ type brand model/ university campus college/ vacation holiday trip getaway travel/ value believe important/
vegetable tomato carrot potato/ vegetarian vegan/ vehicle car truck van motorcycle/ vet veterinarian clinic/ veteran military service/
video youtube clip/ view see/ visit trip went tour/ volunteer charity donate community nonprofit shelter soup kitchen homeless/
wait delay/ wall fence/ want wish hope desire plan/ war conflict/ watch see view/ wear outfit dressed/
weather rain snow sunny storm hurricane flood/ website site page/ wedding bride groom ceremony/ weekend saturday sunday/ weekly week/
weight pounds diet/ win won victory champion prize/ window glass/ winter cold snow/ workshop class seminar training/
worried anxious nervous concern stress/ write wrote writing essay article blog/ wrong mistake/ year annual/
yoga meditation stretch pilates/ young youth kid teen
"""
_SOFTWARE = """
add insert append include/ api endpoint route/ argument parameter/ async concurrent/ auth authentication login/ backend server api/
backup copy/ branch fork/ bug defect issue error/ build compile make/ button control/ cache cached memoize/ change edit modify update/
check verify validate/ ci pipeline workflow/ class type struct/ cleanup clean tidy/ client frontend/ color colour/ command cli/
comment note/ commit revision/ compile build/ config configuration setting option preference/ connect connection/ container docker/
convert transform/ copy duplicate clone/ crash panic segfault abort/ create make add new generate/ database db sql table/
debug diagnose investigate/ delete remove drop erase rm/ dependency package requirement/ deploy release ship publish/
doc documentation readme/ docker container/ download fetch/ dropdown menu select/ duplicate copy/ endpoint route url/ env environment/
error exception failure bug crash traceback/ fail failure failed error broken/ fast speed quick/ file document/
fix repair resolve solve patch/ folder directory dir/ format layout/ frontend ui client/ function method routine/ icon symbol/
image picture/ input field/ install setup/ job task worker/ library package dependency module/ lock mutex/ log logging print/
login auth authentication signin/ loop iterate/ memory ram leak/ merge combine/ network connection/ option flag parameter argument/
output result/ page view screen/ parse read/ password secret credential token/ path location/ performance speed slow latency fast/
permission access/ popup modal dialog/ pull fetch/ query sql select/ queue job/ readme documentation/ refactor restructure rewrite/
release version deploy/ remove delete drop/ rename move/ repo repository/ request call/ response reply answer/ retry again/ rule lint/
schema migration/ screen display/ script program/ server backend service/ setting option config/ setup install configure/
shell bash terminal/ slow performance latency/ solve resolve fix/ style css/ table schema/ task todo job/ terminal shell console/
test spec unittest pytest/ thread concurrency parallel/ timeout deadline/ token credential key/ unused dead/
update upgrade change bump/ upload send/ url link address/ user account/ validate check/ variable value/ verify check confirm/
version release
"""
_BEGINS = 2
"""Letters that two forms of a word share: only such words are stemmed to compare them."""


@cache
def _by_beginning() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Each word with what it stands for, by its first letters."""
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for text in (_EVERYDAY, _SOFTWARE):
        for group in text.split("/"):
            first, *others = group.split()
            found.setdefault(first[:_BEGINS], []).append((first, tuple(others)))
            for each in others:
                found.setdefault(each[:_BEGINS], []).append((each, (first,)))
    return found


def kin(word: str) -> tuple[str, ...]:
    """Other words for the same, each with the forms that its stem does not tell."""
    own = {stem(form) for form in forms(word)}
    listed = (each for start in {root[:_BEGINS] for root in own} for each in _by_beginning().get(start, ()))
    meant = dict.fromkeys(one for each, others in listed if stem(each) in own for one in others)
    return tuple(form for form in dict.fromkeys(form for one in meant for form in forms(one)) if stem(form) not in own)
