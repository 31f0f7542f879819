"""The page that shows whether the whole box works, and its picture to send."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import aiohttp
import pytest
from PIL import Image

from companion.app.check import PARTS as ALL_PARTS
from companion.app.check.bench import Grade, warning
from companion.app.check.report import as_json
from companion.app.run import run_check
from companion.core.box_page import PARTS_CHECKED_WHILE_RUNNING, CheckActions
from companion.core.languages import OWN_NAMES
from companion.core.words import phrase
from companion.presentation.language import ENGLISH, language_of
from companion.presentation.page_words import CHECK, PARTS, RESULTS
from companion.web.check_picture import EDGE, LEFT, SIZE, WIDTH, _shorten, draw_check, font
from companion.web.files import words_in
from tests.web.in_browser import WAIT_MS, in_every_run
from tests.web.site import CODES, TOKEN, Site

pytestmark = in_every_run


def finding(result: str, found: str, remedy: str = "") -> dict[str, object]:
    renews = "--update" in remedy
    return {"result": result, "found": found, "remedy": remedy, "renews_keypads": renews}


OLD = "the keypad e6614103e7452d2f of seat 2 answers, but its firmware 1.0.0 is old"
FOUND: dict[str, Any] = {
    "pads": [finding("ok", "“USB Keyboard” (pad-1): 7 presses")],
    "keypads": [
        finding("ok", "the keypad e6614103e7452d2e of seat 1 answers within 1 ms"),
        finding("warning", OLD, "sudo companion keypads --update gives it the one of the box"),
    ],
    "tv": [finding("ok", "HDMI-A-1, 1920×1080 pixels: the table is drawn on it")],
    "voice": [finding("not tried", "no sound card is there, and none is needed")],
    "network": [finding("fault", "there is no network: " + "x" * 90, "a cable, or a Wi-Fi")],
}
PARTS_FOUND: dict[str, Any] = {part: {"findings": found} for part, found in FOUND.items()}
TOLD = {"status": 1, "parts": PARTS_FOUND}


class CheckRig:
    """A page of a box whose check finds what is `told`; None: the check can't be made."""

    def __init__(self, folder: Path, told: dict[str, Any] | None) -> None:
        self.renewed = Event()
        text = "nothing" if told is None else json.dumps(told)
        program = folder / "check.py"
        program.write_text(f"print({text!r})", encoding="utf-8")
        here = CheckActions(partial(run_check, (sys.executable, str(program))), self.renewed.set)
        self.site = Site(open_to_all=False, check=here)

    def ask(self, path: str, word: str = TOKEN, origin: str = "", **more: str) -> tuple[int, bytes]:
        found: list[tuple[int, bytes]] = []

        async def visit(session: aiohttp.ClientSession) -> None:
            headers = {"Origin": origin or self.site.url, "X-Word": word, **more}
            async with session.post(path, headers=headers) as answer:
                found.append((answer.status, await answer.read()))

        self.site.visit(visit)
        return found[0]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[CheckRig]:
    rig = CheckRig(tmp_path, TOLD)
    yield rig
    rig.site.page.stop()


@pytest.mark.parametrize("path", ["/check", "/check/picture", "/check/keypads"])
def test_only_pages_that_play_can_start_a_check(rig: CheckRig, path: str) -> None:
    for word, origin in (
        ("wrongwrongwrongw", ""),
        (CODES.current.watch, ""),
        (TOKEN, "http://elsewhere.example"),
    ):
        assert rig.ask(path, word, origin)[0] == 403
    assert not rig.renewed.is_set()


def test_a_check_is_described_and_drawn(rig: CheckRig) -> None:
    assert rig.ask("/check/picture")[0] == 404, "nothing was checked yet"
    status, told = rig.ask("/check")
    assert (status, json.loads(told)) == (200, TOLD)
    status, told = rig.ask("/check/picture")
    assert status == 200
    found: list[bytes] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        for where in (json.loads(told)["at"], "/check/0123456789abcdef.png"):
            async with session.get(where) as answer:
                found.append(await answer.read() if answer.status == 200 else b"")

    rig.site.visit(visit)
    assert Image.open(BytesIO(found[0])).size[0] == WIDTH
    assert not found[1], "nobody guesses its name"
    assert rig.ask("/check/keypads")[0] == 200
    assert rig.renewed.is_set()


