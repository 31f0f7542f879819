"""A box's membership of a club: the box's own key, the club's, and which of its games the club
gets.

It is stored in `record.club` beside the record, readable only by its owner. Copies of the record
don't include it, so a box on which a record is restored joins again with a new key.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

from companion.club.box.keys import KeyPair, identity_of
from companion.club.box.protocol import read_hash, read_key, read_name
from companion.core.club import LONGEST_ADDRESS, BoxName
from companion.core.errors import EntryError, SetupError
from companion.core.regular_file import read_private, write_private
from companion.core.typed_address import is_unreachable_for_phones
from companion.core.values import dataclass

LONGEST: Final = 100_000
MOST_OTHERS: Final = 20
"""The most other hubs of the club whose addresses are kept."""

MembershipPeriod = tuple[int, int | None]
"""The number of the record's newest row when the box joined, and of the last row before it left
(None if it has not left)."""


def membership_file(record: Path) -> Path:
    """The file in which a record's membership is kept."""
    return record.with_suffix(".club")


@dataclass(frozen=True, slots=True)
class Membership:
    """A box's membership of a club. `keys`: the box's own key pair. `club`: the club's public key;
    no other is accepted. `address`: the address of the club's hub. `name`: the box's own name until
    the club's organiser gives it another. `number`: the number of its table (None if there is
    none). `joined`: all its periods as a member, oldest first. `aside`: the organiser chose the
    other branch of a fork, so this box has to join again with a new key. `others`: addresses of the
    club's other hubs, which the box tries if this one can't be reached."""

    keys: KeyPair
    club: bytes
    club_name: str
    address: str
    name: str
    joined: tuple[MembershipPeriod, ...] = ()
    aside: bool = False
    others: tuple[str, ...] = ()
    is_limited: bool = False
    """Whether connections are restricted to the local network, because the address was typed on a
    phone (core/typed_address.py)."""
    number: int | None = None

    @property
    def box_name(self) -> BoxName:
        """The club's name for this box."""
        return BoxName(self.name, self.number)

    def with_name(self, called: BoxName) -> Self:
        """The membership with the name and the number that the organiser has given the box."""
        return replace(self, name=called.name, number=called.number)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the club's hubs, beginning with the one through which the box joined."""
        return self.address, *self.others

    def at_address(self, address: str) -> Self:
        """The membership to use for a connection to the hub at `address`, one of its `addresses`.
        An address received from a hub is limited like one typed on a phone, unless the box joined
        through a hub on this machine."""
        known = address == self.address or is_local(self.address)
        return replace(self, address=address, is_limited=self.is_limited or not known)

    def with_hubs(self, found: object) -> Self:
        """Returns the membership with the addresses of the club's other hubs, parsed from a hub's
        message. Raises EntryError."""
        if not isinstance(found, list) or len(found) > MOST_OTHERS:
            raise EntryError("those are no addresses of hubs")
        others = dict.fromkeys(_read_address(one) for one in found)
        return replace(self, others=tuple(one for one in others if one != self.address))

    @property
    def is_joined(self) -> bool:
        """Whether the box has joined and not left, so that it pushes its rows."""
        return bool(self.joined) and self.joined[-1][1] is None

    @property
    def club_identity(self) -> str:
        """The club's short identity."""
        return identity_of(self.club)

    def is_shared(self, opened: int) -> bool:
        """Whether the club gets the content of a game; `opened` is the number of the game's first
        row."""
        return any(
            first < opened and (last is None or opened <= last) for first, last in self.joined
        )

    def after_leaving(self, last_row: int) -> Self:
        """The membership after the box has left, when `last_row` was its newest row."""
        ended = [(first, last_row if last is None else last) for first, last in self.joined]
        return replace(self, joined=tuple(ended))

    def with_row_inserted(self) -> Self:
        """The membership after a row was inserted at the beginning of the record, which increases
        every row number by one."""
        moved = [(first + 1, None if last is None else last + 1) for first, last in self.joined]
        return replace(self, joined=tuple(moved))

    # ------------------------------------------------------------ storage

    @classmethod
    def load(cls, record: Path) -> "Membership | None":
        """The membership of a record; None if it never joined. Raises SetupError."""
        path = membership_file(record)
        try:
            return cls._from_json(json.loads(read_private(path, LONGEST)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SetupError(f"{path} can't be read: remove it and join the club anew") from error

    @classmethod
    def _from_json(cls, found: Any) -> "Membership":
        stretches = [(int(first), last) for first, last in found["joined"]]
        if not all(last is None or isinstance(last, int) for _, last in stretches):
            raise EntryError("those are no rows")
        return cls(
            KeyPair.from_private(read_hash(found["key"])),
            read_key(found["club"]),
            read_name(found["club_name"]),
            str(found["address"]),
            read_name(found["name"]),
            tuple(stretches),
            found.get("aside") is True,
            is_limited=found.get("limited") is True,
            number=found.get("number"),
        ).with_hubs(found.get("others", []))

    def save(self, record: Path) -> None:
        """Writes the membership beside the record. Raises SetupError."""
        kept = {
            "key": self.keys.private.hex(),
            "club": self.club.hex(),
            "club_name": self.club_name,
            "address": self.address,
            "name": self.name,
            "joined": [list(one) for one in self.joined],
            **({"aside": True} if self.aside else {}),
            **({"number": self.number} if self.number else {}),
            **({"others": list(self.others)} if self.others else {}),
            **({"limited": True} if self.is_limited else {}),
        }
        path = membership_file(record)
        try:
            write_private(path, f"{json.dumps(kept)}\n")
        except OSError as error:
            raise SetupError(f"{path} can't be written: {error.strerror or error}") from error


def is_local(address: str) -> bool:
    """Whether a hub's address names this machine itself."""
    host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
    return host == "localhost" or is_unreachable_for_phones(host)


def _read_address(found: object) -> str:
    if isinstance(found, str) and 0 < len(found) <= LONGEST_ADDRESS and found.isprintable():
        return found
    raise EntryError("that is no address of a hub")
