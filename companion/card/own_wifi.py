"""A Wi-Fi of the box's own, open while no known network answers: so people in a pub or a garden can
play on it, and a phone in it can name the network that the box should join.

Lines at the table say what it does. The page asks on a socket (wireless.py).
"""

import json
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.card.supplicant import HeardNetwork, Supplicant
from companion.card.wifi import Network, Wifi, trouble
from companion.core.regular_file import read_private, write_private
from companion.core.words import Sentence, phrase

JOIN_S = 45.0
"""Seconds that a known network may take to answer before the box opens its own; a router that
starts with the box takes longer, and is looked for again."""
LISTENS_S = 10.0
"""Seconds for which a box that knows no network listens for those around it, before it opens its
own."""
ANSWERS_S = 30.0
"""Seconds that a network may take to answer after somebody has named it."""
LOST_S, AGAIN_S = 120.0, 300.0
"""Seconds for which a network may be gone, and after which known ones are looked for again while
nobody is in the box's own."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters that can't be mistaken for one another."""
FREQUENCY = 2437
"""MHz: channel 6, which all countries and all phones have."""
PLAIN = ("key_mgmt=WPA-PSK", "ieee80211w=0")
"""Settings of the box's own Wi-Fi that every chip and every phone can use."""
OWN, KNOWN = "own.json", "known.json"
LONGEST = 64 * 1024


def own_network(folder: Path, hardware: str) -> Network:
    """The box's own Wi-Fi, the same at each start: named after its hardware address, with a
    password that was drawn once. Raises OSError if that can't be kept."""
    with suppress(OSError, ValueError):
        name, password = json.loads(read_private(folder / OWN, LONGEST))
        return Network(str(name), str(password))
    drawn = "".join(secrets.choice(LETTERS) for _ in range(8))
    own = Network(f"Table {hardware.replace(':', '')[-4:].upper()}", f"{drawn[:4]}-{drawn[4:]}")
    folder.mkdir(parents=True, exist_ok=True)
    write_private(folder / OWN, json.dumps([own.name, own.password]))
    return own


def learned(folder: Path) -> tuple[Network, ...]:
    """The networks that were joined after people named them on the page, the newest first."""
    with suppress(OSError, ValueError, TypeError):
        told = json.loads(read_private(folder / KNOWN, LONGEST))
        return tuple(
            Network(str(name), str(password), hidden=bool(hidden))
            for name, password, *hidden in told
        )
    return ()


def learn(folder: Path, network: Network) -> None:
    """Keeps a network that was joined, and the 15 newest others. Raises OSError."""
    others = [one for one in learned(folder) if one.name != network.name]
    told = [
        [one.name, one.password, *(["hidden"] if one.hidden else [])] for one in (network, *others)
    ][:16]
    folder.mkdir(parents=True, exist_ok=True)
    write_private(folder / KNOWN, json.dumps(told))


def code_of(network: Network) -> str:
    """The text of the code that a phone scans to join, as both kinds of phones read it."""
    escaped = ("".join(f"\\{one}" if one in '\\;,":' else one for one in word)
               for word in (network.name, network.password))  # fmt: skip
    return "WIFI:T:WPA;S:{};P:{};;".format(*escaped)


