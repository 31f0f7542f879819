"""An evening of three phones, the TV and the box at one table, in real browsers on the whole
program: a seat whose entries another phone makes, a correction three turns back while somebody
plays, a network that drops, a restart in the middle of a proposal, and a dispute. What the record
holds in the end is compared entry by entry."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.record.rows import KeptRow
from companion.record.store.reader import Reader
from tests.catalog import GAMES
from tests.manual.reading import reads
from tests.web.in_browser import WAIT_MS, Site, Viewer, in_every_run
from tests.web.live import keep

pytestmark = in_every_run
PHONE = {
    "viewport": {"width": 360, "height": 780},
    "path": "/",
    "has_touch": True,
    "is_mobile": True,
}
TV = {"viewport": {"width": 1920, "height": 1080}, "path": "/tv"}
KEYS = {"OK": "Enter", "MENU": "m", "DRAW": "d", "BACK": "Backspace"}
MOMENT_MS, LONG_MS = 50, 3 * WAIT_MS


class Evening:
    """Programs, one after another, on one record, and all who look at it."""

    def __init__(self, path: Path, browser: Any) -> None:
        self.path, self._browser = path, browser
        self.site = Site(path)
        self.viewers: list[Viewer] = []

    def admit(self, **more: Any) -> Viewer:
        viewer = Viewer(self._browser, self.site, **more)
        self.viewers.append(viewer)
        return viewer

    def restart(self) -> None:
        """Starts another program at the same address, as if the plug had been pulled and put in
        again."""
        port = self.site.port
        self.site.close()
        self.site = Site(self.path, port)
        for viewer in self.viewers:
            viewer.site = self.site

    def rows(self) -> list[KeptRow]:
        with Reader.open(self.path, GAMES) as record:
            return list(record.rows(1))

    def entries(self) -> list[str]:
        with Reader.open(self.path, GAMES) as record:
            last = record.last_game()
            return [str(entry) for entry in last[1].entries] if last else []

    def close(self) -> None:
        for viewer in self.viewers:
            viewer.context.close()
        self.site.close()


@dataclass(frozen=True)
class EveningPages:
    """The pages that people use: the box's, the TV's, and the phones of three seats."""

    box: Viewer
    tv: Viewer
    anna: Viewer
    ben: Viewer
    dora: Viewer


@pytest.fixture
def evening(tmp_path: Path, browser: Any) -> Iterator[Evening]:
    keep(tmp_path / "record.db", "hand\nAnna 6-6", "Anna Ben Granny Dora")
    evening = Evening(tmp_path / "record.db", browser)
    yield evening
    evening.close()


def until(viewer: Viewer, so: Callable[[], bool], what: str) -> None:
    """Waits until `so` is true; raises AssertionError(`what`) if that takes too long."""
    for _ in range(LONG_MS // MOMENT_MS):
        if so():
            return
        viewer.tab.wait_for_timeout(MOMENT_MS)
    raise AssertionError(what)


def until_says(viewer: Viewer, place: str, text: str) -> None:
    """Waits until that part of the page has the text."""
    until(
        viewer,
        lambda: text in " ".join(viewer.tab.locator(place).all_text_contents()),
        f"{place} never said “{text}”",
    )


def newest(viewer: Viewer, said: str) -> None:
    until_says(viewer, "#entries li:not(.hand) >> nth=0", said)


def sits(viewer: Viewer, seat: str) -> None:
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=LONG_MS)
    viewer.tab.select_option("#who", f"seat {seat}")


def keys(viewer: Viewer, tile: str, said: str, sends: str | None = None) -> None:
    """Taps a tile and, once the page shows its meaning, OK until the page has accepted it: a tap
    just after the table has changed counts for what was there before."""
    viewer.tab.wait_for_selector("#tiles", state="visible", timeout=LONG_MS)
    viewer.tab.locator(f'[data-tile="{tile}"]').tap(timeout=LONG_MS)
    until_says(viewer, "#meaning", said)
    confirms(viewer, sends)


def confirms(viewer: Viewer, sends: str | None = None) -> None:
    taken = "sessionStorage.getItem('pending') !== null || document.querySelector('#doing').hidden"
    until(viewer, lambda: _tapped_ok(viewer) or viewer.tab.evaluate(taken), sends or "never taken")


def _tapped_ok(viewer: Viewer) -> bool:
    ready = viewer.tab.locator('#ok:visible:not([aria-disabled="true"])')
    if ready.count():
        ready.dispatch_event("click")
    return False


def press(box: Viewer, keys: str) -> None:
    """Presses keys on the box's page, each once the one before has changed the picture."""
    for key in keys.split():
        box.after(box.tab.keyboard.press, KEYS.get(key, key))


