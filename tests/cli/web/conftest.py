"""A server as `tapehead web` starts it, over a repository with sessions."""

from __future__ import annotations

import http.client
import json
import threading

import pytest

import scenes
from tapehead.cli.web.server import Server
from world import World


@pytest.fixture
def world(tmp_path, monkeypatch):
    root = scenes.repository(tmp_path / "project")
    monkeypatch.setattr("tapehead.engine.hook._work", lambda *_: None)
    monkeypatch.setattr("tapehead.cli.web.live_board._LOOK_SECONDS", 0)
    monkeypatch.setattr("tapehead.cli.web.server._BETWEEN", 0.05)
    monkeypatch.chdir(root)
    return World(root)


class Served:
    """The server, and what it answers."""

    def __init__(self, server):
        self.server, self.host = server, f"127.0.0.1:{server.server_port}"

    def ask(self, path="", *, method="GET", token=None, raw=None, **headers):
        """The status, the headers and the body of one answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        try:
            where = raw if raw is not None else f"/{self.server.token if token is None else token}/{path}"
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.putrequest(method, where, skip_host="Host" in named, skip_accept_encoding=True)
            for name, value in named.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def news(self, path="events?have=-1"):
        """A page that waits: each thing that it is told."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        connection.request("GET", f"/{self.server.token}/{path}")
        answer = connection.getresponse()
        try:
            assert answer.status == 200
            while line := answer.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            answer.close()
            connection.close()

    def key(self, session="one"):
        """By which the board knows a session."""
        return next(card.key for card in self.server.board.look()[1].cards if card.session == session)


@pytest.fixture
def served(world):
    server = Server(0)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield Served(server)
    server.shutdown()
    server.server_close()
    thread.join(60)
