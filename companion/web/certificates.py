"""HTTPS by the box itself: with a certificate from the configuration, which is read again when it
is renewed, or with one signed by the box's own authority. The page `/trust` installs that authority
on a phone.

The authority may only certify names and addresses of home networks and those that it was made with,
so a thief of its key can't impersonate a bank. cryptography is imported only when a certificate is
made; the page reads the files without it.
"""

import hashlib
import ipaddress
import ssl
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from companion.core.errors import SetupError
from companion.core.html import Html
from companion.core.regular_file import check_regular, read_bytes, read_text, write_private
from companion.core.typed_address import with_port
from companion.core.values import dataclass
from companion.presentation.language import Language
from companion.web.address import HTTPS
from companion.web.files import STATIC, VARY_HEADERS, page_text, words_in
from companion.web.own_names import NOT_PUBLIC, parse_names

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey


# ---------------------------------------------------------------- certificate in use


class Certificate:
    """A certificate and its intermediate certificates in the file `chain`, and its key in the file
    `key`, both in PEM. `tell` gets a line if a changed file can't be used; the former files then
    stay in use. Raises SetupError if the files can't be used."""

    def __init__(self, chain: Path, key: Path, tell: Callable[[str], None]) -> None:
        self._files, self._tell = (chain, key), tell
        self._read_at = self._changed_at()
        try:
            self.context = self._load_context()
        except OSError as error:
            raise SetupError(self._error_line(error)) from error
        self.context.sni_callback = self._use_newest

    def _load_context(self) -> ssl.SSLContext:
        """The TLS settings with the present files. Raises OSError (also ssl.SSLError)."""
        for file in self._files:
            check_regular(file)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        # Without a function, OpenSSL would prompt on the terminal for the password of an encrypted
        # key.
        context.load_cert_chain(*self._files, password=lambda: "")
        return context

    def _changed_at(self) -> tuple[int, ...]:
        """The times when the files were written, in nanoseconds; empty if one is missing."""
        try:
            return tuple(file.stat().st_mtime_ns for file in self._files)
        except OSError:
            return ()

    def _use_newest(self, connection: Any, _name: str | None, _context: ssl.SSLContext) -> None:
        """Called at each handshake: makes the connection use the newest certificate."""
        changed_at = self._changed_at()
        if changed_at and changed_at != self._read_at:
            self._read_at = changed_at
            try:
                newest = self._load_context()
            except OSError as error:  # maybe its key is not written yet
                self._tell(self._error_line(error))
            else:
                newest.sni_callback = self._use_newest
                self.context = newest
        connection.context = self.context

    def _error_line(self, error: OSError) -> str:
        chain, key = self._files
        reason = (not isinstance(error, ssl.SSLError) and error.strerror) or "they don't fit"
        return f"the certificate {chain} with the key {key} can't be used ({reason})"


# ---------------------------------------------------------------- the box's own authority


AUTHORITY: Final = "authority.crt"
AUTHORITY_KEY: Final = "authority.key"
CERTIFICATE: Final = "certificate.pem"
CERTIFICATE_KEY: Final = "certificate.key"
AUTHORITY_VALID_FOR: Final = timedelta(days=3650)
VALID_FOR: Final = timedelta(days=397)
"""How long a certificate is valid. Phones refuse longer periods (Apple's limit is 825 days, and 398
for public certificates)."""
RENEW_BEFORE_END: Final = timedelta(days=60)
HOME_NETWORKS: Final = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
    *("fc00::/7", "::1/128"),
)


@dataclass(frozen=True, slots=True)
class CertificateResult:
    """The result of make_certificate: when the certificate expires, whether the certificate and the
    authority are new, and the authority's fingerprint."""

    ends: datetime
    certificate: bool
    authority: bool
    fingerprint: str


def make_certificate(folder: Path, names: Iterable[str], now: datetime) -> CertificateResult:
    """Makes a certificate for these names and IP addresses in the folder, unless the one there
    includes them and is valid for 60 more days. Also makes the authority if there is none. Raises
    SetupError, OSError and ModuleNotFoundError."""
    from cryptography import x509

    wanted = _canonical_names(names)
    folder.mkdir(parents=True, exist_ok=True)
    new = not (folder / AUTHORITY).exists()
    if new:
        _make_authority(folder, wanted, now)
    authority, key = _read_certificate(folder / AUTHORITY), _read_key(folder / AUTHORITY_KEY)
    _check_permitted(authority, wanted, folder, now)
    if not new and (folder / CERTIFICATE).exists() and (folder / CERTIFICATE_KEY).exists():
        old = _read_certificate(folder / CERTIFICATE)
        found = old.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        ends = _expiry_of(old)
        if {*found} == {*_general_names(wanted)} and ends - now > RENEW_BEFORE_END:
            return CertificateResult(ends, False, False, fingerprint(folder / AUTHORITY))
    ends = min(now + VALID_FOR, _expiry_of(authority))
    _make_signed_certificate(folder, authority, key, wanted, now=now, ends=ends)
    return CertificateResult(ends, True, new, fingerprint(folder / AUTHORITY))


def fingerprint(authority: Path) -> str:
    """The SHA-256 of a certificate in PEM, as phones show it."""
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(read_text(authority))).hexdigest().upper()
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


# ---------------------------------------------------------------- making


def _canonical_names(names: Iterable[str]) -> list[str]:
    """The names in lower case, and IP addresses in their canonical form. Raises SetupError."""
    found = set[str]()
    for name in names:
        try:
            found.add(str(ipaddress.ip_address(name)))
        except ValueError:
            try:
                found |= parse_names(name)
            except ValueError as error:
                raise SetupError(str(error)) from error
    return sorted(found)


