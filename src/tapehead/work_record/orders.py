"""Orders, taken apart far enough to see when a later one takes the place of an earlier one.

Only what can be told from the words alone counts: the same thing forbidden and then allowed, one choice given up for
another by name, one setting given another value. Whatever is merely alike is left to stand beside it.
"""

from __future__ import annotations

from typing import NamedTuple

WANTED, FORBIDDEN, ALLOWED, UNNEEDED = "wanted", "forbidden", "allowed", "unneeded"
_OPPOSITES = ({FORBIDDEN, ALLOWED}, {FORBIDDEN, WANTED}, {UNNEEDED, WANTED})


class Order(NamedTuple):
    """One order: what is to be done or left, with what."""

    kind: str
    verb: str
    """Its stem; `use` for every choice, `set` for every value."""
    about: frozenset[str]
    """The words that say what it is about."""
    value: str = ""
    """What is chosen, or the value that is set."""
    given_up: str = ""
    """What is named as no longer chosen."""
    changes: bool = False
    """Whether it says that something is different from now on."""
    for_now: bool = False
    """Whether it says that it holds only for a while."""
    alone: bool = True
    """Whether its sentence says nothing else."""


_BEFORE = "no nope nah ok okay yes yeah actually wait sorry please so and but also well now instead again then"
_LEADS = (*_BEFORE.split(), "from now on", "going forward", "in future", "on second thought")
"""Words before an order."""
_LED = tuple(f"{lead}{gap}" for lead in _LEADS for gap in (" ", ", "))
_KINDS = {
    UNNEEDED: ("no need to", "there's no need to", "there is no need to", "don't need to", "don't have to"),
    FORBIDDEN: ("don't", "dont", "do not", "never", "no longer", "stop", "avoid", "must not", "should not"),
    ALLOWED: ("you can", "we can", "you may", "feel free to", "it's ok to", "it's okay to", "it's fine to"),
    WANTED: ("must", "should", "need to", "have to", "always", "let's", "make sure to", "remember to"),
}
"""How an order of each kind begins, `you` or `we` left out where both can be said."""
_BEGINNINGS = tuple(f"{one} " for beginnings in _KINDS.values() for one in beginnings)
_BETWEEN = ("now", "always", "ever", "please", "just", "again")
_APART = (". ", "; ", "! ", " but ", " and ", " then ", " - ", "—", "(")
_WHY = (" because ", " since ", " so that ")
_FOR = (" for ", " in ", " when ", " on ", " inside ", " within ", " as ")
_CHANGES = frozenset(("now", "again", "anymore", "actually", "instead", "switch", "always"))
_CHANGED = ("going forward", "any more", "no longer", "after all", "on second thought")
_CORRECTIONS = ("no ", "no, ", "nope", "nah", "wait", "sorry")
_CHOOSE = {"us": "", "go": "with ", "switch": "to ", "mov": "to ", "stick": "with ", "prefer": ""}
_GIVEN_UP = (" instead of ", " rather than ", " in place of ", ", not ", " not ")
_EXCHANGE = ("replac", "swap", "chang", "switch", "mov", "migrat")
_EXCHANGED = (" to ", " with ", " by ", " for ")
_SET = ("set", "rais", "lower", "increas", "reduc", "limit", "bump", "cap", "keep", "chang")
_SMALL_WORDS = (
    "the a an it that this them these those any more anymore now again yet please just to in on at of for with from by "
    "into so too also instead still ever always all our my your me us you we i is be"
)
_SAYS_NOTHING = frozenset(_SMALL_WORDS.split())
_NOUNS = "th this that thes it i if for from to with in on at there what when wher how why who can could would you w"
_NO_VERBS = frozenset(_NOUNS.split())
"""Stems of words that begin a sentence which is no order."""
_GENERAL = "do b hav get go s think know try want mak look work car need"
_TOO_GENERAL = frozenset(_GENERAL.split())
"""Stems of verbs that say nothing without what they are about."""
_OF_ONE_KIND = (
    frozenset(("tabs", "spaces")),
    frozenset(("npm", "yarn", "pnpm", "bun")),
    frozenset(("pip", "uv", "poetry", "pipenv", "conda")),
    frozenset(("jest", "vitest", "mocha")),
    frozenset(("pytest", "unittest")),
    frozenset(("eslint", "biome")),
    frozenset(("sqlite", "postgres", "postgresql", "mysql", "mariadb", "mongodb")),
    frozenset(("javascript", "typescript")),
    frozenset(("camelcase", "snake_case", "kebab-case")),
)
"""Things of which one uses one: naming another gives up the first."""
_LONGEST, _FEW = 120, 5
"""Letters of an order, and words that say what it is about: whoever explains at length cannot be compared."""


