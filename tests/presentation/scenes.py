"""The drawings that are stored, by name; each can be shown without a page around it."""

from collections.abc import Callable
from functools import partial

from companion.presentation.drawing.svg import Half, Paper
from companion.presentation.high_five_tiles import ScoreSheet, SheetRow, draw_sheet
from companion.presentation.high_fives import Tableau, draw_tableau
from companion.presentation.highrise import Building, BuildingTile, Field, draw_building
from companion.presentation.line.drawing import draw_line
from companion.presentation.line.line_of_play import LineOfPlay, OpenEnd, PlayedTile, line_of
from tests.playing import table
from tests.presentation.lines import played, random_line, shaped
from tests.presentation.seating import draw_who_pays

WIDE, TABLET, SQUARE, UPRIGHT = Paper(16, 9), Paper(4, 3), Paper(1, 1), Paper(9, 16)

SCENES: dict[str, Callable[[], str]] = {}


def scene(draw: Callable[[], str]) -> Callable[[], str]:
    """Adds a drawing to SCENES under its function's name."""
    SCENES[draw.__name__] = draw
    return draw


def line_after(text: str, paper: Paper) -> str:
    """The drawing of the line of play after these lines of a tally."""
    hand = table().say(text).state.board.hand
    return draw_line(line_of(hand), paper, stand_alone=True)


R2 = """
    hand lead Red
    Red 6-6
    Blue 6-3
    Red 6-4
    Blue 6-1 @up
    Red 6-2 @down
    Blue 4-4
"""


@scene
def line_empty() -> str:
    return draw_line(LineOfPlay(), WIDE, stand_alone=True)


@scene
def line_led() -> str:
    return draw_line(played((PlayedTile(6, 4),)), WIDE, stand_alone=True)


@scene
def line_spinner_led() -> str:
    return line_after("hand lead Red\nRed 5-5", WIDE)


@scene
def line_spinner_with_one_side_covered() -> str:
    return line_after("hand lead Red\nRed 5-5\nBlue 5-0", WIDE)


@scene
def line_spinner_with_ends_open() -> str:
    return line_after("hand lead Red\nRed 5-5\nBlue 5-0\nRed 5-6", WIDE)


@scene
def line_four_arms() -> str:
    return line_after(R2, WIDE)


def lesson(tiles: int) -> str:
    """The line of R2, a worked case, after this many of its tiles."""
    return line_after("\n".join(R2.split("\n")[: tiles + 2]), SQUARE)


for tiles in (2, 3, 5, 6):
    SCENES[f"lesson_{tiles}"] = partial(lesson, tiles)


@scene
def who_pays() -> str:
    return draw_who_pays()


@scene
def line_in_a_game() -> str:
    line = random_line(12, "none")
    return draw_line(played(line.tiles[:17]), WIDE, stand_alone=True)


@scene
def line_all_faces() -> str:
    return draw_line(
        LineOfPlay(shaped("- r r r r r r r2 l l2 l l2 u u u2")), WIDE, stand_alone=True
    )


@scene
def line_whole_wide() -> str:
    return draw_line(random_line(7, "none"), WIDE, stand_alone=True)


@scene
def line_whole_tablet() -> str:
    return draw_line(random_line(7, "none"), TABLET, stand_alone=True)


@scene
def line_whole_square() -> str:
    return draw_line(random_line(7, "none"), SQUARE, stand_alone=True)


@scene
def line_whole_upright() -> str:
    return draw_line(random_line(7, "none"), UPRIGHT, stand_alone=True)


@scene
def line_one_long_arm() -> str:
    return draw_line(random_line(3, "one long arm"), WIDE, stand_alone=True)


@scene
def line_late_spinner() -> str:
    return draw_line(random_line(5, "late spinner"), SQUARE, stand_alone=True)


@scene
def line_no_spinner() -> str:
    return draw_line(random_line(2, "no spinner"), TABLET, stand_alone=True)


@scene
def line_partly_known() -> str:
    text = f"{R2}\nRed ends 3 1 2 0\nBlue count 5"
    return line_after(text, TABLET)


@scene
def line_insisted() -> str:
    return line_after(f"{R2}\nRed ends 1 2 3 5!\nBlue ends 1 2 3 3", UPRIGHT)


