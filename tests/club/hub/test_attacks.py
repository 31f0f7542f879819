"""Attacks on what a hub shows, by a program of its own (attacker.py) against a real hub: forged,
unsealed, replayed and re-federated chains. None of it is shown on any page, or countersigned."""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import aiohttp
import pytest

from companion.commands.cli import main
from companion.core.values import Json
from tests.club.hub.attacker import (
    Answers,
    Key,
    Line,
    WireRow,
    ask_to_join,
    connected,
    part,
    rows,
    wire,
)
from tests.club.hub.club_site import ClubSite, club_site
from tests.waiting import WAIT_S
from tests.web.visits import visit_at

HAND = "hand\nNora 6-6\nOle 6-3"
FORGED = ("Forger", "Faker")
NAMES_OF_NOBODY = (*FORGED, "Attack Club", "Made-up", "Cellar")
"""Names that appear only in what the attacker sends. The Cellar is a real box that the attacker's
club lists among its own: what it has sealed is shown."""


def texts(one: str, other: str, many: int = 4, game: int = 1) -> list[tuple[int, str]]:
    """The texts of rows of a game between these two."""
    opened = {
        "v": 3, "kind": "opened", "game": "five-up", "seats": [one, other], "options": {},
        "rules": 2,
    }  # fmt: skip
    first = [f"hand lead {one}", f"{one} 5-5", f"{other} 5-6", f"{one} 6-1"]
    entries = [first[at] for at in range(min(many - 1, len(first)))]
    steps = [json.dumps({"v": 3, "kind": "step", "entries": [entry]}) for entry in entries]
    return [(game, json.dumps(opened)), *((game, step) for step in steps)]


def padded(made: list[tuple[int, str]], many: int) -> list[tuple[int, str]]:
    """These texts, and after them settings that change nothing, `many` in all."""
    more = [
        (0, json.dumps({"v": 3, "kind": "setting", "name": f"x-{number}", "value": "on"}))
        for number in range(many - len(made))
    ]
    return [*made, *more]


