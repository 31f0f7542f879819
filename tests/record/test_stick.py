"""A stick's games for a record without games: the offer, and accepting it."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from companion.record.copies.copier import Copy
from companion.record.copies.restore import (
    ON_A_STICK,
    Offer,
    drop_offers,
    has_games,
    make_offer,
    offer_path,
    parse_offer,
)
from companion.record.repair.verify import verify
from companion.record.rows import Setting
from companion.record.store.database import ChainLink, StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.record.play import NOON, OPENED, SCRIPT, opened_store, play
from tests.sample_games import RACE_RULES


def stick(folder: Path, record: Path) -> Path:
    """A stick with a copy of the record as it is now."""
    Copy(record, RACE_RULES, folder / ON_A_STICK).catch_up()
    return folder


def rows(path: Path) -> list[ChainLink]:
    with Reader.open(path, RACE_RULES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    path = tmp_path / "old-card" / "record.db"
    play(path, *SCRIPT)
    play(path, *SCRIPT)
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a new card."""
    path = tmp_path / "new-card" / "record.db"
    with opened_store(path):
        pass
    return path


def offered(record: Path, place: Path) -> Offer:
    offer = make_offer(record, place)
    assert offer is not None
    return offer


# ---------------------------------------------------------------- what is offered


def test_a_sticks_games_become_a_record_before_they_are_offered(
    tmp_path: Path, played: Path, record: Path
) -> None:
    offer = offered(record, stick(tmp_path / "stick", played))
    every = rows(played)
    assert (offer.games, offer.last, offer.row) == (2, every[-1].at, len(every))
    assert rows(offer.path(record)) == every
    assert rows(record) == []
    assert offer.path(record).stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("where", ["root", "folder"])
def test_a_stick_is_found_by_its_root_or_its_folder_of_copies(
    tmp_path: Path, played: Path, record: Path, where: str
) -> None:
    place = stick(tmp_path / "stick", played)
    assert offered(record, place / ON_A_STICK if where == "folder" else place).games == 2


def test_the_offer_with_the_newest_row_is_the_most_recent(
    tmp_path: Path, played: Path, record: Path
) -> None:
    old = offered(record, stick(tmp_path / "old", played))
    play(played, *SCRIPT)
    new = offered(record, stick(tmp_path / "new", played))
    assert new.name != old.name
    assert new.recency > old.recency


def test_a_stick_with_two_records_offers_the_one_played_last(
    tmp_path: Path, played: Path, record: Path
) -> None:
    place = stick(tmp_path / "stick", played)
    other = tmp_path / "other" / "record.db"
    play(other, *SCRIPT[:2], at=NOON + 1)
    offer = offered(record, stick(place, other))
    assert rows(offer.path(record)) == rows(other)


def test_a_record_with_a_game_gets_no_offers_and_drops_old_ones(
    tmp_path: Path, played: Path, record: Path
) -> None:
    place = stick(tmp_path / "stick", played)
    offer = offered(record, place)
    play(record, *SCRIPT)
    assert make_offer(record, place) is None
    assert not offer.path(record).exists()


def test_a_record_with_only_settings_has_no_game(
    tmp_path: Path, played: Path, record: Path
) -> None:
    with opened_store(record) as store:
        store.keep(0, Setting("flip", "on"))
    assert not has_games(record)
    place = stick(tmp_path / "stick", played)
    assert offered(record, place).games == 2
    assert make_offer(record, stick(tmp_path / "other", record)) is None, "settings are no games"
    assert len([*record.parent.glob("*.offered-*")]) == 1


