"""Tests of looking for many words at once."""

import random

import pytest

from tapehead.text import word_places
from tapehead.text.word_places import WordPlaces, places

WORDS = [*word_places._LETTER_OF, *word_places._WITHIN, b"secret", b"otp", b"psk"]


@pytest.mark.parametrize("long", [True, False], ids=["megabytes", "a line"])
def test_each_word_is_found_wherever_a_plain_search_finds_it(long, monkeypatch):
    monkeypatch.setattr(word_places, "_LONG", 0 if long else 1 << 30)
    chance = random.Random(7)
    for _ in range(300):
        text = b"".join(chance.choices([*WORDS, *(bytes([letter]) for letter in b"kwgp/ saend=:")], k=60))
        known = WordPlaces(text)
        for word in chance.sample(WORDS, len(WORDS)):
            assert known[word] == places(text, word), (word, text)
