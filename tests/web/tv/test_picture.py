"""A TV's whole picture: all text keeps away from the edges that a TV may cut off, at any size, and
a phone can read the code."""

import json
from itertools import count
from math import hypot, radians, tan
from random import Random

import pytest
import zxingcpp
from PIL import Image, ImageChops, ImageFilter

from companion.app.catalog import CATALOG
from companion.core.languages import OWN_NAMES
from companion.core.seats import COLOURS, MORE_COLOURS
from companion.presentation.drawing.race import game_over_json
from companion.presentation.language import language_of
from companion.presentation.moment import Moment
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import say
from companion.table.snapshot import Snapshot
from companion.web.address import qr_rows, qr_text
from companion.web.broadcast import Broadcast
from companion.web.files import STATIC, words_in
from companion.web.tv.drawing import Area, fit_line, fit_lines, lines_of, palette
from companion.web.tv.picture import (
    PhoneInvitation,
    ShownClock,
    asked_words,
    call_lines,
    chips_beside,
    clock_area,
    draw_table,
    shape_of,
    usable_area,
    with_calls,
    with_clock,
)
from companion.web.tv.sitting import draw_sitting
from tests.presentation.test_moment import at_random
from tests.web.told_games import CALLED, RULED, told, told_game
from tests.web.tv.letters import needs_letters

pytestmark = needs_letters
PLACE, WORD = "http://192.168.178.23", "abcdefghijklmnop"
INVITATION = PhoneInvitation(PLACE, qr_rows(PLACE, WORD), "Scan this to play:")
SIZES = [(720, 480), (1280, 720), (1920, 1080), (1080, 1920), (3840, 2160)]
GAMES = [("high-five", 2), ("high-five", 4), ("high-fives", 8), ("highrise", 4)]


