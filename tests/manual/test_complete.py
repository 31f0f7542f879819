"""The manual has every key, house rule, setting, line of the menu and command, and its quotes can
be read on a display."""

import ast
import re
from collections.abc import Iterable, Iterator

import pytest

from companion.commands.arguments import Parser
from companion.commands.cli import COMMANDS
from companion.console.screens.box_settings import BOX, SOUND, SPOKEN, VOICE_OF_BOX
from companion.core.keys import SIXTEEN, Key
from companion.devices.pads.pad_keys import KEYBOARD_CODES, PAD_CODES
from companion.games.game import AnyGame
from companion.games.high_fives.entries import SET
from companion.games.high_fives.rules import HandSizes, HighFives
from companion.games.high_fives.tableau import points_of
from companion.games.house_rules import Option, Value, numbers_in_words
from tests.catalog import GAMES
from tests.console.test_menu import game_of, in_a_game, menus
from tests.manual.book import CHAPTERS, DOCS, FIRST_PAGE, ROOT, TEXT, prose, quoted, table
from tests.manual.card import path_of
from tests.manual.help import anchor_of
from tests.manual.reading import reads
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made


def _code(cell: str) -> str:
    return cell.strip("`")


def test_every_key_is_explained() -> None:
    named = [key for row in table("keys") for key in re.findall(r"`(\w+)`", row[0])]
    assert named == [key.value for key in SIXTEEN]


# ---------------------------------------------------------------- rules of the house


def _listed(option: Option, values: tuple[Value, ...]) -> str:
    """These values in words, as in “7 or 9”, “no or yes”, “100 to 500 in steps of 50”."""
    numbers = tuple(value for value in values if isinstance(value, int))
    if numbers and not option.value_words:
        return numbers_in_words(numbers)
    *some, last = map(option.value_in_words, values)
    if any("," in words for words in some):
        return "; ".join((*some, last))
    return " or ".join(filter(None, [", ".join(some), last]))


def _by_players(game: AnyGame, said: Iterable[str]) -> str:
    """The text that is the same for all numbers of players, or each text with its number."""
    each = list(said)
    if len(set(each)) == 1:
        return each[0]
    told = zip(each, game.players, strict=True)
    return ", ".join(f"{text} with {number}" for text, number in told) + " players"


def _row(game: AnyGame, option: Option) -> list[str]:
    """The first three cells of the option's row: its name, its values, and the usual one."""
    values = (_listed(option, option.choices(number)) for number in game.players)
    usual = (option.value_in_words(option.default(number)) for number in game.players)
    return [
        f"{option.label} (`{option.name}`)",
        _by_players(game, values),
        _by_players(game, usual),
    ]


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.options])
def test_every_house_rule_is_listed_with_its_values(name: str) -> None:
    rows = table(name)
    assert [row[:3] for row in rows] == [_row(GAMES[name], each) for each in GAMES[name].options]
    assert all(len(row[3]) > 10 for row in rows)


# ---------------------------------------------------------------- the box


def test_every_setting_of_the_box_is_listed_with_its_values() -> None:
    told = [(_code(row[0]), row[1].split("; ")) for row in table("box")]
    assert told == [
        (each.label, [words for _, words in each.choices])
        for each in (*BOX, SOUND, VOICE_OF_BOX, SPOKEN)
    ]


MENUS = {
    "all-fives": "menu-all-fives",
    "fives-and-threes": "menu-all-fives",
    "domino": "menu-all-fives",
    "high-fives": "menu-high-fives",
    "high-five-tiles": "menu-high-five-tiles",
    "highrise": "menu-highrise",
}
"""The name of the table of a game's own menu lines, if it isn't “menu”, which is that of High Five
and Five Up."""


def _menu_lines(table_name: str) -> set[tuple[str, str]]:
    """Every line of the menu, and of the lists that it opens, in any scene of the games that this
    table is about: the digits that lead to the line, and its text."""
    return {
        (f"{place} {number}".strip(), line)
        for name in filter(in_a_game, SCENES)
        if MENUS.get(game_of(name), "menu") == table_name
        for place, lines in menus(name).items()
        for number, line in lines.items()
    }


def _explained(table_name: str) -> dict[str, str]:
    """The lines of a table as patterns, by the digits that lead there."""
    return {_code(row[0]): re.escape(_code(row[1])).replace("…", ".+") for row in table(table_name)}


@pytest.mark.parametrize("name", ["menu", *MENUS.values()])
def test_every_line_of_the_menu_is_explained_with_its_digits(name: str) -> None:
    told = _explained("menu")
    told |= {f"8 {place}": setting.label for place, setting in enumerate(BOX, 1)}
    own = _explained(name)
    lines = _menu_lines(name)
    for keys, line in lines:
        assert re.fullmatch((told | own)[keys], line), (keys, line)
    assert set(own) <= {keys for keys, _ in lines}


