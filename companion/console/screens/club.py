"""Screens about the box's club: joining one, comparing the six digits, the connection to its hub,
and leaving it."""

from dataclasses import replace
from typing import ClassVar, Final

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen, draw_title
from companion.console.screen import Actions, Basis, Outcome, RefusingScreen, Screen, View
from companion.console.screens.confirm import YesOrNo, draw_confirm
from companion.core.club import Club, ClubRequest, ClubRequestKind, ClubStep
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import counted, phrase
from companion.games.game import B

LOOK_REQUEST: Final = ClubRequest(ClubRequestKind.LOOK)
LEAVE_REQUEST: Final = ClubRequest(ClubRequestKind.LEAVE)
LONGEST: Final = 21
"""The length of the longest address: four numbers, a port, and the separators."""
LEAVES: Final = 0
"""The digit of the item for leaving the club."""


def open_club(view: View[B]) -> Outcome[B]:
    """Opens the screen of the box's club; without one, searches for clubs and lists them."""
    if view.club is None or view.club.step in (ClubStep.NONE, ClubStep.LOOKING):
        return Outcome(ChooseClub(), club_request=LOOK_REQUEST)
    return Outcome(ShowClub())


@dataclass(frozen=True, slots=True)
class ChooseClub(ListScreen[B]):
    """The clubs in the network, and an item to type the address of one."""

    basis: ClassVar = Basis.NOTHING

    def title(self, view: View[B]) -> str:
        if view.club and view.club.why:
            return view.club.why
        found = view.club.found if view.club else ()
        return phrase("Join which club?") if found else phrase("Looking for clubs …")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        found = view.club.found if view.club else ()
        return (phrase("Type an address"), *(club.name for club in found))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        if at == 0 or view.club is None:
            return Outcome(TypeAddress())
        return _ask_to_join(view.club.found[at - 1].address)


def _ask_to_join(address: str) -> Outcome[B]:
    return Outcome(ShowClub(), club_request=ClubRequest(ClubRequestKind.JOIN, address))


@dataclass(frozen=True, slots=True)
class TypeAddress(RefusingScreen[B]):
    """The address of a hub, typed with digits; DRAW is the dot, PASS the colon before a port."""

    typed_so_far: str = ""

    digits: ClassVar = range(10)
    basis: ClassVar = Basis.NOTHING

    @property
    def pending(self) -> bool:
        return bool(self.typed_so_far)

    def digit(self, _view: View[B], digit: int) -> Outcome[B]:
        return self._type_sign(str(digit))

    def _type_sign(self, sign: str) -> Outcome[B]:
        typed = (self.typed_so_far + sign)[:LONGEST]
        return Outcome(replace(self, typed_so_far=typed, why_not=None))

    def dot(self, _view: View[B]) -> Outcome[B]:
        return self._type_sign(".")

    def colon(self, _view: View[B]) -> Outcome[B]:
        return self._type_sign(":")

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        """OK asks the hub at the typed address to let the box join; refuses an invalid address."""
        host, colon, port = self.typed_so_far.partition(":")
        numbers = host.split(".")
        well = len(numbers) == 4 and all(one.isdecimal() and int(one) < 256 for one in numbers)
        if not well or (colon and not (port.isdecimal() and 0 < int(port) < 65536)):
            return self.refuse(phrase("Type it as 192.168.1.20 or 192.168.1.20:8070."))
        return _ask_to_join(self.typed_so_far)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK deletes the last character; without one, returns to the list of clubs."""
        if not self.typed_so_far:
            return Outcome(ChooseClub())
        return Outcome(replace(self, typed_so_far=self.typed_so_far[:-1], why_not=None))

    def key_bindings(self) -> Actions[B]:
        own = {Key.DRAW: self.dot, Key.PASS: self.colon}
        return {**Screen.key_bindings(self), **own}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the address as typed so far."""
        draw_title(canvas, phrase("Address of the hub"))
        canvas.text(2, 20, f"{self.typed_so_far}_")
        canvas.text(2, 40, phrase("DRAW: .    PASS: :"))
        canvas.text(2, 56, phrase("OK: ask to join   BACK"))
        self.draw_why_not(canvas)


