"""A tape comes to the same again, a difference is reported, and what is recorded is played as at a
table."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.console.frame import Frame
from companion.record.rows import ROW_KINDS
from tests.tape.box import FIELDS, PARTS, Box, Build
from tests.tape.casts import CASTS
from tests.tape.compare import Differs, compare, picture, show
from tests.tape.player import Manner
from tests.tape.record import Cast, record
from tests.tape.tape import WINDOW, Line, Tape

SHORT = Cast("short", 5, Manner(1, 2), presses=WINDOW)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tape of one window."""
    path = tmp_path_factory.mktemp("tape") / "short.tape"
    path.write_text(str(record(SHORT)[0]))
    return path


# ---------------------------------------------------------------- what is compared


def test_every_kind_of_row_is_digested() -> None:
    assert FIELDS.keys() == {kind.name for kind in ROW_KINDS}
    for kind in ROW_KINDS:
        assert set(FIELDS[kind.name]) <= set(kind.fields)


def test_a_replayed_tape_has_the_same_result(short: Path) -> None:
    reached = compare(short)
    assert reached.times["screen LineTurn"] > 0
    assert compare(short) == reached


@pytest.mark.parametrize("part", PARTS)
def test_a_difference_is_reported_with_its_line_part_and_context(
    short: Path, tmp_path: Path, part: str
) -> None:
    tape, at = Tape.load(short), 30
    line = tape.lines[at]
    digests = list(line.digests)
    digests[PARTS.index(part)] = "xx"
    lines = (*tape.lines[:at], replace(line, digests=tuple(digests)), *tape.lines[at + 1 :])
    path = tmp_path / "changed.tape"
    path.write_text(str(replace(tape, lines=lines)))
    with pytest.raises(Differs) as told:
        compare(path)
    text = str(told.value).splitlines()
    assert text[0].startswith(f"{path}:{at + 2}: ")
    assert [row.split()[0] for row in text if row.endswith(" differs")] == [part]
    assert f"  {' '.join(tape.lines[at - 1].words)}" in text
    assert f"→ {' '.join(line.words)}" in text
    assert f"  python -m tests.tape show changed {at + 2}" in text


def test_a_difference_missed_by_short_digests_is_found_by_long_ones(
    short: Path, tmp_path: Path
) -> None:
    tape = Tape.load(short)
    *lines, last = tape.lines
    path = tmp_path / "changed.tape"
    last = replace(last, digests=("0" * 16, *last.digests[1:]))
    path.write_text(str(replace(tape, lines=(*lines, last))))
    with pytest.raises(Differs, match=rf"changed.tape:{len(lines) + 2}: "):
        compare(path)


def test_a_fault_that_the_box_prints_is_a_difference(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do = Box.do

    def told(box: Box, word: str) -> int:
        print("Traceback of a fault", file=sys.stderr)
        return do(box, word)

    monkeypatch.setattr(Box, "do", told)
    with pytest.raises(Differs, match=r"short.tape:2: the box told:\nTraceback of a fault"):
        compare(short)


def test_the_result_of_a_line_can_be_inspected(
    short: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tape = Tape.load(short)
    at = next(at for at, line in enumerate(tape.lines) if line.digests[0] != "--")
    show(short, at + 2, at + 2)
    told = capsys.readouterr().out
    for word in tape.lines[at].words:
        assert f"short.tape:{at + 2}: {word}\n" in told
    assert '  row      [1, 1, "opened", {' in told
    assert "  lights   " in told
    assert "█" in told


def test_a_picture_is_shown_as_text() -> None:
    pixels = bytearray(1024)
    pixels[0], pixels[2], pixels[3] = 0b0000_0001, 0b0000_0010, 0b0000_0011
    shown = picture(Frame(bytes(pixels)))
    assert shown[0] == "▀ ▄█"
    assert len(shown) == 32


# ---------------------------------------------------------------- recording


LAYS = ("tile", "ends", "count")
CALM = Manner(1, 2, slips=0.0, besides=0.02)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "cast",
    [
        Cast("keys", 1, CALM, presses=2 * WINDOW),
        Cast("stick", 1, CALM, board="adafruit-bonnet", presses=2 * WINDOW),
        Cast("pads", 1, replace(CALM, pads=True), Build("sh1106", rests=True), presses=2 * WINDOW),
    ],
    ids=lambda cast: cast.name,
)
def test_players_play_real_hands(cast: Cast, tmp_path: Path) -> None:
    tape, reached = record(cast)
    assert sum(reached.times[f"entry high-five {way}"] for way in LAYS) > 10
    assert reached.times["entry high-five hand"] > 0
    path = tmp_path / "again.tape"
    path.write_text(str(tape))
    assert compare(path).times == reached.times


def test_the_same_seed_plays_the_same_hands(short: Path) -> None:
    assert str(record(SHORT)[0]) == short.read_text()


@pytest.mark.parametrize(
    "text", ["1 2 OK | 3f -- 00 a1 --", "+a a:OK! ~40 | -- -- -- -- --", "= 500 | a b c d e"]
)
def test_a_line_reads_back(text: str) -> None:
    assert str(Line.read(text)) == text


@pytest.mark.parametrize("text", ["1 2 OK", "1 2 | 3f --", "box ssd1306"])
def test_an_invalid_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no line of a tape"):
        Line.read(text)


@pytest.mark.parametrize("cast", CASTS, ids=lambda cast: cast.name)
def test_a_build_reads_back(cast: Cast) -> None:
    assert Build.read(str(cast.build)) == cast.build


def test_an_unknown_word_is_refused(tmp_path: Path) -> None:
    box = Box(Build(), tmp_path)
    with pytest.raises(ValueError, match="not a word of a tape"):
        box.do("6-3")
    box.close()
