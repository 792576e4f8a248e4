"""What a search knows of English: words that say nothing by themselves, and forms of a word that no rule gives. Pure.

Short on purpose. A word that is left out here counts little anyhow where it is common, since rarity is what ranks; one that stands
here by mistake is lost. docs/memory.md tells how the lists were chosen.
"""

from __future__ import annotations

from tapehead.history.stemming import stem

STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "if",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "about",
        "into",
        "onto",
        "over",
        "under",
        "as",
        "than",
        "then",
        "so",
        "that",
        "this",
        "these",
        "those",
        "there",
        "here",
        "it",
        "its",
        "he",
        "she",
        "they",
        "them",
        "him",
        "her",
        "his",
        "hers",
        "their",
        "theirs",
        "we",
        "us",
        "our",
        "ours",
        "you",
        "your",
        "yours",
        "i",
        "me",
        "my",
        "mine",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "do",
        "does",
        "did",
        "done",
        "doing",
        "has",
        "have",
        "had",
        "having",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "why",
        "how",
        "not",
        "no",
        "nor",
        "yes",
        "any",
        "some",
        "all",
        "both",
        "each",
        "either",
        "neither",
        "s",
        "t",
        "re",
        "ve",
        "ll",
        "d",
        "m",
        "don",
        "doesn",
        "didn",
        "isn",
        "wasn",
        "aren",
        "weren",
        "won",
    ]
)
"""Articles, prepositions, pronouns, auxiliaries, question words, and what an apostrophe leaves of a word."""

_OF_ASKER = frozenset(["i", "me", "my", "mine", "myself"])
_OF_OTHER = frozenset(["you", "your", "yours"])
_POLITE = frozenset(["can", "could", "would", "will", "do"])
"""Before `you`, they ask for the answer: `can you tell me`."""
_OF_TELLING = frozenset(
    map(stem, ["mention", "discuss", "discussion", "talk", "say", "said", "tell", "told", "describe", "conversation"])
)
_OF_KINDS = frozenset(map(stem, ["kind", "type", "sort"]))
_OF_NUMBERS = frozenset(["many", "much", "often", "long"])
_WHICH = frozenset(["what", "which"])

_ASIDE = 0.3
"""What a word counts that belongs to the asking."""

_IRREGULAR = """
go went gone/ buy bought/ get got gotten/ make made/ take took taken/ give gave given/ find found/ meet met/ win won/ lose lost/
leave left/ feel felt/ see saw seen/ begin began begun/ write wrote written/ run ran/ break broke broken/ build built/ bring brought/
think thought/ teach taught/ catch caught/ come came/ become became/ know knew known/ grow grew grown/ throw threw thrown/
draw drew drawn/ fly flew flown/ eat ate eaten/ drive drove driven/ ride rode ridden/ speak spoke spoken/ choose chose chosen/
wake woke woken/ fall fell fallen/ hold held/ tell told/ say said/ sell sold/ send sent/ spend spent/ keep kept/ sleep slept/ hear heard/
lead led/ swim swam swum/ sing sang sung/ sit sat/ stand stood/ understand understood/ wear wore worn/ forget forgot forgotten/
hide hid hidden/ fight fought/ seek sought/ pay paid/ lay laid/ mean meant/ show shown/ steal stole stolen/ freeze froze frozen/
shake shook shaken/ shrink shrank shrunk/ sink sank sunk/ bind bound/ wind wound/ feed fed/ bleed bled/ dig dug/ hang hung/ stick stuck/
strike struck/ swear swore sworn/ tear tore torn/ bear bore borne/ beat beaten/ bite bit bitten/ rise rose risen/ spin spun/
shoot shot/ sweep swept/ deal dealt/ bend bent/ lend lent/ forbid forbade forbidden/ child children/ man men/ woman women/
person people/ wife wives/ life lives/ foot feet/ tooth teeth/ mouse mice/ index indices/ matrix matrices/ vertex vertices
"""
_GROUPS = tuple(tuple(group.split()) for group in _IRREGULAR.split("/"))
_BEGINS = 2
"""Letters by which groups are looked up: to stem all of their words takes longer than most searches."""
_FORMS: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
for _group in _GROUPS:
    for _word in _group:
        _FORMS.setdefault(_word[:_BEGINS], []).append((_word, _group))


def forms(word: str) -> tuple[str, ...]:
    """The word, and other forms of it that its stem does not tell."""
    root = stem(word)
    groups = (group for other, group in _FORMS.get(root[:_BEGINS], ()) if stem(other) == root)
    return tuple(dict.fromkeys((word, *next(groups, ()))))


def is_of_asker(words: list[str]) -> bool:
    """Whether a question is about those who ask: `my budget`, `did I`, but not `what did you tell me`."""
    others = (at for at, word in enumerate(words) if word in _OF_OTHER and not (at and words[at - 1] in _POLITE))
    return not _OF_ASKER.isdisjoint(words) and next(others, None) is None


def weight_of(words: list[str], at: int) -> float:
    """What a word of a question counts: less where it belongs to the asking ("what *kind* of", "did he *mention*")."""
    return _ASIDE if _is_of_asking(words, at) else 1.0


def _is_of_asking(words: list[str], at: int) -> bool:
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    if stem(words[at]) in _OF_KINDS:
        return before in _WHICH or after == "of"
    return stem(words[at]) in _OF_TELLING or (words[at] in _OF_NUMBERS and before == "how")