def order(sentence: str) -> Order | None:
    """Take a sentence apart by its first order: what stands after an `and` may be meant either way."""
    lowered = sentence.lower().replace("’", "'").replace("go ahead and ", "feel free to ").strip(" .!,:")  # noqa: RUF001  the other apostrophe
    first, others = _cut(_cut(lowered, _WHY)[0], _APART)
    if len(first) > _LONGEST:
        return None
    kind, said = _kind(first)
    verb, _, rest = said.partition(" ")
    verb, rest = _stem(verb), rest.strip(" ,")
    parts = _valued(verb, rest) or _chosen(verb, rest) or (verb, _words(rest), "", "")
    says_nothing = not verb.isalpha() or verb in _NO_VERBS or (parts[0] in _TOO_GENERAL and not parts[1])
    if says_nothing or len(parts[1]) > _FEW:
        return None
    for_now = " yet" in lowered or "for now" in lowered
    return Order(kind, *parts, _changes(lowered), for_now, not others)


def _kind(first: str) -> tuple[str, str]:
    """What kind of order it is, and what is left without the words that say so."""
    while first.startswith(_LED) and not first.startswith(("no longer", "no need")):
        lead = next(one for one in _LED if first.startswith(one))
        first = first[len(lead) :].lstrip(" ,")
    bare = first.removeprefix("you ").removeprefix("we ")
    if not (first.startswith(_BEGINNINGS) or bare.startswith(_BEGINNINGS)):
        return WANTED, _without(first)
    for kind, beginnings in _KINDS.items():
        for one in beginnings:
            for said in (first, bare):
                if said.startswith(f"{one} "):
                    return kind, _without(said[len(one) + 1 :])
    return WANTED, _without(first)


def _without(said: str) -> str:
    word, _, rest = said.partition(" ")
    return _without(rest) if word in _BETWEEN and rest else said


def _changes(lowered: str) -> bool:
    said = not _CHANGES.isdisjoint(lowered.replace(",", " ").split())
    return said or lowered.startswith(_CORRECTIONS) or any(one in lowered for one in _CHANGED)


def _valued(verb: str, rest: str) -> tuple[str, frozenset[str], str, str] | None:
    """To give something a value."""
    what, _, value = rest.rpartition(" to ") if " to " in rest else rest.rpartition(" at ")
    plain = verb in _SET and " " not in value and any(letter.isdigit() for letter in value)
    return ("set", about, value, "") if plain and (about := _words(what)) else None


def _chosen(verb: str, rest: str) -> tuple[str, frozenset[str], str, str] | None:
    """To use one thing, perhaps instead of another."""
    new, old = "", ""
    if verb in _EXCHANGE and not rest.startswith("to "):
        old, new = _cut(rest.removeprefix("from "), _EXCHANGED)
    elif verb in _CHOOSE and rest.startswith(_CHOOSE[verb]):
        new, old = _cut(rest.removeprefix(_CHOOSE[verb]), _GIVEN_UP)
    what, where = _cut(new, _FOR)
    given_up, elsewhere = _cut(old, _FOR)
    return ("use", _words(f"{where} {elsewhere}"), _bare(what), _bare(given_up)) if new else None


def _cut(text: str, marks: tuple[str, ...]) -> tuple[str, str]:
    """What stands before the first of the marks, and what after it."""
    places = [(at, mark) for mark in marks if (at := text.find(mark)) >= 0]
    return text.partition(min(places)[1])[::2] if places else (text, "")


def replaces(new: Order, old: Order) -> bool:
    """Whether the newer of two orders takes the place of the older one."""
    if new.verb != old.verb:
        return False
    if new.kind == old.kind:
        return new.kind == WANTED and _another(new, old)
    if new.about != old.about or new.value != old.value:
        return False
    if new.kind == WANTED and not (new.changes or old.for_now):
        return False  # what is asked for once does not lift a rule
    return {new.kind, old.kind} in _OPPOSITES


def _another(new: Order, old: Order) -> bool:
    """Whether one choice, or one value, takes the place of another."""
    if not old.value or not new.value or new.value == old.value:
        return False
    if new.given_up:
        return new.given_up == old.value and new.about <= old.about
    return new.about == old.about and (new.verb == "set" or (new.changes and _alike(new.value, old.value)))


def _alike(one: str, other: str) -> bool:
    """Whether one uses the one or the other: both of a kind, or the same with another number."""
    named = [" ".join(word for word in value.split() if not word[0].isdigit()) for value in (one, other)]
    return (named[0] == named[1] != "") or any(one in kind and other in kind for kind in _OF_ONE_KIND)


def _words(text: str) -> frozenset[str]:
    """The words of a text that say something, without the marks around them."""
    return frozenset(_bare(text).split())


def _bare(text: str) -> str:
    bare = (one.strip("`'\".,!()") for one in text.split())
    return " ".join(word for word in bare if word and word not in _SAYS_NOTHING)


def _stem(verb: str) -> str:
    """`use` and `using` are the same, `run` and `running` too."""
    stem = (verb.removesuffix("ing") if len(verb) > _SHORTEST_ING else verb).rstrip("e")
    return stem[:-1] if len(stem) > 1 and stem[-1] == stem[-2] else stem


_SHORTEST_ING = 4
