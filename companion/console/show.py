"""What is to be seen: the picture, and the lights of the seats' keypads."""

from dataclasses import dataclass
from enum import Enum

from companion.console.frame import Frame
from companion.core.seats import BySeat


class Light(Enum):
    """What the light of a seat's keypad tells."""

    OFF = "off"
    TURN = "turn"
    """The turn is this seat's."""
    PAYS = "pays"
    """This seat pays, just now."""


@dataclass(frozen=True, slots=True)
class Show:
    """The picture and the seats' lights (None: no seats yet). It changes by a key or a row only.
    `colours`: those of the seats' chips; their keypads shine in them. `pending`: something is keyed
    that no OK has closed yet; `claiming`: a keypad without a seat may take one now;
    `inviting`: it is shown how phones come in."""

    frame: Frame
    lights: BySeat[Light] | None = None
    colours: BySeat[str] | None = None
    pending: bool = False
    claiming: bool = False
    inviting: bool = False
