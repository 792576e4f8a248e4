"""What the words of the machine mean, in the words of the vocabulary itself.

Python drops the sentence below an enum's member when it compiles. It is read again from the source, so that the legend
cannot say anything else than the code does.
"""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from tapehead.statemachine import vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import Enum


def meanings(words: type[Enum]) -> dict[str, str]:
    """Each member's name and the sentence below it, for one of the vocabulary's enums."""
    with open(vocabulary.__file__, encoding="utf-8") as source:
        tree = ast.parse(source.read())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    return dict(_explained(classes[words.__name__]))


def _explained(words: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for member, below in pairwise(words.body):
        match member, below:
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str(sentence))):
                yield name, sentence
