"""What a press sounds like: told once, as a moment, and played by whoever has a buzzer."""

from collections.abc import Mapping
from enum import Enum

from companion.console.view import View
from companion.games.bogus.board import ruling_of
from companion.games.bogus.chip_payments import Penalty
from companion.games.bogus.claim import RulingResult
from companion.games.options import Value

SETTING = "sound"
"""The box's setting: quiet, on or off."""


class Sound(Enum):
    """A moment that one hears."""

    REFUSED = "refused"
    PAYMENT = "payment"
    BOGUS = "bogus"


class Level(Enum):
    """How loud the box is."""

    QUIET = "quiet"
    ON = "on"
    OFF = "off"


def level_of(settings: Mapping[str, Value]) -> Level:
    """By the settings of the box; quiet where nobody has chosen."""
    told = settings.get(SETTING)
    return next((level for level in Level if level.value == told), Level.QUIET)


def sound_of(before: View, after: View) -> Sound | None:
    """What an entry sounds like that was kept between these two: who was bogus, who pays. What is
    taken back is silent."""
    if before.journal is None or after.journal is None or before.game_number != after.game_number:
        return None
    if after.journal.length <= before.journal.length:
        return None
    effect = after.state.effect
    ruling = ruling_of(after.state)
    proven = ruling is not None and ruling.result is RulingResult.BOGUS
    if proven or any(payment.why is Penalty.BOGUS for payment in effect.payments):
        return Sound.BOGUS
    return Sound.PAYMENT if effect.payments else None
