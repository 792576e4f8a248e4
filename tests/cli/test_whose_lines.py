"""Whose lines they are as a user is told: `blame` line by line, and each commit's checkpoints by `explain`, against the oracle."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections import Counter

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tapehead.actions.rewrites import follow
from tapehead.cli.app import app
from tapehead.engine import git_hook
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts, tape
from tapehead.store.paths import Layout
from whose import STEPS, Story

REMOVERS = ("agent_removed", "human_removed", "session_removed")
PLAIN = ("switch", "edit", "create", "commit")
"""Steps that leave git's history as it is."""


class Told(Story):
    """Told to the tapes as the hooks do, and settled as the worker does."""

    def __init__(self, directory):
        super().__init__(directory, agents=("one", "two"))
        self.removers, self.is_plain, self.has_moved = {}, True, False
        self.layout = Layout(str(self.repo / ".git" / "tapehead"))
        self.engine = Engine(self.layout, time.time_ns)
        for agent in self.agents:
            starts.note(self.layout, "main", {"session": agent, "at": tape.instant(time.time_ns())})
            self.hear(agent, Event.SESSION_START)
            self.begins(agent)
            self.ends(agent)

    def hear(self, agent, event, **data):
        now = time.time_ns()
        line = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": "claude", "event": event.value}
        self.engine.store.append(agent, {**line, "facts": [], "data": {"worktree": str(self.repo), **data}})
        self.engine.settle(agent)

    def begins(self, agent):
        self.hear(agent, Event.TURN_START, prompt=f"prompt {self.count}")

    def ends(self, agent):
        self.hear(agent, Event.TURN_END)

    def message(self, text, amends):
        file = self.repo / ".git" / "MSG"
        file.write_text(text + "\n")
        git_hook.run(["prepare-commit-msg", str(file), "message"], {**os.environ, "GIT_EDITOR": ":"})
        return ("-F", str(file))

    def made(self):
        git_hook.run(["post-commit"], os.environ)
        self.settle()

    def rewritten(self, pairs):
        line = {"at": tape.instant(time.time_ns()), "worktree": str(self.repo), "pairs": pairs}
        tape.append(self.layout.rewrites, line)
        self.settle()

    def does(self, name, n):
        """One step; of what is not there any more after it the oracle knows who removed it, if it was no doing of git's."""
        before = self.texts()
        getattr(self, name)(n)
        self.is_plain &= name in PLAIN
        self.has_moved |= name == "move"
        self.removers |= dict.fromkeys(before - self.texts(), self.working if name in PLAIN else None)

    def texts(self):
        return {text for path in self.tracked() for text in path.read_text().splitlines()}

    def rewind(self, n):
        if self.working:
            return
        if n % 3 == 0:
            CliRunner().invoke(app, ["rewind", "--session", self.agents[n % 2], "--undo"])
            return
        turns = self.asked("rewind", "--session", self.agents[n % 2])
        chosen = str(turns[n // 2 % len(turns)]["turn"])
        done = CliRunner().invoke(app, ["rewind", "--session", self.agents[n % 2], "--to", chosen, "--force"])
        assert done.exit_code == 0, done.stderr

    def settle(self):
        for agent in self.agents:
            self.engine.settle(agent)
        if os.path.exists(self.layout.rewrites):
            follow(self.layout)

    # -- what must hold ---------------------------------------------------------------------------------------------

    def asked(self, *words):
        done = CliRunner().invoke(app, [*words, "--json"])
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    def check(self):
        for path in self.tracked():
            self.check_file(path.name)
        for commit in self.own_commits():
            self.check_commit(commit)
        for agent in self.agents:
            assert not self.engine.store.load(agent).failures

    def check_file(self, name):
        """Every line by its owner; and whether it is committed, where the file has kept its name."""
        found = self.asked("blame", name)
        texts = (self.repo / name).read_text().splitlines()
        told = [(line["text"].strip(), line["session"]) for line in found["lines"]]
        assert told == [(text.strip(), self.who(text)) for text in texts], name
        assert found["agent"] == sum(bool(self.who(text)) for text in texts)
        if self.git("cat-file", "-e", f"HEAD:{name}", check=False) == 0:
            shown = subprocess.run(
                ["git", "show", f"HEAD:{name}"], cwd=self.repo, check=True, capture_output=True
            ).stdout
            lines = (
                (self.repo / name).read_bytes().splitlines(keepends=True)
            )  # as they are: other ends are another line
            committed = set(shown.splitlines(keepends=True))
            told = [bool(line["commit"]) for line in found["lines"]]
            there = [line in committed for line in lines]
            assert not any(is_told and not is_there for is_told, is_there in zip(told, there, strict=True)), name
            assert told == there or self.has_moved, name

    def check_commit(self, commit):
        """A part for each session that has a line in it, and in each part the same shares, by commit and by file."""
        brought, removed, gone = self.brought(commit)
        found = self.asked("explain", commit)
        owners = {name: Counter(self.who(text) for text in texts) for name, texts in brought.items()}
        by = sum(owners.values(), Counter())
        agents = {agent for agent in by if agent}
        assert agents <= {part["session"] for part in found["parts"]}, (commit, found["found_by"])
        if agents:
            assert found["found_by"] == "commit"
        for part in found["parts"] if found["found_by"] == "commit" else ():
            assert part["commit"] == commit
            session = part["session"]
            shares = part["attribution"]
            assert {name: shares[name] for name in shares if name not in REMOVERS} == {
                "agent_added": sum(by[agent] for agent in agents),
                "human_added": by[""],
                "session_added": by[session],
                "removed": sum(removed.values()),
            }
            self.check_removers(shares, gone, session)
            files = part["per_file"]
            assert {
                name: {word: counts[word] for word in counts if word not in REMOVERS} for name, counts in files.items()
            } == {
                name: {
                    "added": len(brought.get(name, ())),
                    "agent": sum(owners.get(name, Counter())[agent] for agent in self.agents),
                    "session": owners.get(name, Counter())[session],
                    "removed": removed[name],
                }
                for name in sorted({*brought, *removed})
            }

    def check_removers(self, shares, gone, session):
        """Nobody is said to have removed what another did; where git's history was left alone, all of it is told."""
        by = Counter(self.removers.get(text) for text in gone)
        true = {
            "agent_removed": sum(by[agent] for agent in self.agents),
            "human_removed": by[""],
            "session_removed": by[session],
        }
        assert all(shares.get(name, 0) <= count + by[None] for name, count in true.items()), (shares, by)
        if self.is_plain and gone:
            assert {name: shares[name] for name in REMOVERS} == true

    def brought(self, commit):
        """By file, the texts that a commit brought, and how many it took away; all that went: as a user reads it off `git show`."""
        shown = self.git("show", "--format=", "-M", "-U0", "--no-color", commit)
        brought, removed, name, gone, texts = {}, Counter(), "", "", []
        for row in shown.splitlines():
            if row.startswith("--- "):
                gone = row[6:]
            elif row.startswith("+++ "):
                name = row[6:] if row[4:] != "/dev/null" else gone
            elif row.startswith("rename to "):
                brought.setdefault(row[10:], [])
            elif row.startswith("+"):
                brought.setdefault(name, []).append(row[1:])
            elif row.startswith("-"):
                removed[name] += 1
                texts.append(row[1:])
        return brought, removed, texts


def told(steps):
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="whose") as directory:
        patch.setattr(git_hook, "_work", lambda *_: None)  # it is settled here
        story = Told(directory)
        patch.chdir(story.repo)
        for name, n in steps:
            story.does(name, n)
        story.check()


A_TURN = [("switch", 0), ("switch", 0)]
AGENT_LINES = [("switch", 0), ("edit", 8), ("switch", 0)]


@given(STEPS)
@settings(max_examples=4, derandomize=True, suppress_health_check=[*HealthCheck])
@example([*AGENT_LINES, ("commit", 1)])
@example([("switch", 0), ("create", 0), ("commit", 1), ("create", 0), ("commit", 1)])
@example([*AGENT_LINES, ("commit", 1), *A_TURN, ("reset", 0)])
@example([*AGENT_LINES, ("commit", 1), *A_TURN, ("reset", 0), *A_TURN, ("commit", 1)])
@example([("create", 0), ("commit", 1), *A_TURN, ("switch", 0), ("rebase", 0), ("reset", 187)])
@example([("create", 0), ("commit", 2), ("switch", 0), ("amend", 0)])
@example([("switch", 0), ("create", 0), ("commit", 1), ("rebase", 0), ("reset", 0), ("reset", 0)])
@example([("switch", 0), ("create", 0), ("commit", 1), ("rebase", 0), ("reset", 0), ("reset", 0), ("switch", 0)])
@example(
    [
        ("switch", 0),
        ("amend", 0),
        ("create", 0),
        ("rebase", 0),
        ("rebase", 0),
        ("rename", 0),
        ("switch", 0),
        ("switch", 0),
        ("commit", 0),
        ("rebase", 0),
    ]
)
@example([("edit", 45), *AGENT_LINES, ("switch", 0), ("edit", 10), ("switch", 0), ("edit", 52), ("commit", 1)])
def test_blame_and_the_checkpoints_say_whose_lines_they_are(steps):
    """Whatever is edited, renamed, committed, amended, rebased, squashed and reverted, by the human or either of two agents."""
    told(steps)


@given(st.lists(st.tuples(st.sampled_from(PLAIN), st.integers(0, 200)), min_size=8, max_size=24))
@settings(max_examples=4, derandomize=True, suppress_health_check=[*HealthCheck])
def test_who_removed_what_is_told(steps):
    """A deletion of the human's and one of either agent's are told apart."""
    told(steps)


@pytest.mark.slow
@given(STEPS)
@settings(max_examples=400, suppress_health_check=[*HealthCheck])
def test_blame_and_the_checkpoints_in_many_stories(steps):
    """The same, for longer."""
    told(steps)
