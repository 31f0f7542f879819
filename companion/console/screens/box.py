"""Settings of the box itself."""

from dataclasses import dataclass

from companion.console.lists import Choices
from companion.console.screen import Choose, Items, Outcome, Screen, View
from companion.console.sounds import SETTING as SOUND_SETTING
from companion.games.game import B
from companion.games.options import Value
from companion.record.rows import Setting


@dataclass(frozen=True, slots=True)
class BoxSetting:
    """A setting: its name in the record, what the screen calls it, and (value, words) to choose."""

    name: str
    label: str
    choices: tuple[tuple[Value, str], ...]

    def words(self, value: Value) -> str:
        """What the screen calls a value; the first one for a value that it doesn't know."""
        return dict(self.choices).get(value, self.choices[0][1])


BOX = (
    BoxSetting("holding", "Holdings keyed as", (("tiles", "Tiles"), ("pips", "Pips"))),
    BoxSetting("tell-bogus", "Bogus play proven", (
        ("off", "Not told"), ("mark", "Told, not whose"), ("aloud", "Told whose, once"),
    )),
    BoxSetting("keypads", "Seat keypads", (
        ("turn", "Only in one's turn"), ("anyone", "Anybody may key"),
    )),
    BoxSetting("contrast", "Brightness", (
        (30, "Low, spares the display"), (90, "Middle"), (200, "High"),
    )),
    BoxSetting("flip", "Picture", (("off", "This way up"), ("on", "Upside down"))),
)  # fmt: skip


SOUND = BoxSetting(SOUND_SETTING, "Sound", (
    ("quiet", "Quiet"), ("on", "On"), ("off", "Off"),
))  # fmt: skip
"""Came later than the list above, and has its digit behind all that was there."""


def change_setting(setting: BoxSetting) -> Choose[B]:
    """Opens the list of a setting's values, the bar on the one that stands."""

    def opened(view: View[B], parent: Screen[B]) -> Outcome[B]:
        values = [value for value, _ in setting.choices]
        now = view.settings.get(setting.name)
        lines: Items[B] = tuple(
            (words, _put(setting.name, value)) for value, words in setting.choices
        )
        at = values.index(now) if now in values else 0
        return Outcome(Choices(at=at, heading=setting.label, choices=lines, parent=parent))

    return opened


def _put(name: str, value: Value) -> Choose[B]:
    return lambda _view, _list: Outcome(None, Setting(name, value))
