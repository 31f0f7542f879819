"""The signature of a release: an Ed25519 signature of its sums. People check it with ssh-keygen,
which Debian, Raspberry Pi OS, macOS and Windows have. The key also signs the updates (`make
image`), so there is only one file to keep safe.

Source of the format: OpenSSH, PROTOCOL.sshsig; of the key's line: ssh-keygen(1), ALLOWED
SIGNERS."""

import base64
import hashlib
import struct
from pathlib import Path
from textwrap import wrap

from companion.club.box.keys import KeyPair

SUMS = "SHA256SUMS"
SIGNED = f"{SUMS}.sig"
WHO = "table-companion"
"""The name of the signer, as passed to `ssh-keygen -I`."""
NAMESPACE = "file"
"""The purpose of the signature, so that one made for a login isn't accepted."""
KIND = b"ssh-ed25519"
HASH = b"sha512"
COLUMNS = 70


def sums(folder: Path) -> str:
    """Returns the SHA-256 sum of each file, in the form that `sha256sum --check` reads."""
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.name not in (SUMS, SIGNED)
    )
    return "".join(f"{_digest(path)}  {path.relative_to(folder)}\n" for path in paths)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_key(path: Path) -> KeyPair:
    """Returns the key in a file that `make image ARGS="--new-key FILE"` has made. Raises OSError,
    or ValueError if the file has no key."""
    return KeyPair.from_private(bytes.fromhex(path.read_text(encoding="ascii")))


def signer(keys: KeyPair) -> str:
    """Returns the line that tells ssh-keygen which signer to accept."""
    public = base64.b64encode(_public(keys)).decode()
    return f'{WHO} namespaces="{NAMESPACE}" {KIND.decode()} {public}\n'


def fingerprint(keys: KeyPair) -> str:
    """Returns the key's fingerprint, as `ssh-keygen -l` prints it."""
    digest = hashlib.sha256(_public(keys)).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def signature(keys: KeyPair, message: bytes) -> str:
    """Returns the signature of these bytes as text. It depends only on the key and the bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    told = (NAMESPACE.encode(), b"", HASH)
    signed = b"SSHSIG" + _strings(*told, hashlib.sha512(message).digest())
    by = Ed25519PrivateKey.from_private_bytes(keys.private).sign(signed)
    blob = b"SSHSIG" + struct.pack(">I", 1) + _strings(_public(keys), *told, _strings(KIND, by))
    lines = wrap(base64.b64encode(blob).decode(), COLUMNS)
    return "\n".join(("-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""))


def _public(keys: KeyPair) -> bytes:
    return _strings(KIND, keys.public)


def _strings(*parts: bytes) -> bytes:
    """Returns each part preceded by its length, as ssh encodes strings."""
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)
