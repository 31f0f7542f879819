"""From the page that `make run` opens to the first deal, by four phones that have never been here:
how long people need for it, and that all have their seats then."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.seats import deal

PHONE = {"width": 360, "height": 640}
LOOK_S, TAP_S, LETTER_S, SCAN_S = 1.5, 0.8, 0.3, 6.0
"""Seconds that a person takes to find something on a screen, to tap it, to type a letter, and to
take out a phone and scan a code."""
MOST_S: Final = 60.0
PEOPLE = ("Granny Margaret", "Tom", "Liesbeth", "Jo")


class Person:
    """Somebody with a page; `spent`: seconds of the evening that have passed for them."""

    def __init__(self, tab: Any, spent: float = 0.0) -> None:
        self.tab, self.spent = tab, spent

    def taps(self, what: str) -> None:
        self.tab.click(what, timeout=WAIT_MS)
        self.spent += LOOK_S + TAP_S

    def types(self, text: str) -> None:
        """Types into the field that has the keyboard already."""
        self.tab.keyboard.type(text)
        self.spent += LETTER_S * len(text)


@contextmanager
def guests(browser: Any, number: int) -> Iterator[list[Any]]:
    contexts = [browser.new_context(viewport=PHONE, has_touch=True) for _ in range(number)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


@pytest.mark.parametrize("digits", [False, True], ids=["scanned", "typed"])
def test_four_new_phones_are_dealt_in_within_a_minute(
    browser: Any, tmp_path: Path, digits: bool
) -> None:
    site = Site(tmp_path / "new.db", lan=True)
    laptop = Viewer(browser, site, path="/", viewport={"width": 1280, "height": 800})
    starter = Person(laptop.tab)
    starter.taps("#welcome .main")
    starter.taps('#panel [data-players="4"]')
    if not laptop.tab.is_visible("#invitation .digits"):
        starter.taps("#invite")
    laptop.tab.wait_for_selector("#invitation .digits", timeout=WAIT_MS)
    typed = laptop.tab.inner_text("#invitation .digits")
    with guests(browser, len(PEOPLE)) as tabs:
        people = [Person(tab, starter.spent + SCAN_S) for tab in tabs]
        for number, (person, name) in enumerate(zip(people, PEOPLE, strict=True)):
            person.tab.goto(f"{site.url}/" if digits else f"{site.url}/#sesame")
            if digits:
                person.tab.wait_for_selector("#code:focus", timeout=WAIT_MS)
                person.types(typed)
                person.taps("#door button")
            person.tab.wait_for_selector("#sit input:focus", timeout=WAIT_MS)
            person.types(name)
            person.taps(f"#sit .place >> nth={number}")
            person.tab.wait_for_selector(f'#sit .own >> text="{name}"', timeout=WAIT_MS)
        starter.spent = max(person.spent for person in people)
        laptop.tab.wait_for_selector(f'#panel .place >> text="{PEOPLE[-1]}"', timeout=WAIT_MS)
        deal(starter.tab)
        starter.spent += LOOK_S + TAP_S
        for person, name in zip(people, PEOPLE, strict=True):
            person.tab.wait_for_selector("#seats li", timeout=WAIT_MS)
            person.tab.wait_for_function(
                "(seat) => document.querySelector('#who').value === `seat ${seat}`",
                arg=name.replace(" ", "_"),
                timeout=WAIT_MS,
            )
            assert person.tab.inner_text("#asked") == "Deal the first hand: 5 tiles each"
    print(f"dealt in after {starter.spent:.1f} s of people's time")
    assert starter.spent <= MOST_S
    assert laptop.complaints == []
    laptop.context.close()
    site.close()
