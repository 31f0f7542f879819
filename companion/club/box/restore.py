"""Gets lost rows back from the club after the box's card was emptied or restored from an old copy.

The rows are stored like a copy of the record, so that they are restored as from a stick.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.club.box.hub_connection import HubConnection
from companion.club.box.keys import Head
from companion.club.box.protocol import read_pushed
from companion.core.errors import EntryError
from companion.games.game import AnyGame
from companion.record.copies.restore import Offer, make_offer
from companion.record.copies.text_copy import Folder
from companion.record.repair.salvage import OWN_FILES_PLACE, FoundRows, ReadableRows, gaps_in
from companion.record.store.database import START, ChainLink
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record

FROM_THE_BEGINNING: Final = Head(0, START)


async def request_rows(connection: HubConnection, place: Head) -> list[ChainLink]:
    """Requests the rows that follow the row `place`, and returns them without private ones; empty
    if no box in the club has that row. Raises ClubError, EntryError."""
    links = list[ChainLink]()
    while True:
        answer = await connection.request({"give": [place.seq, place.hash.hex()]}, "rows")
        found = answer["rows"]
        if not isinstance(found, list):
            raise EntryError("those are not rows")
        pushed = [read_pushed(one) for one in found]
        if not pushed or pushed[-1].seq <= place.seq:
            return links
        links += [link for row in pushed if (link := row.link) is not None]
        place = Head(pushed[-1].seq, pushed[-1].hash)


def restore_point(record: Reader) -> Head:
    """The row after which the club's rows are requested: the record's last row or, if it has no
    game, its beginning."""
    last = record.last_row()
    own = record.hash_of(last) if record.newest_game() else None
    return FROM_THE_BEGINNING if own is None else Head(last, own)


def make_club_offer(record: Path, links: list[ChainLink], club: str) -> Offer | None:
    """Returns an offer to restore these rows to a record without games; None if the rows have no
    game either. Raises OSError, sqlite3.Error, StoreError."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        Folder.of(place, links[0]).append(links)
        return make_offer(record, place, club)


def restore_rows(record: Path, games: Mapping[str, AnyGame], links: list[ChainLink]) -> None:
    """Adds these rows after those of a record; if the record has no game yet, they replace its
    rows. Rows missing between them are declared lost, and the previous record is kept beside the
    new one. No other process may write to the record meanwhile. Raises OSError, sqlite3.Error,
    StoreError."""
    with Reader.open(record, games) as reader:
        own = [item for item in reader.walk() if isinstance(item, ChainLink)]
        began = reader.newest_game() > 0
    with FoundRows() as rows:
        rows.add(OWN_FILES_PLACE, [*own, *links] if began else links)
        rows.build_story(OWN_FILES_PLACE)
        last = rows.last
        found = ReadableRows(rows, gaps_in(rows, None if last is None else last.seq))
        replace_record(record, found.with_mark(record.name, None))
