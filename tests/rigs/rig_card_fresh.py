"""From a fresh card to the first deal, on an emulated Raspberry Pi 3, with a phone and a TV. The
box has no file of settings, no network and no keys of its own.

The card's own Wi-Fi is real, on two radios of mac80211_hwsim: the second is the phone's, which
joins by what the TV shows. The phone's browser is Chromium here, which comes in by the emulated
network. Each thing that somebody must do is counted. The time is the box's own, from the kernel's
start.
"""

import json
import os
from pathlib import Path

import pytest

from tests.rigs.card import TOOLS, Card
from tests.rigs.rig_own_wifi import PHONE
from tests.rigs.roots import need

ACTIONS, WITHIN_S = 12, 240.0
"""The most things that a beginner may have to do, and the most seconds, by the box's clock."""
RADIOS = "modules_load=mac80211_hwsim mac80211_hwsim.radios=2"
WAIT_MS = 900_000
"""Milliseconds to wait for a page: on the emulated box it takes minutes of this machine's time."""
CODES = "/var/lib/companion/record.codes"
TAPS = (".welcome [data-panel=new]", "[data-name=Red]", "[data-name=Blue]", "#panel .deal")
pytestmark = pytest.mark.serial


def test_a_fresh_card_leads_to_the_first_deal(tmp_path: Path, tell: list[str]) -> None:
    need(*TOOLS)
    from playwright.sync_api import sync_playwright

    from tests.chromium import CHROMIUM

    done = ["the card put in", "the power put in"]
    with Card(Path(os.environ["CARD_IMAGE"]), tmp_path, {}, words=RADIOS) as card:
        card.boot()
        tell.append(f"the table is open after {uptime(card):.0f} s")
        own = "cat /run/companion-card/own-wifi"
        card.until(lambda: card.tell(own), "what the TV shows of its own Wi-Fi")
        tell.append(f"its own Wi-Fi is open after {uptime(card):.0f} s")
        name, password, _, _ = json.loads(card.tell(own))
        done += ["the Wi-Fi's code scanned", "“Join” tapped"]
        card.tell("cat > /run/phone.conf", PHONE.format(name, f'psk="{password}"'))
        card.tell("mkdir -p /run/phone; wpa_supplicant -B -i wlan1 -c /run/phone.conf")
        card.until(lambda: " 192.168.44." in card.tell("ip -4 addr show wlan1"), "its address")
        tell.append(f"the phone is in after {uptime(card):.0f} s")
        done.append("the page's code scanned")
        word = json.loads(card.tell(f"cat {CODES}"))["play"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            tab = browser.new_page(viewport={"width": 360, "height": 640})
            tab.goto(f"http://127.0.0.1:{card.page_port}/#{word}", timeout=WAIT_MS)
            for tap in TAPS:
                tab.click(tap, timeout=WAIT_MS)
                done.append(f"tapped: {tap}")
            # Not before this: what runs on the box beside its page takes that page's time, and a
            # page that waits too long connects anew and asks for OK.
            tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
            assert "Red" in card.tell("companion export")
            took = uptime(card)
            tab.screenshot(path=tmp_path / "first_deal.png")
            browser.close()
        tell.append(f"a game is begun after {took:.0f} s and {len(done)} things done: {done}")
        assert took <= WITHIN_S and len(done) <= ACTIONS


def uptime(card: Card) -> float:
    """Seconds since the kernel began, by the box's own clock."""
    return float(card.tell("cut -d' ' -f1 /proc/uptime"))
