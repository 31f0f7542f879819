"""The contents of the Debian package. tests/rigs/rig_service.py tests that it installs and runs."""

import re
import runpy
import tomllib
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.app.config import Box, Config, parse_config
from companion.app.hardware import TV
from companion.devices.keypads.renewal import FIRMWARE

ROOT = Path(__file__).parent.parent
SYSTEMD = ROOT / "systemd"
GUIDES = ("nothing-to-wire", "matrix-keypad", "sixteen-keys")
DOCUMENTED = (ROOT / "docs" / "configuration.md").read_text()
GUIDE = "".join((ROOT / "hw" / f"{name}.md").read_text() for name in GUIDES)
PACKAGED = Config(box=Box(menu_held="switch-off"))


def config_text() -> str:
    make_deb = runpy.run_path(str(SYSTEMD / "make_deb.py"))
    return str(make_deb["config_text"](DOCUMENTED))


def test_the_installed_configuration_differs_from_the_default_only_in_switching_off() -> None:
    assert parse_config(config_text(), "companion.toml") == PACKAGED


def test_every_commented_setting_is_valid() -> None:
    """Every documented key stands in the packaged file, as a line that counts once its # is
    removed."""
    text = re.sub(r"^# (\w+ = )", r"\1", config_text(), flags=re.MULTILINE)
    told = parse_config(text, "companion.toml")
    assert replace(told, display={}) == PACKAGED
    (example,) = re.findall(r"```toml\n(.*?)```", DOCUMENTED, re.DOTALL)
    keys = r"^(?:# )?(\w+) = "
    assert re.findall(keys, text, re.MULTILINE) == re.findall(keys, example, re.MULTILINE)


