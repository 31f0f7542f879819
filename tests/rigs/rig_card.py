"""The card image on an emulated Raspberry Pi 3: `make rig-card` builds it and tries it.

Not in CI: two starts of a whole Pi in emulation take the better part of an hour. The rig runs only
if it is named (conftest.py). systemd/image/README.md has the results.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from companion.app.updates.file import EXTENSION
from companion.app.updates.systems import TRIAL_CONFIG
from companion.console.console import Console
from companion.core.keys import Key
from companion.record.copies.copier import Copy
from companion.record.copies.restore import ON_A_STICK, Offer
from tests.catalog import GAMES
from tests.console.rig import Rig
from tests.rig import Rig as Table
from tests.rigs.card import TOOLS, Card
from tests.rigs.card_sticks import sign_again, usb_stick
from tests.rigs.card_views import Page
from tests.rigs.kernel.table import Step, Stepping, played
from tests.rigs.roots import need

SETTINGS = '[box]\nhardware = "answering"\n\n[pads]\ntake = "keyboards"\n'
MISTAKE = "wifi.txt, line 2"
MISTAKEN = "name = Our home\npassword = short\n"
ASKED = 3
"""After this press the box asks which seat the keyboard belongs to; the answer is none."""
KEYED = 9
"""Presses after which a game has rows."""
BY_KEYBOARD, CUT_AT = 30, 80
"""How many presses, the first of the game, come from the keyboard (the others from the page); and
after how many the power goes: in the middle of the second hand."""
FULL = (
    "fallocate -l $(df --output=avail -B1 /data | tail -1) /data/full; "
    "dd if=/dev/zero of=/data/more bs=512 2>&1"
)
TOLD = "the disk is full"
NEWER = "999.0"
"""The version of the update."""
ASK_BY_NAME = """\
import socket

question = bytes(4) + b"\\0\\1" + bytes(6) + b"\\x09companion\\x05local\\0" + b"\\0\\1\\0\\1"
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:
    asks.settimeout(60)
    asks.sendto(question, ("224.0.0.251", 5353))
    print(socket.inet_ntoa(asks.recv(512)[-4:]))
"""
"""A program that asks the network for the address of companion.local, as phones do (RFC 6762)."""
pytestmark = pytest.mark.serial


def test_a_flashed_card_can_be_played(tmp_path: Path, tell: list[str]) -> None:
    need(*TOOLS)
    image = Path(os.environ["CARD_IMAGE"])
    files = {"companion.toml": SETTINGS, "wifi.txt": MISTAKEN, "timezone.txt": "Europe/Berlin\n"}
    steps = played(1, 2, "tile")
    with Card(image, tmp_path, files) as card:
        card.boot()
        _check_the_system(card, tell)
        with card.stay_at_the_page() as page:
            card.until(lambda: MISTAKE in page.words, "the mistake on the display")
            card.until(lambda: card.shows(page.rows), "the menu on the emulated display")
            _play(card, page, steps[:CUT_AT])
        assert card.tell("companion export") == steps[CUT_AT - 1].tally.strip()
        card.cut()
        card.tear_first_block()
        card.write("wifi.txt", "")
        card.boot()
        _check_what_was_kept(card, steps[CUT_AT - 1])
        _fill(card, steps)
    tell += [f"start to the open table: {' and '.join(f'{s:.0f} s' for s in card.boots)}"]


def test_a_new_card_offers_the_games_of_a_stick(tmp_path: Path, tell: list[str]) -> None:
    """The stick is plugged in at the start; the table takes no longer to open than without one."""
    need(*TOOLS, "mkfs.vfat")
    steps = played(1, 2, "tile")[:KEYED]
    with Table(tmp_path / "old.db") as table:
        table.press(" ".join(step.key.value for step in steps))
        row, (_, last) = table.store.last_row(), table.store.last_game_row()
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "table-companion.txt").write_text("")
    Copy(tmp_path / "old.db", GAMES, tmp_path / "root" / ON_A_STICK).catch_up()
    stick = usb_stick(tmp_path, *(tmp_path / "root").iterdir())
    with Card(
        Path(os.environ["CARD_IMAGE"]), tmp_path, {"companion.toml": SETTINGS}, stick
    ) as card:
        card.boot()
        with card.stay_at_the_page() as page:
            asks = Console.start().asking_about_offer(Offer("any", 1, last, row)).show(Rig().view)
            card.until(partial(page.shows, asks.frame), "the question")
            card.press(Key.OK)
            stands = replace(steps[-1].view, message="The stick's game is here")
            card.until(partial(page.shows, Stepping.resumed(stands).frame), "the game")
        assert card.tell("companion export") == steps[-1].tally.strip()
    tell += [f"start to the open table: {card.boots[0]:.0f} s"]


def test_an_update_on_a_stick_is_installed_tried_and_kept(tmp_path: Path, tell: list[str]) -> None:
    """The kernel's own drivers write the update, and our module asks the firmware to try it. QEMU's
    firmware can't do so: the rig starts what a real one would start (Card.boot)."""
    need(*TOOLS, "mkfs.vfat")
    image, key = Path(os.environ["CARD_IMAGE"]), Path(os.environ["CARD_KEY"])
    (made,) = image.parent.glob(f"*{EXTENSION}")
    newer = sign_again(made, key, NEWER, tmp_path / f"new{EXTENSION}")
    with Card(image, tmp_path, {"companion.toml": SETTINGS}, usb_stick(tmp_path, newer)) as card:
        assert "PARTUUID=434f4d50-02" in card.boot().tell("cat /proc/cmdline")
        before = card.tell("companion --version")
        card.until_it_starts_anew()
        card.pull_out()  # what is in the update is still the version before
        assert (card.chosen(), card.chosen(TRIAL_CONFIG)) == ("a/", "b/")
        assert "PARTUUID=434f4d50-03" in card.boot().tell("cat /proc/cmdline")
        with card.stay_at_the_page() as page:
            kept = f"Version {NEWER} runs now, in, place of {before.split()[-1]}"  # in two lines
            card.until(lambda: kept in page.words, "the new version is kept")
        assert card.tell("test -e /data/update/trying || echo none") == "none"
        card.cut()
        assert card.chosen() == "b/"
        assert "PARTUUID=434f4d50-03" in card.boot().tell("cat /proc/cmdline")
    tell += [f"starts to the open table: {' and '.join(f'{s:.0f} s' for s in card.boots)}"]


