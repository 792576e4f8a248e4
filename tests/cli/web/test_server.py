"""Who gets a page, and what is on it."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tapehead.cli.web.live_board import Board
from tapehead.engine.chores import remember
from tapehead.store import off_switch

sys.path.insert(0, str(Path(__file__).parents[2] / "report"))

from payloads import payloads

PROGRAM = [sys.executable, "-c", "from tapehead.cli.main import main; main()", "web"]
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def test_the_board_has_a_card_for_each_session(world, served):
    """With what was asked last, the project, the phase; a click leads to its report, and that back to the board."""
    world.session("one")
    world.session("two", ends=True)
    status, headers, text = served.ask()
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert re.findall(r'href="\./session/[0-9a-f]{16}/(\w+)"', text) == ["one", "two"]
    assert "make it blue" in text
    status, _, text = served.ask(f"session/{served.key()}")
    assert status == 200
    assert 'href="../../"' in text
    assert 'id="s1-t1"' in text


def test_every_answer_says_what_a_browser_may_do_with_it(world, served):
    """Nothing is kept, framed, sniffed or told to others; scripts run by their hashes alone; the page and its header agree."""
    world.session("one")
    for path, status in (("", 200), (f"session/{served.key()}", 200), ("search?q=blue", 200), ("nowhere", 404)):
        found, headers, text = served.ask(path)
        assert found == status
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Server"] == "tapehead"
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        if "<html" in text:
            [inside] = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
            assert policy.removesuffix("; frame-ancestors 'none'") == inside.replace("&#x27;", "'")


@pytest.mark.parametrize("token", ["", "x", "0" * 32, "../", "%00", "a" * 5_000])
def test_a_wrong_token_gets_nothing(world, served, token):
    """Not even whether there is a page."""
    world.session("one")
    for path in ("", "events", "search?q=blue", f"session/{served.key()}"):
        assert served.ask(path, token=token)[0] in (403, 414)
    assert served.ask(token=served.server.token[:-1])[0] == 403
    assert served.ask(raw="/")[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1:{port}.evil.example"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": ""},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "empty"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Dest": "iframe"},
    ],
)
def test_a_foreign_sender_gets_nothing(world, served, headers):
    """A name that somebody else let lead to loopback, and scripts and frames of other sites."""
    told = {name: value.format(port=served.server.server_port) for name, value in headers.items()}
    assert served.ask(**told)[0] == 403


def test_the_own_page_and_the_address_bar_get_it(world, served):
    """By either name of loopback."""
    host = served.host
    assert served.ask(Host=host, Origin=f"http://{host}", Sec_Fetch_Site="same-origin")[0] == 200
    assert served.ask(Host=host.replace("127.0.0.1", "localhost"))[0] == 200
    assert served.ask(Sec_Fetch_Site="none", Sec_Fetch_Dest="document")[0] == 200
    assert served.ask(Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document")[0] == 200, "the file that leads there"


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get", "X"]
)
def test_nothing_but_get_is_answered(world, served, method):
    """With the right token too."""
    status, headers, _ = served.ask(method=method)
    assert (status, headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize(
    "path",
    [
        "../",
        "session/",
        "session/../../etc/passwd",
        "session/%2e%2e/%2e%2e/etc/passwd",
        "session/0123456789abcdef/one",
        "session/0123456789abcdef/../one",
        "session/one",
        "events?session=../../x",
        "events?session=0123456789abcdef/one",
        "sessions/one.json",
        "session//etc/passwd",
        "\\..\\..",
        "session/0123456789abcdef/" + "a" * 10_000,
    ],
)
def test_a_path_outside_gets_nothing(world, served, path):
    """No path names a file: a key is looked up."""
    world.session("one")
    assert served.ask(path)[0] in (403, 404)


def test_a_key_leads_to_no_other_session(world, served):
    """The right store, and what is no session of it."""
    world.session("one")
    store = served.key().partition("/")[0]
    for name in ("two", "on", "..", ".", "one.json", "one.tape"):
        assert served.ask(f"session/{store}/{name}")[0] == 404


def test_odd_requests_end_only_themselves(world, served):
    """Garbage, half a request, one without a host; then the next one is answered."""
    world.session("one")
    for raw in (
        b"\x00\xff\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET " + b"a" * 100_000,
        b"GET / HTTP/9.9\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", served.server.server_port), timeout=60) as odd:
            said = b""
            with suppress(OSError):  # it may have hung up by now
                odd.sendall(raw)
                odd.shutdown(socket.SHUT_WR)
                while some := odd.recv(65_536):
                    said += some
            assert b"make it blue" not in said
    assert served.ask()[0] == 200


def test_a_page_hears_of_every_change(world, served):
    """What changed and nothing else, in the order of the board; two pages hear the same."""
    world.session("one")
    pages = [served.news(), served.news()]
    first = [next(page) for page in pages]
    assert [[*told["cards"]] for told in first] == [[served.key("one")]] * 2
    world.session("two")
    for page in pages:
        told = next(found for found in page if len(found["order"]) == 2)
        assert served.key("one") not in told["cards"]
        assert "2 sessions" in told["counted"]
    world.hook("UserPromptSubmit", "one", prompt="and now green")
    for page in pages:
        assert next(found for found in page if "and now green" in str(found["cards"]))
    world.hook("PermissionRequest", "one", tool_name="Bash", tool_input={"command": "make paint"})
    told = next(found for found in pages[0] if found["waiting"])
    assert "Waits for your approval" in told["cards"][served.key("one")]
    assert told["order"][0] == served.key("one")


def test_where_tapehead_is_off(world, served):
    """The board names the project, as long as it is so."""
    world.session("one")
    assert "nothing is recorded" not in served.ask()[2]
    page = served.news()
    next(page)
    off_switch.turn_off(world.layout, off_switch.Period(time.time_ns()))
    assert "off in project: nothing is recorded there" in next(page)["counted"]
    assert "off in project: nothing is recorded there" in served.ask()[2]
    off_switch.turn_on(world.layout, time.time_ns())
    assert "nothing is recorded" not in next(page)["counted"]


def test_a_page_that_is_as_the_board_is_hears_nothing_old(world, served):
    """It says which board it shows."""
    world.session("one")
    version = re.search(r'data-version="(\d+)"', served.ask()[2])[1]
    page = served.news(f"events?have={version}")
    world.hook("UserPromptSubmit", "one", prompt="and now green")
    assert "and now green" in str(next(page)["cards"])


def test_a_report_hears_that_its_session_went_on(world, served):
    """Once: then it can be loaded anew."""
    world.session("one")
    page = served.news(f"events?session={served.key()}")
    found = []
    reader = threading.Thread(target=lambda: found.extend(page))
    reader.start()
    world.session("two")
    for number in itertools.count():  # the server may not look yet: whatever comes after it began to look is news
        world.answers("one", 70_000 + number)
        reader.join(0.2)
        if not reader.is_alive():
            break
        assert number < 300
    assert found == [{}]


def test_search_finds_the_turn(world, served):
    """In the history of every store; the link leads to the turn. Nothing to look for finds nothing."""
    world.session("one")
    take_in_all(world)
    _, _, text = served.ask("search?q=going+on")
    answer = json.loads(text)
    assert answer["count"] >= 1
    assert re.search(r'href="\./session/[0-9a-f]{16}/one#s1-t\d+"', answer["html"])
    assert "<mark>" in answer["html"]
    for nothing in ("", "%20", "xyzzyq", "%22"):
        assert json.loads(served.ask(f"search?q={nothing}")[2]) == {"count": 0, "html": ""}


def take_in_all(world):
    """What a worker does at a turn's end."""
    world.engine.settle("one")
    remember(world.engine, "one")


