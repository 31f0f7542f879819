"""The settings that the table may change, and the values that each may have. The names of games,
and the stars on entries, are settings too."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from companion.core.errors import EntryError
from companion.core.languages import LANGUAGE, OWN_NAMES
from companion.core.values import dataclass
from companion.core.words import composed, is_visible_text
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.house_rules import Value
from companion.record.rows import Setting

ENTRY_WAY: Final = "entry"
"""The setting for how plays are entered at the box, or for entering only scores (at the box and on
pages)."""
ENTRY_SCORES: Final = "scores"
"""The value of ENTRY_WAY for entering only scores, in line games."""
VOICE: Final = "voice"
"""The setting for how much the box reads aloud (presentation/voice.py)."""
VOICE_LEVELS: Final = ("off", "counts", "everything")
"""The values of VOICE."""
VALUES: Final[Mapping[str, tuple[Value, ...]]] = {
    "holding": ("tiles", "pips"),
    "tell-bogus": ("off", "mark", "aloud"),
    "keypads": ("turn", "anyone"),
    "contrast": (30, 90, 200),
    "flip": ("off", "on"),
    "sound": ("quiet", "on", "off"),
    VOICE: VOICE_LEVELS,
    LANGUAGE: tuple(OWN_NAMES),
    ENTRY_WAY: ("tile", "ends", "count", ENTRY_SCORES),
}
"""The values of each setting, by its name; the first one is the default. The language has its
default in the configuration."""

ON_TABLE: Final = "table"
"""The setting for the number of the game on the table, until another game is opened."""
LONGEST_NAME: Final = 40
"""The longest name of a game, in characters."""
_GAME_NAME: Final = "game-name."


def parse_setting(text: str, catalog: Mapping[str, AnyGame]) -> Setting:
    """Reads a setting of the box or of one of these games, with its value, as in `tell-bogus mark`.
    Raises EntryError."""
    name, _, said = text.strip().partition(" ")
    values = VALUES.get(name) or _option_values(name, catalog)
    found = next((value for value in values if str(value) == said), None)
    if found is None:
        raise EntryError("there is no setting “{text}”", text=text[:40])
    return Setting(name, found)


def option_setting(game: str, option: str) -> str:
    """The name of the setting for the table's last choice of an option that has to be chosen before
    each game (Option.chosen_before_game)."""
    return f"{game}.{option}"


def _option_values(setting: str, catalog: Mapping[str, AnyGame]) -> tuple[Value, ...]:
    """The values of the option in the setting `GAME.OPTION`; none unless that option has to be
    chosen before each game."""
    name, _, option = setting.partition(".")
    options = catalog[name].options if name in catalog else ()
    return next(
        (one.choices(0) for one in options if one.chosen_before_game and one.name == option), ()
    )


def game_name_setting(number: int, text: str) -> Setting:
    """The setting that gives a game of the record the name `text`; an empty `text` removes the
    name. Raises EntryError."""
    name = composed(" ".join(text.split()))
    if len(name) > LONGEST_NAME or not is_visible_text(name):
        raise EntryError("a game's name has {longest} letters at most", longest=LONGEST_NAME)
    return Setting(f"{_GAME_NAME}{number}", name)


def is_game_name(setting: str) -> bool:
    return setting.startswith(_GAME_NAME)


def game_named_by(setting: str) -> int | None:
    """The number of the game that a setting names; None for other settings."""
    number = setting.removeprefix(_GAME_NAME)
    return int(number) if is_game_name(setting) and number.isdecimal() else None


def game_names(settings: Mapping[str, Value]) -> dict[int, str]:
    """The names given to games, by game number."""
    named = ((name.removeprefix(_GAME_NAME), value) for name, value in settings.items())
    return {int(number): str(value) for number, value in named if number.isdecimal() and value}


# ---------------------------------------------------------------- stars

# A star marks an entry that somebody at the table wants to remember. It is a setting, so it changes
# no game and makes no proposal stale. It names its entry by properties that stay when earlier
# entries are changed: the game, the hand, the entry's text, and its number among the entries of
# that hand with the same text.

ON, OFF = "on", "off"
LONGEST_STAR: Final = 200
"""The longest text of a star, in characters."""
_STAR_PREFIX: Final = "star."
_STAR_NAME: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\S.*)")


@dataclass(frozen=True, slots=True)
class Star:
    """A star, which marks an entry to be remembered. `hand`: the number of the entry's hand, 0
    before the first; `which`: the entry's number, from 1, among the entries of that hand with the
    same text."""

    game: int
    hand: int
    which: int
    entry: str

    def __str__(self) -> str:
        return f"{self.game}.{self.hand}.{self.which}.{self.entry}"


def parse_star(text: str) -> Setting:
    """Reads a request to add a star, such as `on 4.2.1.Red 6-3`, or to remove it, such as `off
    4.2.1.Red 6-3`; returns the setting that does so. Raises EntryError."""
    value, _, name = text.strip().partition(" ")
    if value not in (ON, OFF) or _parse_star_name(name) is None or len(name) > LONGEST_STAR:
        raise EntryError("“{text}” is not an entry that can be remembered", text=text[:40])
    return Setting(_STAR_PREFIX + name, value)


def stars_of(settings: Mapping[str, Value]) -> Iterator[Star]:
    """The stars in the settings, in the order in which they were first added."""
    for name, value in settings.items():
        if (
            name.startswith(_STAR_PREFIX)
            and value == ON
            and (star := _parse_star_name(name.removeprefix(_STAR_PREFIX)))
        ):
            yield star


def star_of(setting: str) -> Star | None:
    """The star that a setting is about; None for other settings."""
    return (
        _parse_star_name(setting.removeprefix(_STAR_PREFIX))
        if setting.startswith(_STAR_PREFIX)
        else None
    )


def _parse_star_name(name: str) -> Star | None:
    found = _STAR_NAME.fullmatch(name)
    if found is None or not is_visible_text(name):
        return None
    game, hand, which, entry = found.groups()
    return Star(int(game), int(hand), int(which), entry)


def possible_stars(
    game: int, steps: Iterable[tuple[int, Entry, AnyState]]
) -> Iterator[tuple[int, Star]]:
    """Yields the place of each entry, and the star that would mark it. `steps` (place, entry, state
    after it) begin with the first entry of a hand."""
    seen = dict[tuple[int, str], int]()
    for place, entry, state in steps:
        alike = state.effect.hand, str(entry)
        seen[alike] = seen.get(alike, 0) + 1
        yield place, Star(game, alike[0], seen[alike], alike[1])


# ---------------------------------------------------------------- a keypad's seat


_OF_KEYPAD = "keypad."


def seat_setting(keypad: str) -> str:
    """The name of the setting for a keypad's seat, by the keypad's serial number. Its value is the
    seat; empty for none."""
    return _OF_KEYPAD + keypad


def keypad_of(setting: str) -> str | None:
    """The keypad in the name of a `seat_setting`; None for other settings."""
    return setting.removeprefix(_OF_KEYPAD) if setting.startswith(_OF_KEYPAD) else None