def test_the_check_is_in_the_reader_s_language(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    said = phrase("there is no network: no phone can connect")
    found = {"network": [warning(said, "sudo nmtui")]}
    rig = CheckRig(tmp_path, json.loads(as_json(found)))
    request.addfinalizer(rig.site.page.stop)
    german = {"Accept-Language": "de"}
    (told,) = json.loads(rig.ask("/check", **german)[1])["parts"]["network"]["findings"]
    assert told["found"] == language_of("de").translate(
        phrase("there is no network: no phone can connect")
    )
    assert "sentences" not in told and told["remedy"] == "sudo nmtui"
    (told,) = json.loads(rig.ask("/check")[1])["parts"]["network"]["findings"]
    assert told["found"] == said
    pages: list[str] = []

    async def visit(session: aiohttp.ClientSession) -> None:
        for path, headers in (("/check", german), ("/check", {})):
            async with session.get(path, headers=headers) as answer:
                pages.append(await answer.text())

    rig.site.visit(visit)
    assert "Diese Box prüfen" in pages[0] and "Check this box" in pages[1]


def test_a_check_that_fails_has_no_parts(tmp_path: Path) -> None:
    rig = CheckRig(tmp_path, None)
    assert rig.ask("/check") == (200, b'{"parts": {}}')
    rig.site.page.stop()


def test_a_phone_starts_a_check_of_the_box(rig: CheckRig, browser: Any, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 360, "height": 640})
    tab.goto(f"{rig.site.url}/#{TOKEN}")
    tab.click("#to-check", timeout=WAIT_MS)
    tab.wait_for_selector("text=firmware 1.0.0 is old", timeout=WAIT_MS)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    tab.screenshot(path=str(tmp_path / "check.png"), full_page=True)
    tab.click("text=As a picture to send")
    tab.wait_for_selector("#picture:not([hidden])", timeout=WAIT_MS)
    tab.evaluate("document.getElementById('picture').decode()")
    assert tab.evaluate("document.getElementById('picture').naturalWidth") == WIDTH
    tab.screenshot(path=str(tmp_path / "picture.png"), full_page=True)
    tab.click("text=Update the keypads")
    tab.wait_for_selector("text=half a minute per keypad", timeout=WAIT_MS)
    assert rig.renewed.is_set()
    tab.close()


def test_every_checked_part_has_a_name() -> None:
    """The page, the picture and the display use the same names."""
    assert (
        [*PARTS]
        == [*PARTS_CHECKED_WHILE_RUNNING]
        == [part for part in ALL_PARTS if part in PARTS_CHECKED_WHILE_RUNNING]
    )
    assert {*RESULTS} == {grade.value for grade in Grade}
    for part in PARTS:
        assert CHECK[f"check.part-{part}"] == PARTS[part]


def test_a_picture_grows_with_the_findings() -> None:
    words = words_in(ENGLISH)
    small, large = (
        Image.open(BytesIO(draw_check(parts, words)))
        for parts in ({"tv": PARTS_FOUND["tv"]}, PARTS_FOUND)
    )
    assert small.size[1] < large.size[1]
    assert large.getpixel((WIDTH - 10, large.size[1] // 2)) == large.getpixel((1, 1)), "the edge"


def test_no_name_of_a_part_is_cut_in_the_picture() -> None:
    names = [language_of(name).translate(part) for name in OWN_NAMES for part in PARTS.values()]
    assert [name for name in names if font(SIZE).getlength(name) > LEFT - EDGE - 10] == []


def test_words_are_cut_only_if_they_are_longer_than_a_line() -> None:
    room = font(SIZE).getlength("Transmitter")
    assert _shorten("Transmitter", room, SIZE) == "Transmitter"
    cut = _shorten("Transmitters", room, SIZE)
    assert cut.endswith("…") and "Transmitters".startswith(cut[:-1])
    assert font(SIZE).getlength(cut) <= room