def test_without_copies_nothing_is_offered(tmp_path: Path, record: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert make_offer(record, tmp_path / "empty") is None
    assert make_offer(record, tmp_path / "nowhere") is None


def test_a_record_that_cannot_be_read_gets_no_offer(
    tmp_path: Path, played: Path, record: Path
) -> None:
    record.write_bytes(b"no record at all" * 1000)
    assert make_offer(record, stick(tmp_path / "stick", played)) is None


def test_torn_lines_of_a_pulled_stick_are_left_out_of_the_offer(
    tmp_path: Path, played: Path, record: Path
) -> None:
    place = stick(tmp_path / "stick", played)
    (file,) = (place / ON_A_STICK).rglob("game-00002.rows")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    assert rows(offered(record, place).path(record)) == rows(played)[:-1]


def test_only_lines_of_this_records_offers_are_read(
    tmp_path: Path, played: Path, record: Path
) -> None:
    offer = offered(record, stick(tmp_path / "stick", played))
    assert parse_offer(offer.to_line(), record) == offer
    for line in (
        "",
        "A copy has one entry more",
        "[]",
        "{}",
        "null",
        '["../x", 1, null, 1]',
        "[" * 9999,
    ):
        assert parse_offer(line, record) is None
    strange = ".offered-0123abcd"
    for name in (
        "record.db",
        "../old-card/record.db",
        str(played),
        strange,
        f"x/record.db{strange}",
    ):
        assert parse_offer(Offer(name, 1, None, 1).to_line(), record) is None
    drop_offers(record)
    assert parse_offer(offer.to_line(), record) == offer, "that it is answered, the table sees"


# ---------------------------------------------------------------- taking it


def test_an_accepted_offer_has_every_row_and_play_goes_on(
    tmp_path: Path, played: Path, record: Path
) -> None:
    with opened_store(record) as store:
        store.keep(0, Setting("flip", "on"))
        offer = offered(record, stick(tmp_path / "stick", played))
        heard: list[bool] = []
        store.on_kept = lambda: heard.append(True)
        store.take_over(offer)
        assert [str(line) for line in store.messages] == ["The stick's 2 games are here"]
        assert heard == [True], "what copies the record learns of it"
        assert not offer.path(record).exists()
        store.keep(store.next_game_number(), OPENED)
    assert rows(record)[:-1] == rows(played)
    assert rows(record)[-1].game == 3
    with Reader.open(record, RACE_RULES) as reader:
        assert verify(reader) == []
    (kept,) = rows(record.with_name("record.db.damaged-1"))
    assert "flip" in kept.row, "nothing that the record had is given up"


def test_an_offer_without_its_file_is_refused_in_one_line(
    tmp_path: Path, played: Path, record: Path
) -> None:
    offer = offered(record, stick(tmp_path / "stick", played))
    drop_offers(record)
    with opened_store(record) as store:
        with pytest.raises(StoreError, match=r"^The stick's games can't be taken: .*[^.]$"):
            store.take_over(offer)
        store.keep(store.next_game_number(), OPENED)
    assert len(rows(record)) == 1


class _PowerCutError(BaseException):
    """The power is cut: no later code runs."""


def cut_at(number: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Cuts the power just before the rename with that number. The returned function returns whether
    it did."""
    rename, done = Path.rename, [0]

    def renamed(path: Path, to: Path | str) -> Path:
        done[0] += 1
        if done[0] == number:
            raise _PowerCutError
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", renamed)
    return lambda: done[0] >= number


def test_a_power_cut_during_take_over_leaves_the_old_or_the_new_record(
    tmp_path: Path, played: Path, record: Path
) -> None:
    place, found = stick(tmp_path / "stick", played), list[int]()
    for number in range(1, 20):
        path = tmp_path / str(number) / "record.db"
        with opened_store(path) as store:
            store.keep(0, Setting("flip", "on"))
        store = Store.open(path, RACE_RULES)
        offer = offered(path, place)
        with pytest.MonkeyPatch.context() as patched:
            went = cut_at(number, patched)
            with suppress(_PowerCutError):
                store.take_over(offer)
        assert store._lock is not None
        store._disconnect()
        store._lock.close()
        with opened_store(path):
            pass
        assert rows(path) == rows(played) or [link.game for link in rows(path)] == [0]
        found.append(len(rows(path)))
        if not went():
            break
    assert found[0] == 1, "before the first step nothing is taken"
    assert found[1:] == [len(rows(played))] * (len(found) - 1), "from there on everything"
    assert len(found) > 4


def test_offers_from_different_places_have_different_files(tmp_path: Path) -> None:
    names = {offer_path(tmp_path / name, tmp_path / "record.db").name for name in ("sda1", "sdb1")}
    assert len(names) == 2
