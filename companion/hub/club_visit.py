"""Answers what a club's hub asks a federation's hub once it is known as a member (docs/hub.md): it
pushes the chains of its boxes on, and gets them back if it has lost them."""

from functools import partial
from typing import Any, Final

from companion.club.keys import SIGNATURE_BYTES, Head, identity_of
from companion.club.links import ROWS_AT_ONCE, read_hash, read_place, read_pushed
from companion.club.session import read_key, read_name
from companion.core.budgets import TABLES
from companion.core.errors import EntryError
from companion.core.spending import Spending
from companion.core.values import Json
from companion.core.whole_numbers import CHAINS, ROWS, is_whole
from companion.hub.batch import Batch, BatchAnswer
from companion.hub.chains import chains_of
from companion.hub.committer import Committer
from companion.hub.database import AwayError
from companion.hub.federated import ChainPart, FederatedChains, boxes_of, check_seals, rows_of_chain
from companion.hub.giving import as_many_as_fit
from companion.hub.members import Member
from companion.hub.store import HubStore

ASKED: Final = ("box", "chain", "opens", "boxes", "rows-of")
"""The keys by which a club's questions are known."""


class ClubVisit:
    """Answers the questions of one club. `member`: the club as the federation's organiser accepted
    it, whose name is shown."""

    def __init__(
        self, store: HubStore, committer: Committer, member: Member, spending: Spending
    ) -> None:
        self._spending = spending
        self._store, self._committer, self._club = store, committer, member
        self._kept = FederatedChains(store)
        self._keys: dict[str, bytes] = {}
        self._in_parts = False

    @property
    def club(self) -> str:
        """The club's identity."""
        return self._club.box

    async def answer(self, asked: dict[str, Any]) -> Json | BatchAnswer:
        """The answer to a question. Raises EntryError if it is not one that a club asks, and
        AwayError."""
        if "box" in asked:
            return await self._box(asked)
        if "chain" in asked:
            return await self._chain(asked)
        if "opens" in asked:
            return await self._opens(asked)
        if "boxes" in asked:
            found = await self._committer.read(lambda: boxes_of(self._store.database, self.club))
            return {"boxes": found}
        return await self._rows_of(asked)

    async def _box(self, asked: dict[str, Any]) -> Json:
        key, name = read_key(asked["box"]), read_name(asked.get("name"))
        read_name(asked.get("of"))
        state, kept, club = str(asked.get("state")), self._kept, self._club
        self._in_parts = in_parts = asked.get("parts") is True
        knows = partial(kept.knows, club.box, identity_of(key))
        if not await self._committer.read(knows) and not self._spending.spend(TABLES, club.box):
            raise AwayError("too many new tables at once: try again in a minute")
        await self._committer.change(lambda: kept.note_box(club.key, club.name, key, name, state))
        box = identity_of(key)
        self._keys[box] = key
        found = await self._committer.read(lambda: kept.chains(club.box, box, in_parts=in_parts))
        return {"chains": found}

    async def _chain(self, asked: dict[str, Any]) -> BatchAnswer:
        box, number, parent, first, state = _read_chain(asked["chain"])
        if (key := self._keys.get(box)) is None:
            raise EntryError("say first which box that is")
        given = asked.get("rows")
        if not isinstance(given, list) or len(given) > ROWS_AT_ONCE:
            raise EntryError("a batch has {most} rows at most", most=ROWS_AT_ONCE)
        pushed = [read_pushed(one) for one in given]
        lost = None if asked.get("lost") is None else read_pushed(asked["lost"])
        seal, countersign = (
            b"" if asked.get(name) is None else read_hash(asked[name], SIGNATURE_BYTES)
            for name in ("seal", "countersign")
        )
        after = Head(*read_place(asked.get("after")))
        batch = Batch(self.club, box, after, pushed, seal, lost)
        part = ChainPart(batch, number, parent, first, state, countersign, self._in_parts)
        if pushed:
            check_seals(part, self._club.key, key)
        return await self._committer.change(lambda: self._kept.take(part))

    async def _opens(self, asked: dict[str, Any]) -> Json:
        box, given = asked["opens"], asked.get("rows")
        if not isinstance(box, str) or not isinstance(given, list) or len(given) > ROWS_AT_ONCE:
            raise EntryError("those are not rows of a box")
        pushed, opens = [read_pushed(one) for one in given], self._kept.open_rows
        return {"opened": await self._committer.change(lambda: opens(self.club, box, pushed))}

    async def _rows_of(self, asked: dict[str, Any]) -> Json:
        match asked.get("rows-of"), asked.get("after"):
            case [str(box), number], after if is_whole(number, CHAINS) and is_whole(after, ROWS):
                pass
            case _:
                raise EntryError("that is nothing that a hub is asked")

        def read() -> list[object]:
            with self._store.database.reading() as db:
                chain = chains_of(db, self.club, box).get(number)
                found = rows_of_chain(db, chain.key, after, ROWS_AT_ONCE) if chain else []
            sealed = (row for row in found if chain and row.seq <= chain.head.seq)
            return [row.json for row in as_many_as_fit(sealed)]

        return {"rows": await self._committer.read(read)}


def _read_chain(found: object) -> tuple[str, int, int | None, int, str]:
    match found:
        case [str(box), number, parent, first, ("live" | "aside") as state] if (
            is_whole(number, CHAINS)
            and (parent is None or is_whole(parent, CHAINS))
            and is_whole(first, ROWS)
            and first
        ):
            return box, number, parent, first, state
    raise EntryError("that is no chain of a box")
