"""What connections to brokers and hooks share: the trusted certificates, and reports of faults,
each in one line and only once."""

import socket
import ssl
from collections.abc import Callable
from threading import Lock
from typing import Final

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""The first and the longest pause in seconds between tries while a listener can't be reached; each
pause is twice the one before."""
CERTIFICATE_ENDED: Final = 10
"""OpenSSL's number for an expired certificate, X509_V_ERR_CERT_HAS_EXPIRED."""


class ListenerError(RuntimeError):
    """A listener breaks its protocol, or refuses a message; the text says how."""


def reason_of(error: Exception) -> str:
    """The reason for the error as a short text, for the end of a line after a colon."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code == CERTIFICATE_ENDED:
            return "its certificate has ended: renew it there"
        return f"its certificate isn't trusted ({error.verify_message})"
    if isinstance(error, ssl.SSLError):
        return f"no secure connection comes about ({error.reason or 'it ended'})"
    if isinstance(error, socket.gaierror):
        return "the network knows no machine of that name"
    if isinstance(error, TimeoutError):
        return "it doesn't answer"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    if isinstance(error, OSError):
        return error.strerror or "the connection broke off"
    return str(error)


class FaultReporter:
    """Reports faults of the listener called `name`: one line when a fault begins or is replaced by
    another, and one when it is over."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        self._name, self._tell, self._said = name, tell, ""

    def report(self, error: Exception) -> None:
        """Registers the error of the newest attempt."""
        reason = reason_of(error)
        if reason != self._said:
            self._said = reason
            self._tell(f"{self._name} hears nothing: {reason}. It is tried again.")

    def clear(self) -> None:
        """Registers that the fault is over."""
        if self._said:
            self._said = ""
            self._tell(f"{self._name} hears the table again.")


class SelfClosingSocket(ssl.SSLSocket):
    """A socket that closes itself if the TLS handshake fails, which libraries leave to the garbage
    collector."""

    def do_handshake(self, block: bool = False) -> None:
        """Performs the handshake, and closes the socket if that fails. Raises OSError."""
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


class TrustedAuthorities:
    """The trusted authorities: this machine's, or only the one in the file `ca`. They are loaded
    for the first secure connection."""

    def __init__(self, ca: str) -> None:
        self._ca, self._lock = ca, Lock()
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """The one context for all connections. Raises OSError if the file can't be read."""
        with self._lock:
            if self._context is None:
                made = ssl.create_default_context(cafile=self._ca or None)
                made.sslsocket_class = SelfClosingSocket
                self._context = made
            return self._context
