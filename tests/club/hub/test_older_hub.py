"""The data of a hub of 0.3 are migrated, and its boxes and clubs continue.

hub_0_3.json has the database of a federation's hub of 0.3 that was attacked: the members Shed and
Attack Club have both pushed a forged chain of the box Kitchen, without a seal, and 0.3 showed it in
the place of the true one. It also has the messages of a box and of a club's hub of 0.3, and the
answers of 0.3. `tests/rigs/rig_hub_versions.py` runs the old program itself.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import MetaData, insert

from companion.app.catalog import CATALOG
from companion.club.box.keys import CLUB_SEAL, Head, KeyPair, identity_of
from companion.club.box.protocol import BOX, CLUB, ROWS_AT_ONCE
from companion.club.hub.archive import ClubArchive
from companion.club.hub.database import Committer, Database
from companion.club.hub.federation import FederationPusher
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members
from companion.club.hub.store import HubStore
from companion.club.hub.tables import Tables
from companion.club.hub.verify import verify
from companion.core.values import Json
from tests.club.hub.attacker import Answers, Key, connected, part, rows
from tests.club.hub.pushing import AT, Pusher, club, grown, settings
from tests.club.hub.test_attacks import padded, texts
from tests.starting import HubProcess, running_hub

KEPT: Final[Json] = json.loads((Path(__file__).parent / "hub_0_3.json").read_text())
OWN: Final = KeyPair.from_private(bytes.fromhex(KEPT["club_key"]))
SHOWN: Final = ["Friday Fives: Porch", "Kitchen", "Shed"]


def fill(database: Database) -> None:
    """Puts what 0.3 kept into an empty database, with the schema of 0.3."""
    config = Config()
    config.set_main_option("script_location", "companion.club.hub:migrations")
    with database.writing() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "2")
        made = MetaData()
        made.reflect(db)
        for name in ("clubs", "boxes", "chains", "rows"):
            found = [
                {
                    key: bytes.fromhex(one["hex"]) if isinstance(one, dict) else one
                    for key, one in row.items()
                }
                for row in KEPT["tables"][name]
            ]
            db.execute(insert(made.tables[name]), found)


def test_after_the_update_only_sealed_rows_are_shown(address: str | Path) -> None:
    database = Database.from_address(address)
    fill(database)
    database.migrate()
    members = Members(database, OWN.identity, lambda: AT)
    members.begin(OWN, "The League")
    assert {one.name: one.kind for one in members.all()} == {
        "Kitchen": BOX, "Friday Fives": CLUB, "Sunday Club": CLUB, "Attack Club": CLUB,
        "Shed": BOX,
    }  # fmt: skip
    tables = Tables(database, OWN.identity, CATALOG, lambda: AT)
    tables.refresh()
    assert [one.name for one in tables.current()] == SHOWN
    assert [(one.row, one.waiting) for one in tables.current()] == [(4, 0)] * 3
    assert "Nora" in str(tables.current()[1].moment)
    page = ClubArchive(database, OWN.identity, CATALOG).page("/evenings", {}) or ""
    assert "Nora" in page and "Finn" in page
    assert "Forger" not in page + str(tables.current()) and "Tina" not in page
    report = verify(database, OWN.identity)
    assert report["well"]
    marks = {(one["name"], one["seq"]): one["not_shown"] for one in report["chains"]}
    assert marks["Porch", 4] == []
    assert marks["Terrace", 0] == ["rows 1 to 5 came without the seal of their box: not shown"]
    forged = "rows 1 to 12 came without the seal of their box: not shown"
    no_club = "came through a member that is no club: not shown"
    own = "this box is a member of the hub itself: its own record is shown"
    found = [one["not_shown"] for one in report["chains"] if one["waiting"] == 12]
    assert sorted(found) == [[forged, no_club], [forged, own]]
    database.close()


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub of this version that continues with the data of 0.3."""
    place = tmp_path_factory.mktemp("older")
    (place / "club.key").write_text(f"{KEPT['club_key']}\n")
    (place / "club.key").chmod(0o600)
    database = HubFolder.open(place, make=True, name="The League").open_database()
    fill(database)
    database.close()
    with running_hub(place) as found:
        yield found


