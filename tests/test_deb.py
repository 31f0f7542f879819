"""What goes into the Debian package. That it installs and runs: tests/rigs/rig_service.py."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

from companion.config import Box, Config, parse_config

ROOT = Path(__file__).parent.parent
SYSTEMD = ROOT / "systemd"
DOCUMENTED = (ROOT / "docs" / "configuration.md").read_text()
PACKAGED = Config(box=Box(menu_held="switch-off"))


def config_text() -> str:
    make_deb = runpy.run_path(str(SYSTEMD / "make_deb.py"))
    return str(make_deb["config_text"](DOCUMENTED))


def test_the_installed_configuration_is_the_default_one_but_for_switching_off() -> None:
    assert parse_config(config_text(), "companion.toml") == PACKAGED


def test_each_of_its_comments_can_be_made_to_count() -> None:
    """Every key that is documented stands there, as a line that only lacks its beginning."""
    text = re.sub(r"^# (\w+ = )", r"\1", config_text(), flags=re.MULTILINE)
    told = parse_config(text, "companion.toml")
    assert replace(told, display={}) == PACKAGED
    (example,) = re.findall(r"```toml\n(.*?)```", DOCUMENTED, re.DOTALL)
    keys = r"^(?:# )?(\w+) = "
    assert re.findall(keys, text, re.MULTILINE) == re.findall(keys, example, re.MULTILINE)


def test_all_that_is_packed_is_there() -> None:
    for line in (SYSTEMD / "debian" / "install").read_text().splitlines():
        for name in line.split()[:-1]:
            assert list(ROOT.glob(name)), name


def test_every_unit_is_packed() -> None:
    packed = (SYSTEMD / "debian" / "install").read_text()
    for unit in (*SYSTEMD.glob("*.service"), *SYSTEMD.glob("*.timer")):
        assert f"systemd/{unit.name}" in packed
