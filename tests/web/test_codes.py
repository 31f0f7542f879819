"""The access codes: how long they are valid, and what happens to their file."""

import json
import stat
from dataclasses import astuple
from pathlib import Path

import pytest

from companion.core.clock import BREAK_S, CLOCK_SET
from companion.web.access import CODE_PATTERN, AccessCodes, Codes, load_codes

NOW = CLOCK_SET + 1e7


class Clocks:
    """The steady clock and the wall clock, both moved by the tests."""

    def __init__(self) -> None:
        self.monotonic, self.wall = 0.0, NOW

    def codes(self, words: AccessCodes) -> Codes:
        return Codes(words, clock=lambda: self.monotonic, wall=lambda: self.wall)

    def wait(self, seconds: float) -> None:
        self.monotonic += seconds
        self.wall += seconds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.codes"


@pytest.fixture
def told() -> list[str]:
    return []


def test_codes_survive_a_restart_and_only_their_owner_reads_them(
    path: Path, told: list[str]
) -> None:
    words = load_codes(path, told.append).current
    assert all(CODE_PATTERN.fullmatch(word) for word in (words.play, words.watch, words.keep))
    assert len({words.play, words.watch, words.keep}) == 3
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_codes(path, told.append).current == words
    assert [one.name for one in path.parent.iterdir()] == ["record.codes"]
    assert told == []


def test_new_codes_still_differ_after_a_restart(path: Path, told: list[str]) -> None:
    codes = load_codes(path, told.append)
    before = codes.current
    codes.renew()
    after = codes.current
    assert not {before.play, before.watch, before.keep} & {after.play, after.watch, after.keep}
    assert load_codes(path, told.append).current == after
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"[]",
        b"null",
        b'{"play": "a", "watch": "b", "keep": "c", "after": 0}',
        b'{"play": 1, "watch": 2, "keep": 3, "after": 0}',
        b'{"play": ["a"], "watch": {}, "keep": null, "after": 0}',
        json.dumps(dict.fromkeys(("play", "watch", "keep"), "a" * 16) | {"after": 0}).encode(),
        b"[" * 100_000,
    ],
)
def test_damaged_codes_are_replaced_with_a_one_line_notice(
    path: Path, told: list[str], damage: bytes
) -> None:
    path.write_bytes(damage)
    words = load_codes(path, told.append).current
    assert told == [f"The codes in {path} can't be read (it is damaged): let the phones in anew."]
    assert load_codes(path, told.append).current == words
    assert len(told) == 1


@pytest.mark.parametrize("field", ["play", "watch", "keep", "after"])
def test_a_missing_or_mistyped_field_counts_as_damage(
    path: Path, told: list[str], field: str
) -> None:
    load_codes(path, told.append)
    kept = json.loads(path.read_text())
    for damaged in ({**kept, field: None}, {k: v for k, v in kept.items() if k != field}):
        path.write_text(json.dumps(damaged))
        words = astuple(load_codes(path, told.append).current)
        assert not {kept["play"], kept["watch"], kept["keep"]} & set(words)
    assert len(told) == 2


def test_a_codes_file_that_others_can_read_is_made_private(path: Path, told: list[str]) -> None:
    words = load_codes(path, told.append).current
    path.chmod(0o644)
    assert load_codes(path, told.append).current == words
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert told == []


def test_an_unreadable_file_is_left_alone_and_new_codes_are_used(
    path: Path, told: list[str]
) -> None:
    path.mkdir()
    (path / "somebody's").touch()
    words = load_codes(path, told.append).current
    assert CODE_PATTERN.fullmatch(words.play)
    assert told == [
        f"The codes in {path} can't be read (Is a directory): let the phones in anew.",
        f"The codes for phones can't be kept in {path} (Is a directory): they end with this run.",
    ]
    assert (path / "somebody's").exists()


def test_a_symbolic_link_in_place_of_the_codes_file_is_not_followed(
    path: Path, told: list[str]
) -> None:
    """The link could make another file of the owner's 0600, or lead to a file that others can
    write."""
    other = path.with_name("other")
    other.write_text("somebody's")
    path.symlink_to(other)
    load_codes(path, told.append)
    assert other.read_text() == "somebody's"
    assert len(told) == 1


