"""The server of `tapehead web`: on loopback, for one user, and only to read.

The standard library's ThreadingHTTPServer: one user, a handful of pages, GET alone. A framework would bring more code than this whole file and
answer no question that is open here.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import time
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from tapehead.cli.output import Failure
from tapehead.report.board import board_page, card_markup, count_board, hits_markup
from tapehead.report.board_style import BOARD_SCRIPT, BOARD_STYLE, SESSION_SCRIPT
from tapehead.report.document import policy
from tapehead.report.page import session_page

if TYPE_CHECKING:
    from tapehead.cli.web.live_board import Board, Sight
    from tapehead.report.board import Card

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")
_ROUTE = re.compile(r"/(?P<token>[\w-]{1,100})/(?P<rest>[\w./-]{0,300})", re.ASCII)
_SESSION = re.compile(r"session/([0-9a-f]{16}/[\w.-]{1,200})", re.ASCII)
_KEY = re.compile(r"[0-9a-f]{16}/[\w.-]{1,200}", re.ASCII)
_HITS = 30
_QUESTION = 200
_BETWEEN = 0.7
"""Seconds between two looks for a page that waits."""
_ALIVE = 15.0
"""Seconds after which a page that waits hears that the server is there: so a page that is gone is noticed."""
_IDLE = 30
"""Seconds that a request may take to come in."""
_PLAIN = "default-src 'none'"


class Server(ThreadingHTTPServer):
    """One run of it: a port, a token, a board."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(24)
        self._making = Lock()
        super().__init__((HOST, port), Pages)

    @property
    def board(self) -> Board:
        """Made for the first page that needs it: the address is printed sooner."""
        with self._making:
            return self._board

    @cached_property
    def _board(self) -> Board:
        from tapehead.cli.web.live_board import Board  # noqa: PLC0415 - see above

        return Board()

    @property
    def address(self) -> str:
        """What the user opens. Whoever has it may read."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A page that was closed in the middle is no news, and what went wrong inside was answered."""


