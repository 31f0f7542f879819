"""The reader on simulated photos of every kind, and on pictures that show no line: it reads nearly
all tiles, and prompts rather than read one wrongly. measure.py measures it on many more photos."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.photos import boards
from tests.photos.camera import Conditions, take
from tests.photos.in_browser import Reader, jpeg, reader_in
from tests.photos.layouts import Placed, legal_line, line
from tests.photos.looks import RAINBOW, Look
from tests.photos.make import HARDER, Scene, clear_photo, scene
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414

BACK: Final = 90_000
"""The number of the first of these photos, none of which is in another set."""
LINE: Final = ((1, 3), (3, 6), (6, 6), (6, 4), (4, 2), (2, 0))


@pytest.fixture(scope="module")
def reader(browser: Any) -> Iterator[Reader]:
    with reader_in(browser) as reader:
        yield reader


def wrong(told: dict[str, Any], scene: Scene) -> list[str]:
    """Returns the tiles that are reported as certain but aren't there."""
    lies = [one.name for one in scene.placed]
    return [one["tile"] for one in told["tiles"] if not one["asks"] and one["tile"] not in lies]


def sure(told: dict[str, Any]) -> set[str]:
    return {one["tile"] for one in told["tiles"] if not one["asks"]}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", HARDER)
def test_nothing_is_told_wrong_without_asking_and_most_is_read(kind: str, reader: Reader) -> None:
    made = scene(kind, BACK)
    told = reader.scene(made)
    assert wrong(told, made) == []
    assert len(sure(told)) >= 0.6 * len(made.placed)


