"""Random lines of play to draw, played by the rules by players with different preferences."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from companion.games.line.line import Arm, Line, PlaceToPlay
from companion.games.tiles import DOUBLE_SIX, Tile
from companion.presentation.line.line_of_play import ARM_NAMES, LineOfPlay, PlayedTile, ends_of

Inclination = Mapping[str, float]
"""The probability of playing on each arm, by its name, and of playing the first double, as
`spinner`. `far`: whether players prefer plays after which the line can go on."""

INCLINATIONS: Mapping[str, Inclination] = {
    "none": {},
    "to go on": {"far": 1},
    "one long arm": {"left": 0.01, "up": 0.01, "down": 0.01, "far": 1},
    "one long arm, late spinner": {"spinner": 0.02, "left": 0.03, "far": 1},
    "the other way": {"spinner": 0.02, "right": 0.03, "far": 1},
    "late spinner": {"spinner": 0.01},
    "no spinner": {"spinner": 1e-9, "far": 1},
    "no spinner, one arm": {"spinner": 1e-9, "right": 0.02, "far": 1},
    "up": {"up": 20, "left": 0.1, "right": 0.1, "down": 0.05, "far": 1},
    "down": {"down": 20, "left": 0.1, "right": 0.1, "up": 0.05, "far": 1},
    "up and down": {"left": 0.05, "right": 0.05, "far": 1},
    "up and down, late spinner": {"left": 0.3, "right": 0.3, "spinner": 0.01, "far": 1},
}


def random_tiles(random: Random, inclination: Inclination) -> tuple[PlayedTile, ...]:
    """Tiles laid at random until none fits."""
    tiles = list(DOUBLE_SIX.tiles)
    led = random.choices(tiles, [_liking(tile, None, inclination) for tile in tiles])[0]
    tiles.remove(led)
    line = Line.led(led.high, led.low)
    laid = [PlayedTile(led.high, led.low, None, led.is_double)]
    while lays := [
        (place, tile) for place in line.places for tile in tiles if tile.has(place.pips)
    ]:
        wishes = [_wish(place, tile, line, tiles, inclination) for place, tile in lays]
        place, tile = random.choices(lays, wishes)[0]
        spinner = tile.is_double and line.spinner is None
        laid.append(PlayedTile(place.pips, tile.other(place.pips), place.arm.value, spinner))
        line = line.with_tile(place.arm, tile)
        tiles.remove(tile)
    return tuple(laid)


def _liking(tile: Tile, line: Line | None, inclination: Inclination) -> float:
    first_double = tile.is_double and (line is None or line.spinner is None)
    return inclination.get("spinner", 1) if first_double else 1


def _wish(
    place: PlaceToPlay, tile: Tile, line: Line, tiles: list[Tile], inclination: Inclination
) -> float:
    wish = _liking(tile, line, inclination) * inclination.get(place.arm.value, 1)
    if "far" in inclination:
        onward = sum(other.has(tile.other(place.pips)) for other in tiles if other != tile)
        wish *= onward + 0.05
    return wish


def played(tiles: tuple[PlayedTile, ...]) -> LineOfPlay:
    """The line that these tiles make, with its open ends and the count."""
    line: Line | None = None
    for tile in tiles:
        assert tile.inner is not None
        assert tile.outer is not None
        if line is None:
            line = Line.led(tile.inner, tile.outer)
        else:
            line = line.with_tile(Arm(tile.arm), DOUBLE_SIX.tile(tile.inner, tile.outer))
    if line is None:
        return LineOfPlay()
    return LineOfPlay(tiles, tuple(ends_of(line)), line.open_count, len(tiles) - 1)


def shaped(shape: str) -> tuple[PlayedTile, ...]:
    """The tiles of a text such as `- r r2 l u d`: each is the first letter of its arm, `-` for the
    tile led, with a 2 behind it for a double. They needn't be in any set of tiles."""
    laid: list[PlayedTile] = []
    outer: dict[str, int] = {}
    for word in shape.split():
        inner = outer.get(word[0], 0)
        arm = next((name for name in ARM_NAMES if name[0] == word[0]), None)
        spinner = word.endswith("2") and not any(tile.spinner for tile in laid)
        tile = PlayedTile(inner, inner if word.endswith("2") else (inner + 1) % 7, arm, spinner)
        laid.append(tile)
        outer[word[0]] = tile.outer or 0
        if arm is None:
            outer = {"l": inner, "r": tile.outer or 0}
        if spinner:
            outer |= {"u": inner, "d": inner}
    return tuple(laid)


def any_shape(random: Random) -> str:
    """A text for `shaped` of 21 plain tiles and 7 doubles in forms that no game may come to: long
    arms, doubles anywhere but beside a double, a spinner that comes early or late."""
    late, often = random.choice((0, 0, 3, 8, 14, 20)), random.choice((0.1, 0.25, 0.5))
    liking = dict(zip("lrud", random.choices((0.03, 1, 1, 10), k=4), strict=True))
    words = ["-2" if not late else "-"]
    plain, doubles, spun = 21 - bool(late), 7 - (not late), not late
    free = {arm for arm in "lr" if spun}
    """The sides on which nothing lies yet."""
    beside_double = {arm for arm in "lrud" if spun}
    while plain:
        arms = "lrud" if spun and not free else "lr"
        arm = random.choices(arms, [liking[arm] for arm in arms])[0]
        may = doubles and arm not in beside_double and (spun or len(words) >= late)
        if may and random.random() < often:
            words.append(f"{arm}2")
            doubles -= 1
            beside_double |= {arm} if spun else {arm, "u", "d"}
            free = free - {arm} if spun else {arm}
            spun = True
        else:
            words.append(arm)
            plain -= 1
            beside_double.discard(arm)
            free -= {arm}
    return " ".join(words)


def random_line(seed: int, inclination: str) -> LineOfPlay:
    """A random line that was laid until no tile fits."""
    return played(random_tiles(Random(seed), INCLINATIONS[inclination]))


def without_last(line: LineOfPlay) -> LineOfPlay:
    """Returns the line before its last tile, without the open ends."""
    return replace(line, tiles=line.tiles[:-1], open_ends=(), count=None, latest=None)