class Refused(Exception):
    """A request that gets no page."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


class Pages(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = _IDLE

    def parse_request(self) -> bool:
        """Nothing but GET is even looked at."""
        if not super().parse_request():
            return False
        if self.command != "GET":
            self.close_connection = True
            self._answer(b"Only GET is answered here\n", "text/plain", _PLAIN, HTTPStatus.METHOD_NOT_ALLOWED)
            return False
        return True

    def do_GET(self) -> None:
        """Answers one request."""
        try:
            self._page()
        except Refused as refused:
            self._answer(f"{refused.status.phrase}\n".encode(), "text/plain", _PLAIN, refused.status)
        except (BrokenPipeError, ConnectionError, TimeoutError):
            self.close_connection = True
        except Failure:
            self._answer(b"There is no such session\n", "text/plain", _PLAIN, HTTPStatus.NOT_FOUND)
        except Exception:  # noqa: BLE001 - one page that cannot be made must not end the others, nor tell what is inside
            self._answer(b"This page cannot be made\n", "text/plain", _PLAIN, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _page(self) -> None:
        self._check_sender()
        asked = urlsplit(self.path)
        route = _ROUTE.fullmatch(asked.path)
        if route is None or not hmac.compare_digest(route["token"], self.server.token):
            raise Refused(HTTPStatus.FORBIDDEN)
        rest, words = route["rest"], parse_qs(asked.query, max_num_fields=8)
        if rest == "":
            self._board()
        elif rest == "events":
            self._events(_one(words, "have"), _one(words, "session"))
        elif rest == "search":
            self._search(_one(words, "q")[:_QUESTION])
        elif found := _SESSION.fullmatch(rest):
            self._session(found[1])
        else:
            raise Refused(HTTPStatus.NOT_FOUND)

    def _check_sender(self) -> None:
        """Only this server's own pages and the address bar: a foreign name for loopback, or another site's script, gets nothing."""
        hosts = {f"{name}:{self.server.server_port}" for name in _NAMES}
        origin = self.headers.get("Origin")
        if self.headers.get_all("Host", []) not in [[host] for host in hosts]:
            raise Refused(HTTPStatus.FORBIDDEN)
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            raise Refused(HTTPStatus.FORBIDDEN)
        is_foreign = self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin")
        if is_foreign and self.headers.get("Sec-Fetch-Dest") != "document":
            raise Refused(HTTPStatus.FORBIDDEN)

    def _board(self) -> None:
        version, sight = self.server.board.look()
        text = board_page(sight.cards, version, sight.left_out, None, sight.off)
        self._answer(text.encode(), "text/html", policy(BOARD_STYLE, BOARD_SCRIPT, is_live=True))

    def _session(self, key: str) -> None:
        watch = f"../../events?session={key}"
        text = session_page(self.server.board.report(key), watch, None)
        self._answer(text.encode(), "text/html", policy(BOARD_STYLE, SESSION_SCRIPT, is_live=True))

    def _search(self, question: str) -> None:
        found = self.server.board.search(question, _HITS) if question.strip() else []
        self._answer(json.dumps({"count": len(found), "html": hits_markup(found)}).encode(), "application/json", _PLAIN)

    def _events(self, have: str, session: str) -> None:
        """Tells a page what is new, for as long as it is open."""
        if session and not _KEY.fullmatch(session):
            raise Refused(HTTPStatus.NOT_FOUND)
        first = self.server.board.stamp(session) if session else ()
        self.close_connection = True
        self._begin("text/event-stream", _PLAIN, HTTPStatus.OK, None)
        if session:
            self._watch_session(session, first)
        else:
            self._watch_board(have)

    def _watch_session(self, key: str, first: object) -> None:
        while self.server.board.stamp(key) == first:
            self._wait()
        self._event("{}")

    def _watch_board(self, have: str) -> None:
        board = self.server.board
        version, sight = board.look()
        known: dict[str, Card] = {card.key: card for card in sight.cards} if have == str(version) else {}
        told = version if known else -1
        while True:
            version, sight = board.look()
            if version != told:
                self._event(_news(known, sight))
                known, told = {card.key: card for card in sight.cards}, version
            self._wait()

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self._spoke = time.monotonic()

    def _wait(self) -> None:
        time.sleep(_BETWEEN)
        if time.monotonic() - self._spoke >= _ALIVE:
            self.wfile.write(b":\n\n")
            self._spoke = time.monotonic()

    def _answer(self, body: bytes, kind: str, rules: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._begin(kind, rules, status, len(body))
        self.wfile.write(body)

    def _begin(self, kind: str, rules: str, status: HTTPStatus, length: int | None) -> None:
        self._spoke = time.monotonic()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        if length is not None:
            self.send_header("Content-Length", str(length))
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET")
        if self.close_connection:
            self.send_header("Connection", "close")
        for name, value in {**_HEADERS, "Content-Security-Policy": f"{rules}; frame-ancestors 'none'"}.items():
            self.send_header(name, value)
        self.end_headers()

    def version_string(self) -> str:
        """Not which Python this is."""
        return "tapehead"

    def log_message(self, *_: object) -> None:
        """The address has the token in it: it stands in no log."""


_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def _one(words: dict[str, list[str]], name: str) -> str:
    return words.get(name, [""])[0]


def _news(known: dict[str, Card], sight: Sight) -> str:
    """What a page needs to be as the board is: the cards that are not as it has them, and the order of all."""
    cards = sight.cards
    changed = {card.key: card_markup(card, None) for card in cards if known.get(card.key) != card}
    return json.dumps(
        {
            "cards": changed,
            "order": [card.key for card in cards],
            "counted": count_board(cards, sight.off),
            "waiting": sum(card.group == "waiting" for card in cards),
        }
    )
