"""The card image on an emulated Raspberry Pi 3: `make rig-card` builds it and tries it.

Not in CI: two starts of a whole Pi in emulation take long. It is only looked for where CARD_IMAGE
names the image (conftest.py). It has not been run to its end yet: systemd/image/README.md tells
what was tried of the image.
"""

import os
from pathlib import Path

import pytest

from tests.rigs.card import TOOLS, Card
from tests.rigs.roots import need

PAGE = Path(__file__).with_name("at_the_page.py")
SETTINGS = (
    '[box]\nhardware = "answering"\n\n[pads]\ntake = "keyboards"\n\n[web]\nhost = "0.0.0.0"\n'
)
MISTAKEN = "name = Our home\npassword = short\n"
SHOWN = "companion games --json; companion show"


def test_a_card_is_flashed_and_played(tmp_path: Path, tell: list[str]) -> None:
    need(*TOOLS)
    image = Path(os.environ["CARD_IMAGE"])
    files = {"companion.toml": SETTINGS, "wifi.txt": MISTAKEN, "timezone.txt": "Europe/Berlin\n"}
    with Card(image, tmp_path, files) as card:
        card.boot()
        _check_the_system(card, tell)
        first = card.picture()
        assert len({*first[-96 * 16 * 3 :]}) > 1, "the display shows something"
        card.press("1", "2", "1", "ret", "ret", "1")
        card.until(lambda: "High Five" in card.tell("companion games"), "a game by USB keyboard")
        assert card.picture() != first
        picture = card.tell("python3 - 6 5 OK", PAGE.read_text())
        assert "#" in picture and len(picture.splitlines()) == 64
        before = card.tell(SHOWN)
        assert before
        card.cut()
        card.boot()
        assert card.tell(SHOWN) == before, "every entry is there again"
        assert card.tell("companion verify >/dev/null && echo well") == "well"
    tell += [f"start to the open table: {' and '.join(f'{s:.0f} s' for s in card.boots)}"]


def _check_the_system(card: Card, tell: list[str]) -> None:
    mounts = card.tell("findmnt -rn -o TARGET,FSTYPE,OPTIONS")
    assert "/ squashfs ro" in mounts and "/var/lib/companion ext4 rw" in mounts
    room = int(card.tell("df --output=size -k /data | tail -1"))
    assert room > 300_000, "the record's partition has grown"
    assert card.tell("cat /run/companion-card/mistakes").startswith("wifi.txt, line 2: ")
    assert card.tell("date +%Z") in ("CET", "CEST")
    assert card.tell("ls /dev/i2c-1") == "/dev/i2c-1"
    assert card.tell("getent shadow | cut -d: -f2 | grep -c '[$]'") == "0", "no password"
    told = card.tell("systemctl show -P CPUUsageNSec companion")
    tell += [f"the service's start: {int(told) / 1e9:.1f} s of the emulated processor"]
    tell += [f"failed: {card.tell('systemctl --failed --no-legend') or 'nothing'}"]
    tell += [f"memory: {card.tell('free -m | sed -n 2p')}", f"mounts:\n{mounts}"]
    tell += [card.tell("systemd-analyze"), card.tell("ls /dev/fb0 /dev/spidev* /dev/gpiochip*")]


pytestmark = pytest.mark.serial
