"""A screen reader's view of the phone's page, in each language: the browser's accessibility tree.
Every control has a name, and no text is English."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core.keys import SIXTEEN
from companion.core.languages import OWN_NAMES
from companion.core.seats import COLOURS
from companion.presentation.language import ENGLISH
from tests.catalog import GAMES
from tests.catalogues import LOCALE, read
from tests.web.in_browser import WAIT_MS, Site, Viewer, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_keying_page import TOUCH

WORD = re.compile(r"[^\W\d_]+")
ACTED_ON = {
    *("button", "link", "textbox", "searchbox", "spinbutton", "combobox", "listbox", "option"),
    *("checkbox", "radio", "switch", "slider", "tab", "menuitem"),
    *("img", "image", "dialog", "DisclosureTriangle"),
}
"""Roles of elements that are useless without a name."""
SAME = {
    word.lower()
    for text in (*OWN_NAMES.values(), *COLOURS, *(game.title for game in GAMES.values()))
    for word in WORD.findall(text)
}
"""Names that are not translated: those of languages, seats and games."""
KEYS = {key.value for key in SIXTEEN} | {"Enter", "Esc", "Backspace", "r", "d"}
"""Labels of keys of the box and of a keyboard; r and d are typed for the right arm."""
MOMENTS = {
    "nothing yet": None,
    "a hand": "hand\nRed 6-6\nBlue 6-3",
    "a draw": "hand\nRed 6-6\nBlue draw",
    "a call": "hand\nRed 6-6\nBlue draw\nbogus Blue by Red",
    "the end of a hand": "hand\nRed 6-6\nBlue 6-3\nblocked",
}
"""The entries made before the page is opened."""


@cache
def words_in(name: str) -> frozenset[str]:
    """The words of that language, in lower case: those in its translations, and names."""
    path = LOCALE / name.replace("-", "_") / "LC_MESSAGES" / "companion.po"
    said = [text for one in read(path) if one.id for text in _texts(one.string)]
    words = {word for text in said for word in WORD.findall(text)} - KEYS
    return frozenset(map(str.lower, words)) | SAME


def _texts(string: Any) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string)


def told(viewer: Viewer) -> Iterator[tuple[str, str]]:
    """The role, name and description of every element that a screen reader gets."""
    session = viewer.context.new_cdp_session(viewer.tab)
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        # An InlineTextBox is one line of a text that another node has whole.
        if not node["ignored"] and node["role"]["value"] != "InlineTextBox":
            yield node["role"]["value"], node.get("name", {}).get("value", "")
            if about := node.get("description", {}).get("value"):
                yield "description", about
    session.detach()


def wrong_in(viewer: Viewer, name: str) -> list[str]:
    """A line for each element without a name, and for each English word."""
    found = []
    for role, said in told(viewer):
        if role in ACTED_ON and not said.strip():
            found.append(f"a {role} without a name")
        if name != ENGLISH.name:
            known = words_in(name)
            left = {word for word in WORD.findall(said) if word.lower() not in known} - KEYS
            found += [f"{role} “{said}” has {sorted(left)}"] if left else []
    return found


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("name", OWN_NAMES)
@pytest.mark.sampled(1, of="name")
def test_everything_has_an_accessible_name_without_english(
    browser: Any, tmp_path: Path, name: str, moment: str
) -> None:
    text = MOMENTS[moment]
    if text is not None:
        keep(tmp_path / "record.db", text, "Red Blue")
    site = Site(tmp_path / "record.db")
    viewer = Viewer(browser, site, path="/", locale=name, **TOUCH)
    try:
        viewer.tab.wait_for_selector('body:not([data-asked=""])', timeout=WAIT_MS)
        assert viewer.tab.evaluate("document.documentElement.lang") == name
        assert len([*told(viewer)]) > 20, "nothing is told"
        assert wrong_in(viewer, name) == []
        if viewer.tab.locator("#menu").is_visible():
            viewer.tab.click("#menu")
            assert wrong_in(viewer, name) == []
        views = viewer.tab.locator(".views button")
        for number in range(views.count()):
            if views.nth(number).is_visible():
                views.nth(number).click()
                viewer.tab.wait_for_selector("#panel h2", timeout=WAIT_MS)
                assert wrong_in(viewer, name) == [], views.nth(number).inner_text()
    finally:
        viewer.context.close()
        site.close()
    assert viewer.complaints == []


CALLED = {
    "en": ("six-four", "double five", "five-blank"),
    "de": ("sechs-vier", "Fünferpasch", "fünf-leer"),
    "es": ("seis-cuatro", "doble cinco", "cinco-blanca"),
    "fr": ("six-quatre", "double cinq", "cinq-blanc"),
    "nl": ("zes-vier", "dubbele vijf", "vijf-blanco"),
    "pt-BR": ("sena-quadra", "carroça de quina", "quina-branco"),
}
"""How players call 6-4, 5-5 and 5-0."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", OWN_NAMES)
def test_a_tile_is_keyed_under_the_name_that_players_use(
    browser: Any, tmp_path: Path, name: str
) -> None:
    keep(tmp_path / "record.db", "hand\nRed 6-6\nBlue 6-3", "Red Blue")
    site = Site(tmp_path / "record.db")
    viewer = Viewer(browser, site, path="/", locale=name, **TOUCH)
    try:
        viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
        until_taps_count(viewer.tab)
        viewer.tab.click(".keying summary")
        for tile in ("6-4", "5-5"):
            viewer.tab.click(f'[data-tile="{tile}"]')
            viewer.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
            assert wrong_in(viewer, name) == []
        names = [said for role, said in told(viewer) if role == "button"]
        for called in CALLED[name]:
            assert any(said.startswith(f"{called}, ") for said in names), names
    finally:
        viewer.context.close()
        site.close()
    assert viewer.complaints == []


def test_turn_line_and_payment_are_read_before_any_key(browser: Any, tmp_path: Path) -> None:
    keep(tmp_path / "record.db", "hand\nRed 6-6\nBlue 6-3", "Red Blue")
    site = Site(tmp_path / "record.db")
    viewer = Viewer(browser, site, path="/", **TOUCH)
    try:
        viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
        read = [*told(viewer)]
        tiles = next(at for at, (_, said) in enumerate(read) if said.startswith("double six, "))
        before = [said for _, said in read[:tiles]]
        for said in ("Red's turn", "Red pays Blue 15", "2 tiles, count 15"):
            assert any(said in one for one in before), (said, before)
    finally:
        viewer.context.close()
        site.close()
