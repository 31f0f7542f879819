"""The certificates that secure connections to listeners trust."""

import ssl
from threading import Lock


class TidySocket(ssl.SSLSocket):
    """A socket that closes itself if no secure connection comes about; libraries leave that to the
    garbage collector."""

    def do_handshake(self, block: bool = False) -> None:
        """Makes the connection secure. Raises OSError."""
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


class Trusted:
    """The trust in this machine's authorities, or only in the one in the file `ca`; read when the
    first secure connection is made."""

    def __init__(self, ca: str) -> None:
        self._ca, self._lock = ca, Lock()
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """The one context for all connections. Raises OSError if the file can't be read."""
        with self._lock:
            if self._context is None:
                made = ssl.create_default_context(cafile=self._ca or None)
                made.sslsocket_class = TidySocket
                self._context = made
            return self._context
