"""`uninstall --purge`: all that was ever recorded on this machine, shown and then deleted."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress

import click

from tapehead.cli.erasure import size_of
from tapehead.cli.here import all_here
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.engine.store_location import config_home, state_home
from tapehead.git import layout as git_layout
from tapehead.git import unreadable_refs
from tapehead.git.run import GitFailed, git
from tapehead.store import lock
from tapehead.store.paths import STORE, Layout
from tapehead.text.wording import count, size

_SECONDS = 60.0
_PATIENCE = 30.0


def check(*, agent: str | None, git: bool | None, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Shows what would go, and goes no further without a yes."""
    if agent is not None or git is not None:
        raise Failure(
            "--purge deletes the data of all agents", "leave out --agent and --git, or `tapehead forget-session`"
        )
    found = {root: size_of(root) for root in _roots()}
    refs = {root: names for root in found if (names := _refs(root))}
    if as_json:
        if not (dry_run or yes):
            raise Failure("Can't ask you here: this is no terminal", "use --yes, or --dry-run to see what would go")
        if dry_run:
            show_json({"stores": found, "refs": refs, "kept": _kept()})
        return
    out = console(stderr=not dry_run)
    out.print(f"{'would delete' if dry_run else 'deletes'} {count(len(found), 'store')}, {size(sum(found.values()))}:")
    for root, bytes_ in found.items():
        also = f", and {count(len(refs[root]), 'ref')} below refs/tapehead" if root in refs else ""
        out.print(f"  {root} ({size(bytes_)}){also}", soft_wrap=not out.is_terminal)
    for line in _kept():
        out.print(f"stays: {line}", soft_wrap=not out.is_terminal)
    if not (dry_run or yes or click.confirm("Delete it? This cannot be undone.", default=False, err=True)):
        raise Failure("Nothing was deleted", "the hooks are still there too")


def carry_out(*, as_json: bool) -> None:
    """Deletes it. What cannot be deleted is named, and the rest goes."""
    failed = []
    for root in _roots():
        try:
            _wait_for_workers(root)
            _delete_refs(root)
            shutil.rmtree(root)
        except (OSError, GitFailed) as error:
            failed.append(f"{root}: {error}")
    home = state_home(os.environ)
    for name in ("stores", "places", "settings"):
        with suppress(FileNotFoundError):
            shutil.rmtree(os.path.join(home, name))
    for told in failed:
        show_note(f"not deleted: {told}")
    if not as_json:
        console().print("all recorded data is deleted")


def _kept() -> list[str]:
    settings = os.path.join(config_home(os.environ), "config.toml")
    return [
        "what was pushed to a remote: `git push REMOTE --delete refs/tapehead/checkpoints refs/tapehead/handoffs`",
        "the lines `Tapehead-Checkpoint: …` in commit messages, and what git has not pruned yet: `git gc --prune=now`",
        "your agents' own transcripts",
        *([f"your settings, {settings}"] if os.path.exists(settings) else []),
    ]


def _roots() -> list[str]:
    """Every store that is known, and that of the working directory."""
    return sorted({at.engine.layout.root for at in all_here() if os.path.isdir(at.engine.layout.root)})


def _refs(root: str) -> list[str]:
    """Our refs in the repository that a store stands in."""
    if not root.endswith(os.sep + STORE) or git_layout.find(os.path.dirname(root)) is None:
        return []
    try:
        raw = git(os.path.dirname(root), "for-each-ref", "--format=%(refname)", "refs/tapehead", timeout=_SECONDS)
    except GitFailed:
        return []
    return raw.decode("utf-8", "replace").split()


def _wait_for_workers(root: str) -> None:
    """One that is still busy with a session would write its files again."""
    for folder in (Layout(root).sessions, Layout(Layout(root).guests).sessions):
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith(".worker") and (held := lock.take(os.path.join(folder, name), _PATIENCE)) is not None:
                lock.release(held)


def _delete_refs(root: str) -> None:
    common_dir = os.path.dirname(root)
    for ref in unreadable_refs.find(common_dir, "refs/tapehead"):
        unreadable_refs.remove(common_dir, ref)
    if names := _refs(root):
        orders = "".join(f"delete {name}\n" for name in names).encode()
        git(common_dir, "update-ref", "--no-deref", "--stdin", timeout=_SECONDS, stdin=orders)
