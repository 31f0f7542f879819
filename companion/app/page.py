"""The web page of a box. For a virtual box, this page has the only keys and display; for a board,
it has them in addition to the board's own. The page's address is printed where the box was started,
and shown on an HDMI screen."""

import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.app.config import Web
from companion.console.frame import Frame
from companion.core.box_page import CheckActions, Phones
from companion.core.club import ClubRequest
from companion.core.errors import SetupError
from companion.core.keys import Key
from companion.core.threads import NamedThread
from companion.core.typed_address import EVERYWHERE, with_port
from companion.core.values import Json, dataclass
from companion.devices.display.framebuffer import Caption
from companion.devices.gpio.debounce import Timing
from companion.presentation.language import ENGLISH, Language
from companion.table.events import Request
from companion.table.snapshot import Snapshot
from companion.web.page import Page

if TYPE_CHECKING:
    import socket
    import ssl

    from companion.devices.voice import Clips
    from companion.web.address import PageAddress
    from companion.web.panels import PageGames

DEFAULT_PORT: Final = 8055
SERVICE_PORT: Final = 8080
"""The port of the service if systemd can't listen on port 80 for it."""
ENCRYPTED_PORT: Final = 8443

BRIGHTEST: Final = 255


@dataclass(frozen=True, slots=True)
class PageSetup:
    """The inputs of a page besides its configuration. `games`: all games. `codes`: the file with
    the access codes for phones, and `secret`: the file with the secret for this machine's own
    browsers and programs (None if they are not stored). `service`: whether the table is a systemd
    service, and so open to the network unless configured otherwise; `passed`: the socket on which
    systemd listens for it. `tell` shows lines to the person who started the table; `read` reads the
    unfinished games; `past` is the command that makes the pages of other evenings; `incoming`: the
    folder from which a flashed card takes updates (None if this box is not a flashed card).
    `language` is used until the table, or somebody on a phone, chooses one. `clips` returns the
    box's own clips in a language, given the language's name (None if it has none). `check` checks
    the box on request from the page (None if that isn't possible). `wired`: whether there is a box
    with its own keys and display."""

    games: "PageGames" = field(default_factory=dict)
    codes: Path | None = None
    secret: Path | None = None
    service: bool = False
    passed: "socket.socket | None" = None
    tell: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)
    read: Callable[[], list[Json]] = list
    past: Sequence[str] = ()
    incoming: Path | None = None
    language: Language = ENGLISH
    clips: "Callable[[str], Clips] | None" = None
    check: CheckActions | None = None
    wired: bool = False


