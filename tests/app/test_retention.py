"""Names in old games are forgotten when `keep_names` requires it, and never earlier: at the table,
with a clock that tests set."""

import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from companion.app.retention import LOOK_S, Retention, clock_file, last_known_time
from companion.core.clock import BREAK_S
from companion.core.seats import Seats
from companion.record.copies.text_copy import Folder, copies_folder
from companion.record.people.forget import forget
from companion.record.repair.verify import verify
from companion.record.rows import (
    GameOpened,
    Gap,
    NamesForgotten,
    PeopleReplaced,
    PlayerHidden,
    PlayerRenamed,
    Row,
    RowsLost,
    Setting,
    decode_row,
    encode_row,
)
from companion.record.settings import game_name_setting
from companion.record.store import record_file
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.players.evening_kept import Clock, history, keep_game, kept, rows_of
from tests.record.tampering import change_row

NAMES = ("Ada", "Bo", "Cy")


def time_of(year: int, month: int, day: int = 10, hour: int = 20) -> float:
    return datetime(year, month, day, hour).astimezone().timestamp()


SPRING, SUMMER, NOW = time_of(2026, 3), time_of(2026, 7), time_of(2027, 4, 2)


class Box:
    """A record with a table's retention, whose clock the network has set or not."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock, self.synchronized = path, Clock(SPRING), True

    def play(self, at: float, seats: Sequence[str], game: str = "high-five", **words: str) -> None:
        """Plays a whole game that begins at the time `at`."""
        self.clock.now = at
        opened, *steps = rows_of(len(seats), tuple(seats), game)
        assert isinstance(opened, GameOpened)
        opened = GameOpened(opened.game, opened.seats, {}, words=tuple(words.items()))
        self.keep([opened, *steps])

    def keep(self, rows: Sequence[Row]) -> None:
        with kept(self.path, self.clock) as store:
            keep_game(store, self.clock, rows)

    def say(self, *rows: Row) -> None:
        with kept(self.path, self.clock) as store:
            for row in rows:
                store.keep(0, row)

    def retention(self, months: int = 12, *places: Path) -> Retention:
        return Retention(
            self.path, GAMES, months, places,
            clock=self.clock, synchronized=lambda: self.synchronized,
        )  # fmt: skip

    def forgets(self, months: int = 12, *places: Path, at: float = NOW) -> str:
        """Starts the box at the time `at`, which the table had noted just before; returns the
        start's message about forgotten names."""
        self.clock.now = at
        retention = self.retention(months, *places)
        retention.look(None)
        retention.apply()
        return str(retention.message or "")

    def links(self) -> list[ChainLink]:
        with Reader.open(self.path, GAMES) as reader:
            return reader.all_rows()

    def seats(self) -> list[str]:
        with Reader.open(self.path, GAMES) as reader:
            return [" ".join(one.opened.seats) for one in reader.games()]

    def has(self, word: str) -> list[str]:
        """Returns the files in the record's folder that contain the word."""
        files = (one for one in self.path.parent.rglob("*") if one.is_file())
        return sorted(one.name for one in files if word.encode() in one.read_bytes())

    def is_well(self) -> bool:
        with Reader.open(self.path, GAMES) as reader:
            return not verify(reader)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A box with one game of spring, two of summer and, on the table, one of the next spring."""
    box = Box(tmp_path / "box" / "record.db")
    box.play(SPRING, ("Ada", "Cy"))
    box.play(SUMMER, ("Ada", "Bo"))
    box.play(time_of(2027, 3, 30), ("Bo", "Dee"))
    return box


def test_old_games_lose_their_names_and_newer_ones_keep_them(box: Box) -> None:
    with Reader.open(box.path, GAMES) as reader:
        before = [reader.game(number) for number in (1, 2, 3)]
    assert box.forgets() == "The names in 1 game from before 1 April 2026 are forgotten"
    assert box.seats() == ["Red Blue", "Ada Bo", "Bo Dee"]
    assert box.is_well()
    with Reader.open(box.path, GAMES) as reader:
        after = [reader.game(number) for number in (1, 2, 3)]
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        assert one and other
        assert one.state.scores.values == other.state.scores.values
        assert (one.entries == other.entries) is bool(number)
    assert box.has("Cy") == []  # neither in the record nor in what is beside it
    assert "record.db" in box.has("Ada")


def test_forgetting_again_within_a_month_changes_nothing(box: Box) -> None:
    assert box.forgets()
    rows = box.links()
    assert not box.forgets()
    assert box.links() == rows
    assert box.forgets(at=time_of(2027, 7, 31)) == ""
    assert box.forgets(at=time_of(2027, 8, 1))
    again = box.links()
    assert sum(isinstance(decode_kind(one), NamesForgotten) for one in again) == 1
    assert [one.seq for one in again] == [one.seq for one in rows]  # numbers moved once only
    assert box.seats() == ["Red Blue", "Red Blue", "Bo Dee"]


def decode_kind(link: ChainLink) -> Row | None:
    return decode_row(link.row) if not link.game else None


def test_statistics_count_old_games_for_no_player(box: Box) -> None:
    assert {seat for one in history(box.path).games for seat in one.seats} >= {"Ada", "Cy"}
    box.forgets()
    found = history(box.path)
    assert len(found.games) == 3
    players = {found.people.player(seat) for one in found.games for seat in one.seats}
    assert players == {None, "Ada", "Bo", "Dee"}


# ---------------------------------------------------------------- clocks


def test_games_do_not_age_while_the_clock_is_unset(box: Box) -> None:
    box.synchronized = False
    assert box.forgets(at=time_of(2040, 1)) == ""
    assert last_known_time(box.path) is None
    assert box.seats()[0] == "Ada Cy"


def test_an_unset_clock_is_replaced_by_the_last_recorded_time(box: Box) -> None:
    box.clock.now = NOW
    box.retention().apply()
    assert box.seats() == ["Ada Cy", "Ada Bo", "Bo Dee"]
    box.retention().look(None)
    assert last_known_time(box.path) == NOW
    box.synchronized, box.clock.now = False, time_of(2026, 1)
    box.retention().apply()
    assert box.seats() == ["Red Blue", "Ada Bo", "Bo Dee"]


def test_rows_with_an_implausible_time_are_ignored(tmp_path: Path) -> None:
    box = Box(tmp_path / "record.db")
    box.play(time_of(2039, 1), ("Ada", "Bo"))  # before a game of spring: so it is as old
    box.play(1000.0, ("Ada", "Cy"))
    box.play(SPRING, ("Bo", "Cy"))
    box.play(1000.0, ("Cy", "Dee"))  # before one of summer: so it may be as young
    box.play(SUMMER, ("Bo", "Dee"))
    box.play(SPRING, ("Ada", "Dee"))  # after one of summer: so its clock was wrong
    box.play(time_of(2027, 3, 30), ("Bo", "Dee"))
    box.forgets()
    assert box.seats()[1:4] == ["Red Blue", "Red Blue", "Cy Dee"]
    assert box.seats()[5] == "Ada Dee"
    # Rows of the future keep their names until then, as somebody may just have gone on with it.
    assert box.seats()[0] == "Ada Bo"
    box.forgets(at=time_of(2041, 1))
    assert box.seats() == ["Red Blue"] * 6 + ["Bo Dee"]


# ---------------------------------------------------------------- what keeps its names


def test_unfinished_games_and_the_one_on_the_table_keep_their_names(tmp_path: Path) -> None:
    box = Box(tmp_path / "record.db")
    box.keep(rows_of(1, ("Ada", "Bo"))[:3])
    box.play(SPRING, ("Ada", "Cy"))
    box.play(SPRING, ("Cy", "Dee"))
    assert box.forgets()
    assert box.seats() == ["Ada Bo", "Red Blue", "Cy Dee"]


def test_an_old_game_that_was_continued_keeps_its_names(box: Box) -> None:
    box.clock.now = time_of(2027, 3, 30)
    with kept(box.path, box.clock) as store:
        store.keep(1, PeopleReplaced(Seats.of("Ada", "Eve")))
    assert box.forgets() == ""
    assert box.seats()[0] == "Ada Cy"


def test_names_are_kept_during_an_evening(box: Box) -> None:
    box.play(NOW - 3600, ("Bo", "Dee"))
    assert box.forgets() == ""
    assert box.forgets(at=NOW + 6 * 3600)


def test_a_record_in_use_is_left_alone(box: Box) -> None:
    box.clock.now = NOW
    with kept(box.path, box.clock):
        assert box.forgets() == ""
    assert box.seats()[0] == "Ada Cy"


def test_an_idle_table_restarts_at_most_once_a_day(box: Box) -> None:
    asked = list[float]()
    box.clock.now = NOW
    retention = box.retention()

    def look_all_day() -> None:
        for _ in range(int(86_400 / LOOK_S)):
            box.clock.now += LOOK_S
            retention.look(lambda: asked.append(box.clock.now))

    with kept(box.path, box.clock):
        look_all_day()
    assert [at - NOW for at in asked] == [BREAK_S + LOOK_S]
    assert retention.asks_to_restart
    assert box.forgets(at=box.clock.now)
    asked.clear()
    retention = box.retention()
    look_all_day()
    assert (asked, retention.asks_to_restart) == ([], False)


# ---------------------------------------------------------------- people


def test_names_of_people_in_no_game_are_forgotten(box: Box) -> None:
    box = Box(box.path.with_name("other.db"))
    box.play(SPRING, ("Ada", "Cyril"))
    box.play(SPRING, ("Bob", "Hidden_Hal"))
    box.say(
        PlayerRenamed("Cyril", "Cyrus"), PlayerRenamed("Bob", "Bo"), PlayerHidden("Hidden_Hal"),
        game_name_setting(1, "Cyril's best"), game_name_setting(2, "Cyril's worst"),
        Setting("star.1.1.1.hand lead Cyril", "on"),
    )  # fmt: skip
    box.play(SUMMER, ("Ada", "Bo"))
    box.play(time_of(2027, 3), ("Ada", "Bo"))
    assert box.forgets()
    assert box.has("Cyrus") == []
    rows = [str(decode_kind(one)) for one in box.links() if not one.game]
    assert "PlayerRenamed(name='Bob', to='Bo')" in rows  # Bo plays still
    assert "PlayerHidden(name='Hidden_Hal', hidden=True)" in rows
    assert sum("Cyril" in one for one in rows) == 1  # in the name of a game that he was not in
    assert box.is_well()


def test_forgotten_names_of_replaced_people_become_numbers(box: Box) -> None:
    box = Box(box.path.with_name("other.db"))
    opened, *steps = rows_of(2, ("Ada", "Bo"))
    box.keep([opened, *steps[:2], PeopleReplaced(Seats.of("Cy", "Dee"))])
    with kept(box.path, box.clock) as store:
        for row in rows_of(2, ("Cy", "Dee"))[3:]:
            store.keep(1, row)
    box.play(time_of(2027, 3), ("Ada", "Bo"))
    assert box.forgets()
    assert box.seats()[0] == "Player_1 Player_2"
    assert not box.forgets()
    assert box.is_well()


# ---------------------------------------------------------------- numbers of rows


def test_the_rows_for_the_club_stay_the_same(box: Box) -> None:
    """The box joined after row 2, so its games since the second are the club's."""
    pytest.importorskip("cryptography")
    from companion.club.box.keys import KeyPair
    from companion.club.box.membership import Membership

    keys = KeyPair.generate()
    joined = len([one for one in box.links() if one.game == 1])
    mine = Membership(keys, keys.public, "Fives", "127.0.0.1:1", "Kitchen", ((joined, None),))
    mine.save(box.path)
    for months in (NOW, time_of(2027, 8, 1)):
        assert box.forgets(at=months)
        found = Membership.load(box.path)
        assert found
        first = {one.game: one.seq for one in reversed(box.links())}
        assert [found.is_shared(first[number]) for number in (1, 2, 3)] == [False, True, True]


