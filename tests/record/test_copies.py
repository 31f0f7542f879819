"""Copies of a record: text that can be verified, even if some of it is lost."""

import math
from pathlib import Path

import pytest

from companion.record.copies.text_copy import HEADER, Folder, folders, format_line, read_line
from companion.record.store.database import START, ChainLink, RowContent

ROWS = (
    '{"v": 2, "kind": "undo"}',
    '{"v": 2, "kind": "setting", "name": "brightness", "value": 3}',
    '{"v": 2, "kind": "step", "entries": ["Zoë 5-6", "a \\"quoted\\" \u2028 word"]}',
)


def chain(games: tuple[int, ...]) -> list[ChainLink]:
    """Linked rows of these games, one after the other."""
    links, before = list[ChainLink](), START
    for seq, game in enumerate(games, start=1):
        at = None if seq % 3 else 1_800_000_000 + seq / 7
        source = f"north/1/{seq}" if seq % 2 else None
        link = ChainLink.make(before, (seq, game, ROWS[seq % len(ROWS)], at, source))
        links.append(link)
        before = link.hash
    return links


LINKS = chain((0, 1, 1, 0, 1, 2, 2, 1, 3))


@pytest.mark.parametrize("link", LINKS)
def test_a_row_written_as_a_line_is_read_back_unchanged(link: ChainLink) -> None:
    line = format_line(link)
    assert read_line(line) == link
    assert line.isascii()
    assert line.count(b"\n") == 1


def test_a_line_with_a_changed_letter_is_rejected() -> None:
    line = format_line(LINKS[5])
    for at in range(len(line) - 1):
        for new in (line[at] ^ 1, ord("0")):
            changed = line[:at] + bytes([new]) + line[at + 1 :]
            assert read_line(changed) in (None, LINKS[5])


@pytest.mark.parametrize(
    "line", [HEADER, b"", b"null", b"[]", b"[1]", b'["a", "b"]', b"[" * 100_000, b"\xff\n"]
)
def test_malformed_lines_are_not_read_as_rows(line: bytes) -> None:
    assert read_line(line) is None


@pytest.mark.parametrize(
    "content",
    [
        (10**30, 1, ROWS[0], None, None),
        (10**8, 1, ROWS[0], None, None),
        (0, 1, ROWS[0], None, None),
        (True, 1, ROWS[0], None, None),
        (1, 10**30, ROWS[0], None, None),
        (1, -1, ROWS[0], None, None),
        (1, 1, ROWS[0], math.nan, None),
        (1, 1, ROWS[0], math.inf, None),
        (1, 1, '"\ud800"', None, None),
        (1, 1, ROWS[0], None, "\ud800"),
    ],
)
def test_intact_lines_that_no_record_can_have_are_not_read_as_rows(content: RowContent) -> None:
    link = ChainLink.make(START, content)
    assert link.intact and read_line(format_line(link)) is None


def test_each_game_has_a_file_for_its_rows(tmp_path: Path) -> None:
    folder = Folder.of(tmp_path / "copies", LINKS[0])
    folder.append(LINKS[:4])
    folder.append(LINKS[4:])
    names = ["game-00003.rows", "game-00002.rows", "game-00001.rows", "box.rows"]
    assert [file.name for file in folder.files()] == names
    assert [link.seq for link in folder.rows_of(1)] == [2, 3, 5, 8]
    assert sorted(folder.rows(), key=lambda link: link.seq) == LINKS
    assert folder.newest() == LINKS[-1]
    assert (folder.path / "box.rows").read_bytes().startswith(HEADER)
    assert folders(tmp_path / "copies") == [folder]
    assert folders(folder.path) == [folder]


def test_rows_are_not_written_through_a_link_on_a_stick(tmp_path: Path) -> None:
    (record := tmp_path / "record.db").write_bytes(b"ours")
    folder = Folder.of(tmp_path / "stick", LINKS[0])
    folder.append(LINKS[:1])
    folder.file_of(1).symlink_to(record)
    with pytest.raises(OSError, match="symbolic"):
        folder.append(LINKS[1:3])
    assert record.read_bytes() == b"ours"


def test_a_place_without_copies_has_no_rows(tmp_path: Path) -> None:
    folder = Folder.of(tmp_path, LINKS[0])
    assert (folder.newest(), list(folder.rows()), folders(tmp_path)) == (None, [], [])
    assert folders(tmp_path / "nowhere") == []


def test_copying_continues_after_a_line_torn_at_any_place(tmp_path: Path) -> None:
    """Power is cut while a row is copied: the row before it is then the copy's newest, and all rows
    are there once copying has continued."""
    for cut in range(1, len(format_line(LINKS[4])) + 1):
        folder = Folder.of(tmp_path / str(cut), LINKS[0])
        folder.append(LINKS[:5])
        file = folder.file_of(LINKS[4].game)
        file.write_bytes(file.read_bytes()[:-cut])
        newest = folder.newest()
        assert newest in (LINKS[3], LINKS[4])
        folder.append(LINKS[newest.seq :])
        assert {link.seq for link in folder.rows()} == set(range(1, len(LINKS) + 1))


def test_a_folder_set_aside_is_still_found(tmp_path: Path) -> None:
    folder = Folder.of(tmp_path, LINKS[0])
    asides = []
    for _ in range(2):
        folder.append(LINKS)
        asides.append(folder.set_aside())
    assert [path.name.split(".")[1] for path in asides] == ["ahead-1", "ahead-2"]
    assert [one.path for one in folders(tmp_path)] == asides
