"""The boards as data: the pins of the keys and the buzzer, and the display. Each board is a TOML
file. The boards included with the program are in hw/boards, in files with the boards' names."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.core.keys import FIVE_WAY, SIXTEEN, TURNED_BY_180, Key
from companion.core.toml_file import (
    ConfigError,
    check_section,
    check_value,
    did_you_mean,
    escaped,
    parse_toml,
    read_toml,
)
from companion.core.values import dataclass
from companion.devices.display.drivers import DISPLAY_ALLOWED, Display

GPIO = range(28)
SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class DirectKeys:
    """A keypad in which each key connects a pin of its own to ground."""

    pins: Mapping[Key, int]
    joystick: str = ""
    """The side of the display on which the joystick is when the text is upright: left or right.
    Empty if there is no joystick, or the file doesn't name the side."""

    @property
    def keys(self) -> Iterable[Key]:
        return self.pins


@dataclass(frozen=True, slots=True)
class MatrixKeys:
    """A keypad in which each key connects a row to a column. `layout` has the keys of each row;
    `rows` and `columns` are GPIO numbers."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    layout: tuple[tuple[Key, ...], ...]

    @property
    def keys(self) -> Iterable[Key]:
        return (key for row in self.layout for key in row)


BUZZERS = ("active", "passive")


@dataclass(frozen=True, slots=True)
class Buzzer:
    """A buzzer on the GPIO `pin`. An active one sounds by itself while the pin is high; a passive
    one sounds only while the pin is switched on and off at a tone's frequency."""

    pin: int
    kind: str = "passive"


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its keypad, its display, and its buzzer if there is one."""

    keys: DirectKeys | MatrixKeys
    display: Display
    buzzer: Buzzer | None = None


# ---------------------------------------------------------------- board file


def known_boards() -> dict[str, Any]:
    """Returns the board files included with the program, each under its board's name."""
    folder = Path(__file__).parent.parent / "boards"
    return {one.name.removesuffix(".toml"): one for one in folder.iterdir()
            if one.name.endswith(".toml")}  # fmt: skip


def load_board(name: str, display: Mapping[str, Any] | None = None, where: str = "") -> Board:
    """Returns the board called `name`, or the board in the file `name` if that ends in .toml.
    `display` has settings that override the board's own; if they rotate the display, the joystick
    is rotated too. `where` is the file with these settings, for error messages. Raises
    ConfigError."""
    if name.endswith(".toml"):
        text = read_toml(Path(name).expanduser())
    else:
        known = known_boards()
        if name not in known:
            remedy = "name one of these, or a file that ends in .toml"
            raise ConfigError(f"{where}: [box] board: {name!r} is not known"
                              f"{did_you_mean(name, known)} ({remedy})")  # fmt: skip
        text = known[name].read_text(encoding="utf-8")
    board = parse_board(text, name if name.endswith(".toml") else f"{name}.toml")
    if not display:
        return board
    changed = replace(board.display, **display)
    _refuse_pins_used_twice(replace(board, display=changed), f"{where} with {name}")
    turned = changed.rotate != board.display.rotate
    return replace(
        board, keys=_with_joystick_turned(board.keys) if turned else board.keys, display=changed
    )


def _with_joystick_turned(keys: DirectKeys | MatrixKeys) -> DirectKeys | MatrixKeys:
    """Returns the keys with the directions of the joystick reversed."""
    if isinstance(keys, DirectKeys):
        pins = {TURNED_BY_180.get(key, key): pin for key, pin in keys.pins.items()}
        return DirectKeys(pins, SIDES[1 - SIDES.index(keys.joystick)] if keys.joystick else "")
    layout = (tuple(TURNED_BY_180.get(key, key) for key in row) for row in keys.layout)
    return replace(keys, layout=tuple(layout))


def parse_board(text: str, name: str) -> Board:
    """Parses the text of the board file `name`, and returns the board. Raises ConfigError if it is
    invalid."""
    sections = parse_toml(text, name, ("keys", "display", "buzzer"))
    for section in ("keys", "display"):
        if section not in sections:
            raise ConfigError(f"{name}: [{section}] is missing: see hw/boards for examples")
    display = check_section(Display, "display", sections["display"], name, DISPLAY_ALLOWED)
    keys = _parse_keys(sections["keys"], name)
    buzzer = _parse_buzzer(sections["buzzer"], name) if "buzzer" in sections else None
    board = Board(keys, display, buzzer)
    _refuse_pins_used_twice(board, name)
    _refuse_missing_keys(set(keys.keys), name)
    return board