class AttackedHub:
    """A hub with a box of its own, Kitchen, and an honest club whose box Porch it shows; and the
    attacker, who is a member once as a box and once as a club."""

    def __init__(self, site: ClubSite) -> None:
        self.site = site
        self.answers = Answers()
        self.as_box, self.as_club = Key(), Key()
        self.honest, self.porch = Key(), Key()
        self.porch_rows = rows(texts("Petra", "Paul"))
        self.forged = 0
        """How many rows that no box has sealed were sent."""

    @property
    def data(self) -> list[str]:
        return ["--data", str(self.site.hub.data)]

    def accept(self, key: Key, name: str, kind: str | None, *more: str) -> int:
        digits = asyncio.run(ask_to_join(self.site.url, key, name, kind))
        return main(["hub", "accept", digits, *more, *self.data])

    def talk(self, key: Key, say: Callable[[Line], Awaitable[Any]]) -> Any:
        """The result of calling `say` with a connection under that key."""

        async def talked() -> Any:
            async with connected(self.site.url, key, self.answers) as line:
                return await say(line)

        return asyncio.run(asyncio.wait_for(talked(), WAIT_S))

    def say(self, key: Key, *messages: dict[str, Any]) -> list[dict[str, Any]]:
        """The hub's answers to these messages on one connection."""

        async def all_said(line: Line) -> list[dict[str, Any]]:
            return [await line.request(one) for one in messages]

        found: list[dict[str, Any]] = self.talk(key, all_said)
        return found

    def box(self, key: bytes, name: str, state: str = "member") -> dict[str, Any]:
        return {"box": key.hex(), "name": name, "of": "Attack Club", "state": state, "parts": True}

    def forge(self, made: Sequence[WireRow]) -> Sequence[WireRow]:
        self.forged += len(made)
        return made

    def kitchen(self) -> tuple[Key, list[WireRow], bytes, bytes]:
        """The real box: its key, its rows, its newest seal and the hub's countersignature, as a
        thief of both disks would have them."""
        mine = _own(self), self.site.box("Kitchen")
        kept = json.loads(self.site.record("Kitchen").with_suffix(".club").read_text())
        db = sqlite3.connect(self.site.hub.data / "hub.db")
        found = [
            (seq, game, row, at, None, bytes(before), bytes(own))
            for seq, game, row, at, before, own in db.execute(
                "SELECT seq, game, row, at, before, hash FROM rows WHERE club = ? AND box = ?"
                " ORDER BY seq",
                mine,
            )
        ]
        seal, countersign = db.execute(
            "SELECT seal, countersign FROM chains WHERE club = ? AND box = ?", mine
        ).fetchone()
        db.close()
        return Key.of(kept["key"]), found, bytes(seal), bytes(countersign)

    # ------------------------------------------------------------ what people see

    def pages(self) -> dict[str, str]:
        """Everything that the hub shows, by the place where it does."""
        found: dict[str, str] = {}
        site, word = self.site, self.site.word("keep")

        async def read(session: aiohttp.ClientSession) -> None:
            asked = {"token": word}
            async with session.get("/api/tables", params=asked) as answer:
                tables = await answer.json()
                found["/api/tables"] = json.dumps(tables)
            boxes = [one["box"] for one in tables["tables"]] + [
                key.name for key in (self.as_box, self.as_club)
            ]
            for path in ("/api/events", "/api/calls"):
                async with session.get(path, params=asked) as answer:
                    found[path] = await answer.text()
            for path in ("/evenings", *(f"/games/{box}{of}" for box in boxes for of in ("", "/1"))):
                found[path] = await _page(session, path, word)
            for path in ("/live", "/live/tv", *(f"/live/{box}" for box in boxes)):
                headers = {"Origin": site.url}
                async with session.ws_connect(path, headers=headers) as ws:
                    await ws.send_json({"n": 0, "hello": word, "wants": ["wide"]})
                    heard = list[str]()
                    while len(heard) < 2:
                        said = str((await ws.receive(WAIT_S)).data)
                        if not said.startswith('{"silent"'):  # the box pushed long ago
                            heard.append(said)
                    found[path] = "\n".join(heard)

        visit_at(site.url, read)
        return found

    def tables(self) -> dict[str, Json]:
        """The tables as programs get them, by name."""
        found: Json = json.loads(self.pages()["/api/tables"])
        return {one["name"]: one for one in found["tables"]}

    def shown(self, *other_games: str) -> list[str]:
        """The places where a name appears that only the attacker has sent; `other_games`: names
        that may appear."""
        never = [name for name in NAMES_OF_NOBODY if name not in other_games]
        return [
            f"{where}: {name}"
            for where, text in self.pages().items()
            for name in never
            if name in text
        ]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AttackedHub]:
    """The hub with its members, after all honest rows were pushed and shown."""
    with club_site(tmp_path_factory.mktemp("attacked")) as site:
        site.join("Kitchen")
        site.play("Kitchen", HAND, "Nora Ole")
        made = AttackedHub(site)
        assert made.accept(made.as_box, "Shed", "box") == 0
        assert made.accept(made.as_club, "Attack Club", "club", "--club") == 0
        assert made.accept(made.honest, "Sunday Club", "club", "--club") == 0
        box = made.porch.name
        newest = made.porch_rows[-1]
        sealed = part(
            box,
            made.porch_rows,
            seal=made.porch.seal("chain", made.honest.name, box, newest),
            countersign=made.honest.seal("have", made.honest.name, box, newest),
        )
        found = made.say(made.honest, made.box(made.porch.public, "Porch"), sealed)
        assert found[1].get("have") == [newest[0], newest[6].hex()]
        yield made


