"""Sticks with games of an older card, and the question about them on a box without games."""

from pathlib import Path

from companion.console.screens.confirm import TakeGames
from companion.record.copies.copier import Copy
from companion.record.copies.restore import Offer, make_offer
from tests.catalog import GAMES
from tests.rig import Rig

START = "1 2 1 OK OK 1 "
"""Begins High Five for two by their colours; Red leads the double six."""
OLD = "6 3 OK"
"""Blue plays 6-3, the last entry of the old card's game."""


def old_card(path: Path) -> Path:
    """A record with one unfinished game."""
    with Rig(path) as rig:
        rig.press(START + OLD)
    return path


def stick(folder: Path, record: Path) -> Path:
    """A stick with the record's present copies."""
    Copy(record, GAMES, folder).catch_up()
    return folder


def offered(rig: Rig, place: Path) -> Offer:
    """Makes the box offer the games of a stick."""
    offer = make_offer(rig.path, place)
    assert offer is not None
    tell(rig, offer)
    return offer


def tell(rig: Rig, offer: Offer) -> None:
    rig.table.events.put(offer)
    rig.wait(0.1)


def asked(rig: Rig) -> Offer | None:
    screen = rig.table.box.console.screen
    return screen.offer if isinstance(screen, TakeGames) else None


def files(rig: Rig) -> list[str]:
    return [path.name for path in rig.path.parent.glob("*.offered-*")]
