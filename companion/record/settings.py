"""The settings that the table may change, and the values that each may have."""

from collections.abc import Mapping
from typing import Final

from companion.core.errors import EntryError
from companion.games.game import AnyGame
from companion.games.options import Value
from companion.record.rows import Setting

VALUES: Final[Mapping[str, tuple[Value, ...]]] = {
    "holding": ("tiles", "pips"),
    "tell-bogus": ("off", "mark", "aloud"),
    "keypads": ("turn", "anyone"),
    "contrast": (30, 90, 200),
    "flip": ("off", "on"),
    "sound": ("quiet", "on", "off"),
}
"""By the setting's name; the first value stands where nothing was set."""

ON_TABLE: Final = "table"
"""The setting that says which game is on the table; it holds until another game is opened."""
LONGEST_NAME: Final = 40
"""Characters of a game's name."""
_NAMED: Final = "game-name."


def setting_of(text: str, catalog: Mapping[str, AnyGame]) -> Setting:
    """`tell-bogus mark`: a setting of the box or of one of these games, and its value; raises
    EntryError."""
    name, _, said = text.strip().partition(" ")
    values = VALUES.get(name) or _asked_values(name, catalog)
    found = next((value for value in values if str(value) == said), None)
    if found is None:
        raise EntryError("there is no setting “{text}”", text=text[:40])
    return Setting(name, found)


def option_setting(game: str, option: str) -> str:
    """The setting that keeps for the next game what the table said of this option (Option.asked)
    before the last."""
    return f"{game}.{option}"


def _asked_values(setting: str, catalog: Mapping[str, AnyGame]) -> tuple[Value, ...]:
    """The values of an option that is asked; none where the setting is no such one."""
    name, _, option = setting.partition(".")
    options = catalog[name].options if name in catalog else ()
    return next((one.choices(0) for one in options if one.asked and one.name == option), ())


def name_of_game(number: int, text: str) -> Setting:
    """The setting by which a game of the record is called `text` from now on; no text: it has no
    name. Raises EntryError."""
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise EntryError("a game's name has {longest} letters at most", longest=LONGEST_NAME)
    return Setting(f"{_NAMED}{number}", name)


def names_a_game(setting: str) -> bool:
    """Whether a setting says how a game is called."""
    return setting.startswith(_NAMED)


def game_that_is_named(setting: str) -> int | None:
    """The number of the game that a setting names; None for other settings."""
    number = setting.removeprefix(_NAMED)
    return int(number) if names_a_game(setting) and number.isdecimal() else None


def names_of_games(settings: Mapping[str, Value]) -> dict[int, str]:
    """The names that were given, by the games' numbers."""
    named = ((name.removeprefix(_NAMED), value) for name, value in settings.items())
    return {int(number): str(value) for number, value in named if number.isdecimal() and value}