def test_honest_rows_are_shown_so_the_attacks_are_meaningful(hub: AttackedHub) -> None:
    pages = hub.pages()
    assert {"Kitchen", "Sunday Club: Porch"} <= hub.tables().keys()
    porch, kitchen = hub.porch.name, hub.site.box("Kitchen")
    for where in ("/api/tables", "/evenings", f"/games/{porch}", f"/games/{porch}/1", "/live"):
        assert "Petra" in pages[where], where
    assert "Petra" in pages[f"/live/{porch}"]
    assert "Nora" in pages[f"/live/{kitchen}"] and "Nora" in pages[f"/games/{kitchen}"]
    assert all("Sealed by its box" in pages[f"/live/{box}"] for box in (porch, kitchen))
    seal = {name: (one["sealed"], one["unsealed"]) for name, one in hub.tables().items()}
    assert seal["Sunday Club: Porch"] == (True, 0) == seal["Kitchen"]
    assert seal["Shed"] == (False, 0)
    assert "Nothing sealed has come" in pages[f"/games/{hub.as_box.name}"]
    assert hub.shown() == []


def test_boxes_and_clubs_cannot_send_each_other_s_messages(hub: AttackedHub) -> None:
    kitchen, _, _, _ = hub.kitchen()
    forged = hub.forge(rows(padded(texts(*FORGED), 50)))
    of_a_club = (
        hub.box(kitchen.public, "Kitchen"),
        part(kitchen.name, forged, chain=2),
        {"opens": kitchen.name, "rows": wire(forged)},
        {"rows-of": [kitchen.name, 1], "after": 0},
        {"boxes": True},
        {**hub.box(kitchen.public, "Kitchen"), "rows": [], "leave": False},
    )
    for message in of_a_club:
        (found,) = hub.say(hub.as_box, message)
        assert found["refused"] == "box", message
    newest = forged[-1]
    seal = hub.as_club.seal("chain", _own(hub), hub.as_club.name, newest)
    as_a_box = {"after": [0, bytes(32).hex()], "rows": wire(forged), "seal": seal}
    for message in (
        as_a_box,
        {"where": []},
        {"give": [0, bytes(32).hex()]},
        {"open": wire(forged)},
    ):
        (found,) = hub.say(hub.as_club, message)
        assert found["refused"] == "club", message
    # Who was not accepted, or asks to be accepted as something else, gets no further either.
    stranger = Key()
    digits = asyncio.run(ask_to_join(hub.site.url, stranger, "Made-up", "club"))
    (found,) = hub.say(stranger, hub.box(kitchen.public, "Kitchen"))
    assert found["refused"] == "waiting"
    assert main(["hub", "accept", digits, *hub.data]) == 1, "it asks as a club"
    assert hub.accept(stranger, "Made-up", "box", "--club") == 1, "it asks as a box"
    assert hub.shown() == []


def test_forged_rows_of_another_box_are_neither_shown_nor_countersigned(hub: AttackedHub) -> None:
    """The original attack: 50 rows of chain 2 of the box Kitchen, without any seal."""
    kitchen, true, seal, countersign = hub.kitchen()
    club, me = hub.as_club, hub.as_club.name
    before = hub.tables()["Kitchen"]
    forged = hub.forge(rows(padded(texts(*FORGED), 50)))
    newest = forged[-1]
    hello = hub.box(kitchen.public, "Kitchen")
    found = hub.say(club, hello, part(kitchen.name, forged, chain=2))
    assert "have" not in found[1] and found[1]["kept"] == [50, newest[6].hex()]
    own_seal = club.seal("chain", me, kitchen.name, newest)
    own_countersign = club.seal("have", me, kitchen.name, newest)
    wrong: tuple[dict[str, Any], ...] = (
        {"seal": own_seal, "countersign": own_countersign},
        {"seal": "00" * 64, "countersign": own_countersign},
        {"seal": seal.hex(), "countersign": own_countersign},
        {"seal": seal.hex(), "countersign": countersign.hex()},
        {"seal": own_seal, "countersign": None},
        {"seal": None, "countersign": own_countersign},
    )
    for number, signatures in enumerate(wrong, start=3):
        found = hub.say(club, hello, part(kitchen.name, forged, chain=number, **signatures))
        assert found[1]["refused"] == "malformed", signatures
    # Its own true rows, with its true seal for this hub: replayed, they belong to another club.
    found = hub.say(
        club, hello, part(kitchen.name, true, seal=seal.hex(), countersign=countersign.hex())
    )
    assert found[1]["refused"] == "malformed"
    again = part(
        kitchen.name, true, seal=seal.hex(),
        countersign=club.seal("have", me, kitchen.name, true[-1]),
    )  # fmt: skip
    assert hub.say(club, hello, again)[1]["refused"] == "malformed"
    # So do those of the honest club's box, from one club to the other.
    porch, sent = hub.porch, hub.porch_rows
    stolen = part(
        porch.name, sent, seal=porch.seal("chain", hub.honest.name, porch.name, sent[-1]),
        countersign=club.seal("have", me, porch.name, sent[-1]),
    )  # fmt: skip
    assert hub.say(club, hub.box(porch.public, "Porch"), stolen)[1]["refused"] == "malformed"
    unsealed = part(porch.name, hub.forge(rows(texts(*FORGED))))
    assert "kept" in hub.say(club, hub.box(porch.public, "Porch"), unsealed)[1]
    hub_key = _hub_key(hub)
    assert hub.answers.signed_by(hub_key, me, kitchen.name, [*forged, *true]) == 0
    assert hub.answers.signed_by(hub_key, me, porch.name, [*sent, *rows(texts(*FORGED))]) == 0
    tables = hub.tables()
    for one in (tables["Kitchen"], before):
        one.pop("heard_s")
        one.pop("entered_s")
    assert tables["Kitchen"] == before
    assert tables["Sunday Club: Porch"]["sealed"]
    assert hub.shown() == []


