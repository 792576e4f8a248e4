"""What a rule and later words are about, and whether they speak of the same: by stems, parts of names, and what is alike in kind."""

from __future__ import annotations

import re
from functools import lru_cache

_SMALL = (
    "a an the this that these those it its them they i you we me my your our us he she in on at of for to from by with into as is are be was "
    "were been being do does did done don't dont never always not no nope nah yes ok okay please just only also too again any all more most "
    "some ever still now then so and or but if when while until before after since because actually instead rather than from there here what "
    "which who how why use used using should must may can could would will shall need needs have has had make sure want wants like fine good "
    "forget forgot ignore disregard drop said told say earlier previous last rule rules about anymore longer changed mind take back scratch "
    "never mind nevermind go ahead feel free allowed allow wait sorry well second thought thoughts each every once time let's lets keep thing "
    "things stuff way new old other another one two yourself file files code everything anything something really"
)
_NOT_ABOUT = frozenset(_SMALL.split())
_GENERAL = (
    "use run add mak do go get writ chang put set keep fix updat creat work call start look show giv try edit touch us let stay tak "
    "tell hav com leav clos mov find check whole full"
)
_TALKED = (
    "only per it's that's very much many without think thought know mean guess see seem notic mayb perhap possibl probabl happen recent cas end "
    "bit lot even point problem issu question yeah part thank pleas nic great option via yet already continu proceed"
)
_TALK = frozenset(_TALKED.split())
"""Stems that say nothing of a topic."""
_TOO_GENERAL = frozenset(_GENERAL.split())
"""Stems that are shared by sentences about anything: they count where a rule is about nothing else."""
_ENDINGS = frozenset("py js ts tsx jsx yml yaml md json toml txt sh go rs css html com org".split())  # noqa: SIM905 - as the others
_KINDS_TOLD = (
    "tab space indent indentation",
    "npm yarn pnpm bun",
    "pip uv poetry pipenv conda",
    "jest vitest mocha jasmine playwright cypress",
    "pytest unittest nose",
    "sqlite postgre postgresql mysql mariadb mongodb mongo redis oracle",
    "javascript typescript js ts python rust java kotlin swift ruby php golang",
    "single double",
    "camelcase snake_case kebab-case pascalcase",
    "dark light theme",
    "rebase merge",
    "english german french spanish italian deutsch englisch dutch british american",
    "short long detailed brief",
    "react vue svelte angular solid",
    "black ruff prettier eslint biome flake8",
    "docker podman",
    "linux windows macos",
    "red green blue yellow orange purple black white grey gray pink",
    "backward compatibility breaking",
    "vim emacs nano vscode",
    "rest graphql grpc",
    "sync async",
    "table bullet prose",
    "vite webpack rollup esbuild parcel",
    "staging production prod dev development local live",
    "backend frontend server client",
    "explain explanation talk chat verbose terse concise wordy summary",
    "ai claude co-author coauthor anthropic assistant",
    "present past",
)
_INCLUDES = {
    "git": frozenset(("commit", "push", "branch", "stash", "tag", "rebase", "merge", "amend", "checkout")),
    "color": frozenset(
        (
            "red",
            "green",
            "blue",
            "yellow",
            "orange",
            "purple",
            "black",
            "white",
            "grey",
            "gray",
            "pink",
            "dark",
            "light",
        )
    ),
    "network": frozenset(("curl", "wget", "download", "fetch", "online", "internet", "http")),
}
"""What a rule about the whole is about, too."""
KINDS = tuple(frozenset(kind.split()) for kind in _KINDS_TOLD)
"""Words of one kind: a choice among them is about the same."""


def plain(text: str) -> str:
    """Give a text on one line, in small letters, with one kind of apostrophe."""
    return " ".join(text.lower().replace("’", "'").split())  # noqa: RUF001 - the other apostrophe


@lru_cache(maxsize=1_024)
def about(text: str) -> frozenset[str]:
    """Give the words that say what a sentence is about."""
    bare = (word.strip("`'\".,!?;:()[]*").removeprefix("no-") for word in plain(text).split())
    return frozenset(stem(word) for word in bare if len(word) > 1 and word not in _NOT_ABOUT)


_JOINTS = re.compile(r"[./_:-]+")


@lru_cache(maxsize=1_024)
def topics(text: str) -> frozenset[str]:
    """Give the same with the parts of names and paths, each by its stem."""
    found: set[str] = set()
    for word in plain(text).split():
        bare = word.strip("`'\".,!?;:()[]*").removesuffix("'s")
        parts = _JOINTS.split(bare)
        # A word that the rule is about may be a small one elsewhere: `never use any`.
        found.update(
            _short(part) for part in parts if len(part) > 1 and part not in _NOT_ABOUT and part not in _ENDINGS
        )
    return frozenset(found - _TALK)


def shares(rule: str, later: str) -> bool:
    """Whether later words speak of what a rule is about."""
    own, new = topics(rule), topics(later)
    if own <= _TOO_GENERAL and len(rule.split()) <= _FEW and not own & new:
        return not _all_words(rule).isdisjoint(_all_words(later))
    old = own - _TOO_GENERAL or own
    named, spoken = {word.replace("colour", "color") for word in about(rule)}, about(later)
    if any(not kind.isdisjoint(named) and not kind.isdisjoint(spoken) for kind in KINDS):
        return True
    if any(word in named and not kind.isdisjoint(spoken) for word, kind in _INCLUDES.items()):
        return True
    same = old & new or {one for one in old for other in new if _akin(one, other)}
    # Sentences that tell much are not about the same for one word in common.
    return len(same) >= (2 if max(len(old), len(new - _TOO_GENERAL)) > _FEW else 1)


def _all_words(text: str) -> frozenset[str]:
    """Give the words of a rule that is about a small word only: `never use any`."""
    return frozenset(word.strip(".,!") for word in plain(text).split()) - _MERE


_MERE = frozenset(
    "never always don't do not use using only must should please the a an to of in is it i you we be and or for on that this".split()  # noqa: SIM905 - as above
)


def _akin(one: str, other: str) -> bool:
    """Whether two stems are of one word: a long common beginning, or one within the other behind a prefix."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < _SHORTEST:
        return False
    if long.endswith(short) and len(long) - len(short) <= _A_PREFIX:
        return True
    if len(short) < _LONG or not long.startswith(short[:_ALIKE_FROM_THE_START]):
        return False
    same = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return same >= max(_ALIKE_FROM_THE_START, len(short) * 0.65)


_SHORTEST, _LONG, _A_PREFIX, _FEW, _ALIKE_FROM_THE_START = 4, 6, 3, 5, 5


def _short(word: str) -> str:
    """Give a word without its endings."""
    if word.endswith("ies") and len(word) > _SHORTEST:
        word = word[:-3] + "y"
    for ending in ("ations", "ation", "ings", "ing", "ers", "ed", "es", "er", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):  # noqa: PLR2004 - `ing` of `string`
            word = word.removesuffix(ending)
            break
    word = word.rstrip("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word  # noqa: PLR2004 - `add`


def stem(word: str) -> str:
    """Give a word without a plural's or a participle's ending."""
    if "." in word or len(word) <= 3:  # noqa: PLR2004 - `gas`
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    one = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    return root(one) if one.endswith("ing") else one


def root(word: str) -> str:
    """Give the root of a verb."""
    short = (word.removesuffix("ing") if len(word) > 4 else word).removesuffix("ed").rstrip("e")  # noqa: PLR2004 - `sing`
    return short[:-1] if len(short) > 2 and short[-1] == short[-2] else short  # noqa: PLR2004 - as above
