"""Settings in odd shapes: ours beside the user's in one group, edited between install and uninstall. The user's edit survives."""

from __future__ import annotations

import copy
import itertools
import json

import pytest

from tapehead.agents import installation
from tapehead.agents.hook_entries import HookEntries
from tapehead.agents.installation import Settings
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of

AMONG_OTHERS = [host for host in HOSTS if isinstance(setup_of(host).ENTRIES, HookEntries)]
MINE = {"type": "command", "command": "mine", "timeout": 7}


class Shape:
    """One agent's form of settings, with an old entry of ours somewhere in it."""

    def __init__(self, host, *, bare=False):
        self.entries = setup_of(host).ENTRIES
        self.host, self.bare = host, bare
        self.event = self.entries.events[0]
        self.new = f"/new/tapehead hook {host}"
        old = self.entries.group_of(self.event, f"/old/tapehead hook {host}")
        self.ours = old if self.entries.flat else old["hooks"][0]

    def group(self, *handlers, **about):
        """Handlers as one group; without groups, as they are."""
        return list(handlers) if self.entries.flat else [{**about, "hooks": list(handlers)}]

    def file(self, groups, **also):
        events = {self.event: groups, "Other": self.group(MINE)}
        return {**also, **(events if self.bare else {"hooks": events})}

    def events(self, file):
        return file if self.bare else file["hooks"]

    def shapes(self):
        """Where an old entry of ours may stand."""
        mine, other, ours = MINE, {**MINE, "command": "other"}, self.ours
        yield from (self.file(self.group(*each)) for each in itertools.permutations([mine, ours, other], 3))
        yield from (self.file(self.group(*each)) for each in ([ours], [mine, ours, ours], [ours, mine], []))
        yield self.file(self.group(mine, ours, matcher="Bash"), model="x")
        yield self.file(self.group(ours, matcher="Bash", note="mine"))
        yield self.file([*self.group(mine, matcher="*"), *self.group(ours), *self.group(other, ours)])
        yield self.file([*self.group(ours), *self.group(ours, matcher="")], permissions={"deny": ["x"]})

    def edits(self):  # noqa: C901 - a list of small functions
        """What a user may do to a file meanwhile; each changes what it is given, and may find nothing to do."""

        def groups(file):
            return self.events(file).get(self.event, [])

        def handlers(file):
            found = groups(file)
            return [found] if self.entries.flat else [each["hooks"] for each in found]

        def mine_goes(file):
            for each in handlers(file):
                each[:] = [one for one in each if self.is_ours(one)]

        def mine_changes(file):
            for one in itertools.chain(*handlers(file)):
                if not self.is_ours(one):
                    one["command"] = "edited"

        def one_more(file):
            for each in handlers(file):
                each.insert(0, {**MINE, "command": "one more"})

        def about_the_group(file):
            for each in groups(file):
                each["matcher"], each["note"] = "Edit", "why"

        def another_group(file):
            self.events(file).setdefault(self.event, []).insert(0, self.group(MINE)[0])

        def another_event(file):
            self.events(file)["Another"] = self.group(MINE)

        def another_key(file):
            file["env"] = {"A": "1"}

        def nothing_but(file):
            self.events(file).pop("Other", None)

        yield from (mine_goes, mine_changes, one_more, another_group, another_event, another_key, nothing_but)
        if not self.entries.flat:
            yield about_the_group

    def some(self):
        """Each edit alone, and each before and after that which leaves ours alone in its group."""
        first, *rest = self.edits()
        yield [first]
        yield from ([one] for one in rest)
        yield from (pair for one in rest for pair in ([first, one], [one, first]))

    def is_ours(self, handler):
        return self.entries.is_ours(str(handler.get("command")))

    def rest(self, file):
        """All that is the user's: a group goes only where it holds nothing but ours, and was written as ours are."""
        left = copy.deepcopy(file)
        events = self.events(left) if not self.bare or left else left
        for event, groups in list(events.items() if isinstance(events, dict) else ()):
            if isinstance(groups, list):
                events[event] = list(self._kept(event, groups))
        return left

    def _kept(self, event, groups):
        for group in groups:
            if self.entries.flat:
                yield from () if self.is_ours(group) else [group]
                continue
            handlers = [one for one in group["hooks"] if not self.is_ours(one)]
            about = {key: value for key, value in group.items() if key != "hooks"}
            usual = self.entries.group_of(event, "") if event in self.entries.events else {}
            says_more = any(value not in ("", "*", usual.get(key)) for key, value in about.items())
            if handlers or handlers == group["hooks"] or says_more:
                yield {**group, "hooks": handlers}


def empty_away(value):
    """Without empty lists and objects: whether an event with nothing in it stays says nothing."""
    if isinstance(value, dict):
        return {key: found for key, one in value.items() if (found := empty_away(one)) not in ([], {})}
    return [empty_away(one) for one in value] if isinstance(value, list) else value


SHAPES = [Shape(host) for host in AMONG_OTHERS] + [
    Shape(host, bare=True) for host in AMONG_OTHERS if setup_of(host).ENTRIES.bare
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: f"{one.host}{'-bare' if one.bare else ''}")
def test_the_users_edit_survives(shape):
    """Every shape, every edit, and every two of them: all that is the user's is there after an uninstall, and nothing of ours."""
    entries = shape.entries
    choices = [*shape.some()]
    for file in shape.shapes():
        text = json.dumps(file, indent=2)
        before = entries.without_hooks(text)  # as an install keeps it
        installed = entries.with_hooks(text, shape.new)
        for chosen in choices:
            edited = json.loads(installed)
            for edit in chosen:
                edit(edited)
            left = json.loads(entries.without_hooks(json.dumps(edited, indent=2), before))
            told = (file, [edit.__name__ for edit in chosen], edited, left)
            assert empty_away(left) == empty_away(shape.rest(edited)), told


def test_through_the_files(tmp_path):
    """The same from install to uninstall: the group that the user wrote stays, with what they wrote into it meanwhile."""
    shape = Shape("claude")
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(shape.file(shape.group(MINE, shape.ours, matcher="startup"))))
    settings = Settings.at(
        str(path),
        str(tmp_path / "backups"),
        lambda text: shape.entries.with_hooks(text, shape.new),
        shape.entries.without_hooks,
    )
    installation.install(settings)
    edited = json.loads(path.read_text())
    edited["hooks"][shape.event][0]["note"] = "why"
    del edited["hooks"][shape.event][0]["hooks"][0]
    path.write_text(json.dumps(edited))
    installation.uninstall(settings)
    assert json.loads(path.read_text())["hooks"] == {
        shape.event: [{"matcher": "startup", "hooks": [], "note": "why"}],
        "Other": [{"hooks": [MINE]}],
    }
