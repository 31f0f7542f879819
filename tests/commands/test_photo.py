"""`companion photo add`: photos with their true tiles, and without metadata about the place."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from companion.commands.photos import without_metadata
from companion.core.errors import SetupError
from tests.commands.running import Run
from tests.web.live import keep

ORIENTATION, GPS, MADE_BY = 0x0112, 0x8825, 0x010F


def photo(kind: str = "JPEG", turned: int = 6) -> bytes:
    """A small photo with metadata: its orientation, place and camera."""
    notes = Image.Exif()
    notes[ORIENTATION], notes[MADE_BY] = turned, "A camera"
    notes.get_ifd(GPS)[1] = "N"
    made = BytesIO()
    Image.new("RGB", (40, 30), (200, 30, 30)).save(made, kind, exif=notes)
    return made.getvalue()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with a record and a photo."""
    keep(tmp_path / "record.db", "hand\nRed 6-6\nBlue 6-3\nRed 6-4")
    (tmp_path / "one.jpg").write_bytes(photo())
    return tmp_path


def test_a_photo_is_stored_with_the_tiles_of_the_line_of_play(table: Path, run_games: Run) -> None:
    record, to = table / "record.db", table / "kept"
    status, out, _ = run_games("photo", "add", table / "one.jpg", "--to", to, "--record", record)
    assert (status, out) == (0, f"{to / 'photo-0001.jpg'}: 3 tiles\n")
    truth = json.loads((to / "photo-0001.json").read_text("utf-8"))
    assert {tile["tile"] for tile in truth["tiles"]} == {"6-6", "6-3", "6-4"}
    assert (truth["photo"], truth["kind"], truth["synthetic"]) == ("photo-0001.jpg", "clear", False)
    _, again, _ = run_games("photo", "add", table / "one.jpg", "--to", to, "--record", record)
    assert "photo-0002.jpg" in again


def test_place_and_camera_are_removed_from_a_photo() -> None:
    with Image.open(BytesIO(without_metadata(photo()))) as kept:
        assert dict(kept.getexif()) == {ORIENTATION: 6}
        assert kept.size == (40, 30)
    with Image.open(BytesIO(without_metadata(photo(turned=1)))) as kept:
        assert dict(kept.getexif()) == {}
    with Image.open(BytesIO(without_metadata(photo("PNG")))) as kept:
        assert dict(kept.getexif()) == {}
        assert kept.getpixel((5, 5)) == (200, 30, 30)


def test_nothing_after_the_first_picture_and_no_comment_within_it_is_kept() -> None:
    made, several = photo(), BytesIO()
    with Image.open(BytesIO(made)) as one:
        one.save(several, "MPO", save_all=True, append_images=[one], exif=one.getexif())
    with Image.open(BytesIO(made)) as one:
        coarse_to_fine = BytesIO()
        one.save(coarse_to_fine, "JPEG", progressive=True)
    scan = coarse_to_fine.getvalue().rfind(b"\xff\xda")
    commented = (
        coarse_to_fine.getvalue()[:scan]
        + b"\xff\xfe\0\x0aA camera"
        + coarse_to_fine.getvalue()[scan:]
    )
    trailed = made + b"A camera\xff\xd9"
    filled = made.replace(b"\xff\xe1", b"\xff\xff\xff\xe1", 1)
    for data in (made + made, several.getvalue(), commented, trailed, filled):
        clean = without_metadata(data)
        assert b"A camera" in data and b"A camera" not in clean
        with Image.open(BytesIO(clean)) as kept, Image.open(BytesIO(data)) as before:
            assert kept.tobytes() == before.tobytes()


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff", photo()[:100], b"\0\0\0\x18ftypheic"])
def test_a_file_that_is_not_a_photo_is_refused(data: bytes) -> None:
    with pytest.raises(SetupError, match=r"JPEG|PNG"):
        without_metadata(data)


def test_a_photo_is_refused_if_the_record_does_not_have_the_line_of_play(
    tmp_path: Path, run_games: Run
) -> None:
    keep(tmp_path / "record.db", "hand\nRed points 10")
    (tmp_path / "one.jpg").write_bytes(photo())
    status, _, err = run_games(
        "photo", "add", tmp_path / "one.jpg", "--to", tmp_path, "--record", tmp_path / "record.db"
    )
    assert status == 2
    assert "doesn't tell" in err
