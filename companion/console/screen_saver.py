"""Protects the display from burn-in; pure, with the time as an argument.

An OLED's pixels fade where they are lit. So the display is never brighter than its setting, the
picture moves by a pixel every minute, it is dimmed when nobody has pressed a key for a while, and
dark after ten minutes. The press that wakes a dark display does nothing else; on a dimmed one every
press counts. The display never goes dark while digits wait for their OK, because the next digit
would only wake it."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from companion.console.frame import PAGES, WIDTH, Canvas, Frame
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.house_rules import Value
from companion.presentation.language import ENGLISH, Language

CONTRAST = 30
"""The default brightness, 1 to 255: low enough to spare the display, bright enough for a room."""
DIMMED = 1
PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The places to which the picture moves in turn: columns to the right, rows down."""

_UPSIDE_DOWN = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


@dataclass(frozen=True, slots=True)
class PanelFrame:
    """A frame as a panel has to show it: moved down by `down` rows, with this contrast (0 if the
    panel is off). A new value of `renewal` means that the panel may have lost its settings, and has
    to be initialised again."""

    frame: Frame
    down: int = 0
    contrast: int = CONTRAST
    renewal: int = 0


class DisplayLook(NamedTuple):
    """How frames are shown now: their position, direction and brightness."""

    contrast: int = CONTRAST
    flip: bool = False
    place: tuple[int, int] = PLACES[0]
    renewal: int = 0

    def of(self, frame: Frame) -> PanelFrame:
        """Returns the frame as the panel has to show it with this look."""
        across, down = self.place
        shown = moved(turned(frame) if self.flip else frame, across)
        return PanelFrame(shown, down, self.contrast, self.renewal)


def turned(frame: Frame) -> Frame:
    """Returns the frame upside down."""
    return Frame(frame.pixels[::-1].translate(_UPSIDE_DOWN))


def moved(frame: Frame, across: int) -> Frame:
    """Returns the frame moved to the right by `across` columns, which wrap to the left, so that no
    column is ever lost."""
    if not across:
        return frame
    rows = (frame.pixels[page * WIDTH : (page + 1) * WIDTH] for page in range(PAGES))
    return Frame(b"".join(row[-across:] + row[:-across] for row in rows))


@dataclass(frozen=True, slots=True)
class RestTimes:
    """The times of the screen saver, in seconds. Without a press the display is dimmed after
    `dim_s` and goes dark after `sleep_s`. The picture moves every `move_s`, but only if no key was
    pressed for `calm_s`."""

    dim_s: float = 120.0
    sleep_s: float = 600.0
    move_s: float = 60.0
    calm_s: float = 5.0


NEVER = RestTimes(math.inf, math.inf, math.inf, math.inf)
"""For displays that don't burn in: never dimmed, dark or moved."""


class ScreenSaver:
    """Decides how the display looks. `upside_down`: whether it is mounted upside down. `contrast`:
    its brightness if the settings don't set one."""

    def __init__(
        self,
        now: float,
        rest: RestTimes = NEVER,
        upside_down: bool = False,
        contrast: int = CONTRAST,
    ) -> None:
        self._rest, self._upside_down, self._contrast = rest, upside_down, contrast
        self._touched_at = now
        self._move_at = now + rest.move_s
        self._renew_at = math.inf
        self._place = self._renewal = 0
        self._dimmed = self._asleep = False
        self._woken_by: tuple[Key, Seat | None] | None = None
        self.wake_at: float | None = None
        """When to call `advance` next; None if not before a press."""

    def swallows(self, press: Press, now: float) -> bool:
        """Takes a press; returns whether it only wakes the display. Such a key does nothing else as
        long as it is held."""
        whose, asleep = (press.key, press.seat), self._asleep
        self._touched_at, self._dimmed, self._asleep = now, False, False
        self._renew_at = now + self._rest.calm_s
        if asleep:
            self._woken_by = whose
            self._renewal += 1
        still_down = press.held or press.repeated
        if whose == self._woken_by and not (asleep or still_down):
            self._woken_by = None
        return asleep or (still_down and whose == self._woken_by)

    def advance(self, now: float, pending: bool, settings: Mapping[str, Value]) -> DisplayLook:
        """Returns how the display looks now, according to the box's settings. `pending`: whether
        keys were pressed that need an OK."""
        self._dimmed = now >= self._touched_at + self._rest.dim_s
        if now >= self._touched_at + self._rest.sleep_s and not pending:
            self._asleep = True
        if not self._asleep:
            self._move_if_due(now)
        self.wake_at = self._next_change_at(pending)
        bright = settings.get("contrast")
        contrast = bright if isinstance(bright, int) and 0 < bright < 256 else self._contrast
        if self._asleep or self._dimmed:
            contrast = 0 if self._asleep else min(contrast, DIMMED)
        flip = (settings.get("flip") == "on") != self._upside_down
        return DisplayLook(contrast, flip, PLACES[self._place], self._renewal)

    def _move_if_due(self, now: float) -> None:
        """Moves the picture, and has the panel initialised again, if it is time to."""
        if now >= self._renew_at:
            # A panel that was unplugged for a moment has lost its settings without any error.
            self._renew_at = math.inf
            self._renewal += 1
        if now >= self._next_move_at:
            self._move_at = now + self._rest.move_s
            self._place = (self._place + 1) % len(PLACES)
            self._renewal += 1

    @property
    def _next_move_at(self) -> float:
        return max(self._move_at, self._touched_at + self._rest.calm_s)

    def _next_change_at(self, pending: bool) -> float | None:
        """Returns when the look changes next if no key is pressed before; None if it won't
        change."""
        if self._asleep:
            return None
        dues = [self._renew_at, self._next_move_at]
        if not self._dimmed:
            dues.append(self._touched_at + self._rest.dim_s)
        if not pending:
            dues.append(self._touched_at + self._rest.sleep_s)
        return None if min(dues) == math.inf else min(dues)


def goodbye(language: Language = ENGLISH) -> Frame:
    """Returns the frame that stays on the display when the program ends, because a board that is
    shut down still powers the display."""
    canvas = Canvas(language=language)
    canvas.centred(64, 16, phrase("Safe to unplug"), "caps")
    canvas.centred(64, 40, phrase("Everything is kept."))
    return canvas.frame()
