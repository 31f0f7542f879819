"""Screens for connecting phones: first a question whether to let phones in, then a QR code to scan
and four digits to type."""

from dataclasses import replace
from typing import ClassVar, Final

from companion.console.fonts import text_width
from companion.console.frame import HEIGHT, WIDTH, Canvas
from companion.console.screen import Actions, Basis, Outcome, Screen, View
from companion.console.screens.club import open_club
from companion.console.screens.confirm import YesOrNo, draw_confirm
from companion.core.box_page import PageRequest, Phones
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B

MODULE: Final = 2
"""Pixels per module (one square of the QR code): phones can read that size, and it leaves a version
2 code a quiet zone of three and a half modules on each side."""
LEFT: Final = HEIGHT + 2
"""The x of the words beside the QR code."""
MAX_LINES: Final = 5
"""The most lines above the digits."""
SEATED_ROW: Final = 4
"""The row of the first name of the people who have already taken a seat."""
MAX_NAMES: Final = 4
"""The most of these names that fit."""
NEW_CODES: Final = 0
"""The digit that requests new codes."""


@dataclass(frozen=True, slots=True)
class ShowPhones(Screen[B]):
    """Shows how phones connect. While only this machine can open the page, asks whether to let
    phones in; `confirmed`: whether OK has answered that. New rows don't affect this screen."""

    confirmed: bool = False

    digits: ClassVar = range(NEW_CODES, NEW_CODES + 1)
    shows_access: ClassVar = True
    basis: ClassVar = Basis.NOTHING

    def key_bindings(self) -> Actions[B]:
        return {**Screen.key_bindings(self), Key.MENU: self._open_club}

    def _open_club(self, view: View[B]) -> Outcome[B]:
        """MENU opens the club, so that it can be reached even before the first game."""
        return open_club(view) if view.club else Outcome(self)

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK lets phones in or, if the page is already open to them, closes this screen."""
        if view.phones is None or view.phones.open:
            return Outcome(None)
        return Outcome(replace(self, confirmed=True), page_request=PageRequest.OPEN)

    def digit(self, view: View[B], _digit: int) -> Outcome[B]:
        there = view.phones is not None and view.phones.open
        return Outcome(RenewCodes() if there else self)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the QR code at the left, dark on a light square, with address and digits beside it;
        or the question whether to let phones in."""
        phones = view.phones or Phones(open=False)
        if not phones.open:
            draw_confirm(
                canvas,
                phrase("Connect phones?"),
                self._closed_text(phones),
                phrase("OK: connect  BACK: no"),
            )
            return
        left = _draw_code(canvas, phones.code)
        room = WIDTH - left
        words = phrase("Same Wi-Fi, not its guest network. Or")
        address = _address_lines(phones.address, room)
        lines = (*canvas.wrapped(words, room), *address)
        if len(lines) > MAX_LINES:  # an address of IPv6
            lines = address[:MAX_LINES]
        for row, line in enumerate(lines):
            canvas.text(left, 8 * row, line)
        if not phones.digits:
            canvas.text(left, 40, phrase("One moment …"))
        elif len(lines) <= 4:
            canvas.text(left, 32, phones.digits, "big")
        else:
            canvas.text(left, 40, phones.digits, "caps")
        canvas.text(left, 56, phrase("0: new codes"), room=WIDTH - left)

    def _closed_text(self, phones: Phones) -> str:
        if phones.why:
            return phones.why
        if self.confirmed:
            return phrase("One moment …")
        return phrase(
            "Then anybody on the same network who has the code can open the table's page."
        )


@dataclass(frozen=True, slots=True)
class RenewCodes(YesOrNo[B]):
    """Asks before new codes are made, because all phones then have to connect again."""

    basis: ClassVar = Basis.NOTHING

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(ShowPhones(), page_request=PageRequest.NEW_CODES)

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(ShowPhones())

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        text = phrase("All phones and TVs have to be connected again, even those that were kept.")
        draw_confirm(canvas, phrase("New codes?"), text, phrase("OK: new codes   BACK: no"))


@dataclass(frozen=True, slots=True)
class ShowSeating(Screen[B]):
    """Shows how phones connect, and who has taken a seat, while people take their seats on phones
    before a game. The next key leads to the screen that would be shown otherwise."""

    shows_access: ClassVar = True
    basis: ClassVar = Basis.NOTHING

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(None)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the QR code at the left, with the digits and the names beside it."""
        phones = view.phones or Phones(open=False)
        left = _draw_code(canvas, phones.code)
        room = WIDTH - left
        canvas.text(left, 0, phrase("Sit down!"), room=room)
        canvas.text(left, 8, phones.digits, "big")
        for row, name in enumerate((phones.sitting or ())[-MAX_NAMES:]):
            canvas.text(left, 8 * (SEATED_ROW + row), name, room=room)


def _draw_code(canvas: Canvas, code: tuple[str, ...]) -> int:
    """Draws the QR code in a light square as high as the display; returns the x at which the words
    beside it begin. A code that is too large is left out, because the address and digits
    suffice."""
    side = MODULE * len(code)
    if not code or side > HEIGHT - 2 * MODULE:
        return 0
    canvas.fill(0, 0, HEIGHT, HEIGHT)
    edge = (HEIGHT - side) // 2
    for row, modules in enumerate(code):
        for column, module in enumerate(modules):
            if module == "#":
                x, y = edge + MODULE * column, edge + MODULE * row
                canvas.fill(x, y, MODULE, MODULE, on=False)
    return LEFT


def _address_lines(address: str, room: int) -> tuple[str, ...]:
    """Returns the address to type, without “http://”, which every browser adds. If it is too long
    for `room` columns, it is broken into lines, after dots and colons if possible."""
    rest, lines = address.removeprefix("http://"), list[str]()
    while text_width(rest) > room:
        at = max((at for at in range(1, len(rest)) if text_width(rest[:at]) <= room), default=1)
        dots = [place + 1 for place in range(at) if rest[place] in ".:"]
        cut = dots[-1] if dots else at
        lines.append(rest[:cut])
        rest = rest[cut:]
    return (*lines, rest)
