"""The line of play in words: what its drawing shows, for people who can't see it."""

from collections.abc import Iterator

from companion.core.words import listed, mark, phrase
from companion.presentation.line.line_of_play import (
    ARM_NAMES,
    ArmName,
    LaidTile,
    LineOfPlay,
    OpenEnd,
)
from companion.presentation.words import not_placed, tiles_in_words

NOTHING_LAID, NO_TILE = (
    mark("The line of play: nothing is laid yet"),
    mark("No tile is on the table."),
)
SCORES_ONLY = mark("Only scores are entered in this hand: the line of play is not known.")
TITLE = mark("The line of play: {tiles}, {count}")
COUNT, NO_COUNT = mark("count {count}"), mark("count not known")
LED, LED_SPINNER = mark("Led: {tile}."), mark("Led: {tile}, the spinner.")
ARM = mark("{arm}: {tiles}.")
SPINNER = mark("{tile}, the spinner")
NOT_KNOWN = mark("a tile that is not known")
OPEN = mark("Open: {ends}.")
END, DOUBLE, UNCOUNTED = (
    mark("{pips} {arm}"),
    mark("{pips} twice {arm}"),
    mark("{pips} {arm}, which counts nothing"),
)
END_NOT_KNOWN = mark("one not known {arm}")
LAST = mark("Laid last: {tile} {arm}.")
LAST_LED = mark("Laid last: {tile}.")
SAID_ENDS = mark("Open ends: {ends}.")
NAMES: dict[ArmName, str] = {
    "left": mark("Left"),
    "right": mark("Right"),
    "up": mark("Up"),
    "down": mark("Down"),
}
WHERE: dict[ArmName, str] = {
    "left": mark("on the left"),
    "right": mark("on the right"),
    "up": mark("above"),
    "down": mark("below"),
}


def entitle(line: LineOfPlay) -> str:
    """The drawing's name: how many tiles lie there, and the count."""
    number = len(line.tiles) + line.unplaced
    if not number:
        return phrase(NOTHING_LAID)
    count = phrase(NO_COUNT) if line.count is None else phrase(COUNT, count=line.count)
    return phrase(TITLE, tiles=tiles_in_words(number), count=count)


def describe(line: LineOfPlay) -> str:
    """The drawing in sentences: the led tile, each arm's tiles outwards, the open ends, the tile
    laid last."""
    return listed(_sentences(line), " ") or phrase(NO_TILE)


def unplaced_words(line: LineOfPlay) -> tuple[str, ...]:
    """Sentences about what can't be drawn; none if the whole line is known."""
    ends = " ".join(map(str, line.said_ends or ()))
    said = phrase(SAID_ENDS, ends=ends) if ends else ""
    return tuple(filter(None, (not_placed(line.unplaced), said)))


def _sentences(line: LineOfPlay) -> Iterator[str]:
    if line.tiles:
        led = line.tiles[0]
        yield phrase(LED_SPINNER if led.spinner else LED, tile=_tile(led))
    for arm in ARM_NAMES:
        tiles = [
            phrase(SPINNER, tile=_tile(tile)) if tile.spinner else _tile(tile)
            for tile in line.tiles
            if tile.arm == arm
        ]
        if tiles:
            yield phrase(ARM, arm=phrase(NAMES[arm]), tiles=listed(tiles))
    if line.open_ends:
        yield phrase(OPEN, ends=listed(map(_end, line.open_ends)))
    yield from unplaced_words(line)
    if line.latest is not None:
        last = line.tiles[line.latest]
        where = phrase(WHERE[last.arm]) if last.arm else ""
        yield phrase(LAST if where else LAST_LED, tile=_tile(last), arm=where)


def _tile(tile: LaidTile) -> str:
    if tile.inner is None and tile.outer is None:
        return phrase(NOT_KNOWN)
    return "-".join("?" if half is None else str(half) for half in (tile.inner, tile.outer))


def _end(end: OpenEnd) -> str:
    if end.pips is None:
        return phrase(END_NOT_KNOWN, arm=phrase(WHERE[end.arm]))
    words = (UNCOUNTED, END, DOUBLE)[end.times]
    return phrase(words, pips=end.pips, arm=phrase(WHERE[end.arm]))
