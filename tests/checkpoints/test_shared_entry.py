"""What a team shares: ten clones end with the same, whatever the order; nothing is lost, and a hostile clone spoils only its own."""

from __future__ import annotations

import random

import pytest

from tapehead.checkpoints import shared_entry as shared
from tapehead.checkpoints.shared_ref import made

CLONES = 10


def path_of(content):
    return f"memories/{shared.id_of(content)}.json"


class Clone:
    """One clone, as the ref sees it: files by path; and the secrets of what it shared itself."""

    def __init__(self, name):
        self.name, self.files, self.secrets = name, {}, {}

    def share(self, chance):
        content, secret = made(chance.choice(shared.KINDS), f"word {chance.random()}", self.name, "2026-01-01T10:00:00")
        self.files[path_of(content)] = content
        self.secrets[shared.id_of(content)] = secret

    def withdraw(self, chance):
        if self.secrets:
            name = chance.choice(sorted(self.secrets))
            self.files[f"withdrawn/{name}.json"] = shared.withdrawal(self.secrets[name])

    def attack(self, chance):
        """Changes, deletes, forges and floods, in what it has and in names of others."""
        for path in sorted(self.files):
            match chance.randrange(6):
                case 0:
                    del self.files[path]
                case 1:
                    self.files[path] = self.files[path].replace(b"word", b"lies")
                case 2:
                    self.files[path.replace("memories", "withdrawn")] = shared.withdrawal(
                        f"{chance.getrandbits(128):032x}"
                    )
                case 3:
                    self.files[f"memories/{chance.getrandbits(160):040x}.json"] = b"x" * chance.randrange(40_000)
                case 4:
                    self.files["../../" + path] = self.files[path]


def history(seed, steps=60):
    """Random work, offline and not, through one remote that keeps what it is given; the last clone is hostile."""
    chance = random.Random(seed)
    clones, remote = [Clone(f"clone {number}") for number in range(CLONES)], {}
    honest, hostile = clones[:-1], clones[-1]
    for _ in range(steps):
        one = chance.choice(clones)
        chance.choice((one.share, one.share, one.withdraw))(chance)
        if one is hostile:
            one.attack(chance)
        if chance.random() < 0.5:
            if one is hostile:
                remote = {**remote, **one.files} if chance.random() < 0.5 else dict(one.files)
                one.files = shared.unite_entries(one.files, remote)
            else:
                one.files = shared.unite_entries(one.files, remote)
                remote = dict(one.files)
    for _ in range(2):
        for one in chance.sample(honest, len(honest)):
            one.files = shared.unite_entries(one.files, remote)
            remote = dict(one.files)
    return honest, hostile


def holds(seed):
    honest, hostile = history(seed)
    assert all(one.files == honest[0].files for one in honest)
    files, living = honest[0].files, shared.living(honest[0].files)
    assert all(shared.is_valid(path, files) for path in files)
    for one in honest:
        for name in one.secrets:
            assert f"memories/{name}.json" in files
            taken_back = f"withdrawn/{name}.json" in files
            assert taken_back == (f"withdrawn/{name}.json" in one.files)
            assert (name in living) != taken_back
            if taken_back:
                assert files[f"withdrawn/{name}.json"] == shared.withdrawal(one.secrets[name])
    assert {entry.by for name, entry in living.items() if name in hostile.secrets} <= {hostile.name}


def test_ten_clones_converge():
    """A hundred random histories."""
    for seed in range(100):
        holds(seed)


@pytest.mark.slow
def test_ten_clones_converge_a_thousand_times():
    """The long form."""
    for seed in range(1_000):
        holds(seed)


def test_two_sides_are_united_in_any_order():
    """Union is the same both ways, with itself, and in any grouping."""
    chance = random.Random(7)
    sides = []
    for number in range(3):
        one = Clone(str(number))
        for _ in range(5):
            one.share(chance)
        one.withdraw(chance)
        sides.append(one.files)
    a, b, c = sides
    assert shared.unite_entries(a, b) == shared.unite_entries(b, a)
    assert shared.unite_entries(a, a) == dict(sorted(a.items()))
    assert shared.unite_entries(shared.unite_entries(a, b), c) == shared.unite_entries(a, shared.unite_entries(b, c))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"text": 1}\n', b"x" * 20_000, b'{"at":"","by":"","kind":"project","seal":"","text":"x"}'],
)
def test_what_is_no_entry_is_not_read(content):
    """Garbage, wrong types, too much, and the right thing in another form."""
    assert shared.read(content) is None
    assert not shared.is_valid(path_of(content), {path_of(content): content})


def test_only_the_author_takes_back():
    """With the secret and nothing else; in the one form that it has."""
    content, secret = made("project", "words", "ann", "now")
    name = shared.id_of(content)
    files = {path_of(content): content}
    for bad in (shared.withdrawal("0" * 32), b"{}", b"[]", b"\xff", shared.withdrawal(secret) + b" "):
        assert not shared.is_valid(f"withdrawn/{name}.json", {**files, f"withdrawn/{name}.json": bad})
    files[f"withdrawn/{name}.json"] = shared.withdrawal(secret)
    assert shared.is_valid(f"withdrawn/{name}.json", files)
    assert shared.living(files) == {}