def test_secrets_are_redacted(world, served):
    """On cards, in reports, in what a search finds, and in what an agent waits for."""
    world.session("one")
    world.answers("one", 70_000, f"the token is {SECRET} you see")
    world.hook("UserPromptSubmit", "one", prompt=f"use {SECRET} for it")
    world.hook("PermissionRequest", "one", tool_name="Bash", tool_input={"command": f"curl -u x:{SECRET} y"})
    take_in_all(world)
    for path in ("", f"session/{served.key()}", "search?q=token"):
        status, _, text = served.ask(path)
        assert status == 200
        assert SECRET not in text


@pytest.mark.parametrize(
    "some", [slice(None, None, 9), *(pytest.param(slice(at, at + 100), marks=pytest.mark.slow) for at in (0, 100, 200))]
)
def test_hostile_text_stays_text(world, served, some):
    """Hundreds of attacks as prompts, tools, commands and questions: no page has an element of theirs."""
    assert len(payloads()) >= 200
    for number, payload in enumerate(payloads()[some]):
        session = f"s{number}"
        world.hook("SessionStart", session, source="startup", model=payload)
        world.hook("UserPromptSubmit", session, prompt=payload)
        world.hook("PermissionRequest", session, tool_name=payload, tool_input={"command": payload})
    for path in ("", "search?q=script"):
        _, _, text = served.ask(path)
        assert text.count("<script") <= 1
        assert not re.search(r"<(?:img|iframe|svg[^>]*onload|object|embed|base|form|math|video|audio|link)\b", text)
        assert not re.search(r"<[^>]*\son\w+=", text)
    news = next(served.news())
    assert "<script" not in json.dumps(news["cards"])


