"""What a press sounds like: decided once, and played by every device that has a buzzer."""

from collections.abc import Mapping
from enum import Enum

from companion.console.screen import View
from companion.games.game import B
from companion.games.options import Value

SETTING = "sound"
"""The box's setting: quiet, on or off."""


class Sound(Enum):
    """A moment that has a sound of its own."""

    REFUSED = "refused"
    PAYMENT = "payment"
    BOGUS = "bogus"


class Level(Enum):
    """How loud the box is."""

    QUIET = "quiet"
    ON = "on"
    OFF = "off"


def level_of(settings: Mapping[str, Value]) -> Level:
    """The loudness by the settings of the box; quiet if nobody has chosen."""
    chosen = settings.get(SETTING)
    return next((level for level in Level if level.value == chosen), Level.QUIET)


def sound_of(before: View[B], after: View[B]) -> Sound | None:
    """The sound of an entry that was kept between these two views: that of a bogus play or of a
    payment. None for other entries, and when something is taken back."""
    if before.journal is None or after.journal is None or before.game_number != after.game_number:
        return None
    if after.journal.length <= before.journal.length:
        return None
    calls, state = after.play.calls, after.state
    if calls is not None and calls.was_bogus(state):
        return Sound.BOGUS
    return Sound.PAYMENT if state.effect.payments else None
