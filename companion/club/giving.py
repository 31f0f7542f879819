"""Rows that the club has and the box lost: a card that was emptied, or restored from an old copy.

They are laid down as copies of a record are, so that they go back as those of a stick do.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.club.keys import Head
from companion.club.line import ClubLine
from companion.club.links import read_pushed
from companion.core.errors import EntryError
from companion.games.game import AnyGame
from companion.record.copies.copies import Folder
from companion.record.copies.restore import make_offer
from companion.record.copies.stick import Offer
from companion.record.repair.gathered import Gathered
from companion.record.repair.readable import OWN, Readable, gaps_in
from companion.record.repair.salvage import replace_record
from companion.record.store.chain import START, ChainLink
from companion.record.store.reader import Reader

FROM_THE_BEGINNING: Final = Head(0, START)


async def rows_from(line: ClubLine, place: Head) -> list[ChainLink]:
    """The rows that follow on this one, as far as the club has them whole; none where nobody of
    the club has that row. Raises ClubError, EntryError."""
    links = list[ChainLink]()
    while True:
        answer = await line.ask({"give": [place.seq, place.hash.hex()]}, "rows")
        found = answer["rows"]
        if not isinstance(found, list):
            raise EntryError("those are not rows")
        pushed = [read_pushed(one) for one in found]
        if not pushed or pushed[-1].seq <= place.seq:
            return links
        links += [link for row in pushed if (link := row.link) is not None]
        place = Head(pushed[-1].seq, pushed[-1].hash)


def place_in(record: Reader) -> Head:
    """Where the club may go on from: the record's last row, or its beginning without a game."""
    last = record.last_row()
    own = record.hash_of(last) if record.newest_game() else None
    return FROM_THE_BEGINNING if own is None else Head(last, own)


def offer_of(record: Path, links: list[ChainLink], club: str) -> Offer | None:
    """These rows as an offer to a record that has no game; None where they have none either. Raises
    OSError, sqlite3.Error, StoreError."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        Folder.of(place, links[0]).append(links)
        return make_offer(record, place, club)


def bring_back(record: Path, games: Mapping[str, AnyGame], links: list[ChainLink]) -> None:
    """Puts these rows behind those of a record, which nobody else may write meanwhile; where it has
    no game yet they are the record. What is missing between them is declared to be lost, and the
    record as it was is kept beside. Raises OSError, sqlite3.Error, StoreError."""
    with Reader.open(record, games) as reader:
        own = [item for item in reader.walk() if isinstance(item, ChainLink)]
        began = reader.newest_game() > 0
    with Gathered() as rows:
        rows.add(OWN, [*own, *links] if began else links)
        rows.tell(OWN)
        last = rows.last
        found = Readable(rows, gaps_in(rows, None if last is None else last.seq))
        replace_record(record, found.with_mark(record.name, None))
