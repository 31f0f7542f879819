"""High Five! with tiles, played with the keys that a player would press."""

from random import Random

from companion.console.high_five_tiles import HIGH_FIVE, LADDER
from companion.core.seats import COLOURS, Seat, Seats
from companion.games.entries import HandDealt, WentOut
from companion.games.game import AnyState, Entry, parse_entry, settle_options
from companion.games.high_five_tiles.entries import AllTilesPlayed, RowCompleted, SingleTilePlayed
from tests.catalog import GAMES
from tests.console.rig import Rig
from tests.console.typist import choose_line
from tests.games.others import high_five_tiles

NAME = "high-five-tiles"
RED = Seat("Red")


def set_up(players: int = 2, rig: Rig | None = None) -> Rig:
    """A game of the tile game that asks for the points on the family's card."""
    rig = rig or Rig()
    return rig.press(f"{list(rig.games).index(NAME) + 1} {players} 1 OK")


def dealt(players: int = 2, keys: str = "", lead: int = 1) -> Rig:
    """A game in which the seat at `lead` begins, with these keys pressed."""
    return set_up(players).press(f"PASS OK {lead} {keys}")


def key_entry(rig: Rig, entry: Entry) -> None:
    """Presses the keys for one entry."""
    match entry:
        case HandDealt():
            seats = rig.state.seats.order
            rig.press(str(seats.index(entry.lead or seats[0]) + 1))
        case RowCompleted():
            _take_turn(rig, entry)
            place = LADDER.index(entry.combination)
            rig.press("BOGUS" if place == HIGH_FIVE else str(place))
            rig.press(f"{entry.laid or 0} OK")
        case SingleTilePlayed():
            _take_turn(rig, entry)
            rig.press("PASS OK")
        case WentOut():
            rig.press("MENU")
            choose_line(rig, "First out", f"{entry.seat} is out")
            rig.press("OK")
        case AllTilesPlayed():
            rig.press("MENU")
            choose_line(rig, "All tiles are laid")
            rig.press("OK")


def _take_turn(rig: Rig, entry: Entry) -> None:
    """Chooses the entry's seat if the box waits for another one, which has no tile left."""
    if rig.screen.only_seat(rig.view) != entry.named_seat:
        rig.press("MENU")
        choose_line(rig, f"{rig.state.to_move} has no tile left", f"{entry.named_seat} plays")


def lines_of(seed: int, players: int) -> list[str]:
    """The lines of a whole random game of honest players, with the names of the colours."""
    lines = high_five_tiles.play(Random(seed), players)
    if lines[0] == "hand":
        lines[0] = f"hand lead {lines[1].split()[0]}"
    named = []
    for line in lines:
        words = (COLOURS[int(word[1])] if word[0] == "P" else word for word in line.split())
        named.append(" ".join(words))
    return named


def type_game(seed: int, players: int, rig: Rig | None = None) -> tuple[Rig, AnyState]:
    """Keys a whole random game; returns the rig, and the state according to the rules alone."""
    game, seats = GAMES[NAME], Seats.of(*COLOURS[:players])
    state = game.start(seats, settle_options(game, players, {}))
    rig = set_up(players, rig).press("PASS OK")
    for line in lines_of(seed, players):
        entry = parse_entry(line, game, seats)
        redundant = state.board.out_is_implied or state.board.over_is_implied
        state = game.apply(state, entry)
        if not (redundant and isinstance(entry, WentOut | AllTilesPlayed)):
            key_entry(rig, entry)
    return rig, state


def until_out(players: int = 2) -> Rig:
    """A game in which no tile is left to draw and it is Red's turn. Red's next row is its last
    unless another seat goes out first."""
    rig = dealt(players)
    while rig.state.board.supply or rig.state.to_move != RED:
        most = min(rig.state.board.held[rig.state.to_move], 4)
        red, begun = rig.state.to_move == RED, rig.state.to_move in rig.state.board.begun
        rig.press(
            f"{1 if red else 2} {most} OK" if most > (1 if begun else 2) and red else "PASS OK"
        )
    return rig


def not_counted() -> Rig:
    """A game in which the number of new tiles is missing in one row of Red, and no tile is left to
    draw."""
    rig = dealt(keys="1 0 OK")
    while rig.state.board.supply or rig.state.to_move != RED:
        rig.press("PASS OK")
    return rig
