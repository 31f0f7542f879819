"""Two seat keypads on the table of a console in memory."""

from dataclasses import replace

from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.record.settings import seat_setting
from tests.console.rig import Rig

RED, BLUE, GREEN = Seat("Red"), Seat("Blue"), Seat("Green")
ONE, TWO = "e661", "e662"


class Keypads:
    """Two keypads on the table, and a console. It does the loop's part: it gives each press the
    seat that the settings name for its keypad."""

    def __init__(self, rig: Rig, *here: str) -> None:
        self.rig = rig
        self.number = 0
        rig.view = replace(rig.view, keypads=dict.fromkeys(here or (ONE, TWO)))

    def press(self, keypad: str, keys: str) -> "Keypads":
        for word in keys.split():
            self.number += 1
            settings = self.rig.view.settings
            owners = {one: settings.get(seat_setting(one)) for one in self.rig.view.keypads}
            known = {one: Seat(str(seat)) if seat else None for one, seat in owners.items()}
            self.rig.view = replace(self.rig.view, keypads=known)
            source = PressId(keypad, 1, self.number)
            self.rig.send(Press(Key(word), known.get(keypad), source))
        return self

    def owned(self) -> dict[str, str]:
        found = self.rig.view.settings.items()
        return {name: str(seat) for name, seat in found if name.startswith("keypad.")}


def at_set_up(*here: str) -> Keypads:
    return Keypads(Rig(), *here)
