"""Notices: lines that another program of the box shows to the people at the table. One such program
copies the record to a stick, in a separate process so that a dead stick can't block the table. Two
requests arrive in the same way: to look at a record on a stick, and to update the keypads'
firmware.

Notices arrive on a socket beside the record; only users who may read the record may write to it. A
notice is either text, or a sentence as JSON, which the table translates."""

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.core.threads import NamedThread
from companion.core.words import Sentence, mark, sentence_in, sentence_json, without_marks
from companion.record.copies.restore import Offer, parse_offer

SOCKET_MODE = 0o660
RENEW_KEYPADS = "Bring the keypads up to date"
"""The line that `companion keypads --update` sends to make the table update the keypads."""
MAX_NOTICE_CHARS = 120
"""The most characters of a notice that are shown."""
LONGEST_SENT = 4096
"""The most bytes of a notice that is sent."""
UNIT_NOTICES = (
    mark("The USB stick can't be read here: format it as FAT32"),
    mark("The TV froze: its browser is restarting"),
)
"""The lines that systemd's units and their scripts show at the table with `companion copy
--say`."""


def notice_socket_path(record: Path) -> Path:
    """Returns the path of the socket on which the table that writes this record listens."""
    return Path(f"{record}.remarks")


def send_notice(record: Path, line: str) -> bool:
    """Shows a line at the running table; returns False if no table is listening."""
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
        to.setblocking(False)
        to.sendto(_encode_notice(line).encode(), str(notice_socket_path(record)))
        return True
    return False


def _encode_notice(line: str) -> str:
    return json.dumps(sentence_json(line)) if isinstance(line, Sentence) else line


def _decode_notice(line: str) -> str:
    """Returns the sentence that a line encodes, or the line itself if it encodes none."""
    with suppress(ValueError, RecursionError):
        if sentence := sentence_in(json.loads(line)):
            return sentence
    return Sentence.made(line, {}) if line in UNIT_NOTICES else line


class NoticeSocket:
    """Receives notices and requests in its own thread. Calls `notify` with each notice, `ask` with
    each record that a stick offers, and `renew_keypads` when new keypad firmware is requested.
    Raises OSError if the socket can't be created."""

    def __init__(
        self,
        record: Path,
        notify: Callable[[str], None],
        ask: Callable[[Offer], None],
        renew_keypads: Callable[[], None] = lambda: None,
    ) -> None:
        self._record, self._notify, self._ask = record, notify, ask
        self._renew_keypads = renew_keypads
        self._path, self._closed = notice_socket_path(record), False
        self._path.unlink(missing_ok=True)  # left by a killed table; this one has the lock
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(str(self._path))
            self._path.chmod(SOCKET_MODE)
        except OSError:
            self._socket.close()
            raise
        NamedThread("remarks", self._receive_notices).start()

    def _receive_notices(self) -> None:
        with suppress(OSError):  # closed
            while True:
                heard = self._socket.recv(LONGEST_SENT)
                if self._closed:
                    return
                line = " ".join(heard.decode(errors="replace").split())
                if (offer := parse_offer(line, self._record)) is not None:
                    self._ask(offer)
                elif line == RENEW_KEYPADS:
                    self._renew_keypads()
                elif (notice := _decode_notice(line)) and without_marks(notice).isprintable():
                    self._notify(
                        notice if len(notice) <= MAX_NOTICE_CHARS else notice[:MAX_NOTICE_CHARS]
                    )

    def close(self) -> None:
        """Ends the thread and removes the socket."""
        self._closed = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._path.unlink(missing_ok=True)
