"""Orders in German and French: what the first words of a sentence say that is typed to an agent.

Only sentences that are a prompt by themselves come here: of longer ones nobody can tell whose words they are without knowing the language.
So a few forms do: an imperative with how it holds, an order that begins with it, and what is barred. What is missed is still quoted.
"""

from __future__ import annotations

import re

_POLITE = r"(?:bitte,? |und |also |ok,? |s'il (?:te|vous) pla[iî]t,? |et |ab jetzt,? |von nun an |ab sofort |künftig |in zukunft |désormais,? |à partir de maintenant,? |dorénavant,? )*"
_DO = r"(?:(?:committ?|push|test|start|bau|halt)en?|(?:benutz|verwend|nutz|nimm|nehm|schreib|mach|lass|änder|ergänz|füg|lösch|führ|frag|antwort|behalt|fass|rühr|installier|erzeug|erstell|leg|prüf|formatier|setz|bleib)(?:e|en sie|en)?)"
_FAIS = r"(?:utilis|touch|modifi|chang|ajout|supprim|écri|fai|pouss|met|répond|gard|évit|lanc|demand|respect|commit|test|cré|install|renomm)\w{0,3}"
_ORDER = re.compile(
    "|".join(
        (
            rf"{_DO} (?:bitte )?(?:\S+ ){{0,2}}?(?:immer|nie|niemals|nur|kein\w*|nicht)\b(?! (?:noch|wieder|mehr|nur|weiter|zu)\b)",
            r"(?:immer|nie|niemals|auf keinen fall|keinesfalls)\b(?! (?:noch|wieder|mehr|wenn)\b).* (?!ge)\w{2,}(?:en|ern|eln)$",
            r"vermeide?n?\b",
            rf"(?:ne |n')(?:\w+ )?{_FAIS} (?:jamais|pas|plus|que|rien|aucun\w*)\b",
            r"(?:ne |n')?(?:jamais|toujours(?! (?:pas|le|la|les|une?|des|en|notre|votre)\b)|surtout ne pas|ne pas|ne jamais) (?:\w+ )?\w+(?:er|ir|re)\b",
            rf"{_FAIS} (?:toujours|uniquement|seulement)\b|évite[zr]?\b",
        )
    )
)
_BARRED = re.compile(
    r"kein\w* (?!ahnung|idee|problem|fehler|frage|zeit|eile|sorge|panik|lust|änderungen$)\w+(?:[ -]\w+){0,2}$"
)
"""An order with a please alone: without one it may be a report."""
_ANYTHING = re.compile(rf"(?:{_DO}|{_FAIS}) \S|.* \w{{2,}}(?:en|ern|eln)$")
"""An order once it says `from now on`."""
_BEFORE = re.compile(_POLITE)
_FROM_NOW = re.compile(
    r"\b(?:ab jetzt|von nun an|ab sofort|künftig|in zukunft|désormais|à partir de maintenant|dorénavant)\b"
)
_PLEASE = re.compile(r"\bbitte\b")
_WIDE = re.compile(
    r"[:\"„“«»;]|https?:|\b(?:erlaubnis|bestätigung|zustimmung|nachfrage|rückfrage|zu fragen|passw\w+|kennw\w+|geheim\w*|zertifikat\w*|signatur\w*|"
    r"sicherheit\w*|permission|autorisation|confirmation|mots? de passe|secrets?|tokens?|certificats?|signature|sécurité)\b"
)
"""What hands a text over, and what touches secrets, approvals and checks: those are rules in English words alone."""
_MOST = 20


def is_order(sentence: str) -> bool:
    """Whether a sentence is an order in German or French that may stand as a rule."""
    said = sentence.lower().replace("’", "'").rstrip(" .!")  # noqa: RUF001 - the other apostrophe
    if len(said.split()) > _MOST or _WIDE.search(said):
        return False
    before = _BEFORE.match(said)
    bare = said[before.end() :] if before else said
    return bool(
        _ORDER.match(bare)
        or (_PLEASE.search(said) and _BARRED.match(bare))
        or (_FROM_NOW.search(said) and _ANYTHING.match(bare))
    )
