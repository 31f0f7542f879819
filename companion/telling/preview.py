"""What a row would make of a game, told before it is kept: for who keys it.

Nothing is given away: of what belongs to a call of bogus play only the entry is told, as its
verdict comes with the call.
"""

from dataclasses import replace
from typing import Any

from companion.errors import EntryError, RuleError
from companion.games.bogus.board import chips_of
from companion.games.game import AnyState, Choice, Entry, Unclear
from companion.record.journal import Journal
from companion.record.rows import Amend, Redo, Rewind, Row, Step, Undo
from companion.seats import Seat
from companion.telling.catalog import picture_of
from companion.telling.moment import Moment, Teller
from companion.telling.refusals import worded
from companion.telling.sayings import say

Json = dict[str, Any]


def preview(moment: Moment, row: Row) -> Json:
    """What the row comes to: `told` with what each of its entries does, or what a change would make
    of the game; `choices` where it could mean several things; `refused` where it isn't taken."""
    journal = moment.journal
    if journal is None:
        return {"refused": say("asks.game")}
    try:
        match row:
            case Step():
                return _entered(moment, journal, row)
            case Amend() | Rewind():
                return _changed(journal, row)
            case Undo() | Redo():
                label = journal.undo_label if isinstance(row, Undo) else journal.redo_label
                return {"told": [], "change": label and say("change", text=label)}
    except Unclear as unclear:
        choices = [_choice(journal, choice) for choice in unclear.choices]
        return {"refused": None, "choices": choices}
    except (RuleError, EntryError) as refused:
        return {"refused": say("answer.refused", why=worded(refused))}
    return {"refused": say("answer.on-box")}


def _entered(moment: Moment, journal: Journal[object], row: Step) -> Json:
    """Tried by the rules alone: nothing of the journal is touched."""
    state, told = journal.state, []
    for place, entry in enumerate(row.entries, journal.length):
        state = journal.game.apply(state, entry)
        told.append(_told(moment, journal, place, entry, state))
    return {"told": told}


def _told(
    moment: Moment, journal: Journal[object], place: int, entry: Entry, after: AnyState
) -> Json:
    picture = picture_of(journal.opened.game)
    teller = Teller(moment, journal, picture, after)
    if teller.told.get("claim") or teller.told.get("ruling"):
        return {"said": picture.said(entry, after), "why": None, "payments": [], "notices": []}
    whole = teller.entry(place, entry, after)
    return {name: whole[name] for name in ("said", "why", "payments", "notices")}


def _choice(journal: Journal[object], choice: Choice) -> Json:
    """One of several meanings of a lay: the entry that says which, the arm, and what it makes."""
    entry, makes = choice.entry, choice.makes
    after = journal.game.apply(journal.state, entry)
    arm = getattr(entry, "arm", None)
    picture = picture_of(journal.opened.game)
    return {
        "entry": str(entry),
        "arm": arm and arm.value,
        "count": getattr(makes, "count", None),
        "ends": list(getattr(makes, "ends", None) or ()),
        "why": picture.why(entry, after),
    }


# ---------------------------------------------------------------- changes of earlier entries


def _changed(journal: Journal[object], row: Amend | Rewind) -> Json:
    """The totals then, what no longer holds, and which points go back between whom. Looked at on a
    journal of its own, so that what is tried here stays nowhere."""
    amended = replace(journal).amended(row)
    after, before = amended.journal.state, journal.state
    lost = None
    if amended.broken is not None:
        place, entry, refused = amended.broken
        states = {at: state for at, _, state in journal.newest_first()}
        said = picture_of(journal.opened.game).said(entry, states[place])
        more = {"number": amended.dropped} if amended.dropped > 1 else {}
        key = "change.lost-more" if more else "change.lost"
        lost = say(key, entry=said["words"], why=worded(refused), **more)
    elif amended.dropped:
        one = amended.dropped == 1
        lost = say("change.taken-back-one") if one else _taken_back(amended.dropped)
    return {
        "told": [],
        "scores": {seat: [before.scores[seat], after.scores[seat]] for seat in after.seats},
        "lost": lost,
        "chips": [*_chips(before, after)],
    }


def _taken_back(number: int) -> Json:
    return say("change.taken-back", number=number)


def _chips(before: AnyState, after: AnyState) -> list[Json]:
    """Who gives whom what, so that the chips lie as they would then."""
    was, now = chips_of(before), chips_of(after)
    if was is None or now is None or before.seats != after.seats:
        return []
    found = []
    for seat, stock in now.stocks.items():
        points, payee = was.stocks[seat].points - stock.points, after.seats.payee_of(seat)
        if points:
            found.append(_moves(seat, payee, points))
    return found


def _moves(payer: Seat, payee: Seat, points: int) -> Json:
    key = "pays" if points > 0 else "pays.back"
    return say(key, payer=payer, to=payee, points=abs(points))
