"""`tapehead config`: the settings, what they are set to, and where."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING

import click

from tapehead.agents import settings_file
from tapehead.cli import consent
from tapehead.cli.config_view import as_data, show_settings, shown_value
from tapehead.cli.here import here
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.engine.store_location import config_home
from tapehead.settings import editing
from tapehead.settings.loading import FILE
from tapehead.settings.setting_list import FORMER, SETTINGS, Setting
from tapehead.settings.setting_values import Wrong, describe_allowed, written_of
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_USER = click.option("--user", is_flag=True, help="Use your own file, for all projects.")


def _known(ctx: click.Context, param: click.Parameter, value: str) -> str:  # noqa: ARG001 - click's own shape
    """The name; one that does not exist is an error that names the nearest."""
    if value in SETTINGS:
        return value
    if value in FORMER:
        raise Failure(f"{value} has a new name: {FORMER[value][0]}", f"`tapehead config set {FORMER[value][0]} VALUE`")
    near = difflib.get_close_matches(value, SETTINGS, 1)
    hint = f"did you mean {near[0]}?" if near else "`tapehead config` lists them"
    raise Failure(f"No setting named {value}", hint)


def _completed(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001 - click's own shape
    """The names that begin like that."""
    from click.shell_completion import CompletionItem as Item  # noqa: PLC0415 - only for the tab key

    return [Item(name, help=row.meaning) for name, row in SETTINGS.items() if name.startswith(incomplete)]


_NAME = click.argument("name", metavar="NAME", callback=_known, shell_complete=_completed)


@click.group(invoke_without_command=True)
@_JSON
@click.pass_context
def config(ctx: click.Context, *, as_json: bool) -> None:
    r"""Show or change settings.

    \b
    The first of these that has the setting counts:
      1. an environment variable
      2. this repository's .git/tapehead/config.toml
      3. your own ~/.config/tapehead/config.toml
      4. the default

    docs/configuration.md describes every setting.

    \b
    Examples:
      tapehead config
      tapehead config get baton.ttl
      tapehead config set baton.ttl 30m
      tapehead config set --user steer false
      tapehead config unset baton.ttl
      tapehead config path --user
      tapehead config allow
    """
    if ctx.invoked_subcommand is None:
        show_settings(here().engine.settings, as_json=as_json)


@config.command(name="list")
@_JSON
def list_(*, as_json: bool) -> None:
    r"""List every setting, its value and where it is set.

    \b
    Examples:
      tapehead config list --json | jq 'map(select(.origin))'
    """
    show_settings(here().engine.settings, as_json=as_json)


@config.command()
@_NAME
@_JSON
def get(*, name: str, as_json: bool) -> None:
    r"""Print the value of a setting.

    \b
    Examples:
      tapehead config get restore.budget
    """
    settings = here().engine.settings
    if as_json:
        show_json(as_data(SETTINGS[name], settings))
    else:
        click.echo(shown_value(SETTINGS[name], settings))


class _WithNegativeNumbers(click.Command):
    """A command to which `-1` is a value: click takes it for an option otherwise."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" not in args:
            values = [word for word in args if word.startswith("-") and word[1:2].isdigit()]
            args = [*(word for word in args if word not in values), *(("--", *values) if values else ())]
        return super().parse_args(ctx, args)


@config.command(name="set", cls=_WithNegativeNumbers)
@_NAME
@click.argument("value", metavar="VALUE")
@_USER
@_JSON
def set_(*, name: str, value: str, user: bool, as_json: bool) -> None:
    r"""Write a setting into config.toml.

    The rest of the file stays as it is. Durations are written like 30m, lists like one,two or ["one", "two"].

    \b
    Examples:
      tapehead config set baton.ttl 30m
      tapehead config set restore.on_start off --user
    """
    setting = SETTINGS[name]
    try:
        written = written_of(setting, value)
    except Wrong:
        raise Failure(f"{name} can't be {value!r}", f"allowed: {describe_allowed(setting)}") from None
    _edit(user, lambda text: editing.change_setting(text, name, written))
    _answer(setting, _path(user=user), as_json=as_json)


