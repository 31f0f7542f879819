"""The record's partition grows to the end of any card, once, and a power cut meanwhile does no
harm."""

import ctypes
from pathlib import Path
from typing import IO

import pytest

from companion.card.files import Mistake
from companion.card.partitions import (
    ALIGNED,
    DESCRIPTION,
    FAT,
    LINUX,
    REQUEST,
    SECTOR,
    Partition,
    grow,
    make_first_sector,
    partitions_in,
    resize_in_kernel,
    with_last_partition_grown,
)

MADE = (
    Partition(8192, 262144, FAT, boots=True),
    Partition(270336, 600000, LINUX),
    Partition(876544, 131072, LINUX),
)
DISK_ID = 0x434F4D50
GB = 10**9


def test_a_written_partition_table_is_read_back() -> None:
    sector = make_first_sector(MADE, DISK_ID)
    assert partitions_in(sector) == MADE
    assert len(sector) == SECTOR and sector[440:444] == b"PMOC" and sector[510:] == b"\x55\xaa"
    # As the standard has it: active, type, start and size, little-endian.
    assert sector[446] == 0x80 and sector[450] == 0x0C
    assert sector[454:462] == (8192).to_bytes(4, "little") + (262144).to_bytes(4, "little")


@pytest.mark.parametrize(
    "wrong",
    [(), (Partition(0, 8, FAT),), (MADE[1], MADE[0]), (Partition(8, 2**32, FAT),), MADE * 2],
)
def test_overlapping_or_oversized_partitions_are_refused(wrong: tuple[Partition, ...]) -> None:
    with pytest.raises(ValueError, match=r"fit|has 1 to 4"):
        make_first_sector(wrong, DISK_ID)


@pytest.mark.parametrize("card", [4 * GB // SECTOR, 128 * GB // SECTOR, 2000 * GB // SECTOR])
def test_the_partition_grows_to_the_end_of_the_card_only_once(card: int) -> None:
    sector = with_last_partition_grown(make_first_sector(MADE, DISK_ID), card)
    assert sector is not None
    *others, last = partitions_in(sector)
    assert tuple(others) == MADE[:2] and last.start == MADE[2].start
    assert last.end % ALIGNED == 0 and 0 <= card - last.end < ALIGNED
    assert sector[:446] == make_first_sector(MADE, DISK_ID)[:446]
    assert with_last_partition_grown(sector, card) is None


def test_a_card_is_used_up_to_the_partition_tables_limit() -> None:
    sector = with_last_partition_grown(make_first_sector(MADE, DISK_ID), 2**33)
    assert sector is not None
    assert partitions_in(sector)[-1].end == 2**32 - ALIGNED


def test_a_card_without_free_space_is_unchanged() -> None:
    sector = make_first_sector(MADE, DISK_ID)
    assert with_last_partition_grown(sector, MADE[-1].end) is None
    assert with_last_partition_grown(sector, MADE[-1].start) is None


def test_bytes_before_the_partition_table_stay_unchanged() -> None:
    sector = bytearray(make_first_sector(MADE, DISK_ID))
    sector[:5] = b"boots"
    assert (with_last_partition_grown(bytes(sector), 10**7) or b"")[:5] == b"boots"


def test_a_4_gb_card_is_grown_once(tmp_path: Path) -> None:
    card = tmp_path / "card"
    with card.open("wb") as image:
        image.write(make_first_sector(MADE, DISK_ID))
        image.truncate(4 * GB)  # nothing of it is on the disk
    assert grow(card) is True
    assert grow(card) is False
    with card.open("rb") as image:
        assert partitions_in(image.read(SECTOR))[-1].end > 7_800_000


def test_a_file_that_is_not_a_card_is_reported_and_left_alone(tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.write_bytes(b"x" * 4096)
    for path in (card, tmp_path / "missing"):
        with pytest.raises(Mistake, match="could not grow"):
            grow(path)
    assert card.read_bytes() == b"x" * 4096


def test_only_the_last_partition_is_resized_in_the_kernel(
    tmp_path: Path,
) -> None:
    card = tmp_path / "card"
    card.write_bytes(make_first_sector(MADE, DISK_ID))
    asked: list[tuple[int, int, int, int, int]] = []

    def ioctl(device: IO[bytes], request: int, words: bytes) -> None:
        operation, flags, size, address = REQUEST.unpack(words)
        told = DESCRIPTION.unpack(ctypes.string_at(address, DESCRIPTION.size))
        assert (device.name, flags, size >= DESCRIPTION.size) == (str(card), 0, True)
        asked.append((request, operation, *told[:3]))

    resize_in_kernel(card, ioctl)
    # BLKPG, BLKPG_RESIZE_PARTITION: never the whole table, of which others are mounted.
    assert asked == [(0x1269, 3, 876544 * SECTOR, 131072 * SECTOR, 3)]
    assert (REQUEST.size, DESCRIPTION.size) == (24, 152), "as <linux/blkpg.h> has them"


def test_a_kernel_that_refuses_the_new_size_is_reported(tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.write_bytes(make_first_sector(MADE, DISK_ID))
    with pytest.raises(Mistake, match="could not grow"):
        resize_in_kernel(card)  # a file has no partitions