def _play(card: Card, page: Page, steps: Sequence[Step]) -> None:
    """Presses the keys; after each, the picture must be the same as on any other box."""
    for at, step in enumerate(steps):
        (card if at < BY_KEYBOARD else page).press(step.key)
        if at == ASKED:
            card.press(Key.BACK)
        card.until(partial(page.shows, step.frame), f"press {at}: “{step.frame.words}”")


def _check_what_was_kept(card: Card, last: Step) -> None:
    """Checks that every entry was kept, and that the game continues where it was."""
    assert card.tell("companion export") == last.tally.strip()
    assert card.tell("companion verify >/dev/null && echo well") == "well"
    assert card.tell("dmesg | grep 'EXT4-fs error' || echo none") == "none"
    assert card.tell("test -e /run/companion-card/mistakes || echo none") == "none"
    with card.stay_at_the_page() as page:
        seen = Stepping.resumed(last.view).frame
        card.until(lambda: page.shows(seen), f"“{seen.words}” after the power cut")
        card.until(lambda: card.shows(seen.rows()), "the same on the emulated display")


def _fill(card: Card, steps: Sequence[Step]) -> None:
    """Fills the card, and checks that the table reports it, loses nothing, and continues once there
    is room."""
    card.tell(FULL)
    with card.stay_at_the_page() as page:
        before, refused = _press_until_it_is_full(card, page, steps)
        assert card.tell("companion export") == before.tally.strip()
        card.tell("rm /data/full /data/more")
        page.press(Key.OK)
        card.until(lambda: TOLD not in page.words, "it goes on")
        if not page.shows(refused.frame):
            page.press(refused.key)
        card.until(partial(page.shows, refused.frame), "the entry is taken")
    assert card.tell("companion export") == refused.tally.strip()


def _press_until_it_is_full(card: Card, page: Page, steps: Sequence[Step]) -> tuple[Step, Step]:
    """Presses keys until the full card refuses one; returns the step before that and that step."""
    for before, step in pairwise(steps[CUT_AT - 1 :]):
        page.press(step.key)
        card.until(partial(_tells_or_shows, page, step), f"{step.key} on a full card")
        if TOLD in page.words:
            return before, step
    raise AssertionError("the card never was full")


def _tells_or_shows(page: Page, step: Step) -> bool:
    return TOLD in page.words or page.shows(step.frame)


def _check_the_system(card: Card, tell: list[str]) -> None:
    mounts = card.tell("findmnt -rn -o TARGET,FSTYPE,OPTIONS")
    assert "/ squashfs ro" in mounts and "/var/lib/companion ext4 rw" in mounts
    room = int(card.tell("df --output=size -k /data | tail -1"))
    assert room > 300_000, "the record's partition has grown"
    assert card.tell("cat /run/companion-card/mistakes").startswith(MISTAKE)
    assert card.tell("date +%Z") in ("CET", "CEST")
    made = int(card.tell("stat -c %Y /usr/lib/clock-epoch"))
    assert made <= int(card.tell("date +%s")) < made + 3600, "no evening before the image was made"
    assert card.tell("ls /dev/i2c-1") == "/dev/i2c-1"
    address = card.tell("hostname -I").split()[0]
    assert card.tell("python3 -", ASK_BY_NAME) == address, "companion.local is answered"
    assert card.tell("getent shadow | cut -d: -f2 | grep -c '[$]'") == "0", "no password"
    for unit in ("companion-card", "companion"):
        told = card.tell(f"systemctl show -P CPUUsageNSec {unit}")
        tell += [f"{unit}: {int(told) / 1e9:.1f} s of the emulated processor"]
    tell += [f"failed: {card.tell('systemctl --failed --no-legend') or 'nothing'}"]
    tell += [f"memory: {card.tell('free -m | sed -n 2p')}", f"mounts:\n{mounts}"]
    tell += [card.tell("systemd-analyze"), card.tell("ls /dev/fb0 /dev/spidev* /dev/gpiochip*")]