@config.command()
@_NAME
@_USER
@_JSON
def unset(*, name: str, user: bool, as_json: bool) -> None:
    r"""Remove a setting from config.toml.

    \b
    Examples:
      tapehead config unset baton.ttl
    """
    _edit(user, lambda text: editing.remove_setting(text, name))
    _answer(SETTINGS[name], "", as_json=as_json)


@config.command()
@_USER
@_JSON
def path(*, user: bool, as_json: bool) -> None:
    r"""Print the path of config.toml.

    \b
    Examples:
      $EDITOR "$(tapehead config path --user)"
    """
    found = _path(user=user)
    if as_json:
        show_json({"path": found, "exists": os.path.exists(found)})
    else:
        click.echo(found)


@config.command()
def allow() -> None:
    r"""Trust this repository's .git/tapehead/config.toml.

    You need this only if you edit the file by hand, or if the repository came as an archive and somebody else may
    have written it. `tapehead config set` allows what it writes.

    Until you allow the file, tapehead ignores its settings that run a command, name a directory, send data or
    decide what is redacted.

    \b
    Examples:
      tapehead config allow
      tapehead config deny
    """
    path = _path(user=False)
    found = consent.allow(path)
    for line in found:
        click.echo(line)
    show_note(f"allowed: {path}" if found else f"{path} sets nothing that needs your permission")


@config.command()
def deny() -> None:
    r"""Undo `tapehead config allow`.

    \b
    Examples:
      tapehead config deny
    """
    path = _path(user=False)
    show_note(f"no longer allowed: {path}" if consent.deny(path) else f"{path} was not allowed")


def _path(*, user: bool) -> str:
    directory = config_home(os.environ) if user else here().engine.layout.root
    if not directory:
        raise Failure("No home directory", "set HOME or XDG_CONFIG_HOME")
    return os.path.join(directory, FILE)


def _edit(user: bool, change: Callable[[str], str]) -> None:  # noqa: FBT001 - which of the two files
    """Changes the file, if nobody else does so meanwhile. A link leads on from the user's own file, and never out of a store."""
    target = os.path.realpath(_path(user=user)) if user else _path(user=user)
    if not user:
        consent.text_of(target)
    try:
        before = settings_file.read(target)
        after = change(before or "")
        if after != (before or ""):
            _make_folder(os.path.dirname(target), user=user)
            settings_file.write_if_unchanged(target, after, before)
    except editing.CannotEdit as error:
        raise Failure(f"{target}: {error}", "change it by hand") from None
    except settings_file.SettingsFileError as error:
        raise Failure(str(error), "change it by hand, or try again") from None
    except ValueError as error:
        raise Failure(f"{target} is not TOML: {error}", "correct the file first") from None
    except OSError as error:
        raise Failure(f"Can't write {target}: {error}", "run `tapehead doctor`") from None
    if not user and (unknown := consent.carry_over(target, before or "", after)):
        show_note(
            f"{target} also says {'; '.join(unknown)}, which you have not allowed. Allow it: `tapehead config allow`"
        )


def _make_folder(directory: str, *, user: bool) -> None:
    if user:
        os.makedirs(directory, mode=0o700, exist_ok=True)
    else:
        make_private(directory)


def _answer(setting: Setting, path: str, *, as_json: bool) -> None:
    """What holds now, which need not be what was written to `path`: another level may go before it."""
    settings = here().engine.settings
    if as_json:
        show_json(as_data(setting, settings))
        return
    click.echo(f"{setting.name} = {shown_value(setting, settings)}")
    origin = settings.origin(setting.name)
    if origin == setting.variable:
        show_note(f"{setting.variable} is set in the environment and overrides every file")
    elif path and origin and os.path.realpath(origin.rpartition(":")[0] or origin) != os.path.realpath(path):
        show_note(
            f"{path} has your value, but {origin} overrides it here. Remove that: `tapehead config unset {setting.name}`"
        )
