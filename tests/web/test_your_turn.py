"""Signals that make people notice a moment: scores count up; the player's turn flashes, vibrates
and, if chosen, sounds. All of this is off with less motion. Sound and vibration are fakes that
record their calls."""

from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Viewer, stop_clock
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_evening import until
from tests.web.test_table_page import DESKTOP, LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

FAKES = """
  window.felt = [];
  navigator.vibrate = (ms) => felt.push(`buzz ${ms}`);
  window.AudioContext = class {
    currentTime = 0;
    state = "running";
    createOscillator() {
      const frequency = {};
      const made = { frequency, connect: (to) => to, start() { felt.push(frequency.value); } };
      return { ...made, stop() {} };
    }
    createGain() {
      const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
      return { gain, connect: (to) => to };
    }
  };
  let before = false;
  new MutationObserver(() => {
    const flashes = document.body?.matches(".turn-begins") ?? false;
    if (flashes && !before) felt.push("flash");
    before = flashes;
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ["class"] });
"""
BELL = [660, 880]


def sits(view: View, seat: str, text: str = LAYS, **more: Any) -> Viewer:
    """A phone's page for that seat, which records what its owner would feel and hear."""
    viewer = view(text, **{"viewport": PHONE, **more})
    viewer.tab.add_init_script(FAKES)
    viewer.tab.reload()
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    viewer.tab.select_option("#who", f"seat {seat}")
    viewer.tab.wait_for_selector("#turn-sound:not([hidden])", timeout=WAIT_MS)
    return viewer


def felt(viewer: Viewer) -> list[object]:
    found: list[object] = viewer.tab.evaluate("felt.splice(0)")
    return found


def enter(viewer: Viewer, box: Viewer, *keys: str) -> None:
    """Presses keys of the box, and waits until the page shows their effect."""
    before = viewer.tab.inner_text("#sentence")
    for key in keys:
        box.tab.keyboard.press(key)
    until(viewer, lambda: viewer.tab.inner_text("#sentence") != before, "nothing was told")


def test_a_turn_flashes_and_buzzes_once_and_sounds_only_if_chosen(view: View) -> None:
    blue, red, box = sits(view, "Blue"), sits(view, "Red"), view(LAYS, path="/box")
    assert (felt(blue), felt(red)) == ([], []), "that it is his turn already is no news"
    enter(blue, box, "6", "4", "Enter")
    assert blue.tab.inner_text("#asked") == "Your turn, Blue"
    assert sorted(map(str, felt(blue))) == ["buzz 120", "flash"]
    assert felt(red) == []
    red.tab.get_by_role("button", name="Sound on my turn", pressed=False).click()
    assert felt(red) == BELL, "it is heard what was chosen"
    enter(red, box, "6", "1", "Enter")
    assert sorted(map(str, felt(red))) == ["660", "880", "buzz 120", "flash"]
    enter(blue, box, "d")
    assert felt(blue) == []


def test_a_turn_of_a_player_with_a_two_word_name_flashes(view: View) -> None:
    text, seats = "hand\nOld_Tom 6-6\nLa_Señora_Díaz 6-3", "Old_Tom La_Señora_Díaz"
    tom, box = sits(view, "Old_Tom", text, seats=seats), view(text, seats=seats, path="/box")
    lady = sits(view, "La_Señora_Díaz", text, seats=seats)
    assert tom.tab.inner_text("#asked") == "Your turn, Old Tom"
    enter(lady, box, "6", "4", "Enter")
    assert lady.tab.inner_text("#asked") == "Your turn, La Señora Díaz"
    assert sorted(map(str, felt(lady))) == ["buzz 120", "flash"]


def test_only_this_phone_remembers_the_sound(view: View) -> None:
    red, box = sits(view, "Red"), view(LAYS, path="/box")
    red.tab.get_by_role("button", name="Sound on my turn").click()
    red.tab.reload()
    red.tab.get_by_role("button", name="Sound on my turn", pressed=True).wait_for(timeout=WAIT_MS)
    blue = sits(view, "Blue")
    enter(blue, box, "6", "4", "Enter")
    assert 660 not in felt(blue)
    enter(red, box, "6", "1", "Enter")
    assert 660 in felt(red)


def test_reduced_motion_is_chosen_once_and_applies_everywhere(view: View) -> None:
    red, box = sits(view, "Red"), view(LAYS, path="/box")
    red.tab.get_by_role("button", name="Sound on my turn").click()
    red.tab.get_by_role("button", name="Less motion", pressed=False).click()
    red.tab.reload()
    red.tab.get_by_role("button", name="Less motion", pressed=True).wait_for(timeout=WAIT_MS)
    red.tab.wait_for_selector("#turn-sound:not([hidden])", timeout=WAIT_MS)
    stop_clock(red.tab)
    enter(red, box, "6", "4", "Enter")
    enter(red, box, "6", "1", "Enter")
    assert red.tab.inner_text("#asked") == "Your turn, Red"
    assert felt(red) == []


@pytest.mark.parametrize(("wished", "scores"), [("no-preference", "0"), ("reduce", "15")])
def test_a_score_counts_up_unless_reduced_motion_is_wished(
    view: View, wished: str, scores: str
) -> None:
    for path, size in (("/", PHONE), ("/tv", DESKTOP), ("/", DESKTOP)):
        viewer = view("hand\nRed 6-6", path=path, viewport=size, reduced_motion=wished)
        box = view("hand\nRed 6-6", path="/box")
        score = viewer.tab.locator(".seat .score >> nth=1")
        assert score.inner_text() == "0"
        stop_clock(viewer.tab)
        enter(viewer, box, "6", "3", "Enter")
        assert score.inner_text() == scores
        if wished == "no-preference":
            viewer.tab.clock.run_for(350)
            assert 0 < int(score.inner_text()) < 15
            viewer.tab.clock.run_for(500)
        assert score.inner_text() == "15"
        enter(viewer, box, "Backspace", "Enter")
        assert score.inner_text() == "0", "what is taken back is gone at once"


def test_a_turn_that_began_out_of_sight_flashes_when_somebody_looks(view: View) -> None:
    blue, box = sits(view, "Blue"), view(LAYS, path="/box")
    hide = "Object.defineProperty(document, 'hidden', {value: true, writable: true})"
    blue.tab.evaluate(hide)
    enter(blue, box, "6", "4", "Enter")
    assert felt(blue) == ["buzz 120"]
    blue.tab.evaluate(
        "document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))"
    )
    until(blue, lambda: felt(blue) == ["flash"], "nothing flashed")
