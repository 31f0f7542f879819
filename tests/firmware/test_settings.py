"""The keypad's settings: a bad file is reported, and never stops the keypad."""

import json
from pathlib import Path

import pytest

from seat_keypad import settings


def test_without_a_settings_file_the_defaults_apply(tmp_path: Path) -> None:
    assert settings.load(str(tmp_path / "none.json")) == (settings.DEFAULTS, "")


def test_a_settings_file_overrides_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "keypad.json"
    file.write_text('{"buzzer": null, "common": "anode", "rows": [10, 11, 12, 13]}')
    found, wrong = settings.load(str(file))
    assert wrong == ""
    assert (found["buzzer"], found["common"], found["rows"]) == (None, "anode", [10, 11, 12, 13])
    assert found["columns"] == settings.DEFAULTS["columns"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "it is not JSON"),
        ("\x00\xff", "it is not JSON"),
        ("[]", "it has to be an object: {...}"),
        ('{"row": [1]}', "there is no setting row"),
        ('{"rows": [2, 3, 4]}', "rows has to be a list of 4 pins"),
        ('{"rows": 2}', "rows has to be a list of 4 pins"),
        ('{"light": [18, 19, "x"]}', "x is not a pin: GP0 to GP28"),
        ('{"light": [18, 19, 29]}', "29 is not a pin: GP0 to GP28"),
        ('{"buzzer": 2}', "GP2 is used twice"),
        ('{"layout": "1123"}', "layout has to have each of 0123456789KBDP!M once"),
        ('{"layout": 5}', "layout has to have each of 0123456789KBDP!M once"),
        ('{"common": "both"}', "common has to be cathode or anode"),
    ],
)
def test_a_bad_file_is_ignored_and_reports_why(tmp_path: Path, text: str, wrong: str) -> None:
    file = tmp_path / "keypad.json"
    file.write_text(text)
    assert settings.load(str(file)) == (settings.DEFAULTS, wrong)


def test_the_default_settings_are_valid(tmp_path: Path) -> None:
    file = tmp_path / "keypad.json"
    file.write_text(json.dumps(settings.DEFAULTS))
    assert settings.load(str(file))[1] == ""