def play_a_round(evening: Evening, at: EveningPages) -> None:
    """Plays a round: Ben keys on his phone, Anna for Granny; Dora draws and plays, and Anna plays
    at the box."""
    box, tv, anna, ben, dora = at.box, at.tv, at.anna, at.ben, at.dora
    keys(ben, "6-3", "Ben lays 6-3")
    until_says(tv, "#payments", "Dora pays Ben 15")
    keys(anna, "6-4", "Granny lays 6-4")
    for viewer in (tv, ben, dora):
        until_says(viewer, "#news", "Anna for Granny: lays 6-4")
    dora.tab.wait_for_selector("#tiles", state="visible", timeout=LONG_MS)
    # Quick taps on Draw are counted: one tap, once its key has stood there for a moment.
    dora.tab.wait_for_selector('.act.draw:not([aria-disabled="true"])', timeout=LONG_MS)
    dora.tab.wait_for_timeout(900)
    dora.tab.locator(".act.draw").first.tap(timeout=LONG_MS)
    newest(anna, "Dora draws")
    keys(dora, "4-1", "Dora lays 4-1")
    newest(anna, "Dora lays 4-1")
    until(box, lambda: reads(evening.site.frame, "ANNA"), "the box never came to Anna's turn")
    press(box, "2 1")
    box.tab.keyboard.press("Enter")
    newest(ben, "Anna lays 2-1")


def correct_three_turns_back(evening: Evening, at: EveningPages) -> None:
    """Corrects the tile that Ben played three turns ago, at the box. Meanwhile, Ben goes on."""
    box, tv, anna, ben, dora = at.box, at.tv, at.anna, at.ben, at.dora
    until(box, lambda: reads(evening.site.frame, "BEN"), "the box never came to Ben's turn")
    press(box, "MENU 2 DRAW DRAW DRAW DRAW OK 1 6")
    keys(ben, "2-2", "Ben lays 2-2")
    until(box, lambda: reads(evening.site.frame, "2-2."), "the box never said what came")
    press(box, "0 OK")
    until(box, lambda: reads(evening.site.frame, "Make this change?"), "it was never asked")
    assert evening.entries()[2] == "Ben 6-3", "nothing is changed before it is asked"
    box.tab.keyboard.press("Enter")
    for viewer in (tv, anna, ben, dora):
        until_says(viewer, "#news", "The box: the change of “Ben 6-3”")
    until_says(tv, ".seat:nth-child(2) .score", "0")


def drop_a_network(at: EveningPages) -> None:
    """Cuts Dora's network: her page turns grey, the others go on, and it reconnects by itself."""
    anna, ben, dora = at.anna, at.ben, at.dora
    dora.context.set_offline(True)
    dora.tab.evaluate("dispatchEvent(new Event('hashchange'))")
    dora.until_state("lost")
    assert "Not connected since " in dora.tab.inner_text("#link")
    keys(anna, "4-2", "Granny lays 4-2")
    newest(ben, "Granny lays 4-2")
    assert "Granny lays 4-2" not in dora.tab.inner_text("#entries")
    dora.context.set_offline(False)
    dora.until_state("connected")
    newest(dora, "Granny lays 4-2")


