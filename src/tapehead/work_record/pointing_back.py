"""Whether sentences of a prompt ask about, or say something of, the others: then those are a text, and not the user's own orders."""

from __future__ import annotations

import re

_ASKS_BACK = re.compile(
    r"\b(?:it|this|that|they|these|those|he|she|him|her|thoughts|true|right|correct|mean|opinion|who|comply|legit|spam)\b"
)
_ASKS_OF_ORDER = re.compile(
    r"(?:is|are|was|were|does|do|did|what|how|who|why|which)\b[^?]*\b(?:this|these|those)\b[^?]*\?$"
)
"""A question about something that stands there: about an order behind it, if there is one."""
_ASKS_OF_NEXT = re.compile(r"\b(?:this|these|those|here|it|following|below)\W*\?$")
_LOOKS_BACK = re.compile(
    r"(?:so |and |but )?(?:this|that|these|those) (?:is|was|are|were) (?:the|a|an|my|our|from|what|all|how|it|his|her|their)\b"
)
ORDERS = re.compile(
    r"\b(?:never|always|must|should|don'?t|do not|make sure|ensure|avoid|remember|only|prefer|stop \w+ing|from now on|no longer|mustn't|shouldn't)\b"
)


def asks_of_what_came(parts: list[str]) -> bool:
    """Whether words ask about, or say something of, those before them or behind them."""
    for n, part in enumerate(parts[:-1], 1):
        asks = _ASKS_OF_NEXT.search(part) or (_ASKS_OF_ORDER.match(part) and any(map(ORDERS.search, parts[n:])))
        if asks and " you " not in part:
            return True
    for n, part in enumerate(parts[1:], 1):
        if _LOOKS_BACK.match(part):
            return True
        ordered = any(ORDERS.search(one) for one in parts[:n])
        if ordered and part.endswith("?") and _ASKS_BACK.search(part):
            return True
    return False