class BoxPage:
    """The page of a box. `listen` opens its port, and `serve` starts it. If the box has another
    display, `show` takes each picture of that display, and `sleep` whether it is dark."""

    def __init__(self, web: Web, timing: Timing, setup: PageSetup) -> None:
        self._web, self._setup = web, setup
        # A bit longer than the debounce time, because threads may run late.
        self._page = Page(timing.contact_s + 0.01, timing.release_s + 0.01)
        self.publish, self.ask = self._page.publish, self._page.ask
        self.tell_club = self._page.update_club
        self._listening: socket.socket | None = None
        self._encrypted: tuple[socket.socket, ssl.SSLContext] | None = None
        self._authority: Path | None = None
        self._address: PageAddress | None = None
        self._snapshot: Snapshot | None = None
        self._frame, self._asleep = Frame.blank(), False
        self._caption: tuple[str, str, Caption] = ("", "", Caption())

    def listen(self) -> None:
        """Listens on the page's port. Raises SetupError."""
        from companion.web.access import (
            AccessCodes,
            AccessRules,
            Codes,
            is_loopback,
            load_codes,
            load_local_access,
        )
        from companion.web.address import PageAddress
        from companion.web.own_names import own_names, parse_names, parse_prefix

        self._listening, host = self._listening_socket()
        codes, secret, tell = self._setup.codes, self._setup.secret, self._setup.tell
        access_rules = AccessRules(
            load_codes(codes, tell) if codes else Codes(AccessCodes.new()),
            not is_loopback(host),
            parse_names(self._web.names),
            local=load_local_access(secret, tell) if secret else None,
            own=own_names,
            prefix=parse_prefix(self._web.prefix) if self._web.prefix else "",
        )
        if self._web.certificate:
            try:
                self._encrypted = self._listen_encrypted(host)
            except SetupError as error:
                tell(f"The page is not encrypted: {error}")
        port = self._encrypted[0].getsockname()[1] if self._encrypted else None
        self._address = PageAddress(
            host, self._listening.getsockname()[1], access_rules, port, self._authority is not None
        )

    def _listen_encrypted(self, host: str) -> "tuple[socket.socket, ssl.SSLContext]":
        """Opens the socket for HTTPS; returns it with the TLS settings. Raises SetupError."""
        from companion.web.certificates import AUTHORITY, Certificate

        web = self._web
        key = Path(web.key or web.certificate)
        certificate = Certificate(Path(web.certificate), key, self._setup.tell)
        port = web.encrypted_port if web.encrypted_port != Web().encrypted_port else ENCRYPTED_PORT
        listening = self._open_listening_socket(host, port, "[web] encrypted_port")
        own = Path(web.certificate).with_name(AUTHORITY)
        self._authority = own if own.is_file() else None
        return listening, certificate.context

    def _listening_socket(self) -> "tuple[socket.socket, str]":
        """Returns the socket on which the page listens, and the host that it is bound to. Raises
        SetupError."""
        passed, web = self._setup.passed, self._web
        by_itself = (web.host, web.port) == (Web().host, Web().port)
        if passed is not None and by_itself:
            passed.setblocking(False)
            return passed, passed.getsockname()[0]
        if passed is not None:
            close_connections(passed)
        service = self._setup.service
        host = web.host if web.host != Web().host else EVERYWHERE if service else "127.0.0.1"
        port = web.port if web.port != Web().port else SERVICE_PORT if service else DEFAULT_PORT
        return self._open_listening_socket(host, port, f"--port {port + 1}"), host

    @staticmethod
    def _open_listening_socket(host: str, port: int, other_port: str) -> "socket.socket":
        """Returns a socket that listens on this host and port. Raises SetupError, which suggests
        `other_port` if the port is taken."""
        from companion.web.address import listen

        try:
            return listen(host, port)
        except OSError as error:
            reason = (error.strerror or str(error)).partition(" (")[0]
            taken = error.errno == errno.EADDRINUSE
            remedy = other_port if taken else "another [web] host"
            raise SetupError(
                f"the page can't listen on {with_port(host, port)} ({reason}): try {remedy}"
            ) from error

    def tell(self, snapshot: Snapshot) -> None:
        """Passes on the table's new state, for the page to show."""
        self._snapshot = snapshot
        self._page.update(snapshot)

    def serve(
        self,
        move: Callable[[Key, bool], None],
        type_letter: Callable[[str], bool],
        put: Callable[[Request | Phones | ClubRequest], None],
        *,
        waits: bool = False,
    ) -> list[str]:
        """Starts to serve on the port, and returns the lines about the page's address; no lines if
        the page doesn't listen. See Page.start for the arguments."""
        if self._listening is None or self._address is None:
            return []
        address = self._address
        if self._snapshot is not None:
            address.access_rules.codes.note_row(self._snapshot.played, self._snapshot.played_at)
            address.access_rules.codes.end_evening()
        lines = [address.service_line] if self._setup.service else address.lines
        put(Phones(address.access_rules.open_to_all))
        self._page.start(
            self._listening,
            address.access_rules,
            move,
            type_letter,
            put,
            games=self._setup.games,
            waits=waits,
            tell_box=put,
            ask_club=put,
            read=self._setup.read,
            past=self._setup.past,
            incoming=self._setup.incoming,
            language=self._setup.language,
            clips=self._setup.clips,
            check=self._setup.check,
            wired=self._setup.wired,
            encrypted=self._encrypted,
            authority=self._authority,
        )
        return lines

    @property
    def code(self) -> list[str]:
        """The lines of a QR code, for a terminal, that phones scan to connect; empty if they can't
        connect."""
        return self._address.code if self._address else []

    @property
    def local(self) -> str:
        """The address for browsers on this machine; empty if there is no page."""
        return self._address.local if self._address else ""

    @property
    def secret(self) -> str:
        """The secret with which this machine's own programs access the page; empty if there is no
        page."""
        return self._address.access_rules.local.secret if self._address else ""

    @property
    def link(self) -> str:
        """A new link that gives one browser on this machine access; empty if there is no page."""
        return self._address.link if self._address else ""

    def show(self, frame: Frame) -> None:
        """Takes the frame that the other display shows now."""
        self._frame = frame
        self.publish(self._picture_bytes)

    def sleep(self, asleep: bool) -> None:
        """Darkens the display on the page while the box's own display is dark. The key press that
        wakes them has no other effect, whether it comes from the page or from the box."""
        self._asleep = asleep
        self.publish(self._picture_bytes)

    def stop(self) -> None:
        """Stops the page and closes its sockets, even if it doesn't serve yet."""
        self._page.stop()
        if self._listening:
            self._listening.close()
        if self._encrypted:
            self._encrypted[0].close()

    def _picture_bytes(self) -> bytes:
        """Returns the picture in the page's format, always at full brightness, because only the
        wired display is dimmed."""
        frame = Frame.blank() if self._asleep else self._frame
        return frame.packed() + bytes([BRIGHTEST]) + frame.words.encode()

    def caption(self) -> Caption:
        """Returns the text that explains, on a screen, how other devices reach the page; empty if
        they can't."""
        if self._address is None or not self._address.access_rules.open_to_all:
            return Caption()
        from companion.web.address import qr_rows

        where, word = self._address.url, self._address.access_rules.codes.current.play
        if self._caption[:2] != (where, word):
            lines = (f"The table is at {where}/#{word}",)
            self._caption = where, word, Caption(lines, qr_rows(where, word))
        return self._caption[2]


def close_connections(passed: "socket.socket") -> None:
    """Closes each connection to systemd's socket while the page uses another port, so that no
    client waits for an answer. The socket itself isn't shut down, because systemd would treat that
    as a failure."""

    def close_all() -> None:
        with suppress(OSError):  # it is over
            while True:
                passed.accept()[0].close()

    passed.setblocking(True)
    NamedThread("turning-away", close_all).start()


# ---------------------------------------------------------------- browser of a desktop

OPENER = "xdg-open"
"""The program with which a desktop opens an address."""


def open_on_desktop(address: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Opens `address` in a browser if the program was started on a desktop and not over ssh;
    returns whether it did. Doesn't wait for the browser."""
    desktop = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    if not desktop or "SSH_CONNECTION" in environment:
        return False
    from shutil import which  # a box without a desktop need not import it

    opener = which(OPENER)
    if opener is None:
        return False
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        # The browser that may be started outlives this program: its signals are its own, and what
        # it writes isn't for this terminal.
        process = os.posix_spawn(
            opener,
            [OPENER, address],
            dict(environment),
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, number) for number in (0, 1, 2)],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
    except OSError:
        return False
    finally:
        os.close(nowhere)
    NamedThread("opened-browser", partial(_wait_for, process)).start()
    return True


def _wait_for(process: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(process, 0)
