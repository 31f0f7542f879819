"""The commands report any damage."""

import json
import os
import re
import shutil
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.record.copies.text_copy import copies_folder
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from tests.commands.running import READING, SEATS, Run
from tests.sample_games import RACE_RULES, Scored


@pytest.mark.parametrize("game", ["1", "2"])
def test_any_flipped_bit_of_an_entry_is_reported(run: Run, record: Path, game: str) -> None:
    """Reading commands verify what they print: they never print a wrong score without a warning."""
    chance, data = Random(7), record.read_bytes()
    words = (["games"], ["show", game], ["export", game])
    sound = [run(*each, "--record", record)[1] for each in words]
    entries = [match.start() for match in re.finditer(rb'"entries"', data)]
    for at in chance.sample(entries, 8):
        flipped = bytearray(data)
        flipped[at + chance.randrange(30)] ^= 1 << chance.randrange(8)
        record.write_bytes(flipped)
        outputs = [run(*each, "--record", record) for each in words]
        for (status, out, err), before in zip(outputs, sound, strict=True):
            if status == 0:
                assert (out, err) == (before, "")
            else:
                assert "doubtful: row " in out.lower()
                assert "something is wrong with " in err
        assert outputs[0][0] == 1
        _, listed, _ = run("games", "--json", "--record", record)
        assert any(one["wrong"] for one in json.loads(listed))


def test_rows_missing_from_the_record_are_shown_from_its_copy(run: Run, record: Path) -> None:
    with closing(Store.open(record, RACE_RULES)) as store:
        store.keep(2, Step((Scored(SEATS.order[3], 3),)))
        store.keep(2, Step((Scored(SEATS.order[4], 4),)))
        log = bytearray(Path(f"{record}-wal").read_bytes())
        file = record.read_bytes()
    log[32 + 12] ^= 1  # a bit of the first frame's header
    cut = record.with_name("cut.db")
    cut.write_bytes(file)
    Path(f"{cut}-wal").write_bytes(log)
    shutil.copytree(copies_folder(record), copies_folder(cut))
    status, out, err = run("show", "2", "--record", cut)
    assert "Di scores 3" in out and "Ed scores 4" in out
    assert (status, err) == (
        1,
        f"{cut}: rows 25 to 26 are only in the copy: the next start adds them "
        "(see companion verify)\n",
    )
    assert Path(f"{cut}-wal").read_bytes() == log


def test_a_time_outside_every_calendar_counts_as_no_date(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with closing(Store.open(path, RACE_RULES, lambda: 1e300)) as store:
        store.keep(1, GameOpened("race", SEATS, {}))
    status, out, err = run("games", "--record", path)
    assert (status, out.split()[:3], err) == (0, ["1", "no", "date"], "")
    assert run("show", "1", "--record", path)[0] == 0
    assert json.loads(run("games", "--json", "--record", path)[1])[0]["at"] is None


def test_a_path_that_is_not_a_file_is_reported_in_one_line(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    for path in (tmp_path / "pipe.db", Path("/dev/zero"), tmp_path):
        for words in READING:
            status, out, err = run(*words, "--record", path)
            assert (status, out) == (2, "")
            assert err == f"{path} can't be a record: it is not a file; name another\n"
