"""Settings of the box itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.console.frame import WIDTH, text_width
from companion.console.lists import Choices
from companion.console.screen import Choose, Items, Outcome, Screen, View
from companion.console.screens.note import Note
from companion.console.sounds import SETTING as SOUND_SETTING
from companion.core.languages import LANGUAGE, OWN_NAMES
from companion.core.words import phrase
from companion.games.game import B
from companion.games.options import Value
from companion.record.rows import Setting
from companion.record.settings import VOICE


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
    BoxSetting("holding", phrase("Holdings keyed as"), (
        ("tiles", phrase("Tiles")), ("pips", phrase("Pips")),
    )),
    BoxSetting("tell-bogus", phrase("Bogus play proven"), (
        ("off", phrase("Say nothing")), ("mark", phrase("Say so, not who")),
        ("aloud", phrase("Say who, once")),
    )),
    BoxSetting("keypads", phrase("Seat keypads"), (
        ("turn", phrase("Only on your turn")), ("anyone", phrase("Anybody may key")),
    )),
    BoxSetting("contrast", phrase("Brightness"), (
        (30, phrase("Low, spares the display")), (90, phrase("Middle")), (200, phrase("High")),
    )),
    BoxSetting("flip", phrase("Picture"), (
        ("off", phrase("This way up")), ("on", phrase("Upside down")),
    )),
)  # fmt: skip


SOUND = BoxSetting(SOUND_SETTING, phrase("Sound"), (
    ("quiet", phrase("Quiet")), ("on", phrase("On")), ("off", phrase("Off")),
))  # fmt: skip
"""Came later than the settings in BOX: its digit comes after all digits that were taken then."""

VOICE_OF_BOX = BoxSetting(VOICE, phrase("Voice"), (
    ("off", phrase("No voice")), ("counts", phrase("Voice: counts")),
    ("everything", phrase("Voice: everything")),
))  # fmt: skip
"""Its values stand in the list of the sound, since the box's list has no digit left."""

SPOKEN = BoxSetting(LANGUAGE, phrase("Language"), tuple(OWN_NAMES.items()))
"""Has the digit 0 in the box's list, as in the set-up. Each language is called by its own name."""


NO_NOTES: Final[Mapping[Value, str]] = {}


def change_setting(
    setting: BoxSetting, *below: BoxSetting, notes: Mapping[Value, str] = NO_NOTES
) -> Choose[B]:
    """The action of an item that opens the list of a setting's values, the bar on the present one,
    with the values of other settings `below`. `notes`: for some values, a text to read once that
    value is chosen."""

    def opened(view: View[B], parent: Screen[B]) -> Outcome[B]:
        values = [value for value, _ in setting.choices]
        now = view.settings.get(setting.name, view.language.name)
        lines: Items[B] = tuple(
            (words, _put(one.name, value, notes.get(value)))
            for one in (setting, *below)
            for value, words in one.choices
        )
        at = values.index(now) if now in values else 0
        return Outcome(Choices(at=at, heading=setting.label, choices=lines, parent=parent))

    return opened


def _put(name: str, value: Value, note: str | None) -> Choose[B]:
    return lambda _view, _list: Outcome(Note(note) if note else None, Setting(name, value))


def choose_language(view: View[B], parent: Screen[B]) -> Outcome[B]:
    """Opens the list of languages; once one is chosen, `parent` is shown again in that language."""

    def put(name: str) -> Choose[B]:
        return lambda _view, _list: Outcome(parent, Setting(LANGUAGE, name))

    lines: Items[B] = tuple((own, put(name)) for name, own in OWN_NAMES.items())
    at = list(OWN_NAMES).index(view.language.name) if view.language.name in OWN_NAMES else 0
    return Outcome(Choices(at=at, heading=SPOKEN.label, choices=lines, parent=parent))


def other_languages(view: View[B]) -> str:
    """The own names of all languages except the display's, as many as fit on a line behind a digit:
    there, people who can't read the display find theirs."""
    names = [own for name, own in OWN_NAMES.items() if name != view.language.name]
    found = ", ".join(names)
    while text_width(found) > WIDTH - 14:
        names.pop()
        found = ", ".join(names) + "…"
    return found
