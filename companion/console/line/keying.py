"""A lay as it is keyed: by tile, by open ends or by count; and what it would make."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.console.frame import WIDTH, text_width
from companion.console.keyed import Digits
from companion.console.screen import View, would_be
from companion.console.screens.box import BoxSetting
from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.words import phrase
from companion.games.entry import Choice, Entry, Unclear
from companion.games.game import State
from companion.games.line.hand import LineBoard, hand_of
from companion.games.line.line import Laid, Lay
from companion.record.settings import ENTRY_SCORES, ENTRY_WAY

ENTRY_WAYS = BoxSetting(ENTRY_WAY, phrase("How you key tiles"), (
    ("tile", phrase("Tile: 5 6 OK")), ("ends", phrase("Open ends: 5 5 0 OK")),
    ("count", phrase("Count: 15 OK")), (ENTRY_SCORES, phrase("Points: seat 15 OK")),
))  # fmt: skip
"""The setting for how lays are keyed, or that only scores are. It is an item of the game's menu,
not of the box's settings, since it is chosen for one game."""


def entry_way(view: View[LineBoard]) -> str:
    """How lays are keyed in this game: `tile`, `ends` or `count`; or `scores`, if only scores are
    keyed. A value that only another game has counts as not set: `tile`."""
    chosen = view.settings.get(ENTRY_WAY)
    return str(chosen) if chosen in dict(ENTRY_WAYS.choices) else "tile"


THIN = "\u2009"
"""A narrow space."""


@dataclass(frozen=True, slots=True)
class EntryWay:
    """A way to key tiles. `name`: its value in the settings; `digits`: the digits that it takes,
    from `least` to `most` of them; `format`: how they look on the screen; `entry`: the lay that
    they make."""

    name: str
    label: str
    digits: range
    least: int
    most: int
    format: Callable[[Digits], str]
    entry: Callable[[Seat, Digits], Laid]
    asks: str
    """A line that says what to key."""
    said: Callable[[Digits], str]
    """Puts the digits into words: “the tile 6-3”."""

    def takes(self, keyed: Digits) -> bool:
        """Whether these digits can be a lay in this way."""
        return self.least <= len(keyed) <= self.most and all(one in self.digits for one in keyed)


def _tile(digits: Digits) -> str:
    """“6-3”, with _ for a half that is missing. A 1 is narrower than the other digits, so a narrow
    space follows it, and each half keeps its place."""
    halves = [*map(str, digits), "_", "_"][:2]
    between = "-" if digits else THIN * 4
    return between.join(f"1{THIN}" if half == "1" else half for half in halves)


def _ends(digits: Digits) -> str:
    """The digits, then _ up to two, as a line has two ends at least. A cursor after them would move
    with each digit."""
    return THIN.join([*map(str, digits), "_", "_"][: max(len(digits), 2)])


def _count(digits: Digits) -> str:
    return "".join(map(str, digits)) or "_"


def _number(digits: Digits) -> int:
    return int("".join(map(str, digits)))


def _said_tile(digits: Digits) -> str:
    return phrase("the tile {high}-{low}", high=digits[0], low=digits[1])


def _said_ends(digits: Digits) -> str:
    return phrase("open ends {ends}", ends=" ".join(map(str, sorted(digits))))


def _said_count(digits: Digits) -> str:
    return phrase("the count {count}", count=_number(digits))


WAYS = {
    way.name: way
    for way in (
        EntryWay("tile", phrase("tile"), range(7), 2, 2, _tile,
            lambda seat, d: Laid(seat, (d[0], d[1])),
            phrase("Key both halves, then OK."), _said_tile),
        EntryWay("ends", phrase("ends"), range(7), 2, 8, _ends,
            lambda seat, d: Laid(seat, ends=tuple(sorted(d))),
            phrase("Key all open ends, then OK."), _said_ends),
        EntryWay("count", phrase("count"), range(10), 1, 2, _count,
            lambda seat, d: Laid(seat, count=_number(d)),
            phrase("Key the count, then OK."), _said_count),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preview:
    """What a lay would make: the `state` after it; or the `choices` if it can mean several lays; or
    why it is `refused`."""

    state: State[LineBoard] | None = None
    choices: tuple[Choice, ...] = ()
    refused: str | None = None
    unexplained: bool = False
    """Whether no tile makes these ends or this count, for a reason that is not known yet. The box
    looks for it only when OK is pressed, as that can take long and more digits may follow."""


def glance(view: View[LineBoard], laid: Laid) -> Preview:
    """Tries the lay in memory while digits are keyed. If no tile makes its ends or count, doesn't
    look for the reason (`unexplained`)."""
    line = hand_of(view.state).line
    said = Lay(laid.halves, laid.arm, laid.ends, laid.count)
    if laid.tile is None and not laid.insisted and not line.lost and not line.ways(said):
        return Preview(unexplained=True)
    return preview(view, laid)


def right_ways(
    view: View[LineBoard], seat: Seat, keyed: Digits, way: EntryWay
) -> tuple[EntryWay, ...]:
    """The ways of keying other than `way` in which these digits are a lay that the rules take."""
    others = (other for other in WAYS.values() if other is not way and other.takes(keyed))
    tried = ((other, glance(view, other.entry(seat, keyed))) for other in others)
    return tuple(other for other, made in tried if made.state or made.choices)


def preview(view: View[LineBoard], laid: Entry) -> Preview:
    """Tries the lay in memory, and says why if it is refused."""
    after = would_be(view, laid)
    if isinstance(after, Unclear):
        return Preview(choices=after.choices, refused=after.why)
    if isinstance(after, RuleError):
        return Preview(refused=after.why)
    return Preview(state=after)


def count_lines(choices: tuple[Choice, ...]) -> tuple[str, ...]:
    """Two lines with the choices by their counts alone: “1: 6” and “2: 12”; with three or four
    choices, up to two on a line. Empty if two choices have the same count, if players call the
    counts, or if there are more than four choices."""
    if len({choice.makes.count for choice in choices}) < len(choices) or len(choices) > 4:
        return ()
    texts = [f"{number}: {choice.makes.count}" for number, choice in enumerate(choices, 1)]
    half = (len(texts) + 1) // 2
    return "  ".join(texts[:half]), "  ".join(texts[half:])


def makes(choice: Choice, equals: str) -> str:
    """“4 2=6”: the open ends after a choice and, unless players call the counts, their count after
    `equals`."""
    ends, count = " ".join(map(str, choice.makes.ends)), choice.makes.count
    return ends if count is None else f"{ends}{equals}{count}"


def choice_lines(choices: tuple[Choice, ...]) -> tuple[str, ...]:
    """The choices in one or two lines of small letters: “1: 4 2=6  2: 0 2 4=6”, or, if players
    call the counts, “1: 4 2  2: 0 2 4”. Empty if they take more lines."""
    lines = [""]
    for number, choice in enumerate(choices, 1):
        text = f"{number}: {makes(choice, '=')}"
        longer = f"{lines[-1]}  {text}" if lines[-1] else text
        if text_width(longer) <= WIDTH:
            lines[-1] = longer
        else:
            lines.append(text)
    return tuple(lines) if len(lines) <= 2 else ()


def insisted(laid: Laid) -> Laid:
    """The lay as the table insists on it."""
    return replace(laid, insisted=True)