LOOKS: Final = {
    "white": Look(),
    "black": Look(body=(28, 28, 30), pips=((238, 236, 230),) * 7, bar=(206, 204, 198)),
    "coloured": Look(pips=RAINBOW),
    "pin": Look(pin=0.1),
    "thick-pin": Look(pin=0.14, bar_length=0.7),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("look", LOOKS)
def test_every_tile_is_read_in_each_look_of_the_set(look: str, reader: Reader) -> None:
    made = replace(clear_photo(LINE), look=LOOKS[look])
    told = reader.scene(made)
    assert sure(told) == {one.name for one in made.placed}


def test_corners_are_where_the_tiles_lie(reader: Reader) -> None:
    made = clear_photo(LINE)
    photo, places = take(made.placed, made.look, made.how, made.seed)
    told = {one["tile"]: one["corners"] for one in reader.read(jpeg(photo))["tiles"]}
    for one, corners in zip(made.placed, places, strict=True):
        found, lies = np.array(told[one.name]), np.array(corners)
        width = np.hypot(*(lies[1] - lies[2]))
        for corner in found:
            assert np.hypot(*(lies - corner).T).min() < 0.2 * width


# ---------------------------------------------------------------- what is no photo of a line


def noise(size: tuple[int, int] = (1600, 1200)) -> Image.Image:
    pixels = np.random.default_rng(1).integers(0, 255, (size[1] // 8, size[0] // 8, 3), np.uint8)
    return Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC)


def cat() -> Image.Image:
    """A face with round eyes, whiskers and stripes, on cloth."""
    made = noise().point(lambda value: value // 3 + 90)
    pen = ImageDraw.Draw(made)
    pen.ellipse((500, 300, 1100, 950), (150, 110, 70))
    for x in (660, 900):
        pen.ellipse((x - 60, 500, x + 60, 620), (210, 220, 120))
        pen.ellipse((x - 30, 520, x + 30, 600), (15, 15, 15))
    pen.ellipse((770, 690, 830, 740), (30, 20, 20))
    for y in range(700, 790, 22):
        pen.line((560, y, 740, y + 8), (240, 240, 240), 4)
        pen.line((860, y + 8, 1040, y), (240, 240, 240), 4)
    return made


def page() -> Image.Image:
    """A phone's screen with keys in rows, as the picker has them: drawn, with rims and text."""
    made = Image.new("RGB", (1170, 2532), (243, 239, 230))
    pen = ImageDraw.Draw(made)
    for row in range(4):
        for column in range(7):
            x, y = 30 + column * 160, 1500 + row * 110
            pen.rounded_rectangle((x, y, x + 150, y + 90), 12, (255, 253, 247), (120, 110, 90), 3)
            pen.text((x + 40, y + 30), f"{row}-{column}", (30, 30, 30))
    return made


SCREENSHOT: Final = Path(__file__).parents[2] / "docs" / "phone" / "keying.png"
"""The table's own page on a phone, with the tiles to tap."""


def screenshot_sent_on() -> Image.Image:
    """The screenshot as a messenger compresses it."""
    packed = BytesIO()
    Image.open(SCREENSHOT).convert("RGB").save(packed, "JPEG", quality=80)
    return Image.open(packed)


def backs() -> Image.Image:
    """Returns a photo of tiles upside down: bodies without bar or pips."""
    blank = Look(bar=(236, 230, 215), bar_width=0.001)
    placed = [Placed((0, 0), 2.4 * number, 0.0, 0.05) for number in range(5)]
    return take(placed, blank, Conditions(), 3)[0]


NO_TILES: Final[dict[str, Callable[[], Image.Image]]] = {
    "black": lambda: Image.new("RGB", (1600, 1200)),
    "white": lambda: Image.new("RGB", (1600, 1200), (255, 255, 255)),
    "noise": noise,
    "cat": cat,
    "page": page,
    "screenshot": lambda: Image.open(SCREENSHOT).convert("RGB"),
    "screenshot sent on": screenshot_sent_on,
    "backs": backs,
    "tiny": lambda: Image.new("RGB", (1, 1)),
}


@pytest.mark.parametrize("name", NO_TILES)
def test_where_no_tiles_are_none_is_told_as_sure(name: str, reader: Reader) -> None:
    told = reader.read(jpeg(NO_TILES[name]()))
    assert (told["refused"], sure(told)) == (None, set())


@pytest.mark.parametrize("data", [b"", b"\0\0\0\x18ftypheic" + bytes(900), b"\xff\xd8\xff\xe0"])
def test_what_is_no_picture_is_refused(data: bytes, reader: Reader) -> None:
    assert reader.read(data)["refused"] == "photo.no-picture"


def test_fifty_megapixels_are_read_and_more_than_a_phone_can_hold_is_refused(
    reader: Reader,
) -> None:
    made = clear_photo(LINE)
    small, _ = take(made.placed, made.look, made.how, made.seed)
    told = reader.read(jpeg(small.resize((8160, 6120))))
    assert (told["width"], told["height"]) == (8160, 6120)
    assert sure(told) == {one.name for one in made.placed}
    huge = BytesIO()
    Image.new("1", (12000, 9000)).save(huge, "PNG")
    assert reader.read(huge.getvalue())["refused"] == "photo.too-large"


def test_two_lines_on_one_table_are_asked_about(reader: Reader) -> None:
    """The same tile twice shows that there are two sets."""
    random = Random(5)
    tiles = legal_line(random, 6)
    first, second = line(random, tiles, 30, 0.03), line(random, tiles, 30, 0.03)
    both = [*first, *(replace(one, y=one.y + 4) for one in second)]
    told = reader.scene(Scene("two", both, Look(), Conditions(), 5))
    assert sure(told) == set()
    assert told["tiles"]


def test_halves_printed_around_a_board_are_not_read_as_tiles(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a track of printed halves any two beside each other look like a tile."""
    monkeypatch.setattr(boards, "BOARDS", {"squares": boards.BOARDS["squares"]})
    made = clear_photo(LINE, ground="game-board", fills=0.35)
    told = reader.scene(made)
    assert wrong(told, made) == []
    assert {one.name for one in made.placed} <= {one["tile"] for one in told["tiles"]}


def test_tiles_of_a_larger_set_are_never_told_as_tiles_of_this_one(reader: Reader) -> None:
    """Halves with eight and nine pips, as double-nine sets have them: three rows of three, or one
    pip less."""
    made = clear_photo([(6, 6), (6, 5), (5, 5)])
    photo, places = take(made.placed, made.look, made.how, made.seed)
    pen = ImageDraw.Draw(photo)
    for corners in places:
        a, _, _, d = map(np.array, corners)
        for half in (0.25, 0.75):
            middle = a + (np.array(corners[1]) - a) * half + (d - a) / 2
            for side in (np.array(corners[1]) - a, d - a):
                step = side / np.hypot(*side) * 0.27 * np.hypot(*(d - a))
                for way in (-1, 1):
                    x, y = middle + way * step
                    radius = 0.085 * np.hypot(*(d - a))
                    pen.ellipse((x - radius, y - radius, x + radius, y + radius), (25, 25, 28))
    assert sure(reader.read(jpeg(photo))) == set()


# ---------------------------------------------------------------- doubts that neighbours clear

BETWEEN: Final = """async ([left, halves, right, doubt]) => {
  const { clearMatched } = await import("/photo/read.js");
  const tileOf = (numbers, x) => ({
    at: { c: { x, y: 0 }, u: { x: 0, y: 10 }, v: { x: 10, y: 0 }, half: 1.85 }, least: 0.5,
    sides: numbers.map((pips) => ({ pips, worst: 0.6, certainty: 0.5 })),
  });
  const tiles = [[left, -76], [halves, 0], [right, 76]].filter(([numbers]) => numbers)
    .map(([numbers, x]) => tileOf(numbers, x));
  const middles = tiles.map(({ at: { c } }) => [-18.5, 18.5].map((x) => ({ x: c.x + x, y: 0 })));
  const doubts = tiles.map(({ at }) => (at.c.x ? [] : [doubt]));
  clearMatched(tiles, middles, doubts);
  return doubts[tiles.findIndex(({ at }) => !at.c.x)];
}"""
"""The doubts that are left of a tile between two others; halves are given from left to right."""

Halves = tuple[int, int]


@pytest.mark.parametrize("doubt", ["unclear", "no-bar"])
@pytest.mark.parametrize(
    ("left", "right", "clears"),
    [
        ((6, 3), (5, 1), True),
        ((6, 3), (4, 1), False),
        ((6, 2), (5, 1), False),
        ((6, 3), None, False),
        (None, None, False),
    ],
)
def test_a_doubt_is_cleared_only_where_both_neighbours_match(
    left: Halves | None, right: Halves | None, clears: bool, doubt: str, reader: Reader
) -> None:
    """A single match is enough only if the other half is nearly clear, which isn't the case
    here."""
    remaining = reader.tab.evaluate(BETWEEN, [left, (3, 5), right, doubt])
    assert remaining == ([] if clears else [doubt])


def test_neighbours_clear_no_doubt_about_the_ground(reader: Reader) -> None:
    remaining = reader.tab.evaluate(BETWEEN, [(6, 3), (3, 5), (5, 1), "twice"])
    assert remaining == ["twice"]
