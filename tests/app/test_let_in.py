"""A browser on this machine gets access with a link that the program prints, and keeps it after a
reload and after a restart of the program."""

import json
import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from companion.app.page import open_on_desktop
from tests.starting import ROOT, companion, first_line, free_port, open_link
from tests.waiting import WAIT_S
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as browsers


def token(url: str, **headers: str) -> str | None:
    """The token that somebody with these headers gets, or None."""
    asked = HTTPConnection(url.removeprefix("http://"), timeout=WAIT_S)
    asked.request("GET", "/token", headers=headers)
    answer = asked.getresponse()
    text = answer.read()
    asked.close()
    return str(json.loads(text)["token"]) if answer.status == 200 else None


def started(record: Path, port: int = 0) -> Any:
    return companion("--virtual", "--port", str(port), "--record", record)


def test_a_link_connects_one_browser_even_after_a_restart(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    with started(record) as process:
        link = first_line(process).split()[-1]
        url, cookie = open_link(link)
        assert cookie
        assert token(url) is None
        assert token(url, Cookie=cookie)
        assert open_link(link)[1] is None, "it is good once"
        process.send_signal(signal.SIGTERM)
        process.wait(WAIT_S)
    with started(record, int(url.rpartition(":")[2])) as process:
        again = first_line(process).split()[-1]
        assert again != link
        assert token(url, Cookie=cookie)
        assert open_link(link)[1] is None
    with started(tmp_path / "other.db") as process:
        other, _ = open_link(first_line(process).split()[-1])
        assert token(other, Cookie=cookie) is None, "another table has another secret"


def test_the_cookie_is_for_this_host_only_and_hidden_from_scripts(tmp_path: Path) -> None:
    with started(tmp_path / "r.db") as process:
        link = first_line(process).split()[-1]
        asked = HTTPConnection(link.split("/")[2], timeout=WAIT_S)
        asked.request("HEAD", f"/open/{link.rpartition('/')[2]}")  # as what shows a link beforehand
        assert asked.getresponse().status == 405
        asked.close()
        asked.request("GET", f"/open/{link.rpartition('/')[2]}")
        given = asked.getresponse().headers["Set-Cookie"]
        asked.close()
    parts = {part.strip().partition("=")[0].lower() for part in given.split(";")[1:]}
    assert parts == {"httponly", "max-age", "path", "samesite"}, "no domain: this host alone"
    assert "SameSite=Strict" in given and "Path=/" in given
    assert int(re.findall(r"Max-Age=(\d+)", given)[0]) > 300 * 24 * 3600


def linked(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "companion", "link", *words]
    env = {**os.environ, **environment}
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=env, timeout=WAIT_S, check=False
    )


def test_another_link_is_printed_by_a_command(tmp_path: Path) -> None:
    record, other = tmp_path / "r.db", tmp_path / "other.db"
    other.with_suffix(".secret").write_text(f"{'0' * 64}\n")
    with started(record) as process:
        url, _ = open_link(first_line(process).split()[-1])
        # A proxy of the environment isn't asked: it would be shown the secret.
        told = linked("--record", str(record), "--page", url, http_proxy="http://127.0.0.1:9")
        assert told.returncode == 0, told.stderr
        assert open_link(told.stdout.strip())[1]
        wrong = linked("--record", str(other), "--page", url)
        assert (wrong.returncode, wrong.stdout) == (1, "")
        assert "another record" in wrong.stderr
    gone = linked("--record", str(record), "--page", url)
    assert (gone.returncode, gone.stdout) == (1, "")
    assert "start it first" in gone.stderr


@browsers
def test_a_connected_browser_survives_reloads_and_restarts(browser: Any, tmp_path: Path) -> None:
    record, port = tmp_path / "r.db", free_port()
    context = browser.new_context(viewport={"width": 800, "height": 900})
    tab = context.new_page()
    with started(record, port) as process:
        link = first_line(process).split()[-1]
        bare = f"http://127.0.0.1:{port}/"
        tab.goto(bare)
        tab.wait_for_selector('[data-state="refused"]', timeout=WAIT_MS)
        assert "Open the link that was printed" in tab.inner_text("#status")
        assert tab.locator("#door").is_visible()
        tab.screenshot(path=tmp_path / "bare.png")
        tab.goto(link)
        tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
        assert tab.url == bare, "the ticket is in no address that stays"
        assert tab.evaluate("document.cookie") == "", "no script reads it"
        tab.reload()
        tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
        tab.goto(link)  # its bookmark
        tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    tab.wait_for_selector('[data-state="lost"]', timeout=WAIT_MS)
    with started(record, port) as process:
        first_line(process)
        tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
        fresh = context.new_page()
        fresh.goto(f"{bare}evenings")
        fresh.wait_for_selector("h1", timeout=WAIT_MS)
        assert "connect to the table" not in fresh.inner_text("body")
    context.close()


# ---------------------------------------------------------------- a desktop


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the file in which a stand-in for the desktop's opener writes the addresses that it is
    given."""
    told, opener = tmp_path / "opened", tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > {told}.part; mv {told}.part {told}\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{opener.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    return told


def run_in_terminal(*words: str) -> str:
    """All output of the program in a terminal, until it ends."""
    ours, theirs = os.openpty()
    with companion(*words, stdout=theirs) as process:
        os.close(theirs)
        seen = ""
        while "Connect phones" not in seen:
            seen += os.read(ours, 4096).decode()
        process.send_signal(signal.SIGTERM)
        process.wait(WAIT_S)
    os.close(ours)
    return seen


def test_on_a_desktop_the_browser_is_opened(desktop: Path, tmp_path: Path) -> None:
    record = ("--record", str(tmp_path / "r.db"))
    seen = run_in_terminal("--virtual", "--port", "0", *record)
    until_written(desktop)
    (printed,) = re.findall(r"The table is at (\S+)", seen)
    opened = desktop.read_text().strip()
    assert opened.rpartition("/")[0] == printed.rpartition("/")[0]
    assert opened != printed, "each is good once"
    desktop.unlink()
    run_in_terminal("--virtual", "--port", "0", "--no-browser", *record)
    assert not desktop.exists()


def until_written(path: Path) -> None:
    """Waits until somebody has written the file."""
    with subprocess.Popen(["sh", "-c", f"until [ -e {path} ]; do sleep 0.05; done"]) as waits:
        assert waits.wait(WAIT_S) == 0


@pytest.mark.parametrize(
    "environment",
    [{}, {"DISPLAY": ""}, {"DISPLAY": ":0", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}],
    ids=str,
)
def test_without_a_desktop_no_browser_is_opened(desktop: Path, environment: dict[str, str]) -> None:
    assert not open_on_desktop("http://127.0.0.1/", environment)
    assert not desktop.exists()


def test_an_opened_browser_outlives_the_program(desktop: Path, tmp_path: Path) -> None:
    masks = tmp_path / "masks"
    opener = tmp_path / "bin" / "xdg-open"
    # Without a child: for a moment a shell blocks signals to start one.
    looks = f"while read name value; do [ $name = SigBlk: ] && echo $value > {masks}; done"
    opener.write_text(f"#!/bin/sh\n{looks} < /proc/$$/status; : > {desktop}\n")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        assert open_on_desktop("http://127.0.0.1/")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    until_written(desktop)
    assert int(masks.read_text(), 16) == 0
