"""The pages are in the reader's language: the browser's, or one chosen on the page. On a TV it is
that of the table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.keys import Key, Press
from companion.core.languages import OWN_NAMES
from companion.presentation.language import ENGLISH
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import words_of
from tests.catalogues import renew_catalogues, translated
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep

PLAYED = "hand\nBlue 6-6\nRed 6-3"
PHONE = {"width": 390, "height": 844}
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    renew_catalogues()
    keep(tmp_path / "record.db", PLAYED, "Red Blue")
    site = Site(tmp_path / "record.db")
    yield site
    site.close()


def until_it_says(viewer: Viewer, selector: str, said: str) -> None:
    viewer.tab.wait_for_function(
        "([at, said]) => document.querySelector(at)?.textContent.includes(said)",
        arg=[selector, said],
        timeout=WAIT_MS,
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", OWN_NAMES)
def test_a_phone_uses_its_browser_s_language_and_everything_fits(
    browser: Any, site: Site, name: str
) -> None:
    phone = Viewer(browser, site, path="/", viewport=PHONE, locale=name)
    assert phone.tab.evaluate("document.documentElement.lang") == name
    language = ENGLISH if name == ENGLISH.name else translated(name)
    until_it_says(phone, ".views", language.template(PAGE_WORDS["view.rules"], "view.rules"))
    until_it_says(phone, "#asked", language.translate("Blue"))
    told = phone.tab.locator("#latest").text_content()
    assert language.translate(words_of("entry.lays", seat="Red", tile="6-3")) in told
    assert phone.tab.evaluate(WIDER) <= 0
    assert phone.complaints == []
    phone.context.close()


def test_a_language_chosen_on_a_phone_applies_to_it_alone(browser: Any, site: Site) -> None:
    phone = Viewer(browser, site, path="/", viewport=PHONE, locale="es-AR")
    other = Viewer(browser, site, path="/", viewport=PHONE, locale="es-AR")
    phone.tab.select_option("#language", "de")
    phone.tab.wait_for_function("() => document.documentElement.lang == 'de'", timeout=WAIT_MS)
    phone.until_state("connected")
    until_it_says(phone, "#asked", "Blau")
    phone.tab.reload()
    assert phone.tab.evaluate("document.documentElement.lang") == "de"
    assert phone.tab.input_value("#language") == "de"
    assert other.tab.evaluate("document.documentElement.lang") == "es"
    phone.tab.goto(f"http://127.0.0.1:{site.port}/evenings")
    assert phone.tab.evaluate("document.documentElement.lang") == "de"
    for one in (phone, other):
        assert one.complaints == []
        one.context.close()


def test_a_tv_uses_the_table_s_language_whatever_its_browser_s_is(browser: Any, site: Site) -> None:
    tv = Viewer(browser, site, path="/tv", locale="fr")
    assert tv.tab.evaluate("document.documentElement.lang") == "en"
    for key in (Key.MENU, Key("8"), Key("0"), Key("5")):
        site.table.events.put(Press(key))
    tv.tab.wait_for_function("() => document.documentElement.lang == 'nl'", timeout=WAIT_MS)
    tv.until_state("connected")
    assert tv.complaints == []
    tv.context.close()
