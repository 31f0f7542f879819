"""Fixtures: commands that run in this process, and a record for them to read."""

from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.record.rows import GameOpened, Step, Undo
from companion.record.store.store import Store
from tests.commands.running import SEATS, Run
from tests.sample_games import RACE_CATALOG, RACE_RULES, Scored


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words], RACE_CATALOG)
        out, err = capsys.readouterr()
        assert err == "" or (err.endswith("\n") and err.count("\n") == 1)
        return status, out, err

    return ran


@pytest.fixture
def run_games(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with the real catalog of games."""

    def ran(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        return status, *capsys.readouterr()

    return ran


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of three games: one won, one amended and unfinished, one taken back."""
    path = tmp_path / "record.db"
    store = Store.open(path, RACE_RULES, lambda: 1_795_204_000.0)
    for game in (1, 2, 3):
        after = 1 if game == 2 else None
        store.keep(game, GameOpened("race", SEATS, {"goal": 50 * game}, after))
        if game < 3:
            for turn in range(17 if game == 1 else 3):
                seat = SEATS.order[turn % 8]
                store.keep(game, Step((Scored(seat, 20 if turn % 8 == 0 else turn % 8),)))
    store.keep(3, Undo())
    store.close()
    return path