def test_a_failure_inside_tells_nothing(world, served, monkeypatch):
    """The page says that it cannot be made; the next one is."""
    world.session("one")
    key = served.key()

    def breaks(*_):
        raise RuntimeError("/home/someone/secret")

    with monkeypatch.context() as broken:
        broken.setattr(Board, "report", breaks)
        status, _, text = served.ask(f"session/{key}")
    assert (status, text) == (500, "This page cannot be made\n")
    assert served.ask(f"session/{key}")[0] == 200


def test_looking_writes_nothing(world, served):
    """The store is byte for byte what it was."""
    world.session("one")
    take_in_all(world)

    def everything():
        below = Path(world.layout.root)
        return {
            path: path.read_bytes()
            for path in below.rglob("*")
            if path.is_file() and "-shm" not in path.name and "-wal" not in path.name
        }

    before = everything()
    for path in ("", f"session/{served.key()}", "search?q=blue"):
        assert served.ask(path)[0] == 200
    assert everything() == before


def test_nothing_to_show(served):
    """A machine without sessions gets a page that says what to do."""
    assert "tapehead install" in served.ask()[2]


def started(*words, **more):
    """The real command, and the address that it printed."""
    process = subprocess.Popen([*PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    return process, process.stdout.readline().strip()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it(world, number):
    """At once, without an error, also while a page waits for news; the port is free again."""
    process, address = started("--port", "0")
    try:
        port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/[\w-]{32}/", address)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as page:
            token = address.split("/")[3]
            page.sendall(f"GET /{token}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            assert page.recv(64).startswith(b"HTTP/1.1 200")
            process.send_signal(number)
            out, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out, errors) == (0, "", "note: Ctrl-C stops it\n")
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))


def test_only_this_machine_is_listened_to(world, served):
    """Loopback, and no other address."""
    assert served.server.server_address[0] == "127.0.0.1"


def test_a_port_that_is_taken(world, served):
    """Said in words, with what to do."""
    done = subprocess.run(
        [*PROGRAM, "--port", str(served.server.server_port)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"Can't listen on 127.0.0.1:{served.server.server_port}" in done.stderr
    assert "leave out --port" in done.stderr


def test_the_address_in_json(world):
    """For scripts."""
    process = subprocess.Popen([*PROGRAM, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        text = ""
        while not text.rstrip().endswith("}"):
            text += process.stdout.readline()
        assert json.loads(text)["url"].startswith(f"http://127.0.0.1:{json.loads(text)['port']}/")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_the_browser_is_led_by_a_private_file(world, tmp_path):
    """The token is on no command line, and the file is gone afterwards."""
    seen = tmp_path / "seen"
    script = tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\nf="${{1#file://}}"\nstat -c "%a" "$f" > {seen}.part\ncat "$f" >> {seen}.part\necho "$1" >> {seen}.part\nmv {seen}.part {seen}\n'
    )
    script.chmod(0o700)
    process, address = started("--open", env={**os.environ, "BROWSER": f"{script} %s"})
    try:
        wait_for(seen.exists)
        mode, page, argument = seen.read_text().splitlines()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    token = address.split("/")[3]
    assert mode == "600"
    assert f"url={address}" in page
    assert token not in argument
    assert not os.path.exists(argument.removeprefix("file://"))


def wait_for(probe):
    last = time.monotonic() + 60
    while not probe():
        assert time.monotonic() < last
        time.sleep(0.02)
