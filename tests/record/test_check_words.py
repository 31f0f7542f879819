"""A check word distinguishes a game with all its rows from one with missing rows."""

from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.record.rows import Setting, Step
from companion.record.store.chain import CONSONANTS, VOWELS, check_word, check_words_so_far
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from tests.record.play import SCRIPT, opened_store, play, scored
from tests.record.test_restore import rows
from tests.sample_games import RACE_CATALOG, RACE_RULES

Said = pytest.CaptureFixture[str]


def test_a_check_word_has_five_letters_and_is_pronounceable() -> None:
    found = {check_word([bytes([one, two])]) for one in range(64) for two in range(64)}
    assert len(found) > 3900
    for word in found:
        assert len(word) == 5
        assert all(letter in VOWELS if at % 2 else letter in CONSONANTS
                   for at, letter in enumerate(word))  # fmt: skip
    assert set("".join(found)) == set(CONSONANTS + VOWELS)


def test_the_check_word_of_the_same_rows_never_changes() -> None:
    """People have noted these words, so they must never change."""
    assert check_word([]) == "vavub"
    assert check_word([bytes(32), bytes(range(32))]) == "rosof"


def test_every_row_changes_the_check_word(tmp_path: Path) -> None:
    record = tmp_path / "record.db"
    number = play(record, *SCRIPT)
    with Reader.open(record, RACE_RULES) as reader:
        words = list(check_words_so_far(reader.fold(number).hashes))
        assert words[-1] == reader.check_word(number) == check_word(reader.fold(number).hashes)
    assert len(set(words)) == len(SCRIPT) + 1
    with opened_store(record) as store:
        assert store.check_word(number) == words[-1]
        store.keep(0, Setting("brightness", 1))
        assert store.check_word(number) == words[-1]
        store.keep(number, Step((scored(0, 1),)))
        assert store.check_word(number) != words[-1]
        assert store.check_word(99) == check_word([])


def noted(record: Path, game: int, capsys: Said) -> str:
    assert (
        main(["verify", "--word", "--game", str(game), "--record", str(record)], RACE_CATALOG) == 0
    )
    return capsys.readouterr().out.split()[-1]


def test_a_check_word_shows_that_the_newest_rows_are_missing(tmp_path: Path, capsys: Said) -> None:
    record = tmp_path / "record.db"
    play(record, *SCRIPT)
    play(record, *SCRIPT)
    word = noted(record, 2, capsys)
    ask = ["verify", "--word", word.upper(), "--record", str(record)]
    assert main(ask, RACE_CATALOG) == 0
    assert capsys.readouterr().out == f"game 2: {word}\n"
    assert main(["show", "--record", str(record)], RACE_CATALOG) == 0
    assert f"\nCheck word: {word}\n" in capsys.readouterr().out

    with opened_store(record) as store:
        store.keep(2, Step((scored(0, 1),)))
    now = noted(record, 2, capsys)
    assert main(ask, RACE_CATALOG) == 0
    assert capsys.readouterr().out == f"game 2: {now}; it was {word}, and 1 row has come since\n"

    replace_record(record, rows(record)[:-3])
    assert main(["verify", "--record", str(record)], RACE_CATALOG) == 0  # nothing else notices
    capsys.readouterr()
    assert main(ask, RACE_CATALOG) == 1
    assert f"not {word}: rows are missing, or another game was meant" in capsys.readouterr().out
