"""What a text costs when nobody has counted: four characters are a token.

Code and English come out close to what tokenizers say. What matters more is that the same count is used for promising
and for keeping: a brief for N tokens never has more than 4·N characters.
"""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4


def tokens(text: str) -> int:
    """How many tokens the text costs, rounded up: part of a token is paid as one."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def room(budget: int) -> int:
    """How many characters a budget of tokens allows."""
    return max(0, budget) * CHARACTERS_PER_TOKEN
