"""Sentences about a moment that several games share: entries, and what is asked."""

from companion.core.values import Json
from companion.games.entry import (
    Blocked,
    Dealt,
    Ended,
    Entry,
    Held,
    HeldPips,
    Passed,
    PipsTogether,
    WentOut,
)
from companion.games.game import AnyGame, AnyState
from companion.presentation.sayings import say


def entry_said(entry: Entry) -> Json:
    """An entry that several games have, as somebody at the table would say it. Others as the tally
    writes them."""
    match entry:
        case Dealt(lead=None):
            return say("entry.dealt")
        case Dealt():
            return say("entry.dealt-lead", seat=entry.lead)
        case Passed():
            return say("entry.passes", seat=entry.seat)
        case WentOut():
            return say("entry.out", seat=entry.seat)
        case Blocked():
            return say("entry.blocked")
        case HeldPips():
            one = "entry.shows-pip" if entry.pips == 1 else "entry.shows-pips"
            return say(one, seat=entry.seat, pips=entry.pips)
        case Held(tiles=()):
            return say("entry.shows-none", seat=entry.seat)
        case Held():
            return say("entry.shows", seat=entry.seat, tiles=entry.tiles)
        case PipsTogether():
            return say("entry.pips-together", pips=entry.pips)
        case Ended(reason=""):
            return say("entry.ends")
        case Ended():
            return say("entry.ends-reason", reason=entry.reason)
    return say("entry.plain", text=str(entry))


def asked_of(game: AnyGame, state: AnyState, *, begun: bool) -> Json:
    """The sentence about what the record waits for, in any game; `begun`: a hand was dealt."""
    if not begun:
        return say("asks.deal-first")
    if lead := game.next_lead(state):
        return say("asks.deal-lead", seat=lead)
    if state.to_move:
        return say("asks.turn", seat=state.to_move)
    return say("asks.lead-any")