def test_rewriting_a_record_twice_keeps_its_gaps(box: Box) -> None:
    links = [one for one in box.links() if one.seq not in (4, 5)]
    lost = encode_row(RowsLost((Gap(4, 5, (1,)),), "record.db.damaged-1"))
    links.append(ChainLink.make(links[-1].hash, (links[-1].seq + 1, 0, lost, NOW, None)))
    once = list(forget(links, {"Ada": "Player_1"}, GAMES, NOW))
    twice = list(forget(once, {"Bo": "Player_2"}, GAMES, NOW))
    assert [one.seq for one in once] == [1, *(one.seq + 1 for one in links)]
    assert [one.seq for one in twice] == [one.seq for one in once]
    assert decode_row(twice[0].row) == NamesForgotten(("Player_1", "Player_2"))
    for rows in (once, twice):
        assert decode_row(rows[-1].row) == RowsLost((Gap(5, 6, (1,)),), "record.db.damaged-1")


# ---------------------------------------------------------------- copies, power cuts


def test_the_old_record_and_its_copies_are_deleted(box: Box, tmp_path: Path) -> None:
    first, *rest = box.links()
    elsewhere = tmp_path / "other disk"
    for place in (copies_folder(box.path), elsewhere):
        Folder.of(place, first).append([first, *rest])
    other = Folder(elsewhere / "record-0123abcd")
    other.append([first])
    assert box.forgets(12, elsewhere)
    assert [one.name for one in elsewhere.iterdir()] == ["record-0123abcd"]
    assert box.has("Cy") == []
    assert not [one for one in box.path.parent.iterdir() if "damaged" in one.name]