def test_the_hub_shows_its_own_box_rather_than_a_federated_copy(hub: AttackedHub) -> None:
    """A box that also belongs to another club: its seals for that club are valid, but its table
    stays the hub's own."""
    kitchen, _, _, _ = hub.kitchen()
    club, me = hub.as_club, hub.as_club.name
    other = rows(texts(*FORGED))
    sealed = part(
        kitchen.name, other, chain=7, seal=kitchen.seal("chain", me, kitchen.name, other[-1]),
        countersign=club.seal("have", me, kitchen.name, other[-1]),
    )  # fmt: skip
    assert "have" in hub.say(club, hub.box(kitchen.public, "Kitchen"), sealed)[1]
    assert "Attack Club: Kitchen" not in hub.tables()
    assert hub.shown() == []


def test_invented_boxes_are_not_shown(hub: AttackedHub) -> None:
    club, boxes = hub.as_club, [Key() for _ in range(20)]
    for number, box in enumerate(boxes):
        forged = hub.forge(rows(texts(*FORGED)))
        hello = hub.box(box.public, f"Made-up {number}")
        assert "kept" in hub.say(club, hello, part(box.name, forged))[1]
    kitchen, _, _, _ = hub.kitchen()
    refused = (
        hub.box(_hub_key(hub), "Kitchen"),  # the hub's own key
        hub.box(kitchen.public, "Kitchen", "own"),  # as if it were the club itself
        hub.box(kitchen.public, "Kitchen", "king"),
    )
    for message in refused:
        assert hub.say(club, message)[0]["refused"] == "malformed"
    # What it says of people without a seal counts nowhere.
    hides = [(0, json.dumps({"v": 3, "kind": "hidden", "name": "Petra", "hidden": True}))]
    own = hub.forge(rows(hides))
    found = hub.say(club, hub.box(club.public, "Attack Club", "own"), part(club.name, own))
    assert "kept" in found[1]
    assert "Petra" in hub.pages()["/evenings"]
    assert hub.shown() == []


