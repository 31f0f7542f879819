"""The organiser's page: the requests to join, the boxes, forks, the access codes, and recent
events. All of it is read again every two seconds, and sent if it has changed."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import Connection, select

from companion.club.box.keys import identity_mark
from companion.club.box.protocol import BOX, CLUB
from companion.club.hub.chains import Chain, chains_of, find_forks
from companion.club.hub.database import Database, UnavailableError, boxes
from companion.club.hub.games import list_games, read_box_facts, read_game
from companion.club.hub.members import Member, distinct_name
from companion.club.hub.people import ClubPeople
from companion.club.hub.server import Hub
from companion.club.hub.store import AWAY, LEFT, RefusedBatch, not_member_refusal
from companion.core.clock import day
from companion.core.errors import EntryError, SetupError
from companion.core.json_text import CHAINS, is_whole
from companion.core.seats import display_name
from companion.core.typed_address import with_port
from companion.core.values import Json
from companion.core.words import listed, phrase
from companion.presentation.game import PresentedGames, rules_of
from companion.presentation.moment import Moment, describe
from companion.presentation.sayings import name_in_words
from companion.record.rows import PlayerHidden, PlayerRenamed
from companion.record.store.database import StoreError
from companion.web.access import is_loopback
from companion.web.address import network_address, page_url, qr_svg
from companion.web.viewer import Viewer

# ---------------------------------------------------------------- forks
# The chains of a forked box that the organiser has to choose from, each with its newest games and
# entries to recognise the right one.


GAMES: Final = 3
"""How many games of a chain are shown; ENTRIES: how many entries of the newest game."""
ENTRIES: Final = 4


def forks_json(
    database: Database, club: str, games: PresentedGames, names_since: float = 0.0
) -> list[Json]:
    """Returns each forked box with its chains (`courses`). `names_since`: see BoxFacts. Raises
    UnavailableError."""
    found = []
    with database.reading() as db:
        forks = find_forks(db, club)
    for box, live in forks.items():
        with database.reading() as db:
            box_chains = chains_of(db, live[0].club, box)
            mine = boxes.c.club == live[0].club, boxes.c.box == box
            name = db.execute(select(boxes.c.name).where(*mine)).scalar()
            courses = [_chain_json(db, chain, box_chains, games, names_since) for chain in live]
        found.append({"box": box, "name": name, "courses": courses})
    return found


def _chain_json(
    db: Connection,
    chain: Chain,
    box_chains: Mapping[int, Chain],
    games: PresentedGames,
    names_since: float,
) -> Json:
    facts, rules = read_box_facts(db, chain, box_chains, names_since), rules_of(games)
    games_of = list_games(db, chain, box_chains, None, GAMES)
    told = []
    for one in games_of:
        opened = one.opened
        instead = facts.replacement_names(opened, one.at, rules.get(opened.game))
        told.append(
            {
                "number": one.number,
                "title": rules[opened.game].title if opened.game in rules else opened.game,
                "seats": listed(name_in_words(instead.get(seat, seat)) for seat in opened.seats),
                "day": day(one.at),
            }
        )
    newest: list[str] = []
    if games_of:
        try:
            number = games_of[0].number
            fold = read_game(db, chain, box_chains, number, rules=rules, facts=facts)
        except StoreError:
            pass  # a newer version wrote the game
        else:
            moment = describe(Moment(games, fold.journal, fold.row, number))
            newest = [entry["said"]["words"] for entry in moment["latest"][:ENTRIES]]
    return {
        "chain": chain.chain,
        "rows": chain.head.seq,
        "first": chain.first,
        "own": chain.parent is not None,
        "grown_at": chain.grown_at,
        "games": told,
        "newest": newest,
    }


# ---------------------------------------------------------------- organiser

POLL_S: Final = 2.0
LIMITS_S: Final = 600.0
"""Seconds for which a reached limit is shown."""
MOST_REMARKS: Final = 12


class OrganiserFeed:
    """Feeds an organiser's page. `origin` is the address by which the browser reached the hub;
    `codes_changed` is called when new access codes take effect."""

    def __init__(
        self, hub: Hub, viewer: Viewer, origin: str, codes_changed: Callable[[], None]
    ) -> None:
        self._hub, self._viewer, self._place = hub, viewer, address_for_phones(origin)
        self._words_changed = codes_changed
        self._texts: deque[str] = deque()
        self._sent: Json | None = None
        self._actions: asyncio.Queue[Callable[[], Awaitable[str]]] = asyncio.Queue()

    def new_messages(self) -> Iterator[str]:
        """The waiting messages: changes, and answers to the organiser."""
        while self._texts:
            yield self._texts.popleft()

    async def refresh(self) -> None:
        """Reads everything on the page repeatedly, and carries out the organiser's requests in
        between, until cancelled."""
        while True:
            try:
                found = await self._read()
            except UnavailableError as error:
                self._send({"answer": {"said": error.why, "done": False}})
            else:
                if found != self._sent:
                    self._sent = found
                    self._send({"now": self._hub.clock(), "organiser": found})
            try:
                async with asyncio.timeout(POLL_S):
                    action = await self._actions.get()
            except TimeoutError:
                continue
            try:
                self._send({"answer": {"said": await action(), "done": True}})
            except (EntryError, UnavailableError) as error:
                self._send({"answer": {"said": error.why, "done": False}})
            except SetupError as error:
                self._send({"answer": {"said": error.args[0], "done": False}})

    def _send(self, message: Json) -> None:
        self._texts.append(self._viewer.language.json(message))
        self._viewer.news.set()

    # ------------------------------------------------------------ the content of the page

    async def _read(self) -> Json:
        hub = self._hub

        def read() -> Json:
            return {
                "joining": [
                    {
                        "box": one.box,
                        "name": one.name,
                        "digits": one.digits,
                        "at": one.asked_at,
                        "kind": one.kind,
                    }
                    for one in hub.members.open_requests()
                ],
                "members": [
                    {
                        "box": one.box,
                        "name": one.name,
                        "number": one.number,
                        "state": one.state,
                        "heard_at": one.heard_at,
                        "kind": one.kind,
                    }
                    for one in hub.members.all()
                ],
                "people": [
                    {
                        "name": display_name(one.name),
                        "to": display_name(one.to) if isinstance(one, PlayerRenamed) else None,
                    }
                    for one in ClubPeople(hub.store).changes()
                ],
                "forks": forks_json(
                    hub.store.database, hub.store.club, hub.games, hub.tables.names_since()
                ),
            }

        found = await hub.committer.read(read)
        for one in found["members"]:
            one["connected"] = one["box"] in hub.connections
            if one["connected"]:
                # It was heard just now; the time isn't worth a message every ten seconds.
                one["heard_at"] = None
        remarks = [{"at": at, "said": said} for at, said in [*hub.remarks][-MOST_REMARKS:]]
        own = {
            "codes": self._codes_json(),
            "opened": self._opened_tables_json(),
            "limits": limits_json(hub, found["members"]),
            "remarks": remarks[::-1],
        }
        return {"club": hub.name, **found, **own}

    def _opened_tables_json(self) -> list[Json]:
        """The tables that the hub has opened, each with the access code with which phones may enter
        plays there."""
        opened, told = self._hub.opened_tables, []
        for name, table in opened.tables.items() if opened else ():
            word = opened.access_code(name) if opened and table.process else None
            where = page_url(urlsplit(self._place).hostname or "localhost", table.port)
            told.append(
                {
                    "name": name,
                    "box": table.box,
                    "address": f"{where}/#{word}" if word else None,
                    "code": qr_svg(where, word) if word else None,
                }
            )
        return told

    def _codes_json(self) -> list[Json]:
        words = self._hub.codes.current
        told = (("viewer", words.watch), ("judge", words.play))
        return [
            {
                "role": role,
                "address": f"{self._place}/#{word}",
                "word": " ".join(word[at : at + 4] for at in range(0, len(word), 4)),
                "code": qr_svg(self._place, word),
                "tv": f"{self._place}/tv",
            }
            for role, word in told
        ]

    # ------------------------------------------------------------ what the organiser does

    def handle_message(self, message: Json) -> None:
        """Handles a request of the organiser. Raises ValueError if our pages never send it."""
        match message:
            case {"accept": str(digits), "as": "box" | "club" as kind}:
                self._actions.put_nowait(lambda: self._accept(digits, kind))
            case {"accept": str(digits)} if "as" not in message:
                self._actions.put_nowait(lambda: self._accept(digits, BOX))
            case {"decline": str(digits)}:
                self._actions.put_nowait(lambda: self._decline(digits))
            case {"retire": str(box)}:
                self._actions.put_nowait(lambda: self._retire(box))
            case {"throwOut": str(box)}:
                self._actions.put_nowait(lambda: self._throw_out(box))
            case {"call": [str(box), str(name), int() | None as number]}:
                self._actions.put_nowait(lambda: self._name_box(box, name, number))
            case {"choose": [str(box), chain]} if is_whole(chain, CHAINS):
                self._actions.put_nowait(lambda: self._choose_chain(box, chain))
            case {"newCodes": True}:
                self._actions.put_nowait(self._renew_codes)
            case {"openTable": True}:
                self._actions.put_nowait(self._open_table)
            case {"closeTable": str(name)}:
                self._actions.put_nowait(lambda: self._close_table(name))
            case {"same": [str(name), str(to)]}:
                self._actions.put_nowait(
                    lambda: self._change_people(
                        PlayerRenamed(_name_in_rows(name), _name_in_rows(to))
                    )
                )
            case {"hide": str(name)}:
                self._actions.put_nowait(
                    lambda: self._change_people(PlayerHidden(_name_in_rows(name)))
                )
            case {"takeBack": True}:
                self._actions.put_nowait(self._take_back)
            case {"same": _} | {"hide": _} | {"takeBack": _}:
                raise ValueError("that is nothing that an organiser does")
            case {"accept": _} | {"decline": _} | {"retire": _} | {"throwOut": _} | {"choose": _}:
                raise ValueError("that is nothing that an organiser does")
            case {"openTable": _} | {"closeTable": _} | {"newCodes": _} | {"call": _}:
                raise ValueError("that is nothing that an organiser does")

    async def _accept(self, digits: str, kind: str) -> str:
        hub = self._hub
        member = await hub.committer.change(lambda: hub.members.accept(digits, kind=kind))
        called = await hub.committer.read(lambda: distinct_name(hub.members.all(), member))
        if kind == CLUB:
            hub.remark(
                phrase("{name} is a member of {club}, as a club", name=called, club=hub.name)
            )
            return phrase("{name} is now a member, as a club", name=member.name)
        hub.remark(phrase("{name} is a member of {club}", name=called, club=hub.name))
        return phrase("{name} is now a member", name=member.name)

    async def _decline(self, digits: str) -> str:
        hub = self._hub
        await hub.committer.change(lambda: hub.members.decline(digits))
        return phrase("The box that shows {digits} was not accepted", digits=digits)

    async def _retire(self, box: str) -> str:
        """Ends the membership of a box that can't leave by itself; everything that it has sealed
        stays."""
        member = await self._end_membership(box, self._hub.members.leave, not_member_refusal(LEFT))
        said = phrase("{name} is retired; its results stay", name=await self._name_of(member.box))
        self._hub.remark(said)
        return said

    async def _throw_out(self, box: str) -> str:
        """Expels a member; rows that came through it for other boxes disappear from all pages."""
        member = await self._end_membership(box, self._hub.members.expel, not_member_refusal(AWAY))
        said = phrase("{name} was thrown out", name=await self._name_of(member.box))
        self._hub.remark(said)
        return said

    async def _end_membership(
        self, box: str, end: Callable[[str], None], refused: RefusedBatch
    ) -> Member:
        hub = self._hub
        member = await hub.committer.read(lambda: hub.members.find_by_name(box))
        await hub.committer.change(lambda: end(member.box))
        await hub.send_to_box(member.box, {"refused": refused.code, "why": refused.why})
        return member

    async def _name_box(self, box: str, name: str, number: int | None) -> str:
        member = await self._hub.name_box(box, name, number)
        if member.number is None:
            return phrase("The box is called {name}, and has no number", name=member.name)
        return phrase("{name} is table {number}", name=member.name, number=member.number)

    async def _choose_chain(self, box: str, chain: int) -> str:
        hub = self._hub
        name = await self._name_of(box)
        await hub.committer.change(lambda: hub.store.choose_chain(hub.store.club, box, chain))
        hub.remark(
            phrase(
                "{name} goes on with the record that was chosen (chain {chain})",
                name=name,
                chain=chain,
            )
        )
        return phrase("{name} continues with the record that you chose", name=name)

    async def _name_of(self, box: str) -> str:
        members = await self._hub.committer.read(self._hub.members.all)
        return next((distinct_name(members, one) for one in members if one.box == box), box)

    async def _change_people(self, change: PlayerRenamed | PlayerHidden) -> str:
        hub = self._hub
        await hub.committer.change(lambda: ClubPeople(hub.store).add(change, "organiser"))
        return _change_sentence(change)

    async def _take_back(self) -> str:
        hub = self._hub
        change = await hub.committer.change(lambda: ClubPeople(hub.store).take_back("organiser"))
        return phrase("Taken back: {change}", change=_change_sentence(change))

    async def _open_table(self) -> str:
        """Opens a table of the hub's own, for people who have phones but no box."""
        hub = self._hub
        if hub.opened_tables is None:
            raise EntryError("this hub opens no tables")
        table = await hub.committer.change(
            partial(hub.opened_tables.prepare, self._viewer.language)
        )
        hub.opened_tables.open(table)
        hub.remark(phrase("{name} was opened here", name=table.name))
        return phrase("{name} is open: scan its code with a phone", name=table.name)

    async def _close_table(self, name: str) -> str:
        hub = self._hub
        if hub.opened_tables is None:
            raise EntryError("this hub opens no tables")
        table = hub.opened_tables.tables.get(name)
        await hub.opened_tables.close(name)
        if table is not None:
            await hub.committer.change(lambda: hub.members.leave(table.box))
        hub.remark(phrase("{name} was closed", name=name))
        return phrase("{name} is closed; its games stay here", name=name)

    async def _renew_codes(self) -> str:
        """Makes new access codes; this page gets the new organiser's code, and stays connected."""
        self._hub.codes.renew()
        self._viewer.code = self._hub.codes.current.keep
        self._send({"word": self._viewer.code})
        self._words_changed()
        return phrase("There are new access codes: connect the phones and TVs again")


def limits_json(hub: Hub, members: Sequence[Json]) -> list[Json]:
    """The boxes and addresses that have reached a limit, with the names of members as on the
    organiser's page."""
    names = {one["box"]: f"{one['name']} ({identity_mark(one['box'])})" for one in members}
    return hub.spending.at_limit(lambda box: names.get(box, box), LIMITS_S)


def _name_in_rows(name: str) -> str:
    """A typed name in the form that games use (`Uncle_Joe`)."""
    return "_".join(name.split())


def _change_sentence(change: PlayerRenamed | PlayerHidden) -> str:
    if isinstance(change, PlayerRenamed):
        return phrase(
            "{name} counts as {to}", name=display_name(change.name), to=display_name(change.to)
        )
    return phrase("{name} is not shown", name=display_name(change.name))


def address_for_phones(origin: str) -> str:
    """The address where phones reach the hub, derived from the `origin` where a browser has reached
    it. It is `origin` itself, unless that works only on this machine, as “localhost” does."""
    parts = urlsplit(origin)
    if not is_loopback(parts.hostname or ""):
        return origin
    return f"{parts.scheme}://{with_port(network_address(), parts.port)}{parts.path}"
