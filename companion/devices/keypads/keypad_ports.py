"""The ports of the seat keypads, which pass bytes to the links, and the links' events to the loop.

Loaded only when the first keypad is plugged in, to save a box without keypads the time and
memory."""

import os
import selectors
from collections.abc import Callable, Mapping
from functools import partial

from companion.console.frame import BoxPicture, Light
from companion.console.sounds import Level
from companion.core.clock import Clock
from companion.core.keys import Press, PressId
from companion.core.seats import Seat, chip_colours
from companion.core.values import Json
from companion.devices.keypads.keypad_status import silent_port, status_of
from companion.devices.keypads.usb_ports import PORT_ERRORS, Port, port_problem
from companion.devices.link.events import KeypadArrived, KeyPressed, LinkEvent, News
from companion.devices.link.keypad_registry import LIGHT_OFF, NO_SEAT, KeypadLink, KeypadRegistry
from companion.devices.link.messages import Beep, KeypadSound, LightState, SetLight, SetSeat
from companion.devices.link.session import Link

# ---------------------------------------------------------------- keypad lights
# What each seat's keypad shows: its seat, in the colour of its chips, and what the seat has to do.


RGB = {
    "Red": bytes.fromhex("ff0000"),
    "Blue": bytes.fromhex("0000ff"),
    "Green": bytes.fromhex("00ff00"),
    "Yellow": bytes.fromhex("ff9000"),
}
"""The light's colour for each colour of chips; white for seats without one."""
WHITE = b"\xff\xff\xff"
LIGHT_STATES = {
    Light.OFF: LightState.SEAT,
    Light.TURN: LightState.TURN,
    Light.PAYS: LightState.PAYS,
}

KeypadDisplay = tuple[SetSeat, SetLight]


def displays_by_keypad(shown: BoxPicture, keypads: Mapping[str, Seat]) -> dict[str, KeypadDisplay]:
    """Returns the seat and light that each keypad should show, by serial number; empty if `shown`
    has no lights. `keypads` has the seat of each keypad, by serial number."""
    found: dict[str, KeypadDisplay] = {}
    lights = shown.lights
    if lights is None:
        return found
    colours = shown.colours or chip_colours(lights.seats)
    for keypad, seat in keypads.items():
        if seat in lights.seats:
            number = lights.seats.order.index(seat) + 1
            rgb = RGB.get(colours[seat], WHITE)
            found[keypad] = SetSeat(number, rgb), SetLight(LIGHT_STATES[lights[seat]])
    return found


# ---------------------------------------------------------------- keypad ports


