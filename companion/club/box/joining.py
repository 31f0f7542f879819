"""Joining a club and leaving it: the box asks its hub, and keeps the membership beside its
record."""

import socket
from collections.abc import Mapping
from pathlib import Path

from companion.club.box.keys import KeyPair
from companion.club.box.line import ClubError, ClubLine, join
from companion.club.box.membership import Membership
from companion.core.typed_address import check_typed
from companion.games.game import AnyGame
from companion.record.store.reader import Reader


async def ask_to_join(
    record: Path,
    games: Mapping[str, AnyGame],
    address: str,
    name: str | None = None,
    *,
    older: bool = False,
    by_phone: bool = False,
) -> tuple[Membership, str]:
    """Asks the hub at `address` to join, keeps the membership beside the record, and gives it with
    the six digits to compare. `name`: what the box calls itself from now on (None: as before, or
    the machine's name). `older`: earlier games go to the club, too. `by_phone`: the address was
    typed on a phone. Raises ClubError, SetupError, StoreError, and EntryError if a phone may not
    name that address."""
    if by_phone:
        check_typed(address)
    before = Membership.load(record)
    keys = before.keys if before and not before.aside else KeyPair.fresh()
    called = name or (before.name if before else socket.gethostname())
    club, digits = await join(address, keys, called, limited=by_phone)
    with Reader.open(record, games) as reader:
        last = 0 if older else reader.last_row()
    again = before is not None and before.club == club.key and before.keys == keys
    stretches = before.left(last).joined if before and again else ()
    joined = (*stretches, (last, None))
    membership = Membership(keys, club.key, club.name, address, called, joined, is_limited=by_phone)
    membership.save(record)
    return membership, digits


async def leave(
    record: Path, games: Mapping[str, AnyGame], membership: Membership
) -> ClubError | None:
    """Leaves the club, whether or not the hub can be told; gives the error if it could not. Raises
    SetupError, StoreError."""
    with Reader.open(record, games) as reader:
        last = reader.last_row()
    why_not = None
    try:
        async with ClubLine.open(membership) as line:
            await line.ask({"leave": True}, "left")
    except ClubError as error:
        why_not = error
    membership.left(last).save(record)
    return why_not
