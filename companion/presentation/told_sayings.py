"""What is said of a moment of the games without a line of play: entries, and what is asked."""

from companion.core.values import Json
from companion.games.entries import Blocked, Dealt, Ended, Held, HeldPips, Passed, WentOut
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.high_five_tiles.entries import Finished, RowCompleted, TileLaid
from companion.games.high_fives.entries import LeftOver, PointsTold, PutDown, TableauShown
from companion.games.highrise.entries import BasementFilled, Built, DrewOne, format_halves
from companion.presentation.sayings import say


def entry_said(entry: Entry) -> Json:
    """An entry of one of these games, as somebody at the table would tell it."""
    match entry:
        case Dealt(lead=None):
            return say("entry.dealt")
        case Dealt():
            return say("entry.dealt-lead", seat=entry.lead)
        case DrewOne():
            return say("entry.draws", seat=entry.seat)
        case Passed():
            return say("entry.passes", seat=entry.seat)
        case WentOut():
            return say("entry.out", seat=entry.seat)
        case Blocked():
            return say("entry.blocked")
        case HeldPips():
            return say("entry.shows-pips", seat=entry.seat, pips=entry.pips)
        case Held(tiles=()):
            return say("entry.shows-none", seat=entry.seat)
        case Held():
            return say("entry.shows", seat=entry.seat, tiles=entry.tiles)
        case Ended(reason=""):
            return say("entry.ends")
        case Ended():
            return say("entry.ends-reason", reason=entry.reason)
    return _of_one_game(entry)


def _of_one_game(entry: Entry) -> Json:
    match entry:
        case TableauShown():
            return say("entry.turned-up", tiles=entry.tiles)
        case PutDown():
            return _put_down_said(entry)
        case PointsTold():
            return say("entry.points", seat=entry.seat, points=entry.points)
        case LeftOver(points=None):
            return say("entry.left-uncounted")
        case LeftOver():
            return say("entry.left", points=entry.points)
        case BasementFilled():
            return say("entry.basement", tiles=[format_halves(tile) for tile in entry.tiles])
        case Built():
            return _built_said(entry)
        case RowCompleted(cards=()):
            return say("entry.row", seat=entry.seat, row=entry.combination.words)
        case RowCompleted():
            row = entry.combination.words
            return say("entry.row-cards", seat=entry.seat, row=row, cards=entry.cards)
        case TileLaid():
            return say("entry.one-tile", seat=entry.seat)
        case Finished():
            return say("entry.finished")
    return say("entry.plain", text=str(entry))


def _put_down_said(put: PutDown) -> Json:
    parts: dict[str, object] = {"seat": put.seat, "tile": put.tile}
    if put.takes:
        parts["takes"] = put.takes
    if put.pair:
        parts["pair"] = put.pair
    how = "".join(f"-{name}" for name in ("takes", "pair") if name in parts)
    return say(f"entry.lays{how}", **parts)


def _built_said(built: Built) -> Json:
    parts = {"seat": built.seat, "tile": format_halves(built.halves), "level": built.level}
    lifted = "-spacer" if built.spacer is not None else ""
    return say(f"entry.builds{lifted}", **parts)


def asked_of(game: AnyGame, state: AnyState, *, begun: bool) -> Json:
    """What the record waits for, apart from what only one game asks; `begun`: a hand was dealt."""
    if not begun:
        return say("asks.deal-first")
    if lead := game.next_lead(state):
        return say("asks.deal-lead", seat=lead)
    if state.to_move:
        return say("asks.turn", seat=state.to_move)
    return say("asks.lead-any")