class PowerCut(BaseException):
    """The power is cut."""


STEPS = 13
"""How many steps a forgetting takes, of those that the test counts."""


@pytest.mark.parametrize("count", range(STEPS + 1))
def test_a_power_cut_while_forgetting_loses_nothing(
    box: Box, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    first, *rest = box.links()
    Folder.of(copies_folder(box.path), first).append([first, *rest])
    done = 0

    def counted(module: object, name: str) -> None:
        was = getattr(module, name)

        def step(*words: object, **more: object) -> object:
            nonlocal done
            done += 1
            if done > count:
                raise PowerCut
            return was(*words, **more)

        patch.setattr(module, name, step)

    with monkeypatch.context() as patch:
        box.clock.now = NOW
        box.retention().look(None)
        for module, name in (
            (Path, "rename"), (Path, "unlink"), (record_file, "sync"),
            (shutil, "rmtree"),
        ):  # fmt: skip
            counted(module, name)
        try:
            box.retention().apply()
            cut = False
        except PowerCut:
            cut = True
    assert cut is (count < STEPS)
    Store.open(box.path, GAMES, box.clock).close()
    assert len(box.seats()) == 3
    box.forgets()
    assert box.seats() == ["Red Blue", "Ada Bo", "Bo Dee"]
    assert box.has("Cy") == []
    assert box.is_well()


def test_an_unreadable_recorded_time_is_ignored(box: Box) -> None:
    for text in ("", "soon", "9" * 50):
        clock_file(box.path).write_text(text)
        assert last_known_time(box.path) is None
    assert box.forgets()


def test_a_damaged_record_reports_why_names_stay(box: Box) -> None:
    change_row(box.path, box.links()[-1].seq, "row = replace(row, 'Dee', 'Dea')")
    assert "can't be forgotten: " in box.forgets()
