"""Scenes of letting phones in, as its page reports them to a box."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.box_page import Phones
from companion.web.address import qr_rows
from tests.console.rig import Rig, started

WORD = "abcdefgh234567qr"
LONGEST = "http://192.168.178.123"
LATER_PORT = f"{LONGEST}:8080"
IPV6 = "http://[2001:db8:b6bf:f3c8:5f4e:87a1:2b3c:4d5e]"


def phones_at(where: str) -> Phones:
    """A box that phones may join at the address `where`."""
    return Phones(True, address=where, code=qr_rows(where, WORD), digits="0815")


def _with(phones: Phones, keys: str) -> Callable[[], Rig]:
    def scene() -> Rig:
        rig = started().press("OK 1")
        rig.view = replace(rig.view, phones=phones)
        return rig.press(keys)

    return scene


def _sitting() -> Rig:
    """A box without a game, while people sit down on their phones."""
    rig = Rig()
    seated = ("Anna", "Ben", "Granny Margaret")
    rig.view = replace(rig.view, phones=replace(phones_at(LONGEST), sitting=seated))
    rig.console = rig.console.while_people_sit_down(True)
    return rig


SCENES: dict[str, Callable[[], Rig]] = {
    "menu_phones": _with(Phones(open=True), "MENU UP"),
    "phones": _with(phones_at(LONGEST), "MENU 0"),
    "phones_8080": _with(phones_at(LATER_PORT), "MENU 0"),
    "phones_ipv6": _with(phones_at(IPV6), "MENU 0"),
    "phones_ipv6_8080": _with(phones_at(f"{IPV6}:8080"), "MENU 0"),
    "phones_loading": _with(Phones(open=True, address=LONGEST), "MENU 0"),
    "phones_closed": _with(Phones(open=False), "MENU 0"),
    "phones_not_opened": _with(
        Phones(False, "The page can't be opened to the network (Address already in use)."),
        "MENU 0 OK",
    ),
    "phones_sitting": _sitting,
    "phones_new_codes": _with(phones_at(LONGEST), "MENU 0 0"),
}