def test_only_sealed_rows_of_a_real_box_are_shown(hub: AttackedHub) -> None:
    """The attacker's club lists a real box whose key it doesn't have."""
    club, me, cellar = hub.as_club, hub.as_club.name, Key()
    hello = hub.box(cellar.public, "Cellar")
    first = rows(texts("Carl", "Dora"))
    lost = json.dumps(
        {"v": 3, "kind": "lost", "gaps": [{"first": 2, "last": 9, "games": []}], "kept": "x"}
    )

    def of(made: Sequence[WireRow], **more: Any) -> dict[str, Any]:
        newest = made[-1]
        return part(
            cellar.name, made, seal=cellar.seal("chain", me, cellar.name, newest),
            countersign=club.seal("have", me, cellar.name, newest), **more,
        )  # fmt: skip

    assert "have" in hub.say(club, hello, of(first))[1]
    assert hub.tables()["Attack Club: Cellar"]["row"] == 4
    # More rows without a seal: the table goes on as it was, and says what is missing.
    more = hub.forge(rows(texts(*FORGED, game=2), (4, first[-1][6])))
    assert "kept" in hub.say(club, hello, part(cellar.name, more))[1]
    table = hub.tables()["Attack Club: Cellar"]
    assert (table["row"], table["unsealed"]) == (4, 4)
    page = hub.pages()[f"/live/{cellar.name}"]
    assert "Sealed by its box up to row 4. Not shown: 4 that came without its seal." in page
    # The box goes on in truth: what the attacker has put there is dropped.
    after = rows(texts("Carl", "Dora", game=2), (4, first[-1][6]))
    assert "have" in hub.say(club, hello, of(after))[1]
    assert hub.tables()["Attack Club: Cellar"]["unsealed"] == 0
    # Rows left out, with a row that declares it lost, which the box has never said.
    later = rows(texts("Carl", "Dora", game=3, many=8), (8, after[-1][6]))
    said = rows([(0, lost.replace("2", "9", 1))], (30, bytes(32)))[0]
    cut = of(later[2:], after=(8, after[-1][6]), lost=said)
    assert "have" not in hub.say(club, hello, cut)[1]
    assert "want" in hub.say(club, hello, of(later[2:], after=(8, after[-1][6])))[1]
    # A record with a gap: forged rows before it, the true and sealed ones after it.
    attic = Key()
    true = rows([*texts("Carl", "Dora"), (0, lost)], (9, bytes([7]) * 32))
    forged = hub.forge(rows([(1, text) for _, text in texts(*FORGED)][:1]))
    newest = true[-1]
    gap = part(
        attic.name, [*forged, *true], lost=true[-1],
        seal=attic.seal("chain", me, attic.name, newest),
        countersign=club.seal("have", me, attic.name, newest),
    )  # fmt: skip
    assert "have" in hub.say(club, hub.box(attic.public, "Attic"), gap)[1]
    table = hub.tables()["Attack Club: Attic"]
    assert (table["row"], table["unsealed"]) == (newest[0], 1)
    assert hub.shown("Attack Club", "Cellar") == []
    key = _hub_key(hub)
    assert hub.answers.signed_by(key, me, cellar.name, more) == 0
    assert hub.answers.signed_by(key, me, attic.name, forged) == 0


def test_recorded_messages_are_refused_on_another_connection(hub: AttackedHub) -> None:
    made = rows(texts("Finn", "Greta"))
    seal = hub.as_box.seal("chain", _own(hub), hub.as_box.name, made[-1])
    push = {"after": [0, bytes(32).hex()], "rows": wire(made), "seal": seal}

    async def recorded(line: Line) -> list[str]:
        assert "have" in await line.request(push)
        return line.said

    said = hub.talk(hub.as_box, recorded)

    async def replayed(line: Line) -> dict[str, Any]:
        return await line.ask_text(said[0])

    assert hub.talk(hub.as_box, replayed)["refused"] == "malformed"
    assert hub.talk(hub.as_club, replayed)["refused"] == "malformed"
    # A box's seal holds for its own chain in its own club alone.
    wrong = hub.as_box.seal("chain", hub.as_club.name, hub.as_box.name, made[-1])
    assert hub.say(hub.as_box, {**push, "seal": wrong})[0]["refused"] == "malformed"
    wrong = hub.as_box.seal("chain", _own(hub), hub.site.box("Kitchen"), made[-1])
    assert hub.say(hub.as_box, {**push, "seal": wrong})[0]["refused"] == "malformed"


def test_a_box_gets_back_only_its_own_rows(hub: AttackedHub) -> None:
    kitchen, true, _, _ = hub.kitchen()
    (found,) = hub.say(kitchen, {"give": [0, bytes(32).hex()]})
    assert found["rows"] == wire(true)