@dataclass(frozen=True, slots=True)
class ShowClub(Screen[B]):
    """The box's club and whether its hub can be reached; while the box joins, the digits to
    compare."""

    digits: ClassVar = range(LEAVES, LEAVES + 1)
    basis: ClassVar = Basis.NOTHING

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK returns to the table. If there is no club, or the club no longer accepts anything from
        this box, OK searches for clubs."""
        step = _club_or_none(view).step
        if step in (ClubStep.NONE, ClubStep.ENDED):
            return Outcome(ChooseClub(), club_request=LOOK_REQUEST)
        return Outcome(None)

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK returns to the table. While the hub is being asked or the digits compared, it
        cancels joining."""
        step = _club_or_none(view).step
        if step in (ClubStep.ASKING, ClubStep.COMPARING):
            return Outcome(ChooseClub(), club_request=LEAVE_REQUEST)
        return Outcome(None)

    def digit(self, view: View[B], _digit: int) -> Outcome[B]:
        leaves = _club_or_none(view).step in (ClubStep.JOINED, ClubStep.ENDED)
        return Outcome(LeaveClub() if leaves else self)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the digits to compare, in large type, while the box joins; otherwise the club,
        whether its hub can be reached, and what is waiting to be sent."""
        club = _club_or_none(view)
        if club.step is ClubStep.COMPARING:
            draw_title(canvas, club.name)
            canvas.text(2, 10, club.digits, "big")
            words = phrase("Same digits at the hub? Then the organiser accepts you.")
            for row, line in enumerate(canvas.wrapped(words, WIDTH)[:2]):
                canvas.text(0, 36 + 8 * row, line)
        else:
            draw_title(canvas, club.name or phrase("Club"))
            lines = canvas.wrapped(_explanation(club), WIDTH)
            if club.step is ClubStep.JOINED and club.called is not None:
                lines = (*canvas.wrapped(club.called.sentence, WIDTH)[:2], *lines)
            for row, line in enumerate(lines[:5]):
                canvas.text(0, 12 + 8 * row, line)
        canvas.text(2, 56, _answers_line(club), room=WIDTH - 4)
        canvas.invert(0, 7, WIDTH)


@dataclass(frozen=True, slots=True)
class LeaveClub(YesOrNo[B]):
    """Asks before the box leaves its club."""

    basis: ClassVar = Basis.NOTHING

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(ShowClub(), club_request=LEAVE_REQUEST)

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(ShowClub())

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the question, and what leaving means."""
        text = phrase("New games stay on this box. The club keeps what it has.")
        title = phrase("Leave {club}?", club=_club_or_none(view).name)
        draw_confirm(canvas, title, text, phrase("OK: leave   BACK: no"))


def _club_or_none(view: View[B]) -> Club:
    return view.club or Club()


def _explanation(club: Club) -> str:
    """Returns sentences about the progress of joining, and whether the hub can be reached."""
    match club.step:
        case ClubStep.ASKING:
            return phrase("One moment …")
        case ClubStep.ENDED:
            return club.why
        case ClubStep.NONE | ClubStep.LOOKING:
            return club.why or phrase("This box isn't in a club.")
    if club.reached:
        return phrase("Connected to the hub; everything is there.")
    heard = phrase("Not connected to the hub yet.")
    if club.minutes is not None:
        heard = counted(
            "Last contact with the hub {number} minute ago.",
            "Last contact with the hub {number} minutes ago.",
            club.minutes,
        )
    if not club.waiting:
        return heard
    rows = counted("{number} entry waits.", "{number} entries wait.", club.waiting)
    return phrase("{heard} {rows}", heard=heard, rows=rows)


def _answers_line(club: Club) -> str:
    match club.step:
        case ClubStep.ASKING:
            return phrase("BACK: give up")
        case ClubStep.COMPARING:
            return phrase("OK: the same   BACK: others")
        case ClubStep.ENDED:
            return phrase("OK: look for clubs  0: leave")
        case ClubStep.NONE | ClubStep.LOOKING:
            return phrase("OK: look for clubs  BACK")
    return phrase("OK: play on   0: leave")
