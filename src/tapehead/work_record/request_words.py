"""The words by which a request of the user's own is told from a text that is handed over."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OWN_LABELS = _words("""
    note nb important also rule rules ps btw fyi remember reminder requirement requirements constraint constraints preference
    preferences convention conventions style todo correction update question task goal goals careful attention caution thing things
    want need mind wait no actually sorry backend frontend tests code naming formatting commits git docs general always never one more
    clarification idea
""")
"""What a user writes before a colon. What stands behind any other word there is taken for somebody else's."""

LEADS = _words("""
    ok okay yes yeah yep no nope nah please pls also and but so now then actually oh hey hi hello hmm uh um wait sorry btw well really
    just again alright first second third finally next maybe perhaps still anyway great good thanks cool right sure fine honestly
    basically kindly instead otherwise plus too not
""")
"""Words before a sentence that say nothing of it."""

WORKS = _words("""
    add address adjust allow apply ask assume attach audit avoid be begin build bump bring buy call capture center change choose clean
    cleanup clone close collapse combine come commit complete configure confirm connect consider cover create cut cycle debug decide
    default delete deploy detect disable display do document don't dont double download drop dump enable ensure execute expand export
    expose extend extract figure file filter find finish fix fixup focus follow force format forget generate get give go group handle
    harden have help hide hold ignore implement import improve include increase inline inspect install integrate introduce investigate
    isolate join keep kill leave let limit link lint list load log look lower maintain make merge migrate minimize mock monitor move
    must name never always open optimise optimize organise organize output override pack pass pause perform pick pin plan point polish
    port prefer prepare preserve prevent print proceed profile prove provide prune publish pull push put query raise rebase rebuild
    record redact redesign redo reduce refactor refine refresh register release reload remember remove rename render reorder replace
    report research rerun reset resolve restart restore restructure resume retry return reuse revert rework roll rollback run save
    scan search select send separate serve set setup shift ship should show silence simplify skip sort solve split squash stage start
    stash stay stick stop store strip structure submit support swap switch sync tag take test think track treat trim troubleshoot try
    tune undo unify uninstall update upgrade upload use utilise utilize validate verify view wait warn watch wire work wrap write only
    no from make
""")
"""What a request to do work begins with."""

VOICE = _words("""
    i i'd i'll i'm i've im we we'd we'll we're we've you you're you'll you'd your lets let's it it's its this that that's these those
    there there's they they're my our me can could would will won't shall may might does did didn't doesn't is isn't are aren't was
    were has have what what's why how where who when whenever which if once while after before because since as for in on at with
    without by to until unless during given though although either both neither
""")

DETERMINERS = _words("""
    the a an all every each any some more most other another new old
""")

VERBS = _words("""
    is isn't are aren't was wasn't were has have had does doesn't do don't did didn't can can't could will won't would should must may
    might needs need fails fail failed works work broke breaks break seems seem looks look gets got uses use runs run crashes crashed
    returns return takes goes went comes came stays stay belongs belong stays lives live makes make keeps keep shows show allowed
""")

REWORKS = _words("""
    summarise summarize summary tldr tl;dr translate proofread proof-read rephrase reword paraphrase shorten condense classify
    interpret reply respond grade rate judge score critique transcribe quote compose eli5 spellcheck spell-check fact-check
    reformulate recite narrate sing clarify elaborate categorise categorize paste pasted
""")
"""What is done to texts and to nothing else."""

HANDLES = _words("""
    explain analyse analyze review check read compare describe answer continue rewrite improve convert turn see consider look draft
    correct polish simplify parse mark copy insert include append put format rank discuss address implement apply follow handle edit
    fix extract use add write create tell show take make adopt update execute process evaluate assess list debug reformat
""")
"""What is done to texts too: it is a text where nothing else is named."""

POINTERS = _words("""
    this that these those it them following below above here attached what
""")

OWN_SPEAKERS = _words("""
    i i'd i've we we've you i'll to should must can could please always it's not n't
""")

SELF = _words("i we i'd i've i'm")
OWN_WISHES = _words("want need prefer like mean meant said decided expect love think would")
"""What a user says of themselves before a colon; who found, asked or read something goes on with what was found."""

COURTESY = _words("""
    thanks thank thx great good nice cool perfect sorry hello hi hey please cheers wow lol awesome amazing
""")

BEGINS_ORDER = _words("""
    use keep leave no limit stick answer name call
""")
"""What an order begins with too, where it begins the sentence."""

SPEAKS_FOR_SELF = _words("""
    i i'd i'll i'm i've we we'd we'll we're you you're lets let's it it's this that that's there they my our please can could would if
    when for in on at with without but because as since once after before while until unless
""")
"""How a sentence in the user's own voice begins."""

PREPOSITIONS = _words("for in on at with without by to as during given from")
REWRITES = _words("summarise summarize translate proofread rephrase reword paraphrase shorten condense")
"""Of what is done to texts, what no noun is."""
TEXTS = _words("""
    wiki article articles blog post posts tweet tweets tweeted poem poems sonnet sonnets song songs haiku ballad limerick novel scene essay essays
    letter letters mail mails email emails e-mail e-mails newsletter handbook policy policies license licence faq spec specs specification rfc ticket
    tickets paragraph paragraphs sentence sentences statement statements quote quotes quotation text texts wording slogan tagline caption captions
    banner tooltip headline onboarding announcement minutes agenda conversation slack discord reddit stackoverflow hackernews chatgpt gpt colleague
    colleagues coworker coworkers co-worker co-workers boss customer customers vendor vendors professor teacher lawyer lawyers reviewer reviewers
    maintainer maintainers contributors employees guideline guidelines guide tutorial tutorials excerpt passage remark remarks feedback reviews
    checklist reader readers meeting standup stand-up retro bullets slide slides advice tldr jury competitor competitors competitor's dear cheers
    regards thx spelled spelt homework boss's colleague's customer's professor's vendor's teacher's lawyer's
""")
"""What is nothing but a text, and who writes one."""
SPEAKS = _words("""
    say says saying said writes wrote written tells told claim claims claimed state states stated mention mentions mentioned suggest suggests suggested
    recommend recommends recommended asks asked asking replied replies answered answers posted tweeted quoted shout shouts shouted reported reports
    reads prints printed argue argues thinks believes insists pasted copied forwarded announced heard mean means meant
""")
POINTING = _words("""
    this these those following attached his her their above that my as below here here's forwarded according from typo typos grammar spelling
    punctuation sound sounds read reads shorter longer nicer friendlier formally politely formal
""")
"""Words without which no text is pointed at."""