def test_every_command_is_named() -> None:
    commands = Parser(prog="companion").add_subparsers()
    for add in COMMANDS:
        add(commands)
    assert {_code(row[0]).split()[1] for row in table("commands")} == set(commands.choices)
    used = set(re.findall(r"companion (\w+)", " ".join(re.findall(r"`[^`]+`", TEXT))))
    assert used <= set(commands.choices)


def test_the_explained_lights_are_those_of_the_firmware() -> None:
    readme = (ROOT / "firmware" / "README.md").read_text("utf-8")
    for row in table("lights"):
        assert f"| {row[0]} | {row[1]} |" in readme
    first = readme.split("| light | means |\n|---|---|\n")[1]
    assert len(table("lights")) == len(re.match(r"(?:\|.*\n)+", first)[0].splitlines())  # type: ignore[index]


KERNEL = {
    "digits": (79, 80, 81, 75, 76, 77, 71, 72, 73, 82),
    "`Enter`": (28, 96),
    "`Backspace`": (14,),
    "comma": (51, 121),
    "dot": (52, 83),
    "`+`": (78,),
    "`−`": (74,),
    "`*`": (55,),
    "`/`": (98,),
}
"""The codes of a number pad's keys, from include/uapi/linux/input-event-codes.h."""


def test_a_number_pad_has_the_documented_keys() -> None:
    guide = (ROOT / "hw" / "nothing-to-wire.md").read_text("utf-8")
    told: dict[str, str] = {}
    for keys, ours in table("pads"):
        assert f"| {keys} | {ours} |" in guide
        words = [word for word in KERNEL if word in keys]
        told |= dict(zip(words, ours.split(", ") * len(words), strict=False))
    assert told.pop("digits") == "digits"
    assert told.keys() == KERNEL.keys() - {"digits"}
    assert [PAD_CODES[code].value for code in KERNEL["digits"]] == list("1234567890")
    for word, key in told.items():
        assert {PAD_CODES[code].value for code in KERNEL[word]} == {_code(key)}
    letters = re.findall(r"`([DPBM])`, `([DPBM])`, `([DPBM])`, `([DPBM])`", prose())
    assert [KEYBOARD_CODES[code].value[0] for code in (32, 25, 48, 50)] == list(letters[-1])
    assert Key.LEFT in KEYBOARD_CODES.values(), "and the arrows"


def test_the_tiles_of_high_fives_have_the_documented_values() -> None:
    worths: dict[str, list[str]] = {}
    for tile in SET.tiles:
        named = not tile.is_double or points_of(tile) > 1
        worths.setdefault(str(points_of(tile)), []).extend([str(tile)] if named else [])
    told = {row[0]: row[1].split(", and")[0].split() for row in table("worth")}
    assert told == {points: tiles for points, tiles in worths.items() if points != "0"}


def test_the_documented_deals_of_high_fives_are_those_of_the_rules() -> None:
    assert [tuple(map(int, row)) for row in table("dealt")] == [
        (sizes.players, sizes.first, sizes.later, sizes.hands, sizes.left_over)
        for sizes in map(HandSizes.usual, HighFives.players)
    ]


# ---------------------------------------------------------------- words of the display


def _texts() -> Iterator[str]:
    """The texts in the program's code, as patterns: any name or number may stand in each gap."""
    for path in (ROOT / "companion").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.sub(r"\\{\w+\\}", ".+", re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                yield "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                    for part in node.values
                )


def test_texts_quoted_in_the_manual_can_be_read_on_a_display() -> None:
    frames = [made(name).frame for name in SCENES]
    patterns = [re.compile(text) for text in _texts() if len(text.replace(".+", "")) > 12]
    for text in quoted(prose()):
        told = text.removesuffix("…").strip()
        said = any(
            told in each.pattern.replace("\\", "") or each.fullmatch(told) for each in patterns
        )
        # To look for it in all pictures takes long.
        assert said or any(reads(frame, text) for frame in frames), f"no display says “{text}”"


def test_every_link_of_the_manual_has_a_target() -> None:
    for name, text in {"": FIRST_PAGE, **CHAPTERS}.items():
        here = DOCS / "manual" / f"{name}.md" if name else DOCS / "manual.md"
        for target in re.findall(r"\]\(([^):]+)\)", text):
            path, _, anchor = target.partition("#")
            other = here.parent / path if path else here
            assert other.exists(), f"{here.name}: {target}"
            heads = re.findall(r"^#+ (.+)$", other.read_text("utf-8"), re.M) if anchor else []
            assert not anchor or anchor in map(anchor_of, heads), f"{here.name}: {target}"


def test_the_first_page_leads_to_every_chapter_and_to_every_game_s_card() -> None:
    assert {path.stem for path in (DOCS / "manual").glob("*.md")} == {*CHAPTERS}
    assert {*GAMES} == {name for name in CHAPTERS if name in GAMES}
    for game in GAMES:
        card = path_of(game).name
        assert f"]({card})" in FIRST_PAGE and f"](../{card})" in CHAPTERS[game], game