def _parse_buzzer(section: Mapping[str, Any], name: str) -> Buzzer:
    if "pin" not in section:
        raise ConfigError(f"{name}: [buzzer] pin is missing: a buzzer needs it")
    return check_section(Buzzer, "buzzer", section, name, {"pin": GPIO, "kind": BUZZERS})


def _parse_keys(section: Mapping[str, Any], name: str) -> DirectKeys | MatrixKeys:
    kinds = {"direct": ("pins",), "matrix": ("rows", "columns", "layout")}
    may = {"direct": ("joystick",), "matrix": ()}
    kind = section.get("kind", "")
    check_value(f"{name}: [keys] kind", kind, str, tuple(kinds))
    needed = ("kind", *kinds[kind])
    known = (*needed, *may[kind])
    for key in section:
        if key not in known:
            raise ConfigError(
                f"{name}: [keys] {escaped(key)} is not known{did_you_mean(key, known)}"
            )
    for key in needed:
        if key not in section:
            raise ConfigError(f"{name}: [keys] {key} is missing: {kind} keys need it")
    return _parse_direct(section, name) if kind == "direct" else _parse_matrix(section, name)


def _parse_direct(section: Mapping[str, Any], name: str) -> DirectKeys:
    if not isinstance(section["pins"], dict):
        raise ConfigError(f"{name}: [keys] pins is a section: write [keys.pins] on its own line")
    pins: dict[Key, int] = {}
    for word, pin in section["pins"].items():
        where = f"{name}: [keys.pins] {escaped(word)}"
        check_value(where, pin, int, GPIO)
        pins[_parse_key(word, where)] = pin
    joystick = section.get("joystick", "")
    check_value(f"{name}: [keys] joystick", joystick, str, ("", *SIDES))
    return DirectKeys(pins, joystick)


def _parse_matrix(section: Mapping[str, Any], name: str) -> MatrixKeys:
    lines: dict[str, tuple[int, ...]] = {}
    for way in ("rows", "columns"):
        check_value(f"{name}: [keys] {way}", section[way], list)
        for pin in section[way]:
            check_value(f"{name}: [keys] {way}: a pin", pin, int, GPIO)
        lines[way] = tuple(section[way])
    rows, columns = lines["rows"], lines["columns"]
    where = f"{name}: [keys] layout"
    check_value(where, section["layout"], list)
    if [len(row) if isinstance(row, list) else 0 for row in section["layout"]] != [
        len(columns)
    ] * len(rows):
        raise ConfigError(f"{where} must have {len(rows)} lists of {len(columns)} keys")
    layout = tuple(tuple(_parse_key(str(word), where) for word in row) for row in section["layout"])
    found = [key for row in layout for key in row]
    if twice := next((key for key in found if found.count(key) > 1), None):
        raise ConfigError(f"{where} has {twice.value} twice: name each key once")
    return MatrixKeys(rows, columns, layout)


def _parse_key(word: str, where: str) -> Key:
    known = {key.value: key for key in Key}
    if word not in known:
        raise ConfigError(f"{where}: {word!r} is not a key{did_you_mean(word, known)}")
    return known[word]


# ---------------------------------------------------------------- checks


def _pins_by_use(board: Board) -> Iterator[tuple[str, int]]:
    keys = board.keys
    yield from board.display.pins
    if isinstance(keys, DirectKeys):
        yield from ((f"[keys.pins] {key.value}", pin) for key, pin in keys.pins.items())
    else:
        yield from (("[keys] rows", pin) for pin in keys.rows)
        yield from (("[keys] columns", pin) for pin in keys.columns)
    if board.buzzer:
        yield "[buzzer] pin", board.buzzer.pin


def _refuse_pins_used_twice(board: Board, name: str) -> None:
    taken: dict[int, str] = {}
    for what, pin in _pins_by_use(board):
        if pin in taken:
            raise ConfigError(
                f"{name}: {what}: GPIO {pin} belongs to {taken[pin]} already: use another pin"
            )
        taken[pin] = what


def _refuse_missing_keys(keys: set[Key], name: str) -> None:
    """Raises ConfigError unless the board has all sixteen keys, or a joystick, which can replace
    them."""
    nearer = min((SIXTEEN, FIVE_WAY), key=lambda needed: len(set(needed) - keys) / len(needed))
    if missing := [key.value for key in nearer if key not in keys]:
        raise ConfigError(
            f"{name}: [keys] has no {', '.join(missing)}: a board needs all sixteen keys, "
            "or UP, DOWN, LEFT, RIGHT and PRESS"
        )
