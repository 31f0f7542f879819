"""What makes a page accessible, checked in a browser: axe finds nothing in any look, the accessible
name of a control has its visible text in it, and the keyboard reaches every control and leaves it.

axe comes from the extra “browser”, so that nothing is fetched while the tests run.
"""

from pathlib import Path
from typing import Any, Final

LOOKS: Final[dict[str, dict[str, str]]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
    "reduced motion": {"reduced_motion": "reduce"},
}
USUAL: Final = {"color_scheme": "light", "forced_colors": "none", "reduced_motion": "no-preference"}
CHECKS: Final = Path(__file__).with_suffix(".js")
MOST_STOPS: Final = 400
"""More stops of the Tab key than any page has."""


def violations(tab: Any) -> list[str]:
    """The rules of axe that the page violates, each with the elements that break it, and the
    controls whose names lack their visible text."""
    found: list[str] = _check(tab, "violations")
    return found


def faults_in_every_look(tab: Any) -> list[str]:
    """The violations in light, dark, forced colours and with less motion, anything that still moves
    with less motion, and selected elements that forced colours don't distinguish."""
    found = list[str]()
    for look, media in LOOKS.items():
        tab.emulate_media(**{**USUAL, **media})
        _check(tab, "settled")
        wrong = violations(tab)
        if "forced_colors" in media:
            wrong += _check(tab, "alike")
        if "reduced_motion" in media:
            wrong += _check(tab, "moving")
        found += [f"{look}: {one}" for one in wrong]
    tab.emulate_media(**USUAL)
    return found


def faults_of_keyboard(tab: Any) -> list[str]:
    """What is wrong with the page for somebody with a keyboard: a control that Tab never reaches,
    a focus that can't be seen, or that never leaves the page."""
    _check(tab, "fromTheTop")
    found = list[str]()
    for _ in range(MOST_STOPS):
        tab.keyboard.press("Tab")
        stop = _check(tab, "stop")
        if stop is None or stop["again"]:
            break
        found += stop["wrong"]
    else:
        found.append(f"Tab does not leave the page within {MOST_STOPS} stops")
    missed: list[str] = _check(tab, "missed")
    return found + missed


def faults(tab: Any) -> list[str]:
    """All faults of the page as it is now, with everything unfolded."""
    _check(tab, "unfold")
    return faults_in_every_look(tab) + faults_of_keyboard(tab)


def _check(tab: Any, name: str) -> Any:
    if not tab.evaluate("'checks' in window"):
        from axe_playwright_python.base import AXE_SCRIPT

        tab.evaluate(AXE_SCRIPT)
        tab.evaluate(CHECKS.read_text("utf-8"))
    return tab.evaluate(f"window.checks.{name}()")