def restart_in_a_proposal(evening: Evening, at: EveningPages) -> None:
    """Restarts the box before Dora's phone learns whether her play counted."""
    box, tv, anna, ben, dora = at.box, at.tv, at.anna, at.ben, at.dora
    dora.tab.evaluate(
        """() => {
          const send = WebSocket.prototype.send, found = window.fetch;
          window.cableIn = () => { window.fetch = found; };
          WebSocket.prototype.send = function (text) {
            if (text.includes('"propose"')) {
              this.onmessage = null;
              WebSocket.prototype.send = send;
              window.fetch = () => Promise.reject(new TypeError("no network"));
            }
            send.call(this, text);
          };
        }"""
    )
    keys(dora, "5-4", "Dora lays 5-4")
    newest(ben, "Dora lays 5-4")
    pending = "sessionStorage.getItem('pending') !== null"
    assert dora.tab.evaluate(pending), "it doesn't know"
    evening.restart()
    dora.tab.evaluate("cableIn()")
    dora.tab.wait_for_selector("#answer[data-counted=true]", timeout=LONG_MS)
    newest(dora, "Dora lays 5-4")
    for viewer in (anna, ben, tv, box):
        viewer.until_state("connected")


def dispute(at: EveningPages) -> None:
    """Plays a dispute: Dora played two tiles that fitted when she drew, and can't have drawn both.
    Nothing is shown about it until Ben calls."""
    tv, anna, ben, dora = at.tv, at.anna, at.ben, at.dora
    for viewer in (tv, ben):
        assert not viewer.tab.locator("#claim").is_visible()
        assert "roven" not in viewer.tab.content()
    ben.tab.locator("#call").tap(timeout=LONG_MS)
    call = ben.tab.locator(".act.bogus", has_text="Ben calls Dora bogus")

    def called() -> bool:
        if call.is_visible():
            call.dispatch_event("click")
        return "Ben calls Dora bogus" in ben.tab.inner_text("#meaning")

    until(ben, called, "the call was never offered")
    confirms(ben)
    for viewer in (tv, anna, dora):
        until_says(viewer, "#verdict", "Proven")
    dora.tab.wait_for_selector("#holds", state="visible", timeout=LONG_MS)
    for tile in ("5-5", "5-3", "3-3", "1-1"):
        dora.tab.locator(f'[data-tile="{tile}"]').tap(timeout=LONG_MS)
        dora.tab.wait_for_selector(f'[data-tile="{tile}"][aria-pressed="true"]', timeout=LONG_MS)
    dora.tab.locator("#holds").tap(timeout=LONG_MS)
    confirms(dora)
    for viewer in (tv, anna):
        until_says(viewer, "#payments", "Dora pays Ben 50")
    until_says(ben, "#payments", "Dora pays you 50")


def test_three_phones_the_tv_and_the_box_play_an_evening(evening: Evening) -> None:
    box, tv = evening.admit(path="/box"), evening.admit(**TV)
    at = EveningPages(box, tv, *(evening.admit(**PHONE) for _ in range(3)))
    for viewer, seat in ((at.anna, "Anna"), (at.ben, "Ben"), (at.dora, "Dora")):
        sits(viewer, seat)
    for waits in (at.anna, at.dora):
        waits.tab.wait_for_selector("#tiles", state="hidden", timeout=LONG_MS)
    play_a_round(evening, at)
    correct_three_turns_back(evening, at)
    drop_a_network(at)
    restart_in_a_proposal(evening, at)
    dispute(at)

    entries = evening.entries()
    laid = [entry.split()[:2] for entry in entries]
    assert laid == [
        ["hand"],
        ["Anna", "6-6"],
        ["Ben", "6-0"],
        ["Granny", "6-4"],
        ["Dora", "draw"],
        ["Dora", "4-1"],
        ["Anna", "2-1"],
        ["Ben", "2-2"],
        ["Granny", "4-2"],
        ["Dora", "5-4"],
        ["bogus", "Dora"],
        ["Dora", "holds"],
    ]
    keyed = [(kept.surface or "box").partition("-")[0] for kept in evening.rows()[3:]]
    assert keyed == [*["phone"] * 4, "box", "phone", "box", *["phone"] * 4]