@scene
def line_halves_not_known() -> str:
    tiles = (
        PlayedTile(6, 6, None, True),
        PlayedTile(6, None, "left"),
        PlayedTile(None, 3, "left"),
        PlayedTile(6, 1, "right"),
        PlayedTile(None, None, "right"),
    )
    ends = (OpenEnd("left", 3), OpenEnd("right", None), OpenEnd("up", 6, 0), OpenEnd("down", 6, 0))
    return draw_line(LineOfPlay(tiles, ends, None, 4), SQUARE, stand_alone=True)


@scene
def line_ends_only() -> str:
    return draw_line(LineOfPlay(unplaced=7, said_ends=(0, 5, 5, 6)), WIDE, stand_alone=True)


# ---------------------------------------------------------------- the other games


@scene
def high_fives_first() -> str:
    start = Tableau(((0, 1), (1, 2), (7, 7), (8, 9), (10, 15)))
    return draw_tableau(start, WIDE, stand_alone=True)


@scene
def high_fives_all_faces() -> str:
    tiles = tuple((low, 15 - low) for low in range(8)) + tuple((n, n) for n in range(16))
    return draw_tableau(Tableau(tiles, 23), TABLET, stand_alone=True)


@scene
def high_fives_after_a_capture() -> str:
    tableau = Tableau(((0, 1), (1, 2), (7, 7), (8, 9), (10, 15), (3, 11), (4, 12), (6, 13)))
    tableau = tableau.after(None, [(0, 1), (1, 2), (8, 9)]).after((5, 14), [])
    return draw_tableau(tableau, UPRIGHT, stand_alone=True)


def on(*fields: tuple[int, int]) -> tuple[Field, Field]:
    first, second = fields
    return Field(*first), Field(*second)


BASEMENT: tuple[tuple[Half, Half], ...] = (
    *((6, 4), (4, 3), (3, 3), ("W", 5)),
    *((1, 2), (2, 0), (0, 0), (6, 5)),
)
GROUND = tuple(
    BuildingTile(halves, on((0, column), (1, column))) for column, halves in enumerate(BASEMENT)
)
BUILT = (
    *GROUND,
    BuildingTile((4, 3), on((1, 0), (1, 1)), 1),
    BuildingTile((3, "W"), on((0, 2), (0, 3)), 1),
    BuildingTile((2, 0), on((1, 4), (1, 5)), 1),
    BuildingTile((3, 3), on((1, 1), (1, 2)), 2, 1),
    BuildingTile((0, 6), on((1, 5), (1, 6)), 2, 1),
    BuildingTile((3, 6), on((1, 2), (0, 2)), 3, 1),
    BuildingTile((1, 5), on((0, 6), (0, 7)), 1),
)


@scene
def highrise_basement() -> str:
    return draw_building(Building(GROUND), WIDE, stand_alone=True)


@scene
def highrise_wide() -> str:
    return draw_building(Building(BUILT, len(BUILT) - 1), WIDE, stand_alone=True)


@scene
def highrise_upright() -> str:
    return draw_building(Building(BUILT, len(BUILT) - 2, 2), UPRIGHT, stand_alone=True)


ROWS = (
    SheetRow("Anna", "pair", 1, ("Kc", "Kd", "9s", "4h", "2c")),
    SheetRow("Bert", "straight", 4, ("Ts", "9d", "8h", "7c", "6s")),
    SheetRow("Anna", "tile only", 0),
    SheetRow("Bert", "three of a kind", 3, ("5s", "5h", "5c", "As", "Jd")),
    SheetRow("Anna", "full house", 6, ("Qs", "Qh", "Qc", "3d", "3s")),
    SheetRow("Bert", "High Five", 10, ("7s", "7h", "7c", "7d", "X")),
)
SHEET = ScoreSheet((("Anna", 7), ("Bert", 17)), ROWS)


@scene
def high_five_tiles_wide() -> str:
    return draw_sheet(SHEET, WIDE, stand_alone=True)


@scene
def high_five_tiles_upright() -> str:
    long = ScoreSheet((*SHEET.totals, ("Christopher", 0), ("Di", 41)), ROWS * 3)
    return draw_sheet(long, UPRIGHT, stand_alone=True)


@scene
def high_five_tiles_empty() -> str:
    return draw_sheet(ScoreSheet((("Anna", 0), ("Bert", 0))), SQUARE, stand_alone=True)
