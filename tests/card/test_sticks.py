"""A new image, an empty record, and sticks with copies of different ages."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.card.empty import is_empty
from companion.card.sticks import MARKER, bring_back
from companion.record.chain import ChainLink
from companion.record.copier import Copy
from companion.record.reader import Reader
from companion.record.restore import ON_A_STICK
from tests.race import CATALOG
from tests.record.play import SCRIPT, opened_store, play

ROOT = Path(__file__).parents[2]


def stick(folder: Path, record: Path) -> Path:
    """A stick with the copies that the record has now."""
    folder.mkdir(exist_ok=True)
    (folder / MARKER).touch()
    Copy(record, CATALOG, folder / ON_A_STICK).catch_up()
    return folder


def rows(path: Path) -> list[ChainLink]:
    with Reader.open(path, CATALOG) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    path = tmp_path / "old-card" / "record.db"
    play(path, *SCRIPT)
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    (tmp_path / "new-card").mkdir()
    return tmp_path / "new-card" / "record.db"


def test_the_games_are_back_from_a_stick(tmp_path: Path, played: Path, record: Path) -> None:
    told = bring_back(record, [tmp_path / "nothing", stick(tmp_path / "stick", played)])
    many = len(rows(played))
    assert told == f"The games are back from the stick: {many} of {many} rows are readable"
    assert rows(record) == rows(played)


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_sticks_the_newer_rows_count(
    tmp_path: Path, played: Path, record: Path, order: int
) -> None:
    old = stick(tmp_path / "old", played)
    play(played, *SCRIPT)
    new = stick(tmp_path / "new", played)
    assert "back" in (bring_back(record, [old, new][::order]) or "")
    assert rows(record) == rows(played)


def test_of_two_records_the_one_that_was_played_last_comes_back(
    tmp_path: Path, played: Path, record: Path
) -> None:
    """The other stays on its stick."""
    other = tmp_path / "other" / "record.db"
    play(other, *SCRIPT[:2])
    sticks = [stick(tmp_path / "a", played), stick(tmp_path / "b", other)]
    assert "back" in (bring_back(record, sticks) or "")
    assert rows(record) == rows(other)


def test_a_stick_that_is_not_ours_or_has_nothing_says_nothing(tmp_path: Path, played: Path) -> None:
    record = tmp_path / "record.db"
    foreign = stick(tmp_path / "foreign", played)
    (foreign / MARKER).unlink()
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / MARKER).touch()
    assert bring_back(record, [foreign, empty]) is None
    assert not record.exists()


def test_what_a_pulled_stick_tore_does_not_count_and_the_rest_is_back(
    tmp_path: Path, played: Path, record: Path
) -> None:
    place = stick(tmp_path / "stick", played)
    (file,) = (place / ON_A_STICK).rglob("game-00001.rows")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    assert "back" in (bring_back(record, [place]) or "")
    assert rows(record) == rows(played)[:-1]


def test_a_stick_that_is_pulled_while_it_is_read_is_told_and_nothing_is_made(
    tmp_path: Path, played: Path, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stick(tmp_path / "stick", played)

    def pulled(_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("companion.card.sticks.copies_at", pulled)
    assert "can't be brought back: " in (bring_back(record, [place]) or "")
    assert not record.exists()


def test_which_record_is_empty(tmp_path: Path, played: Path) -> None:
    assert is_empty(tmp_path / "none.db")
    assert not is_empty(played)
    fresh = tmp_path / "fresh.db"
    with opened_store(fresh):
        pass
    assert is_empty(fresh)
    fresh.write_bytes(b"no record at all" * 1000)
    assert not is_empty(fresh)


@pytest.mark.parametrize(
    ("word", "loads", "not_loaded"),
    [
        ("settings", "companion.card.growing", ("companion.record", "companion.games.catalog")),
        ("restore", "companion.card.empty", ("companion.card.sticks", "companion.games.catalog")),
    ],
)
def test_the_table_does_not_wait_for_what_a_start_need_not_know(
    tmp_path: Path, played: Path, word: str, loads: str, not_loaded: tuple[str, ...]
) -> None:
    told = f"""if True:
        import sys
        from pathlib import Path
        from companion import arguments
        from companion.card import __main__ as card
        arguments.SERVICE_RECORD = Path({str(played)!r})
        card.FAT = card.INTO = Path({str(tmp_path)!r})
        card.PARTITION = card.FAT / "no partition"
        assert card.main([{word!r}]) == 0
        assert {loads!r} in sys.modules
        print(*({{*{not_loaded!r}}} & {{*sys.modules}}))
    """
    ran = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (ran.returncode, ran.stdout) == (0, "\n"), ran.stderr
