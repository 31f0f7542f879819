"""The keypad's side of the link: its states, as in the table in PROTOCOL.md.

`hear` takes received bytes and `step` the time; bytes to be sent are in `writer`. The link accesses
no clock, port or keys.
"""

from micropython import const

from seat_keypad import messages
from seat_keypad.buzzer import Buzzer
from seat_keypad.frames import Reader, Writer
from seat_keypad.light import Light
from seat_keypad.messages import Identity
from seat_keypad.presses import Presses
from seat_keypad.ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHUT = const(0)
GREETED = const(1)
OPEN = const(2)
REFUSED_HOST = const(3)
"""A state: the host speaks another major version."""

_RESEND_MS = const(250)
_HELLO_MS = const(500)
_SILENCE_MS = const(10000)
_LONGEST_AGE_MS = const(65535)


class Link:
    """The keypad's link with a host. `free` returns the number of free bytes of the heap."""

    def __init__(
        self,
        who: Identity,
        presses: Presses,
        light: Light,
        buzzer: Buzzer,
        free: "Callable[[], int]",
        now: int,
    ) -> None:
        self.state = SHUT
        self.reader, self.writer = Reader(), Writer()
        self._who, self._presses = who, presses
        self._light, self._buzzer, self._free = light, buzzer, free
        self._session = bytearray(4)
        self._has_session = False
        """Whether a host of this version has said hello since the start."""
        self._dropped = self._resent = self._seat = 0
        self._sent = 0
        """How many presses of the queue, from the oldest on, were sent and are not acknowledged
        yet."""
        self._sent_at = self._heard_at = self._greeted_at = now
        self._send_hello(now)

    # ------------------------------------------------------------ received bytes

    def hear(self, byte: int, now: int) -> None:
        """Takes a byte received from the host."""
        reader = self.reader
        if not reader.feed(byte):
            return
        if not messages.is_known(reader.content):
            return
        if not messages.is_readable(reader.content, reader.length):
            reader.count_bad()
            return
        kind = reader.content[0]
        if kind == messages.HELLO or self.state != REFUSED_HOST:
            self._heard_at = now
        if kind == messages.HELLO:
            self._handle_hello(now)
        elif self.state == REFUSED_HOST:
            if kind == messages.PING:
                self._send_extra_hello(now)
        elif kind == messages.ACK:
            self._handle_ack(now)
        elif kind != messages.PING:
            self._apply_message(kind, now)
        elif self.state == OPEN:
            self._send_pong()
        elif self.state == SHUT:
            self._send_extra_hello(now)
        else:
            self._send_hello(now)

    def _handle_hello(self, now: int) -> None:
        """Handles the host's hello, and answers it."""
        content = self.reader.content
        if content[1] != messages.PROTOCOL_MAJOR:
            self._enter_state(REFUSED_HOST)
            self._light.show = messages.MISMATCH
        else:
            self._has_session = True
            if content[3:7] != self._session:
                self._session[:] = content[3:7]
                self._dropped = self._presses.drop()
                if self._dropped:
                    self._light.show_dropped(now)
            self._enter_state(GREETED)
        self._send_hello(now)

    def _handle_ack(self, now: int) -> None:
        """Handles an ack: the host's link is open, so this one opens too."""
        content = self.reader.content
        other = content[1] != self._who.tag[0] or content[2] != self._who.tag[1]
        if other or not self._has_session:
            if self.state == SHUT:
                self._send_extra_hello(now)
            return
        number = messages.number(content, 3, 4)
        presses = self._presses
        freed = presses.take(number)
        if self.state != OPEN:
            if not freed and number >= presses.first:
                presses.renumber_after(number)
            self._enter_state(OPEN)
        elif freed:
            self._sent, self._sent_at = max(self._sent - freed, 0), now

    def _apply_message(self, kind: int, now: int) -> None:
        """Applies a message from the host that sets the seat or the light, or plays a sound."""
        content = self.reader.content
        if kind == messages.SEAT:
            self._seat = content[1]
            self._light.set_seat_colour(content[2], content[3], content[4])
        elif kind == messages.BEEP:
            self._buzzer.sound(content[1], now)
        elif content[1] == messages.REFUSED:
            self._light.show_refused(now)
        else:
            self._light.show = content[1]

    # ------------------------------------------------------------ timed actions

    def step(self, now: int) -> None:
        """Sends what is due by now."""
        if self.state != SHUT and elapsed(now, self._heard_at) >= _SILENCE_MS:
            self._enter_state(SHUT)
        if self.state == GREETED and elapsed(now, self._greeted_at) >= _HELLO_MS:
            self._send_hello(now)
        if self.state == OPEN:
            if self._sent and elapsed(now, self._sent_at) >= _RESEND_MS:
                self._resent = (self._resent + self._sent) & 0xFFFF
                self._sent = 0
            self._send_presses(now)

    def pressed(self, now: int) -> None:
        """Notes a press for the light, which shows whether a host will receive it."""
        self._light.note_press(self.state in (SHUT, REFUSED_HOST), now)

    def _enter_state(self, state: int) -> None:
        """Enters a state. Messages that were sent but not acknowledged will be sent again."""
        self.state, self._sent = state, 0
        self._light.alone = state == SHUT
        self._presses.closed = state == REFUSED_HOST

    # ------------------------------------------------------------ sending

    def _send_extra_hello(self, now: int) -> None:
        """Sends hello to a host that regards the link as open, but not more often than other hellos
        are sent."""
        if elapsed(now, self._greeted_at) >= _HELLO_MS:
            self._send_hello(now)

    def _send_hello(self, now: int) -> None:
        self._greeted_at = now
        presses, content = self._presses, self.writer.content
        self._send(
            messages.write_hello(
                content, self._session, self._who, presses.first, presses.count, self._dropped
            )
        )

    def _send_presses(self, now: int) -> None:
        """Sends the presses that have not been sent yet; sends an overflow only if it is the
        oldest."""
        presses, content, tag = self._presses, self.writer.content, self._who.tag
        while self._sent < presses.count and self.writer.has_room(messages.PRESS_BYTES):
            index = self._sent
            seq = presses.first + index
            letter = presses.letter(index)
            if letter:
                age = elapsed(now, presses.at(index))
                age = age if 0 <= age < _LONGEST_AGE_MS else _LONGEST_AGE_MS
                held = presses.held(index)
                length = messages.write_press(content, tag, seq, letter, held, age)
            elif index:
                return
            else:
                presses.fix_number(index)
                length = messages.write_overflow(content, tag, seq, presses.lost(index))
            if not index:
                self._sent_at = now
            self.writer.send(length)
            self._sent += 1

    def _send_pong(self) -> None:
        content, reader = self.writer.content, self.reader
        token = messages.number(reader.content, 1, 2)
        at = messages.write_pong(
            content, token, self._who.tag, self._presses.count, self._seat, self._light.show
        )
        free = self._free()
        self._send(messages.write_figures(content, at, reader.bad, self._resent, free))

    def _send(self, length: int) -> None:
        """Sends the message if there is room; otherwise drops it, and the host requests it
        again."""
        if self.writer.has_room(length):
            self.writer.send(length)
