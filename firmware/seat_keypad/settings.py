"""The keypad's pins, from `keypad.json` on the Pico, or the defaults."""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from seat_keypad.pins import Settings

DEFAULTS: "Settings" = {
    "rows": (2, 3, 4, 5),
    "columns": (6, 7, 8, 9),
    "layout": "123D456P789!B0KM",
    "light": (18, 19, 20),
    "common": "cathode",
    "buzzer": 15,
}
"""The usual settings, as in hw/seat-keypad.toml: GP numbers, those of the light for red, green,
blue. `layout` has the keys row by row in the letters of the link: K is OK, B BACK, D DRAW, P PASS,
! BOGUS, M MENU."""

_PINS = range(29)
_LETTERS = "0123456789KBDP!M"


def load(path: str) -> "tuple[Settings, str]":
    """Returns the settings, and the fault of the settings file ("" if it is valid or missing). If
    the file is invalid, all settings are the defaults."""
    try:
        with open(path) as file:
            text = file.read()
    except OSError:
        return DEFAULTS, ""
    try:
        told = json.loads(text)
    except ValueError:
        return DEFAULTS, "it is not JSON"
    if not isinstance(told, dict):
        return DEFAULTS, "it has to be an object: {...}"
    found = dict(DEFAULTS)
    for name in told:
        if name not in DEFAULTS:
            return DEFAULTS, "there is no setting " + str(name)
        found[name] = told[name]
    wrong = _find_fault(found)
    return (DEFAULTS, wrong) if wrong else (found, "")


def _find_fault(found: "Settings") -> str:
    for name, count in (("rows", 4), ("columns", 4), ("light", 3)):
        if not isinstance(found[name], (list, tuple)) or len(found[name]) != count:
            return name + " has to be a list of " + str(count) + " pins"
    pins = list(found["rows"]) + list(found["columns"]) + list(found["light"])
    if found["buzzer"] is not None:
        pins.append(found["buzzer"])
    for pin in pins:
        if not isinstance(pin, int) or pin not in _PINS:
            return str(pin) + " is not a pin: GP0 to GP28"
        if pins.count(pin) > 1:
            return "GP" + str(pin) + " is used twice"
    if sorted(str(found["layout"])) != sorted(_LETTERS):
        return "layout has to have each of " + _LETTERS + " once"
    if found["common"] not in ("cathode", "anode"):
        return "common has to be cathode or anode"
    return ""
