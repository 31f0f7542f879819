"""Time zone, language and ssh keys, read from the card's files."""

import base64
import binascii
from pathlib import Path

from companion.card.files import Mistake, words_of
from companion.core.languages import OWN_NAMES, named
from companion.core.regular_file import open_file
from companion.core.toml_file import nearest, plain

ZONE, SSH_KEY, LANGUAGE = "timezone.txt", "ssh-key.txt", "language.txt"
ZONES = Path("/usr/share/zoneinfo")
NOT_ZONES = ("posix", "right")
KINDS = (
    "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
)  # fmt: skip
"""What the line of a public key may begin with. Options, which may run commands, are not taken."""


def zone_of(text: str, zones: Path = ZONES) -> Path | None:
    """The file of the time zone that a text names, as in Europe/Berlin; None if it names none.
    Raises Mistake."""
    words = words_of(text)
    if not words:
        return None
    word = words[0].replace(" ", "_").strip("/")
    path = zones / word
    inside = ".." not in Path(word).parts and path.is_file()
    if len(words) > 1 or not inside or _head(path) != b"TZif":
        raise Mistake(f"{ZONE}: {plain(word)[:40]} is no time zone{_near(word, zones)}")
    return path


def language_of(text: str) -> str:
    """The tag of the language that a text names by its tag or its own name, as for the box's
    configuration; empty if it names none. Raises Mistake."""
    words = words_of(text)
    if not words:
        return ""
    wanted = words[0].casefold()
    own = (tag for tag, name in OWN_NAMES.items() if name.casefold().startswith(wanted))
    found = named(words[0]) or (next(own, None) if len(wanted) > 2 else None)
    if found is None or len(words) > 1:
        known = ", ".join(OWN_NAMES.values())
        raise Mistake(f"{LANGUAGE}: {plain(words[0])[:40]} is no language here; write {known}")
    return found


def _head(path: Path) -> bytes:
    with open_file(path) as file:
        return file.read(4)


def _near(word: str, zones: Path) -> str:
    known = [
        str(path.relative_to(zones))
        for path in zones.glob("*/*")
        if path.relative_to(zones).parts[0] not in NOT_ZONES
    ]
    hint = nearest(word, known)
    return hint if "did you mean" in hint else ": write one as Europe/Berlin"


def keys_of(text: str) -> tuple[str, ...]:
    """The public keys in a text that may log in by ssh. Raises Mistake."""
    return tuple(_public_key(line) for line in words_of(text))


def _public_key(line: str) -> str:
    if "PRIVATE KEY" in line:
        raise Mistake(f"{SSH_KEY}: that is a private key: write the one that ends in .pub")
    kind, _, rest = line.partition(" ")
    word = rest.split(" ")[0]
    if kind not in KINDS or not _fits(word, kind):
        raise Mistake(
            f"{SSH_KEY}: write the line of a file that ends in .pub, as ssh-ed25519 AAAA…"
        )
    return f"{kind} {word}"


def _fits(word: str, kind: str) -> bool:
    """Whether the data of the key names the same kind as its line does."""
    try:
        data = base64.b64decode(word, validate=True)
    except (binascii.Error, ValueError):
        return False
    size = int.from_bytes(data[:4], "big")
    return data[4 : 4 + size] == kind.encode()