class Wireless:
    """The box's Wi-Fi, in a known network or its own. `wifi`: the known networks, in the order of
    the supplicant's numbers; `tell`: shows a line at the table; `addresses`: starts (True) or stops
    giving addresses to devices in the box's own Wi-Fi."""

    def __init__(
        self,
        supplicant: Supplicant,
        wifi: Wifi,
        own: Network,
        folder: Path,
        *,
        tell: Callable[[str], None],
        addresses: Callable[[bool], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._supplicant, self._folder = supplicant, folder
        self._known = {str(number): network for number, network in enumerate(wifi.networks)}
        """The known networks, by the supplicant's numbers."""
        self.own, self._tell, self._addresses, self._clock = own, tell, addresses, clock
        more = (f"frequency={FREQUENCY}", "mode=2", "proto=RSN", "pairwise=CCMP", *PLAIN)
        self._own_number = supplicant.add(own, *more)
        self.heard: tuple[HeardNetwork, ...] = ()
        self.joined = ""
        """The name of the network that the box is in; empty: none."""
        self.is_open = False
        """Whether the box's own Wi-Fi is open."""
        self.why: Sentence | None = None
        """Why the network that was named last is not joined; None: it is, or none was named."""
        self._guests: set[str] = set()
        self._since, self._last_trouble = clock(), ""
        self._was_joined = False
        """Whether the network that is gone was joined before: its router may be restarting."""
        if not self._known:  # then wpa_supplicant doesn't listen unless asked to
            with suppress(OSError):
                supplicant.ask("SCAN")

    def turn(self, within_s: float) -> None:
        """Takes the next event, waiting at most `within_s` for one, and does what is due. Raises
        OSError."""
        event = self._supplicant.event(within_s)
        if event:
            self._hear(event)
        gone = self._clock() - self._since
        if self.is_open:
            if gone > AGAIN_S and self._known and not self._guests:
                self._look_for_known()
        elif not self.joined and gone > self._patience_s:
            self._open()

    @property
    def _patience_s(self) -> float:
        """Seconds that the box waits for a network before it opens its own."""
        if not self._known:
            return LISTENS_S
        waits_for_router = self._was_joined and self._last_trouble
        return LOST_S if waits_for_router else JOIN_S

    def _hear(self, event: str) -> None:
        words = event.split()
        if words[0] == "AP-STA-CONNECTED":
            self._guests.add(words[1])
        elif words[0] == "AP-STA-DISCONNECTED":
            self._guests.discard(words[1])
        elif self.is_open:
            return
        elif "CTRL-EVENT-CONNECTED" in event:
            self.joined, self._last_trouble = self._name(), ""
        elif "CTRL-EVENT-DISCONNECTED" in event and self.joined:
            self.joined, self._since, self._was_joined = "", self._clock(), True
        if (now := trouble([event], self._known)) and now != self._last_trouble:
            self._last_trouble = now
            self._tell(now)

    def _name(self) -> str:
        lines = self._supplicant.ask("STATUS").splitlines()
        return next((line[5:] for line in lines if line.startswith("ssid=")), "")

    @property
    def guests(self) -> int:
        """How many devices are in the box's own Wi-Fi."""
        return len(self._guests)

    def _open(self) -> None:
        """Opens the box's own Wi-Fi."""
        with suppress(OSError):
            self.heard = self._supplicant.heard()
        self._supplicant.ask(f"SELECT_NETWORK {self._own_number}")
        self._addresses(True)
        self.is_open, self._since, self._guests = True, self._clock(), set()
        name, password = self.own.name, self.own.password
        self._tell(
            phrase("Join this Wi-Fi: “{name}”, password {password}", name=name, password=password)
        )

    def _close(self) -> None:
        self._addresses(False)
        self.is_open, self._since, self._was_joined = False, self._clock(), False

    def _look_for_known(self) -> None:
        self._close()
        for number in self._known:
            self._supplicant.ask(f"ENABLE_NETWORK {number}")
        self._supplicant.ask(f"DISABLE_NETWORK {self._own_number}")
        self._supplicant.ask("REASSOCIATE")

    def join(self, network: Network) -> bool:
        """Joins a network that somebody has named; gives whether it took the box in. If not, the
        box's own is opened again, and `why` says what was wrong. Raises OSError."""
        number = self._supplicant.add(network)
        if self.is_open:
            self._close()
        self._supplicant.ask(f"SELECT_NETWORK {number}")
        self.why = self._outcome(network)
        if self.why:
            self._supplicant.ask(f"REMOVE_NETWORK {number}")
            self._tell(self.why)
            self._open()
            return False
        self.joined, self._known[number] = network.name, network
        learn(self._folder, network)
        self._tell(phrase("The box is in the Wi-Fi “{name}” now", name=network.name))
        return True

    def _outcome(self, network: Network) -> Sentence | None:
        """Waits until a network has taken the box in, and gives None; or gives why it didn't."""
        until = self._clock() + ANSWERS_S
        while self._clock() < until:
            event = self._supplicant.event(1.0) or ""
            if "CTRL-EVENT-CONNECTED" in event and self._name() == network.name:
                return None
            if "reason=WRONG_KEY" in event:
                return phrase("The password of the Wi-Fi “{name}” is wrong", name=network.name)
        return phrase("The Wi-Fi “{name}” doesn't answer", name=network.name)
