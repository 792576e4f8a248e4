"""`tapehead web`: the sessions of all projects in the browser, live."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import webbrowser
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.web.server import HOST, Server

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="Port to listen on. Default: a free one."
)
@click.option("--open/--no-open", "opens", default=False, help="Open the page in a browser, or only print the address.")
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def web(*, port: int, opens: bool, as_json: bool) -> None:
    """Show the sessions of all projects in the browser, live.

    Each session is a card. Click a card for its report. Type to search all sessions.

    The server listens on this machine only and changes nothing. Its address holds a secret: whoever knows the
    whole address can read your sessions. Ctrl-C stops it.

    \b
    Examples:
      tapehead web --open
      tapehead web --port 8042
      tapehead web --json | jq -r .url
    """
    server = _listening(port)
    signal.signal(signal.SIGTERM, _end)
    try:
        if as_json:
            show_json({"url": server.address, "port": server.server_port})
        else:
            click.echo(server.address)
        sys.stdout.flush()  # whoever reads it from a pipe waits for it
        show_note("Ctrl-C stops it")
        with _lead_to(server.address if opens else ""):
            server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        return
    finally:
        server.server_close()


def _listening(port: int) -> Server:
    try:
        return Server(port)
    except OSError as error:
        why = f"Can't listen on {HOST}:{port}: {error.strerror or error}"
        raise Failure(why, "leave out --port to use a free one") from None


def _end(*_: object) -> None:
    raise KeyboardInterrupt


@contextmanager
def _lead_to(address: str) -> Iterator[None]:
    """Opens the browser by a private file that leads to the address: on a command line every user of the machine could read it."""
    if not address:
        yield
        return
    descriptor, path = tempfile.mkstemp(prefix="tapehead-", suffix=".html")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">\n')
        if not webbrowser.open(f"file://{path}"):
            show_note("No browser could be started; open the address yourself")
        yield
    finally:
        os.unlink(path)
