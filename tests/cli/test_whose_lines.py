"""Whose lines they are as a person is told: `blame` line by line, and each commit's checkpoints by `explain`, against the oracle."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings

from tapehead.actions.rewrites import follow
from tapehead.cli import git_hook
from tapehead.cli.app import app
from tapehead.cli.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts, tape
from tapehead.store.paths import Layout
from whose import STEPS, Story


class Told(Story):
    """Told to the tapes as the hooks do, and settled as the worker does."""

    def __init__(self, directory):
        super().__init__(directory, agents=("one", "two"))
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
        told = [(line["text"], line["session"]) for line in found["lines"]]
        assert told == [(text, self.typed[text]) for text in texts], name
        assert found["agent"] == sum(bool(self.typed[text]) for text in texts)
        if self.git("cat-file", "-e", f"HEAD:{name}", check=False) == 0:
            there = self.git("show", f"HEAD:{name}").splitlines()
            assert [bool(line["commit"]) for line in found["lines"]] == [text in there for text in texts], name

    def check_commit(self, commit):
        """A part for each session that has a line in it, and in each part the same shares, by commit and by file."""
        brought, removed = self.brought(commit)
        found = self.asked("explain", commit)
        owners = {name: Counter(self.typed[text] for text in texts) for name, texts in brought.items()}
        by = sum(owners.values(), Counter())
        agents = {agent for agent in by if agent}
        assert agents <= {part["session"] for part in found["parts"]}, (commit, found["found_by"])
        if agents:
            assert found["found_by"] == "commit"
        for part in found["parts"] if found["found_by"] == "commit" else ():
            assert part["commit"] == commit
            session = part["session"]
            assert part["attribution"] == {
                "agent_added": sum(by[agent] for agent in agents),
                "human_added": by[""],
                "session_added": by[session],
                "removed": sum(removed.values()),
            }
            assert part["per_file"] == {
                name: {
                    "added": len(brought.get(name, ())),
                    "agent": sum(owners.get(name, Counter())[agent] for agent in self.agents),
                    "session": owners.get(name, Counter())[session],
                    "removed": removed[name],
                }
                for name in sorted({*brought, *removed})
            }

    def brought(self, commit):
        """By file, the texts that a commit brought, and how many it took away: as a person reads it off `git show`."""
        shown = self.git("show", "--format=", "-M", "-U0", "--no-color", commit)
        brought, removed, name, gone = {}, Counter(), "", ""
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
        return brought, removed


def told(steps):
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="whose") as directory:
        patch.setattr(git_hook, "_work", lambda *_: None)  # it is settled here
        story = Told(directory)
        patch.chdir(story.repo)
        for name, n in steps:
            getattr(story, name)(n)
        story.check()


A_TURN = [("switch", 0), ("switch", 0)]
AGENT_LINES = [("switch", 0), ("edit", 8), ("switch", 0)]


@given(STEPS)
@settings(max_examples=8, suppress_health_check=[*HealthCheck])
@example([*AGENT_LINES, ("commit", 1)])
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
def test_blame_and_the_checkpoints_say_whose_lines_they_are(steps):
    """Whatever is edited, renamed, committed, amended, rebased, squashed and reverted, by the human or either of two agents."""
    told(steps)


@pytest.mark.slow
@given(STEPS)
@settings(max_examples=400, suppress_health_check=[*HealthCheck])
def test_blame_and_the_checkpoints_in_many_stories(steps):
    """The same, for longer."""
    told(steps)
