"""The firmware's README agrees with the firmware."""

import json
import re
from pathlib import Path

from seat_keypad import settings

README = (Path(__file__).parents[2] / "firmware" / "README.md").read_text()


def test_the_settings_example_in_the_readme_has_the_defaults() -> None:
    found = re.search(r"```json\n(.*?)```", README, re.DOTALL)
    assert found
    told = json.loads(found[1])
    usual = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in settings.DEFAULTS.items()
    }
    assert told == usual