def test_the_packages_build_time_is_known_without_git(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_deb = runpy.run_path(str(SYSTEMD / "make_deb.py"))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert make_deb["_package_time"]() == int((ROOT / "CHANGELOG.md").stat().st_mtime)


@pytest.mark.parametrize("line", sorted({*re.findall(r"`(board = .*?)`", GUIDE)}))
def test_a_line_that_the_build_guide_changes_exists_exactly_once(line: str) -> None:
    assert "begins with `#` has no effect" in GUIDE
    (there,) = re.findall(r"^# board = .*$", config_text(), re.MULTILINE)
    told = parse_config(config_text().replace(there, line), "companion.toml")
    assert f'board = "{told.box.board}"' == line


def test_the_driver_can_be_set_where_the_build_guide_says() -> None:
    assert '`driver = "sh1106"` into the section `[display]`' in " ".join(GUIDE.split())
    text = config_text().replace("[display]", '[display]\ndriver = "sh1106"')
    assert parse_config(text, "companion.toml").display == {"driver": "sh1106"}


def test_the_build_guides_commands_make_and_install_the_package() -> None:
    make_deb = runpy.run_path(str(SYSTEMD / "make_deb.py"))
    for package in ("debhelper", "dh-python", "python3-markdown-it", "python3-babel"):
        assert package in {**make_deb["TOOLS"], **make_deb["MODULES"]}.values()
        assert re.search(rf"^ *sudo apt install make .*\b{package}\b", GUIDE, re.MULTILINE)
    assert f"/dist/{make_deb['NAME']}_*_all.deb" in GUIDE


def packed_lines() -> list[str]:
    """The lines that say what goes into both packages, and where to."""
    lists = ("install", "table-companion-hub.install")
    return [line for name in lists for line in (SYSTEMD / "debian" / name).read_text().splitlines()]


def test_every_packed_file_exists() -> None:
    for line in packed_lines():
        for name in line.split()[:-1]:
            assert list(ROOT.glob(name)), name


def test_the_keypads_firmware_is_installed_where_the_box_expects_it() -> None:
    """The firmware lies beside the program, as in the source."""
    packed = {line.split()[-1] for line in packed_lines() if "firmware/seat_keypad" in line}
    assert packed == {"usr/share/table-companion/firmware"}
    assert "companion usr/share/table-companion" in packed_lines()
    assert FIRMWARE == ROOT / "firmware"
    assert "firmware" in runpy.run_path(str(SYSTEMD / "make_deb.py"))["TAKEN"]


def test_every_unit_is_packed() -> None:
    packed = "\n".join(packed_lines())
    for unit in (*SYSTEMD.glob("*.service"), *SYSTEMD.glob("*.timer"), *SYSTEMD.glob("*.socket")):
        assert f"systemd/{unit.name}" in packed


def test_the_hubs_package_has_the_hubs_dependencies() -> None:
    """The hub's package depends on each library of the extra, by Debian's name; the table's own
    package needs none of them."""
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    box, hub = (SYSTEMD / "debian" / "control").read_text().split("Package: table-companion-hub")
    for line in extra["hub"]:
        name, oldest = re.findall(r"^([a-z-]+)(?:\[.*\])?>=([\d.]+)", line)[0]
        asked = re.search(rf"python3-{name}(?: \(>= ([\d.]+)\))?,", " ".join(hub.split()))
        assert asked, name
        assert asked[1] is None or oldest.startswith(asked[1]), name
    for name in ("sqlalchemy", "alembic", "psycopg", "prometheus"):
        assert name not in box
    unit = (SYSTEMD / "companion-hub.service").read_text()
    assert "hub run --data /var/lib/companion-hub $HUB_OPTIONS\n" in unit
    assert "Debian 12" in hub and "StateDirectoryMode=0700" in unit


def test_the_hdmi_program_has_no_access_to_the_record() -> None:
    unit = (SYSTEMD / "companion-tv.service").read_text()
    rules = (SYSTEMD / "debian" / "rules").read_text()
    assert "\tdh_installsystemd -ptable-companion companion-tv.service\n" in rules, "it is on"
    assert "ExecStart=/usr/bin/companion tv --page ${PAGE} $TV_SHOWS\n" in unit
    assert "EnvironmentFile=-/run/companion/page\n" in unit
    assert "User=companion-tv\n" in unit and "SupplementaryGroups=video tty\n" in unit
    assert "Conflicts=getty@tty1.service\n" in unit
    table = (SYSTEMD / "companion.service").read_text()
    assert f"Environment={TV}=1\n" in table
    assert "fonts-dejavu-core" in (SYSTEMD / "debian" / "control").read_text()


def test_the_hdmi_browser_is_installed_but_disabled() -> None:
    unit = (SYSTEMD / "companion-kiosk.service").read_text()
    rules = (SYSTEMD / "debian" / "rules").read_text()
    assert (
        "dh_installsystemd -ptable-companion --no-enable --no-start companion-kiosk.service"
        in rules
    )
    assert "Raspberry Pi 4 or 5 with 2 GB" in unit
    assert (
        "ExecStart=/usr/bin/companion tv --page ${PAGE} --browser /var/lib/companion-tv\n" in unit
    )
    # One that stands still is started anew, and the table says so.
    assert "WatchdogSec=60\n" in unit and "The TV froze" in unit
    # What runs in a login session is out of reach of MemoryMax=, and ProtectHome= hides its folder.
    assert "PAMName" not in unit and "XDG_RUNTIME_DIR=/run/companion-tv" in unit
    # A box has neither keyboard nor mouse.
    assert "Environment=WLR_LIBINPUT_NO_DEVICES=1\n" in unit
    assert "MemoryMax=1200M\n" in unit and "Requires=seatd.service\n" in unit
    assert "EnvironmentFile=-/run/companion/page\n" in unit
    assert "companion-kiosk.service" in (SYSTEMD / "debian" / "install").read_text()


def test_the_first_boot_leaves_the_hdmi_browser_disabled() -> None:
    """Without this, Debian's systemd would switch on every unit that can be."""
    preset = (SYSTEMD / "system-preset" / "70-table-companion.preset").read_text()
    assert preset.endswith("\ndisable companion-kiosk.service\n")
    assert "systemd/system-preset usr/lib/systemd" in packed_lines()


def test_the_browser_takes_the_hdmi_screen_from_the_drawing_program() -> None:
    """A table that starts anew also starts the program that draws without a browser: that must not
    end the browser."""
    drawn, kiosk = ((SYSTEMD / f"companion-{name}.service").read_text() for name in ("tv", "kiosk"))
    assert "RuntimeDirectory=companion-tv\n" in kiosk
    assert "ConditionPathExists=!/run/companion-tv\n" in drawn
    assert "ExecStartPre=+-/usr/bin/systemctl stop companion-tv.service\n" in kiosk
    conflicts = re.findall("^Conflicts=.*$", drawn + kiosk, re.MULTILINE)
    assert conflicts == ["Conflicts=getty@tty1.service"] * 2


def test_the_page_is_announced_on_port_80_and_stops_with_the_service() -> None:
    socket = (SYSTEMD / "companion.socket").read_text()
    assert "\nListenStream=80\n" in socket
    assert "\nPartOf=companion.service\n" in socket
    assert "\nStartLimitIntervalSec=0\n" in socket, "quick starts would move the page to 8080"
    service = (SYSTEMD / "companion.service").read_text()
    assert "\nWants=companion.socket\n" in service
    assert "\nAfter=companion.socket\n" in service
    assert "\nPrivateTmp=" not in service, "a restart could find port 80 taken"
    announced = ElementTree.parse(SYSTEMD / "avahi" / "table-companion.service")
    assert announced.findtext("service/port") == "80"
    assert announced.findtext("service/type") == "_http._tcp"
    assert "etc/avahi/services" in (SYSTEMD / "debian" / "install").read_text()


def test_the_pages_of_the_help_are_packed(tmp_path: Path) -> None:
    runpy.run_path(str(SYSTEMD / "make_deb.py"))["_copy"](tmp_path / "table")
    packed = tmp_path / "table" / "companion" / "web" / "help"
    assert {"manual.html", "quick-card-high-five.html"} <= {path.name for path in packed.iterdir()}
    assert not (packed / "pictures").is_symlink()