class KeypadPorts:
    """The open ports of keypads; `selector` waits for them. The other arguments are those of
    SeatKeypads, in whose thread all methods are called."""

    def __init__(
        self,
        put: Callable[[Press | News], None],
        last_kept_press: Callable[[str, int], int],
        report: Callable[[str], None],
        selector: selectors.BaseSelector,
        clock: Clock,
    ) -> None:
        self._put, self._report = put, report
        self._selector, self._clock = selector, clock
        self.registry = KeypadRegistry(os.urandom(4), last_kept_press)
        self._ports: dict[str, tuple[Port, Link]] = {}
        self._refused: dict[str, str] = {}
        """Why ports can't be opened, by port; each reason is reported once."""
        self._lent: frozenset[str] = frozenset()
        """Ports whose keypads are getting new firmware now."""
        self._displays: dict[str, KeypadDisplay] = {}
        self._bare: KeypadDisplay = NO_SEAT, LIGHT_OFF
        """The display of a keypad without a seat."""
        self._asleep = False
        self._level = Level.OFF
        """The loudness of the keypads."""

    # ------------------------------------------------------------ ports

    def look(self, there: frozenset[str], now: float) -> None:
        """Opens the ports in `there` that are new. Ports that are gone are noticed when reading
        fails."""
        self._refused = {name: why for name, why in self._refused.items() if name in there}
        for device in sorted(there - self._ports.keys() - self._lent):
            try:
                port = Port(device, now)
            except PORT_ERRORS as error:
                self._report_unopened(device, port_problem(error))
                continue
            self._refused.pop(device, None)
            self._ports[device] = port, Link(self.registry, now)
            self._update_selector(device)

    def _report_unopened(self, device: str, why: str) -> None:
        """Reports why a port can't be opened, but only at the second attempt: a newly plugged-in
        port needs a moment."""
        if device not in self._refused:
            self._refused[device] = ""
        elif self._refused[device] != why:
            self._refused[device] = why
            self._report(f"the keypad on {device} can't be opened: {why}")

    @property
    def wake_at(self) -> list[float]:
        """The times at which `advance` is due."""
        silenced = (port.silenced_until for port, _ in self._ports.values())
        links = (link.wake_at for _, link in self._ports.values())
        return [*(at for at in silenced if at is not None), *links]

    def advance(self, now: float) -> None:
        """Performs what is due by `now`, and sends the links' bytes."""
        for device, (port, link) in list(self._ports.items()):
            if port.silenced_until is not None and now >= port.silenced_until:
                port.silenced_until = None
            self._report_events(link.advance(now))
            self._flush(device)

    def restart(self) -> None:
        """Closes all ports, and reports the keypads as gone."""
        for device in list(self._ports):
            self._remove_port(device)

    def close(self) -> None:
        for device in list(self._ports):
            self._close(device)

    def _read(self, device: str) -> None:
        if device not in self._ports:
            return
        port, link = self._ports[device]
        try:
            now = self._clock()
            data = port.read(now)
        except PORT_ERRORS:
            self._remove_port(device)
            return
        self._report_events(link.receive(data, now))
        for other, (_, old) in list(self._ports.items()):
            if old.displaced:
                self._remove_port(other)

    def _flush(self, device: str) -> None:
        if device not in self._ports:
            return
        port, link = self._ports[device]
        try:
            port.write(link.to_send())
        except PORT_ERRORS:
            self._remove_port(device)
            return
        self._update_selector(device)

    def _update_selector(self, device: str) -> None:
        """Makes the selector wait for the events that the port needs now."""
        port, _ = self._ports[device]
        known = self._selector.get_map().get(port.fileno())
        if known is None and port.events:
            self._selector.register(port, port.events, partial(self._read, device))
        elif known is not None and not port.events:
            self._selector.unregister(port)
        elif known is not None and known.events != port.events:
            self._selector.modify(port, port.events, known.data)

    def _remove_port(self, device: str) -> None:
        self._report_events(self._ports[device][1].abandon())
        self._close(device)

    def _close(self, device: str) -> None:
        port, _ = self._ports.pop(device)
        if port.fileno() in self._selector.get_map():
            self._selector.unregister(port)
        port.close()

    def _report_events(self, events: list[LinkEvent]) -> None:
        for event in events:
            if isinstance(event, KeyPressed):
                press = Press(event.key, source=event.source, held=event.held, at=event.at)
                self._put(press)
                continue
            if isinstance(event, KeypadArrived):
                self._set_displays(event.keypad)
            self._put(event)

    def lend_outdated(self, version: tuple[int, int, int]) -> dict[str, str]:
        """Closes the ports of keypads whose firmware is older than `version`, and returns the
        serial number of the keypad at each of these ports. They stay closed until `reclaim`."""
        here = {link: device for device, (_, link) in self._ports.items()}
        older = {
            here[keypad.link]: keypad.serial
            for keypad in self.registry.keypads.values()
            if keypad.link in here and keypad.hello.firmware < version
        }
        for device in older:
            self._remove_port(device)
        self._lent |= older.keys()
        return older

    def reclaim(self, device: str) -> None:
        """Allows the next `look` to open a lent port again."""
        self._lent -= {device}

    # ------------------------------------------------------------ requests of the loop

    def settle(self, source: PressId, refused: bool) -> None:
        """Notes that the loop has processed this press. If it was refused, its keypad shows
        that."""
        self.registry.settle(source)
        keypad = self.registry.keypads.get(source.keypad)
        if refused and keypad and keypad.link:
            keypad.link.send(SetLight(LightState.REFUSED))
            if self._level is not Level.OFF:
                keypad.link.send(Beep(KeypadSound.REFUSED))

    def show(
        self, shown: BoxPicture | None, keypads: Mapping[str, Seat], level: Level, asleep: bool
    ) -> None:
        """Sets the lights and the loudness of the keypads. `keypads` has the seat of each keypad,
        by serial number. If `shown` is None, the lights stay as they are."""
        self._level, self._asleep = level, asleep
        if shown is not None:
            bare = SetLight(LightState.CLAIM) if shown.claiming else LIGHT_OFF
            self._displays, self._bare = displays_by_keypad(shown, keypads), (NO_SEAT, bare)
        for serial in self.registry.keypads:
            self._set_displays(serial)

    def _set_displays(self, serial: str) -> None:
        seat, light = self._displays.get(serial, self._bare)
        keypad, turn = self.registry.keypads[serial], SetLight(LightState.TURN)
        if self._level is Level.ON and light == turn != keypad.light and keypad.link:
            keypad.link.send(Beep(KeypadSound.TURN))
        keypad.set_display(seat, SetLight(LightState.ASLEEP) if self._asleep else light)

    # ------------------------------------------------------------ figures

    def ask(self, now: float) -> None:
        """Sends a ping to all keypads."""
        for _, link in self._ports.values():
            link.ask(now)

    def were_heard_since(self, at: float) -> bool:
        """Returns whether every keypad has sent something since `at`."""
        return all(link.was_heard_since(at) for _, link in self._ports.values())

    @property
    def all_answered(self) -> bool:
        """Whether the keypad at each port has answered: its round-trip time is known, or its
        version is incompatible."""
        return all(link.answered for _, link in self._ports.values())

    def status(self, now: float) -> list[Json]:
        """Returns the figures of all keypads and silent ports, as in `companion keypads --json`."""
        where: dict[KeypadLink, str] = {link: device for device, (_, link) in self._ports.items()}
        statuses = [
            status_of(keypad, where.pop(keypad.link, None) if keypad.link else None, now)
            for keypad in self.registry.keypads.values()
        ]
        return statuses + [silent_port(device) for device in where.values()]
