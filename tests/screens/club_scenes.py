"""Scenes of a box and its club, as the club's thread reports them to the loop."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.club import Club, ClubStep, FoundClub, GivenSeats
from tests.console.rig import Rig, started

FOUND = Club(
    ClubStep.LOOKING,
    found=(
        FoundClub("Friday Fives", "192.168.1.20:8070"),
        FoundClub("Ship Inn", "192.168.1.31:8070"),
    ),
)
ASKING = Club(ClubStep.ASKING)
COMPARING = Club(ClubStep.COMPARING, "Friday Fives", digits="071429")
REACHED = Club(ClubStep.JOINED, "Friday Fives", reached=True, minutes=0, waiting=0)
AWAY = Club(ClubStep.JOINED, "Friday Fives", minutes=14, waiting=37)
ENDED = Club(ClubStep.ENDED, "Friday Fives", why="The organiser has sent this box away.")
NONE = Club(why="The club can't be reached at 192.168.1.20.")
MENU = "MENU 8 9"
FOUR = ("Anna", "Ben", "Cleo", "Dan")


def with_club(club: Club, keys: str = "", rig: Rig | None = None) -> Rig:
    """A table that has this news of its club, with these keys pressed then."""
    rig = rig or started().press("OK 1")
    rig.view = replace(rig.view, club=club)
    return rig.press(keys)


def _at(club: Club, keys: str = MENU) -> Callable[[], Rig]:
    return lambda: with_club(club, keys)


def _asked() -> Rig:
    """A box that asked a hub to let it join, when the hub can't be reached."""
    rig = with_club(NONE, "", with_club(FOUND, f"{MENU} 2"))
    rig.frame = rig.console.show(rig.view).frame
    return rig


def _given(*seats: str) -> Callable[[], Rig]:
    """A new box to which the club gives these seats."""

    def scene() -> Rig:
        rig = Rig()
        rig.console = rig.console.asking_about_seats(GivenSeats(4, 3, 7, "high-five", seats), None)
        rig.frame = rig.console.show(rig.view).frame
        return rig

    return scene


def _other_people() -> Rig:
    """A game of a round; the club now says that somebody else sits at one of its seats."""
    rig = Rig()
    rig.console = rig.console.asking_about_seats(GivenSeats(4, 3, 7, "high-five", FOUR), None)
    rig.press("OK OK 1")
    given = GivenSeats(4, 3, 7, "high-five", ("Anna", "Eve", "Cleo", "Dan"))
    rig.console = rig.console.asking_about_seats(given, rig.view.journal)
    rig.frame = rig.console.show(rig.view).frame
    return rig


SCENES: dict[str, Callable[[], Rig]] = {
    "club_looking": _at(Club()),
    "club_found": _at(FOUND),
    "club_address": _at(Club(), f"{MENU} 1 1 9 2 DRAW 1 6 8"),
    "club_address_wrong": _at(Club(), f"{MENU} 1 1 9 OK"),
    "club_asking": _at(ASKING),
    "club_comparing": _at(COMPARING),
    "club_reached": _at(REACHED),
    "club_away": _at(AWAY),
    "club_leave": _at(AWAY, f"{MENU} 0"),
    "club_ended": _at(ENDED),
    "club_not_reached": _asked,
    "club_seats": _given(*FOUR),
    "club_seats_others": _other_people,
    "club_seats_long": _given("Maximiliane_van_den_Oude", "Bartholomew_the_Second", "Cleo"),
    "club_seats_not": _given("Anna", "Anna"),
    "club_sign": _at(REACHED, "6 4"),
    "club_sign_away": _at(AWAY, "6 4"),
    "club_sign_between": _at(AWAY, "6 4 OK"),
}
