"""The board of `tapehead web` with sessions that never were, for docs/images: `python tools/board_example.py FOLDER` (`make pictures`)."""

from __future__ import annotations

import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

from browser import Browser
from tapehead.cli.web.live_board import Board, Sight
from tapehead.cli.web.server import Server
from tapehead.report.board import Card

_STORE = "0123456789abcdef"
_SIZE = (1_200, 900)


def _card(session: str, title: str, minutes: int, **more: object) -> Card:
    at = datetime.now(UTC) - timedelta(minutes=minutes)
    told = {"agent": "claude", "model": "claude-opus-5-5", **more}
    return Card(f"{_STORE}/{session}", title, session=session, at=at, **told)  # type: ignore[arg-type]  # as below


def cards() -> tuple[Card, ...]:
    """One of each kind."""
    opened = {"is_open": True, "room": 967_000}
    return (
        _card(
            "3f2a91bc", "Roll the new price list out to staging, then run the smoke tests", 1, project="shop", branch="prices",
            phase="active", turns=14, compactions=1, written=48_200, money="$3.18", used=412_000,
            waiting="Waits for your approval since 14:22: Bash: make deploy ENV=staging", **opened,
        ),
        _card(
            "8c07d5e1", "The importer drops the last row of every file. Find out why, and write the test first", 3, project="ledger",
            branch="main", phase="active", turns=6, written=21_900, money="$1.42", used=188_000, **opened,
        ),
        _card(
            "b1e6640a", "Move the settings into one table and keep reading the old names", 26, project="ledger", branch="settings",
            phase="idle", turns=22, compactions=2, written=96_000, money="$7.05", used=871_000, level="warning", **opened,
        ),
        _card(
            "01a1ecc1", "Explain how a retry is counted when the first answer comes late", 41, project="shop", branch="main", phase="idle",
            agent="codex", model="gpt-6-codex", turns=3, written=4_100, used=61_000, is_open=True, room=258_000,
        ),
        _card("d90b22f7", "Sort the orders by the day they were paid", 190, project="shop", phase="ended", turns=9, written=30_400, money="$1.97"),
        _card("77ac01de", "Why is the nightly build red since Tuesday?", 60 * 26, project="shop", phase="halted", turns=4, written=8_800, money="$0.61"),
        _card("5d0c9e33", "Write the release notes for 2.4", 60 * 50, project="ledger", phase="ended", turns=2, written=2_700, money="$0.22"),
    )  # fmt: skip


class _Made(Board):
    """A board that shows these and looks at nothing."""

    def look(self) -> tuple[int, Sight]:
        return 1, Sight(self.shown)

    shown = cards()


class _Example(Server):
    _board = _Made()  # type: ignore[assignment]  # instead of the one that looks


def take_picture(folder: Path) -> None:
    """The board as a browser shows it."""
    server = _Example(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser() as browser:
        browser.look(width=_SIZE[0], height=_SIZE[1])
        browser.open(server.address)
        browser.run("new Promise(done => setTimeout(done, 300))")
        (folder / "web.png").write_bytes(browser.picture())
    server.shutdown()


if __name__ == "__main__":
    take_picture(Path(sys.argv[1]))
