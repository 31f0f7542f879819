"""Forgets a person at the hub: writes the hub's own chain anew without their name.

The new chain begins with `forgotten` and erases the one before, here and at a federation. A box's
record is signed by the box, so only `companion forget` at that box can write it anew; the box then
pushes it.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize

from sqlalchemy import Connection, or_, select

from companion.club.box.keys import BY_BOX, Head
from companion.club.box.protocol import PushedRow
from companion.club.hub.chains import PUSHED, chains_of, pushed_of, rows_where, shown_chain
from companion.club.hub.database import boxes, rows
from companion.club.hub.store import RECORD_BEGINS, Batch, Have, HubStore
from companion.core.errors import EntryError
from companion.core.seats import shown
from companion.core.values import Json
from companion.core.words import composed, same_name
from companion.events.people import id_of
from companion.record.rows import Forgotten, Opened, OtherPeople, Reseat
from companion.record.store.chain import ChainLink
from companion.record.store.codec import decode_row, encode_row


@dataclass(frozen=True, slots=True)
class ForgottenHere:
    """What became of a name. `rows`: how many of the hub's own rows had it; `instead`: the name
    that they have now; `boxes`: the names of boxes in whose games the old one still stands."""

    rows: int
    instead: str
    boxes: tuple[str, ...]


def forget_person(store: HubStore, name: str) -> ForgottenHere:
    """Forgets `name`, both as a game has it (`Uncle_Joe`, which is the form to give) and as people
    read it (Uncle Joe), whatever characters its letters are written with. Raises AwayError."""
    name = composed(name)
    with store.database.reading() as db:
        still = tuple(_boxes_with(db, store.club, name))
    many, instead = store.until_settled(lambda db: _write_anew(db, store, name))
    return ForgottenHere(many, instead, still)


def _write_anew(db: Connection, store: HubStore, name: str) -> tuple[int, str]:
    club, of_box = store.club, chains_of(db, store.club, store.club)
    if (chain := shown_chain(of_box.values())) is None:
        return 0, ""
    asked = select(*PUSHED).where(rows_where(chain, of_box)).order_by(rows.c.seq)
    before = [link for one in db.execute(asked) if (link := pushed_of(one).link)]
    instead = _free_name(link.row for link in before)
    names = {name: instead, shown(name): shown(instead)}
    names |= _in_events((link.row for link in before), {*names}, shown(instead))
    texts = [(link, _without(link.row, names)) for link in before]
    many = sum(link.row != text for link, text in texts)
    if not many:
        return 0, ""
    head, new = RECORD_BEGINS, list[PushedRow]()
    said = [(0, encode_row(Forgotten((instead,))), store.clock(), "organiser")]
    # What was said of people under that name is nobody's any more.
    said += [
        (link.game, text, link.at or 0.0, link.source or "")
        for link, text in texts
        if link.game or link.row == text
    ]
    for game, text, at, source in said:
        link = ChainLink.make(head.hash, (head.seq + 1, game, text, at, source))
        new.append(PushedRow.of(link, whole=True))
        head = Head(link.seq, link.hash)
    batch = Batch(club, club, RECORD_BEGINS, new, head.sealed(store.keys, BY_BOX, club, club))
    have = Have(head, store.countersign(batch), added=len(new))
    store.begin(db, batch, new, have, of_box, parent=None)
    return many, instead


def _without(text: str, names: dict[str, str]) -> str:
    """A row's JSON with each of these `names` replaced by its new one; the same text if it has none
    of them. The names are in composed form."""

    def put(value: Json) -> Json:
        match value:
            case str():
                return names.get(composed(value), value)
            case list():
                return [put(one) for one in value]
            case dict():
                return {names.get(composed(key), key): put(one) for key, one in value.items()}
        return value

    found = json.loads(text)
    new = put(found)
    return text if new == found else json.dumps(new, ensure_ascii=False)


def _in_events(texts: Iterable[str], names: set[str], instead: str) -> dict[str, str]:
    """Other words that name the person at events, each with its replacement: ids that were made
    from the name, and earlier misspellings of it."""
    said = [
        one
        for text in texts
        for kind, one in json.loads(text).items()
        if kind in ("came", "listed", "named") and isinstance(one, dict)
    ]
    ids = sorted({str(one["id"]) for one in said if composed(str(one.get("name", ""))) in names})
    found = {composed(str(one["name"])): instead for one in said if one.get("id") in ids}
    return found | {one: id_of(f"{instead} {at}") for at, one in enumerate(ids, start=1)}


def _free_name(texts: Iterable[str]) -> str:
    taken, number = " ".join(texts), 1
    while f"Player_{number}" in taken or f"Player {number}" in taken:
        number += 1
    return f"Player_{number}"


def _boxes_with(db: Connection, club: str, name: str) -> list[str]:
    """The names of the boxes in whose games, as far as they are not private, somebody of that name
    sits."""
    found = []
    asked = select(boxes).where(boxes.c.club == club, boxes.c.box != club).order_by(boxes.c.name)
    forms = {json.dumps(normalize(form, name), ensure_ascii=False) for form in ("NFC", "NFD")}
    has_name = or_(*(rows.c.row.contains(form, autoescape=True) for form in forms))
    seated = rows.c.game > 0, has_name
    for box in db.execute(asked).all():
        mine = rows.c.club == club, rows.c.box == box.box
        texts = db.execute(select(rows.c.row).where(*mine, *seated)).scalars()
        if any(_sits(text, name) for text in texts):
            found.append(str(box.name))
    return found


def _sits(text: str, name: str) -> bool:
    try:
        row = decode_row(text)
    except EntryError:
        return False
    if not isinstance(row, Opened | Reseat | OtherPeople):
        return False
    return any(same_name(seat, name) for seat in row.seats)
