"""Names on the command line match, whichever Unicode form the keyboard sends."""

from pathlib import Path

import pytest

from tests.commands.conftest import run_games as run_games  # noqa: PLC0414  # a fixture
from tests.commands.running import Run
from tests.web.live import keep

COMPOSED, IN_PARTS = "José", "Jose\u0301"
GAME = "hand\n{0} 6-6\nBo 6-3"


@pytest.fixture(params=[(COMPOSED, IN_PARTS), (IN_PARTS, COMPOSED)], ids=["composed", "in parts"])
def record(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, str]:
    """A record with a player called José: the path, the name as stored, and the name as typed."""
    kept, typed = request.param
    keep(tmp_path / "record.db", GAME.format(kept), f"{kept} Bo")
    return tmp_path / "record.db", kept, typed


def test_a_player_is_found_in_any_unicode_form(
    run_games: Run, record: tuple[Path, str, str]
) -> None:
    path, kept, typed = record
    status, out, _ = run_games("stats", typed, "--record", path)
    assert (status, kept in out) == (0, True)
    assert run_games("players", "--rename", typed, "Pepe", "--record", path)[0] == 0
    assert "Pepe" in run_games("players", "--record", path)[1]
    assert run_games("forget", typed, "--record", path)[0] == 0
    assert kept not in run_games("games", "--record", path)[1]
