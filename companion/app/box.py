"""The box as the table's outputs: display, buzzer, the page beside it, and the seats' keypads."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from companion.app.hardware import Hardware
from companion.console.aloud import Heard
from companion.console.fault import mending
from companion.console.frame import Show
from companion.console.sounds import Level, Sound
from companion.core.club import ClubRequest
from companion.core.keys import PressId, is_pad
from companion.core.phones import PageRequest
from companion.devices.display.oled import Oled
from companion.devices.display.screen_saver import Look, goodbye
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.pads.number_pads import NumberPads
from companion.presentation.language import ENGLISH, Language
from companion.table.loop import Table
from companion.table.outputs import Outputs
from companion.table.snapshot import Snapshot

if TYPE_CHECKING:
    from companion.devices.gpio.buzzer import BoxBuzzer


class WholeBox:
    """Keys, display and buzzer. `find` opens them when they are first needed, which a damaged
    record makes earlier than usual; `stack` closes everything again. `language` is for texts before
    the record is read."""

    def __init__(
        self,
        find: Callable[[], Hardware],
        tell: Callable[[str], None],
        stack: ExitStack,
        language: Language = ENGLISH,
    ) -> None:
        self._find, self._tell, self._stack = find, tell, stack
        self._language = language
        self._started = False
        self._table: Table | None = None
        self._seat_keypads: SeatKeypads | None = None
        self._pads: NumberPads | None = None
        self.ask_club: Callable[[ClubRequest], None] = lambda _: None
        """Takes requests for the club, once something can carry them out."""
        self.check: Callable[[], None] = lambda: None
        """Checks whether the whole box is well."""
        self.renew_keypads: Callable[[], None] = lambda: None
        """Gives the keypads at the seats the firmware that the box has for them."""
        self.listeners: Callable[[Snapshot], None] = lambda _: None
        """Takes the state of the table for the programs that listen."""
        self.voice: Callable[[Snapshot], None] = lambda _: None
        """Takes the state of the table to say it aloud."""
        self.ears: Callable[[Heard], None] = lambda _: None
        """Takes what the display shows to say it aloud."""

    @cached_property
    def hardware(self) -> Hardware:
        return self._find()

    @cached_property
    def _oled(self) -> Oled:
        return Oled(self.hardware.panel, self._tell)

    def start(self) -> None:
        """Starts to draw on the display, until the end."""
        if not self._started:
            self._started = True
            self._oled.start()
            self._stack.callback(lambda: self._oled.stop(goodbye(self._spoken)))

    @property
    def _spoken(self) -> Language:
        return self._table.box.language if self._table else self._language

    @contextmanager
    def mending(self) -> Iterator[None]:
        """A context that shows a first picture while a record is salvaged, which may take long."""
        self.start()
        self._oled.show(mending(self._language))
        yield

    # ------------------------------------------------------------ what the loop tells it

    @property
    def outputs(self) -> Outputs:
        """The outputs by which the loop tells the box what is new."""
        page = self.hardware.page
        return Outputs(
            self._show,
            self._look,
            self._play,
            self._settle,
            self._tell_readers,
            self._ask_page,
            self._ask_club,
            page.tell_club if page else lambda _: None,
            self._hear,
        )

    def _hear(self, heard: Heard) -> None:
        self.ears(heard)

    def _tell_readers(self, snapshot: Snapshot) -> None:
        self.hardware.tell(snapshot)
        self.listeners(snapshot)
        self.voice(snapshot)

    def _ask_page(self, request: PageRequest) -> None:
        if request is PageRequest.CHECK_BOX:
            self.check()
        elif request is PageRequest.RENEW_KEYPADS:
            self.renew_keypads()
        elif self.hardware.page:
            self.hardware.page.ask(request)

    def _ask_club(self, request: ClubRequest) -> None:
        self.ask_club(request)

    def bring(self, table: Table, seat_keypads: SeatKeypads, pads: NumberPads) -> None:
        """Starts the seats' keypads and the number pads, which show where the table stands from now
        on, and the buzzer."""
        self._table, self._seat_keypads, self._pads = table, seat_keypads, pads
        self.start()
        if self._buzzer:
            self._stack.callback(self._buzzer.close)
            self._buzzer.start()
        seat_keypads.start()
        pads.start()

    def _show(self, show: Show) -> None:
        self._oled.show(show.frame)
        if self._table and self._seat_keypads and self._pads:
            self._seat_keypads.show(show, self._table.box.keypads, self._table.box.sound_level)
            self._pads.show(show, self._table.box.keypads)
        self.hardware.show(show.frame)

    def _look(self, wanted: Look) -> None:
        self._oled.look(wanted)
        if self._seat_keypads:
            self._seat_keypads.sleep(wanted.contrast == 0)
        self.hardware.sleep(wanted.contrast == 0)

    def _settle(self, source: PressId, refused: bool) -> None:
        if self._seat_keypads and not is_pad(source.keypad):
            self._seat_keypads.settle(source, refused)

    @cached_property
    def _buzzer(self) -> "BoxBuzzer | None":
        """The buzzer that plays the sounds; None: the board has none."""
        if self.hardware.buzzer is None:
            return None
        from companion.devices.gpio.buzzer import BoxBuzzer

        return BoxBuzzer(self.hardware.buzzer, self.hardware.factory, self._tell)

    def _play(self, sound: Sound, level: Level) -> None:
        if self._buzzer:
            self._buzzer.play(sound, level)