def _general_names(
    names: Iterable[str], numbers: Callable[[str], Any] = ipaddress.ip_address
) -> "list[x509.GeneralName]":
    """Returns the names as a certificate's GeneralNames. `numbers` parses an address or a network,
    and raises ValueError for a name."""
    from cryptography import x509

    found = list[x509.GeneralName]()
    for name in names:
        try:
            found.append(x509.IPAddress(numbers(name)))
        except ValueError:
            found.append(x509.DNSName(name))
    return found


def _permitted_names(names: Iterable[str]) -> "list[x509.GeneralName]":
    """Everything that an authority may certify: home networks and these names."""
    every = (*HOME_NETWORKS, *NOT_PUBLIC, "localhost", *names)
    return list(dict.fromkeys(_general_names(every, ipaddress.ip_network)))


def _check_permitted(
    authority: "x509.Certificate", names: Iterable[str], folder: Path, now: datetime
) -> None:
    """Raises SetupError if the authority has expired, or may not certify one of the names."""
    from cryptography import x509

    again = _new_authority(folder)
    if _expiry_of(authority) <= now:
        raise SetupError(f"the authority has ended: {again}")
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = [one.value for one in limits.permitted_subtrees or ()]
    for name in names:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            covered = any(
                isinstance(one, str) and (name == one or name.endswith(f".{one}"))
                for one in permitted
            )
        else:
            covered = any(not isinstance(one, str) and address in one for one in permitted)
        if not covered:
            raise SetupError(f"the authority was made without {name}: {again}")


def _new_authority(folder: Path) -> str:
    """What to do if an authority can't be used."""
    return f"remove the files in {folder}, and install the new authority on the phones"


def _expiry_of(certificate: "x509.Certificate") -> datetime:
    if hasattr(certificate, "not_valid_after_utc"):
        return certificate.not_valid_after_utc
    return certificate.not_valid_after.replace(tzinfo=UTC)  # for cryptography before version 42


def _make_authority(folder: Path, names: Iterable[str], now: datetime) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    title = f"Table companion {now:%Y-%m-%d}"
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, title)])
    usage = _key_usage(signs=True)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + AUTHORITY_VALID_FOR)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(_permitted_names(names), None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    _write_key(folder / AUTHORITY_KEY, key)
    _write_certificate(folder / AUTHORITY, made)


def _make_signed_certificate(
    folder: Path,
    authority: "x509.Certificate",
    authority_key: "EllipticCurvePrivateKey",
    names: list[str],
    *,
    now: datetime,
    ends: datetime,
) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0][:64])])
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(authority.subject)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(ends)
        .add_extension(x509.SubjectAlternativeName(_general_names(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs=False), critical=True)
        .add_extension(
            x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False
        )
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )  # fmt: skip
    # The server reads both files when one has changed; until both are there, it uses the old ones.
    _write_key(folder / CERTIFICATE_KEY, key)
    _write_certificate(folder / CERTIFICATE, made)


def _key_usage(*, signs: bool) -> "x509.KeyUsage":
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs,
        content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _write_certificate(path: Path, made: "x509.Certificate") -> None:
    from cryptography.hazmat.primitives.serialization import Encoding

    write_private(path, made.public_bytes(Encoding.PEM).decode())
    path.chmod(0o644)


def _write_key(path: Path, key: "EllipticCurvePrivateKey") -> None:
    from cryptography.hazmat.primitives import serialization

    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    write_private(path, key.private_bytes(serialization.Encoding.PEM, *plain).decode())


def _read_certificate(path: Path) -> "x509.Certificate":
    from cryptography import x509

    try:
        return x509.load_pem_x509_certificate(read_bytes(path))
    except ValueError as error:
        raise SetupError(f"{path} is no certificate") from error


def _read_key(path: Path) -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        found = load_pem_private_key(read_bytes(path), None)
    except FileNotFoundError as error:
        put_back = f"copy it there again, or {_new_authority(path.parent)}"
        raise SetupError(f"{path} is missing: {put_back}") from error
    except (ValueError, TypeError) as error:
        raise SetupError(f"{path} is no key") from error
    if not isinstance(found, EllipticCurvePrivateKey):
        raise SetupError(f"{path} is no key of an authority made here")
    return found


# ---------------------------------------------------------------- the page


class AuthorityPage:
    """The page `/trust` and the authority that it installs. Anybody may get them, as neither is
    secret. `authority`: the authority's file; `port`: the one for HTTPS."""

    def __init__(
        self, authority: Path, port: int, request_language: Callable[[web.Request], Language]
    ) -> None:
        self._authority, self._port, self._request_language = authority, port, request_language

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the page and the file."""
        app.router.add_get("/trust", self._send)
        app.router.add_get("/trust/authority.crt", self._send_authority)

    async def _send(self, request: web.Request) -> web.Response:
        try:
            shown = fingerprint(self._authority)
        except (OSError, ValueError) as error:
            raise web.HTTPNotFound from error
        port = self._port if self._port != HTTPS else None
        values = {
            "value.address": f"https://{with_port(request.url.host or '', port)}/",
            "value.fingerprint": Html(shown.replace(":", ":<wbr>")),
        }
        words = words_in(self._request_language(request))
        text = page_text(STATIC / "trust" / "trust.html", words, values=values)
        return web.Response(text=text, content_type="text/html", headers={"Vary": VARY_HEADERS})

    async def _send_authority(self, _request: web.Request) -> web.Response:
        """Sends the authority in a form that Android and iOS offer to install."""
        try:
            body = ssl.PEM_cert_to_DER_cert(read_text(self._authority))
        except (OSError, ValueError) as error:
            raise web.HTTPNotFound from error
        return web.Response(body=body, content_type="application/x-x509-ca-cert")
