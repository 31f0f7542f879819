"""HTTPS by the box itself, with a certificate of the configuration. Its files are read again when
they change, so that a renewed certificate holds without a new start."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.core.errors import SetupError
from companion.core.regular_file import check_regular


class Certificate:
    """A certificate, with those that lead to its authority, in the file `chain`, and its key in the
    file `key`, both in PEM. `tell` gets a line if a changed file can't be used: then what was read
    before goes on. Raises SetupError if the files can't be used."""

    def __init__(self, chain: Path, key: Path, tell: Callable[[str], None]) -> None:
        self._files, self._tell = (chain, key), tell
        self._read_at = self._changed_at()
        try:
            self.context = self._read()
        except OSError as error:
            raise SetupError(self._why_not(error)) from error
        self.context.sni_callback = self._renew

    def _read(self) -> ssl.SSLContext:
        """Settings of TLS with the files as they are now. Raises OSError (also ssl.SSLError)."""
        for file in self._files:
            check_regular(file)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        # Without a function, OpenSSL would ask at the terminal for the password of a locked key.
        context.load_cert_chain(*self._files, password=lambda: "")
        return context

    def _changed_at(self) -> tuple[int, ...]:
        """When the files were written, in nanoseconds; empty: one is missing."""
        try:
            return tuple(file.stat().st_mtime_ns for file in self._files)
        except OSError:
            return ()

    def _renew(self, connection: Any, _name: str | None, _context: ssl.SSLContext) -> None:
        """Called at each handshake: gives the connection the newest certificate."""
        changed_at = self._changed_at()
        if changed_at and changed_at != self._read_at:
            self._read_at = changed_at
            try:
                newest = self._read()
            except OSError as error:  # its key may not be written yet, or it is none
                self._tell(self._why_not(error))
            else:
                newest.sni_callback = self._renew
                self.context = newest
        connection.context = self.context

    def _why_not(self, error: OSError) -> str:
        chain, key = self._files
        reason = (not isinstance(error, ssl.SSLError) and error.strerror) or "they don't fit"
        return f"the certificate {chain} with the key {key} can't be used ({reason})"