@pytest.mark.parametrize("folder", ["/proc/nowhere", "/proc/self"])
def test_codes_that_cannot_be_saved_are_valid_for_this_run(told: list[str], folder: str) -> None:
    codes = load_codes(Path(folder, "record.codes"), told.append)
    assert CODE_PATTERN.fullmatch(codes.current.play)
    (line,) = told
    assert line.startswith(f"The codes for phones can't be kept in {folder}/record.codes (")
    assert line.endswith("): they end with this run.")
    before = codes.current
    codes.renew()
    assert codes.current != before


# ---------------------------------------------------------------- the evening

OLD = AccessCodes("play", "watch", "keep", after=3)


def test_only_the_play_code_ends_with_the_evening() -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    codes.note_row(7, NOW)
    clocks.wait(BREAK_S - 1)
    assert not codes.end_evening()
    assert codes.is_evening_on
    clocks.wait(1)
    assert codes.end_evening()
    assert not codes.is_evening_on
    assert codes.current.play != "play"
    assert (codes.current.watch, codes.current.keep, codes.current.after) == ("watch", "keep", 7)
    assert not codes.end_evening()


def test_each_row_postpones_the_end_of_the_evening() -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    for row in range(4, 10):
        codes.note_row(row, clocks.wall)
        clocks.wait(BREAK_S - 1)
        codes.note_row(row, clocks.wall)  # a setting of the box came, no row of a game
        assert not codes.end_evening()


def test_a_phone_let_in_before_the_first_row_stays() -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    codes.note_row(3, NOW - 7 * 24 * 3600)
    clocks.wait(BREAK_S * 2)
    assert not codes.end_evening()
    assert not codes.is_evening_on
    codes.note_row(4, clocks.wall)
    assert not codes.end_evening()
    assert codes.is_evening_on


@pytest.mark.parametrize(
    ("at", "now", "over"),
    [
        (NOW, NOW + BREAK_S, True),
        (NOW, NOW + 60, False),
        (NOW, NOW - 60, False),
        (None, NOW, False),
        (NOW, 1000.0, False),
    ],
)
def test_after_a_restart_a_set_clock_decides_whether_the_evening_is_over(
    at: float | None, now: float, over: bool
) -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    clocks.wall = now
    codes.note_row(7, at)
    assert codes.end_evening() is over


WEEK_S = 7 * 24 * 3600


def test_setting_the_clock_after_a_row_ends_no_access() -> None:
    """The box starts with last week's time, a game is opened, and only then the network sets the
    clock."""
    clocks = Clocks()
    codes = clocks.codes(OLD)
    codes.note_row(3, NOW - 60)
    codes.note_row(4, clocks.wall)
    clocks.wall += WEEK_S
    assert not codes.end_evening()
    clocks.wait(BREAK_S)
    assert codes.end_evening(), "time that passes counts"


def test_setting_the_clock_while_a_phone_is_connected_ends_no_access() -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    codes.note_row(7, NOW - 60)
    codes.note_presence()
    clocks.wall += WEEK_S
    assert not codes.end_evening()
    clocks.wait(BREAK_S)
    assert codes.end_evening()


def test_the_first_row_of_a_new_record_begins_an_evening() -> None:
    clocks = Clocks()
    codes = clocks.codes(AccessCodes("play", "watch", "keep"))
    codes.note_row(0, None)
    codes.note_row(1, clocks.wall)
    clocks.wall += WEEK_S
    assert codes.is_evening_on
    assert not codes.end_evening()


def test_setting_the_clock_back_ends_no_access() -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    codes.note_row(7, NOW)
    clocks.wall -= WEEK_S
    assert not codes.end_evening()
    clocks.wait(BREAK_S)
    assert codes.end_evening()


def test_setting_the_clock_while_nobody_plays_ends_the_evening() -> None:
    clocks = Clocks()
    codes = clocks.codes(OLD)
    clocks.wall = NOW + 60
    codes.note_row(7, NOW)
    assert not codes.end_evening()
    clocks.wall = NOW + 24 * 3600
    assert codes.end_evening()
