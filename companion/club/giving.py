"""Rows that the club has and the box lost: a card that was emptied, or restored from an old copy.

They are laid down as copies of a record are, so that they go back as those of a stick do.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.club.keys import Head
from companion.club.line import ClubLine
from companion.club.links import read_pushed
from companion.club.push import places_of
from companion.core.errors import EntryError
from companion.record.copies.copies import Folder
from companion.record.copies.restore import Restored, make_offer, restore
from companion.record.copies.stick import Offer
from companion.record.store.chain import START, ChainLink
from companion.record.store.reader import Reader

FROM_THE_BEGINNING: Final = Head(0, START)


async def rows_from(line: ClubLine, *places: Head) -> list[ChainLink]:
    """The rows that follow on the first of these places that the club knows, as far as it has them
    whole. Raises ClubError."""
    for place in places:
        if found := [link async for link in _rows_after(line, place)]:
            return found
    return []


async def _rows_after(line: ClubLine, place: Head) -> AsyncIterator[ChainLink]:
    while True:
        answer = await line.ask({"give": [place.seq, place.hash.hex()]}, "rows")
        found = answer["rows"]
        if not isinstance(found, list):
            raise EntryError("those are not rows")
        pushed = [read_pushed(one) for one in found]
        if not pushed or pushed[-1].seq <= place.seq:
            return
        for row in pushed:
            if (link := row.link) is not None:
                yield link
        place = Head(pushed[-1].seq, pushed[-1].hash)


def places_in(record: Reader) -> Iterator[Head]:
    """Where the club may go on from: rows of the record, the newest first; then its beginning."""
    yield from places_of(record)
    yield FROM_THE_BEGINNING


def offer_of(record: Path, links: list[ChainLink], club: str) -> Offer | None:
    """These rows as an offer to a record that has no game; None where they have none either. Raises
    OSError, sqlite3.Error, StoreError."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        _lay_down(place, links)
        return make_offer(record, place, club)


def bring_back(record: Path, links: list[ChainLink]) -> Restored:
    """Puts these rows into a record, which nobody else may write meanwhile. Raises OSError,
    sqlite3.Error, StoreError."""
    with TemporaryDirectory() as folder:
        return restore(record, [_lay_down(Path(folder), links)])


def _lay_down(place: Path, links: list[ChainLink]) -> Folder:
    copies = Folder.of(place, links[0])
    copies.append(links)
    return copies
