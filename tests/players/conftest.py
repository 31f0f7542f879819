"""For every test here: a record of two evenings, and a function that runs a command on it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands.cli import main
from tests.players.evening_kept import record

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return record(tmp_path_factory.mktemp("kept") / "record.db").read_bytes()


@pytest.fixture
def path(tmp_path: Path, made: bytes) -> Path:
    (tmp_path / "record.db").write_bytes(made)
    return tmp_path / "record.db"


@pytest.fixture
def run(path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: object) -> tuple[int, str, str]:
        status = main([*map(str, words), "--record", str(path)])
        return status, *capsys.readouterr()

    return ran