def talk(hub: HubProcess, key: str, *messages: Json) -> list[Json]:
    """The answers to these messages under that key."""

    async def said() -> list[Json]:
        url = f"http://{hub.address}"
        async with connected(url, Key.of(key), Answers()) as line:
            return [await line.request(one) for one in messages]

    return asyncio.run(said())


@pytest.mark.parametrize("who", ["kitchen", "fives"])
def test_boxes_and_clubs_of_version_0_3_get_unchanged_answers(hub: HubProcess, who: str) -> None:
    """Both continue where they were; the answers have the same signatures."""
    recorded = KEPT[who]["talk"]
    asked = [message for side, message in recorded if side == "say"]
    answers = [message for side, message in recorded if side == "hear"]
    assert talk(hub, KEPT[who]["key"], *asked) == answers


def test_a_club_of_version_0_3_must_update_for_a_long_chain(hub: HubProcess) -> None:
    terrace, me = Key.of(KEPT["terrace"]), Key.of(KEPT["sunday"])
    made = rows(padded(texts("Tina", "Tom"), 9))
    hello = {
        "box": terrace.public.hex(), "name": "Terrace", "of": "Sunday Club", "state": "member",
    }  # fmt: skip
    chains, longer = talk(hub, KEPT["sunday"], hello, part(terrace.name, made[:5]))
    assert chains == {"chains": [[1, None, 1, 0, bytes(32).hex(), "", "", "live", 0]]}
    assert longer["refused"] == "newer" and "update the club's hub" in longer["why"]
    whole = part(
        terrace.name, made, seal=terrace.seal("chain", me.name, terrace.name, made[-1]),
        countersign=me.seal("have", me.name, terrace.name, made[-1]),
    )  # fmt: skip
    _, found = talk(hub, KEPT["sunday"], hello, whole)
    assert found["have"] == [9, made[-1][6].hex()]
    # One who was accepted as a box, or acted as both, is told what to do.
    (found,) = talk(hub, KEPT["shed"], hello)
    assert found["refused"] == "box" and "ask to join again, as a club" in found["why"]


class OldFederation:
    """A federation's hub of 0.3, with the interface of Line: it countersigns every part of a
    chain."""

    def __init__(self, of_club: str) -> None:
        self._keys, self._club = KeyPair.generate(), of_club
        self.club_key = self._keys.public
        self.chains: dict[str, list[Any]] = {}
        self._box = ""

    async def request(self, message: Json, *_answers: str) -> Json:
        if "box" in message:
            self._box = identity_of(bytes.fromhex(message["box"]))
            return {"chains": [self.chains[self._box]] if self._box in self.chains else []}
        newest = message["rows"][-1]
        head = Head(newest[0], bytes.fromhex(newest[6]))
        seals = message.get("seal", ""), message.get("countersign", "")
        _, number, parent, first, state = message["chain"]
        opened = 0
        self.chains[self._box] = [
            number, parent, first, head.seq, head.hash.hex(), *seals, state, opened,
        ]  # fmt: skip
        seal = head.make_seal(self._keys, CLUB_SEAL, self._club, self._box)
        return {"have": [head.seq, head.hash.hex()], "seal": seal.hex(), "added": 1}


def test_a_current_club_pushes_long_chains_to_a_federation_of_version_0_3(tmp_path: Path) -> None:
    folder = HubFolder.open(tmp_path, make=True, name="Friday Fives")
    database = folder.open_database()
    database.migrate()
    store: HubStore = club(database, folder.keys)
    box, links = Pusher.joined(store), grown([], settings(ROWS_AT_ONCE * 2 + 7))
    for at in range(0, len(links), ROWS_AT_ONCE):
        box.push(links[at : at + ROWS_AT_ONCE])
    federation, committer = OldFederation(store.club), Committer()
    pushing = FederationPusher(folder, database, committer)
    asyncio.run(pushing.push(federation))  # type: ignore[arg-type]
    assert pushing.rows == len(links)
    assert federation.chains[box.box][3:5] == [links[-1].seq, links[-1].hash.hex()]
    assert federation.chains[box.box][5], "its newest row has both signatures"
    committer.close()
    database.close()
