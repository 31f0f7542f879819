"""The line of play in words: what its drawing shows, for those who don't see it."""

from collections.abc import Iterator

from companion.presentation.line.line_of_play import (
    ARM_NAMES,
    ArmName,
    LaidTile,
    LineOfPlay,
    OpenEnd,
)
from companion.presentation.words import not_placed, tiles_in_words

NOTHING_LAID, NO_TILE = "The line of play: nothing is laid yet", "No tile lies on the table."
TITLE = "The line of play: {tiles}, {count}"
COUNT, NO_COUNT = "count {count}", "count not known"
LED, LED_SPINNER = "Led: {tile}.", "Led: {tile}, the spinner."
ARM = "{arm}: {tiles}."
SPINNER = "{tile}, the spinner"
NOT_KNOWN = "a tile that is not known"
OPEN = "Open: {ends}."
END, DOUBLE, UNCOUNTED = "{pips} {arm}", "{pips} twice {arm}", "{pips} {arm}, which counts nothing"
END_NOT_KNOWN = "one not known {arm}"
LAST = "Laid last: {tile} {arm}."
LAST_LED = "Laid last: {tile}."
SAID_ENDS = "Open ends: {ends}."
NAMES: dict[ArmName, str] = {"left": "Left", "right": "Right", "up": "Up", "down": "Down"}
WHERE: dict[ArmName, str] = {
    "left": "on the left",
    "right": "on the right",
    "up": "above",
    "down": "below",
}


def entitle(line: LineOfPlay) -> str:
    """The drawing's name: how many tiles lie there, and the count."""
    number = len(line.tiles) + line.unplaced
    if not number:
        return NOTHING_LAID
    count = NO_COUNT if line.count is None else COUNT.format(count=line.count)
    return TITLE.format(tiles=tiles_in_words(number), count=count)


def describe(line: LineOfPlay) -> str:
    """The drawing in sentences: each arm's tiles outwards, the open ends, the tile laid last."""
    return " ".join(_sentences(line)) or NO_TILE


def unplaced_words(line: LineOfPlay) -> tuple[str, ...]:
    """What can't be drawn, in sentences; none where the whole line is known."""
    ends = " ".join(map(str, line.said_ends or ()))
    said = SAID_ENDS.format(ends=ends) if ends else ""
    return tuple(filter(None, (not_placed(line.unplaced), said)))


def _sentences(line: LineOfPlay) -> Iterator[str]:
    if line.tiles:
        led = line.tiles[0]
        yield (LED_SPINNER if led.spinner else LED).format(tile=_tile(led))
    for arm in ARM_NAMES:
        tiles = [
            SPINNER.format(tile=_tile(tile)) if tile.spinner else _tile(tile)
            for tile in line.tiles
            if tile.arm == arm
        ]
        if tiles:
            yield ARM.format(arm=NAMES[arm], tiles=", ".join(tiles))
    if line.open_ends:
        yield OPEN.format(ends=", ".join(map(_end, line.open_ends)))
    yield from unplaced_words(line)
    if line.latest is not None:
        last = line.tiles[line.latest]
        where = WHERE[last.arm] if last.arm else ""
        yield (LAST if where else LAST_LED).format(tile=_tile(last), arm=where)


def _tile(tile: LaidTile) -> str:
    if tile.inner is None and tile.outer is None:
        return NOT_KNOWN
    return "-".join("?" if half is None else str(half) for half in (tile.inner, tile.outer))


def _end(end: OpenEnd) -> str:
    if end.pips is None:
        return END_NOT_KNOWN.format(arm=WHERE[end.arm])
    words = (UNCOUNTED, END, DOUBLE)[end.times]
    return words.format(pips=end.pips, arm=WHERE[end.arm])
