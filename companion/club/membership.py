"""A box's membership of a club: its own key, the club's, and which of its rows go whole.

The file `record.club` lies beside the record, for its owner alone, and is in no copy: whoever
restores a record elsewhere joins anew, with a key of its own.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from companion.club.keys import KeyPair, identity_of
from companion.club.links import read_hash
from companion.club.session import read_key, read_name
from companion.core.errors import EntryError, SetupError
from companion.core.private_file import read_private, write_private

LONGEST: Final = 100_000
MOST_OTHERS: Final = 20
"""Other hubs of the club whose addresses are kept."""
LONGEST_ADDRESS: Final = 200

Stretch = tuple[int, int | None]
"""Rows after which the box had joined, and up to which (None: it still has)."""


def membership_file(record: Path) -> Path:
    """Where a record's membership is kept."""
    return record.with_suffix(".club")


@dataclass(frozen=True, slots=True)
class Membership:
    """What a box knows of its club. `club`: the club's public key, pinned; `address`: where its hub
    is; `name`: what the box calls itself; `joined`: see Stretch, the newest last; `aside`: the
    organiser chose another box's rows, and this one joins anew with a key of its own; `others`:
    where more hubs of the club are, to which the box goes when this one is gone."""

    keys: KeyPair
    club: bytes
    club_name: str
    address: str
    name: str
    joined: tuple[Stretch, ...] = ()
    aside: bool = False
    others: tuple[str, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the club's hubs are, the one that was joined first."""
        return self.address, *self.others

    def with_hubs(self, found: object) -> Self:
        """The membership with what a hub says of where the club's hubs are. Raises EntryError."""
        if not isinstance(found, list) or len(found) > MOST_OTHERS:
            raise EntryError("those are no addresses of hubs")
        others = dict.fromkeys(_read_address(one) for one in found)
        return replace(self, others=tuple(one for one in others if one != self.address))

    @property
    def is_joined(self) -> bool:
        """Whether the box pushes what it keeps."""
        return bool(self.joined) and self.joined[-1][1] is None

    @property
    def club_identity(self) -> str:
        """The club's short identity."""
        return identity_of(self.club)

    def is_shared(self, opened: int) -> bool:
        """Whether a game goes whole; `opened` is the number of its first row."""
        return any(
            first < opened and (last is None or opened <= last) for first, last in self.joined
        )

    def left(self, last_row: int) -> Self:
        """The membership once the box has left."""
        ended = [(first, last_row if last is None else last) for first, last in self.joined]
        return replace(self, joined=tuple(ended))

    # ------------------------------------------------------------ on the disk

    @classmethod
    def load(cls, record: Path) -> "Membership | None":
        """The membership of a record; None: it never joined. Raises SetupError."""
        path = membership_file(record)
        try:
            return cls._read(json.loads(read_private(path, LONGEST)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SetupError(f"{path} can't be read: remove it and join the club anew") from error

    @classmethod
    def _read(cls, found: Any) -> "Membership":
        stretches = [(int(first), last) for first, last in found["joined"]]
        if not all(last is None or isinstance(last, int) for _, last in stretches):
            raise EntryError("those are no rows")
        return cls(
            KeyPair.of(read_hash(found["key"])),
            read_key(found["club"]),
            read_name(found["club_name"]),
            str(found["address"]),
            read_name(found["name"]),
            tuple(stretches),
            found.get("aside") is True,
        ).with_hubs(found.get("others", []))

    def save(self, record: Path) -> None:
        """Keeps it beside the record. Raises SetupError."""
        kept = {
            "key": self.keys.private.hex(),
            "club": self.club.hex(),
            "club_name": self.club_name,
            "address": self.address,
            "name": self.name,
            "joined": [list(one) for one in self.joined],
            **({"aside": True} if self.aside else {}),
            **({"others": list(self.others)} if self.others else {}),
        }
        path = membership_file(record)
        try:
            write_private(path, f"{json.dumps(kept)}\n")
        except OSError as error:
            raise SetupError(f"{path} can't be written: {error.strerror or error}") from error


def _read_address(found: object) -> str:
    if isinstance(found, str) and 0 < len(found) <= LONGEST_ADDRESS and found.isprintable():
        return found
    raise EntryError("that is no address of a hub")