def test_an_honest_chain_sent_in_parts_is_shown_once_sealed(hub: AttackedHub) -> None:
    club, me, attic = hub.honest, hub.honest.name, Key()
    made, hello = rows(padded(texts("Bea", "Gus"), 9)), hub.box(attic.public, "Garden")
    _, found = hub.say(club, hello, part(attic.name, made[:3]))
    assert found == {"kept": [3, made[2][6].hex()], "added": 3}
    (found,) = hub.say(club, hello)
    nothing = [1, None, 1, 0, bytes(32).hex(), "", "", "live", 0]
    assert found == {"chains": [[*nothing, [3, made[2][6].hex()]]]}
    assert hub.say(club, {"rows-of": [attic.name, 1], "after": 0}) == [{"rows": []}]
    assert "Bea" not in str(hub.pages())
    sealed = part(
        attic.name, made[3:], seal=attic.seal("chain", me, attic.name, made[-1]),
        countersign=club.seal("have", me, attic.name, made[-1]),
    )  # fmt: skip
    assert hub.say(club, hello, sealed)[1]["have"] == [9, made[-1][6].hex()]
    assert "Bea" in hub.pages()["/evenings"]
    (found,) = hub.say(club, {"rows-of": [attic.name, 1], "after": 0})
    assert found == {"rows": wire(made)}


def test_an_expelled_club_disappears_from_every_page_for_good(
    hub: AttackedHub, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs last: its sealed tables disappear as well. Those of members that are retired stay."""
    kitchen, _, _, _ = hub.kitchen()

    async def thrown_out(line: Line) -> list[dict[str, Any]]:
        first = await line.request(hub.box(kitchen.public, "Kitchen"))
        code = await asyncio.to_thread(main, ["hub", "throw-out", "Attack Club", *hub.data])
        assert code == 0
        return [first, await line.request(part(kitchen.name, rows(texts(*FORGED)), chain=9))]

    first, later = hub.talk(hub.as_club, thrown_out)
    assert "chains" in first and later["refused"] == "sent-away"
    assert hub.shown() == []
    assert not [name for name in hub.tables() if name.startswith("Attack Club")]
    assert main(["hub", "retire", "Shed", *hub.data]) == 0
    assert main(["hub", "retire", "Sunday Club", *hub.data]) == 0
    hub.site.hub.kill()
    hub.site.hub.start()
    assert hub.shown() == []
    assert {"Kitchen", "Shed", "Sunday Club: Porch", "Sunday Club: Garden"} == {*hub.tables()}
    evenings = hub.pages()["/evenings"]
    assert all(name in evenings for name in ("Nora", "Finn", "Petra")) and "Carl" not in evenings
    # All of it is kept, and marked.
    capsys.readouterr()
    assert main(["hub", "verify", *hub.data]) == 0
    told = capsys.readouterr().out
    assert "came through Attack Club, which was thrown out: not shown" in told
    assert "rows 1 to 50 came without the seal of their box: not shown" in told
    print(f"{hub.answers.sent} messages of the attack, {hub.forged} forged rows: 0 shown")


def _hub_key(hub: AttackedHub) -> bytes:
    """The public key of the hub's own club, from the hub's greeting."""

    async def greeted(line: Line) -> bytes:
        return line.hub

    found: bytes = hub.talk(Key(), greeted)
    return found


def _own(hub: AttackedHub) -> str:
    return hashlib.sha256(_hub_key(hub)).hexdigest()[:16]


async def _page(session: aiohttp.ClientSession, path: str, word: str) -> str:
    """A page for readers, once it has been made."""
    end = asyncio.get_running_loop().time() + WAIT_S
    while True:
        async with session.get(path, headers={"Cookie": f"word={word}"}) as answer:
            text = await answer.text()
            if "Refresh" not in answer.headers:
                return text
        assert asyncio.get_running_loop().time() < end, f"{path} was never made"
        await asyncio.sleep(0.2)