def edges_are_free(image: Image.Image) -> bool:
    """Whether the outer twentieth at each side is empty."""
    across, down = int(image.width * 0.05) - 1, int(image.height * 0.05) - 1
    drawn = ImageChops.difference(image, Image.new("RGB", image.size, palette()["paper"])).getbbox()
    assert drawn, "something is drawn"
    left, top, right, bottom = drawn
    return (
        left >= across
        and top >= down
        and right <= image.width - across
        and bottom <= image.height - down
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_comes_near_the_edge_at_any_size(size: tuple[int, int]) -> None:
    for game, seats in GAMES:
        moments = told_game(game, seats)
        for one in (moments[len(moments) // 2], moments[-1]):
            assert edges_are_free(draw_table(one, size, INVITATION)), (game, seats)


NAMES = ["Granny_Margareta", "Ben", "", "Uncle_Wilhelmine", "", "Jo", "W" * 24, ""]
HUES = [*COLOURS, *MORE_COLOURS]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7, 8])
def test_a_phone_can_read_the_code_while_people_sit_down(
    size: tuple[int, int], number: int
) -> None:
    sitting = {"game": "High Five", "seats": NAMES[:number], "colours": HUES[:number]}
    way = PhoneInvitation("4711", INVITATION.rows, PAGE_WORDS["sit.type-tv"])
    seen = draw_sitting({**sitting, "clockwise": True}, size, way)
    assert edges_are_free(seen)
    assert [code.text for code in zxingcpp.read_barcodes(seen)] == [qr_text(PLACE, WORD)]
    (code,) = zxingcpp.read_barcodes(seen)
    high = code.position.bottom_left.y - code.position.top_left.y
    assert high > 0.16 * min(size), "two metres away"
    other = draw_sitting({**sitting, "clockwise": False}, size, way)
    assert (other.tobytes() == seen.tobytes()) is (number == 2), "turns go the other way round"


PARTNERS = ["hand lead Anna", "Anna 5-5", "Ben wrong-count", "Ben 5-0", "Cleo 5-6"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_partners_have_one_card_with_their_score(size: tuple[int, int]) -> None:
    moments = told("all-fives", "Anna Ben Cleo Dan", PARTNERS, "set W", "partners on")
    together = draw_table(moments[-1], size, INVITATION)
    assert edges_are_free(together)
    alone = {**moments[-1], "moment": {**moments[-1]["moment"], "sides": []}}
    assert together.tobytes() != draw_table(alone, size, INVITATION).tobytes()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [size for size in SIZES if size != (1080, 1920)], ids=str)
def test_each_partner_s_tiles_are_drawn(size: tuple[int, int]) -> None:
    """An upright picture leaves them out: it has no room for small words beside the score."""
    moment = told("all-fives", "Anna Ben Cleo Dan", PARTNERS, "set W", "partners on")[-1]
    seats, whole = moment["moment"]["seats"], draw_table(moment, size, INVITATION)
    for place, seat in enumerate(seats):
        tiles = seat["labels"]["tiles"]
        fewer = {**seat, "labels": {**seat["labels"], "tiles": {**tiles, "words": "9 tiles"}}}
        others = [*seats[:place], fewer, *seats[place + 1 :]]
        other = {**moment, "moment": {**moment["moment"], "seats": others}}
        drawn = draw_table(other, size, INVITATION)
        assert drawn.tobytes() != whole.tobytes(), seat["seat"]
        assert edges_are_free(drawn)


def won_game(seats: int) -> tuple[dict[str, object], dict[str, object]]:
    """The message at the end of a game, and the panel that the page shows then."""
    journal = at_random(3)
    while len(journal.state.seats) != seats or not journal.state.finished:
        journal = at_random(next(SEEDS))
    broadcast = Broadcast(STATIC, CATALOG)
    broadcast.update(Snapshot(1, 1, None, 1, b"", journal, {}))
    panel = game_over_json(Moment(CATALOG, journal, 1, 1), {"Anna": 2, "Ben": 1}, 3, replay=True)
    return json.loads(broadcast.message("wide") or ""), panel


SEEDS = count(4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_win_shows_the_podium_the_best_play_and_the_race(size: tuple[int, int]) -> None:
    message, panel = won_game(4)
    whole = draw_table(message, size, INVITATION, win=panel)
    assert edges_are_free(whole)
    for left_out in ("best", "drawing", "replay", "evening"):
        fewer = {name: value for name, value in panel.items() if name != left_out}
        if left_out == "evening":
            fewer |= {"evening": [], "games": 1}
        assert draw_table(message, size, INVITATION, win=fewer).tobytes() != whole.tobytes()
    assert edges_are_free(draw_table(message, size, INVITATION)), "before the panel has come"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_chips_are_beside_their_payer_and_records_beside_the_turn(
    size: tuple[int, int],
) -> None:
    message = told_game("high-five", 4)[-1]
    moment = message["moment"]
    assert chips_beside(moment) == [("Christoph", "■", "yellow", [10, 5])]
    paid = draw_table(message, size, INVITATION)
    assert edges_are_free(paid)
    kept = [{**one, "payments": []} for one in moment["latest"]]
    gone = {**message, "moment": {**moment, "latest": kept}}
    assert draw_table(gone, size, INVITATION).tobytes() != paid.tobytes()
    record = say("highlight.best-count-tonight", points=25)
    found = {"said": [record, record], "leads": record, "standings": []}
    marked = {**message, "moment": {**moment, "highlights": found}}
    drawn = draw_table(marked, size, INVITATION)
    assert edges_are_free(drawn) and drawn.tobytes() != paid.tobytes()


def test_before_the_first_hand_the_picture_shows_how_many_tiles_to_draw() -> None:
    (message,) = told("high-five", "Anna Ben", ["hand lead Anna"])
    moment = message["moment"]
    assert asked_words(moment, PAGE_WORDS) == "The highest double leads"
    first = {**moment, "asked": say("asks.deal-first"), "options": {"deal": 7}}
    assert asked_words(first, PAGE_WORDS) == "Deal the first hand: 7 tiles each"
    fixed = {**first, "options": {}}
    assert asked_words(fixed, PAGE_WORDS) == "Deal the first hand"
    drawn = [
        draw_table({**message, "moment": one}, (1280, 720), INVITATION).tobytes()
        for one in (first, fixed)
    ]
    assert drawn[0] != drawn[1]


def test_a_count_that_is_to_be_called_is_not_drawn() -> None:
    _, lay, called = told(
        "all-fives", "Anna Ben", ["hand lead Anna", "Anna 5-5", "Anna called"], "set T"
    )
    assert (lay["moment"]["table"]["count"], called["moment"]["table"]["count"]) == (None, 10)
    assert [seat["score"] for seat in lay["moment"]["seats"]] == [0, 0]
    drawn = draw_table(lay, (1280, 720), INVITATION)
    assert drawn.tobytes() != draw_table(called, (1280, 720), INVITATION).tobytes()


@pytest.mark.parametrize("lines", [CALLED, RULED], ids=["called", "ruled"])
def test_a_dispute_is_below_the_line(lines: str) -> None:
    moment = told("high-five", "Blue Red", lines.splitlines())[-1]
    image = draw_table(moment, (1920, 1080), INVITATION)
    without = draw_table(
        {**moment, "moment": {**moment["moment"], "claim": None, "ruling": None}},
        (1920, 1080),
        INVITATION,
    )
    changed = ImageChops.difference(image, without).getbbox()
    assert edges_are_free(image)
    assert changed and changed[3] > 900


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_code_is_read_with_the_edges_cut_off(size: tuple[int, int]) -> None:
    moment = told("high-five", "Blue Red", ["hand", "Blue 6-6"])[-1]
    image = draw_table(moment, size, INVITATION)
    across, down = round(size[0] * 0.025), round(size[1] * 0.025)
    seen = image.crop((across, down, size[0] - across, size[1] - down))
    (code,) = zxingcpp.read_barcodes(seen.convert("L"))
    assert code.text == qr_text(PLACE, WORD)
    light = image.convert("L").point([255 * (value == 255) for value in range(256)])
    assert (box := light.getbbox()) is not None
    assert box[3] - box[1] >= 0.25 * size[1], "with the light about it, which belongs to it"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("inches", [32, 43, 55])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_phone_two_metres_away_reads_the_code(size: tuple[int, int], inches: int) -> None:
    """The picture as a phone's video has it: 1,920 pixels across the 69 degrees of a common lens, a
    little out of focus."""
    moment = told("high-five", "Blue Red", ["hand", "Blue 6-6"])[-1]
    image = draw_table(moment, size, INVITATION)
    across_m = inches * 0.0254 * size[0] / hypot(*size)
    scale = 1920 / (2 * 2.0 * tan(radians(69 / 2))) * across_m / size[0]
    small = image.resize((round(size[0] * scale), round(size[1] * scale)), Image.Resampling.BOX)
    frame = Image.new("RGB", (1920, 1920), (90, 84, 80))
    frame.paste(small, (700, 600))
    seen = frame.convert("L").filter(ImageFilter.GaussianBlur(0.5))
    assert [code.text for code in zxingcpp.read_barcodes(seen)] == [qr_text(PLACE, WORD)]


def test_without_access_for_phones_there_is_no_code() -> None:
    moment = told("high-five", "Blue Red", ["hand", "Blue 6-6"])[-1]
    assert not zxingcpp.read_barcodes(
        draw_table(moment, (1280, 720), PhoneInvitation()).convert("L")
    )


def test_the_tv_shows_the_display_if_the_box_has_none_of_its_own() -> None:
    box = Image.new("1", (128, 64))
    box.putpixel((3, 3), 1)
    moment = told("high-five", "Blue Red", ["hand", "Blue 6-6"])[-1]
    for message in (moment, {"moment": None}):
        with_box = draw_table(message, (1920, 1080), INVITATION, box)
        colours = with_box.crop((96, 0, 700, 800)).getcolors(10**6) or ()
        assert edges_are_free(with_box) and any(one == (255, 255, 255) for _, one in colours)


def test_a_picture_is_shown_before_the_table_answers_and_before_a_game() -> None:
    waits = draw_table({"fault": "Waiting for the table"}, (1280, 720), INVITATION)
    none = draw_table(told_nothing(), (1280, 720), INVITATION)
    assert ImageChops.difference(waits, none).getbbox()
    for image in (waits, none):
        (code,) = zxingcpp.read_barcodes(image.convert("L"))
        assert code.text == qr_text(PLACE, WORD) and edges_are_free(image)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("left_s", [0, 65, 36_000], ids=str)
def test_the_clock_of_the_round_covers_nothing_in_any_language(
    size: tuple[int, int], left_s: int
) -> None:
    place = clock_area(usable_area(size), min(size))
    moment = told("high-five", "Blue Red", ["hand", "Blue 6-6"])[-1]
    for message in (moment, told_nothing()):
        free = draw_table(message, size, INVITATION, timed=True)
        paper = {palette()["paper"]}
        assert {one for _, one in free.crop(whole_pixels(place)).getcolors() or ()} == paper
        for language in OWN_NAMES:
            words = words_in(language_of(language), PAGE_WORDS)
            shown = with_clock(free, place, ShownClock(left_s), words)
            assert edges_are_free(shown)
            changed = ImageChops.difference(shown, free).getbbox()
            assert changed and changed[0] >= place.left - 1 and changed[3] <= place.bottom + 1


CALLS = [
    "Look here!",
    "Prizes at nine",
    "Table 7 needs a player: the one beside the window at the back, please, right now",
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("number", [1, 2, 3, 9])
def test_calls_are_readable_above_the_whole_table(size: tuple[int, int], number: int) -> None:
    """As many calls as there may be at once, and more than fit."""
    lines, height = call_lines((CALLS * 3)[-number:], size)
    assert 0 < height <= 0.46 * size[1]
    if number < 9:
        assert " ".join(lines).split() == " ".join(CALLS[-number:]).split()
    table = draw_table(told_game("high-five", 4)[-1], (size[0], size[1] - height), INVITATION)
    shown = with_calls(table, lines, height)
    assert shown.size == size
    assert shown.crop((0, height, *size)).tobytes() == table.tobytes()
    band = shown.crop((0, 0, size[0], height))
    drawn = ImageChops.difference(band, Image.new("RGB", band.size, palette()["text"])).getbbox()
    assert drawn
    left, top, right, bottom = drawn
    edge = usable_area(size)
    assert left >= edge.left - 1 and right <= edge.right + 1 and top >= edge.top - 1
    assert bottom <= height


def test_no_calls_leave_the_whole_screen_to_the_table() -> None:
    assert call_lines([], SIZES[0]) == ([], 0)


def whole_pixels(place: Area) -> tuple[int, int, int, int]:
    """The corners of the area of pixels that lie wholly in `place`."""
    return int(place.left) + 1, int(place.top) + 1, int(place.right), int(place.bottom)


def told_nothing() -> dict[str, object]:
    return {"moment": {"game": None, "asked": {"words": "No game yet"}}}


def test_portrait_screens_get_a_portrait_picture() -> None:
    assert [shape_of(size) for size in SIZES] == ["wide", "wide", "wide", "square", "wide"]


def test_long_words_are_smaller_and_then_shortened_but_never_broken() -> None:
    assert fit_line("Ann", 500, 40) == ("Ann", 40)
    words, size = fit_line("Maximiliane-Alexandra von der Wilhelmshöhe", 400, 40)
    assert words.endswith("…") and size < 40
    random, text = Random(5), "Blue may have held 0-3 0-6 1-3 2-3 when passing on the second turn"
    for _ in range(100):
        box = Area(0, 0, random.randint(120, 900), random.randint(30, 200))
        lines, letters = fit_lines(text, box, 40)
        assert len(lines) * letters <= box.height or len(lines) == 1
        known = {*text.split()}
        assert {word for line in lines for word in line.removesuffix("…").split()[:-1]} <= known
    assert lines_of("one two", 10, 40) == ["one", "two"]
