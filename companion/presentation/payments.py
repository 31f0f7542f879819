"""Payments and chips as JSON and in words: who pays whom, who holds which chips, and what the
audits said."""

from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.chips import Pieces, points_of
from companion.games.entry import Payment
from companion.games.penalties import Audited, AuditNotice, Corrected
from companion.presentation.sayings import name_in_words, say
from companion.record.journal import Journal


def payment_json(payment: Payment) -> Json:
    """A payment as JSON: who pays whom, for what, and in which chips."""
    said, points = "pays", payment.points
    if payment.payer is None:
        said = "pays.loses" if points < 0 else "pays.scores"
    elif points < 0:
        said = "pays.back"
    elif payment.owed:
        said = "pays.rest"
    parts = {"payer": payment.payer, "to": payment.to, "points": abs(points)}
    if payment.payer is None:
        del parts["payer"]
    return {
        "from": payment.payer,
        "to": payment.to,
        "points": points,
        "for": say(f"for.{payment.why.value}"),
        "said": say(said, **parts),
        "chips": _exchange_json(payment),
    }


def _exchange_json(payment: Payment) -> Json | None:
    """The pieces that the payer hands over and gets back; None if they are not known."""
    exchange = payment.exchange
    if exchange is None or not (exchange.over or exchange.back):
        return None
    over, back = exchange.over, exchange.back
    if payment.points < 0:
        over, back = back, over
    parts = {"over": chips_words(over), "back": chips_words(back)}
    said = say("pays.chips-change", **parts) if back else say("pays.chips", over=parts["over"])
    return {
        "colour": exchange.colour,
        "over": pieces_json(over),
        "back": pieces_json(back),
        "said": said,
    }


def stock_said(chips: Json) -> Json:
    """The sentence about a seat's own chips, from their `points` and `pieces`."""
    pieces = tuple((one["value"], one["number"]) for one in chips["pieces"] if one["number"])
    if not pieces:
        return say("seat.stock-spent")
    return say("seat.stock", points=chips["points"], pieces=chips_words(pieces))


def pieces_json(pieces: Pieces) -> list[Json]:
    """Pieces as JSON: how many of each value."""
    return [{"value": value, "number": number} for value, number in pieces]


def chips_words(pieces: Pieces) -> str:
    """Pieces as people read them: “3×10 + 5”; one alone as “1×10”, so that it isn't read as
    points."""
    if len(pieces) == 1:
        return "{1}×{0}".format(*pieces[0])
    return " + ".join(f"{number}×{value}" if number > 1 else f"{value}" for value, number in pieces)


# ---------------------------------------------------------------- chips


def chips_json(journal: Journal[object]) -> Json | None:
    """The chips as JSON: for each seat in turn order its own, those that it has won from its payer,
    and its last audit. None in games without chips."""
    state = journal.state
    chips = journal.game.chips(state)
    if chips is None:
        return None
    audits = _audits(journal)
    seats = []
    for seat, stock in chips.stocks.items():
        payer = chips.payer_of(seat)
        won = chips.stocks[payer]
        seats.append(
            {
                "seat": seat,
                "shown": name_in_words(seat),
                "colour": journal.colours[seat].lower() or None,
                "points": stock.points,
                "own": _held(stock.home, journal.colours[seat]),
                "won": _held(won.away, journal.colours[payer]),
                "won_from": payer,
                "pays": chips.payee_of(seat),
                "set": pieces_json(tuple(chips.whole(seat).items())),
                "audit": audits.get(seat),
                "written": {
                    "audit": f"{Audited.words[0]} {seat}",
                    "chips": f"{Corrected.words[0]} {seat}",
                },
            }
        )
    known = Audited in journal.game.entries
    return {"seats": seats, "may_correct": known and not state.finished}


def _held(pieces: Pieces, colour: str) -> Json:
    """The chips of one colour that one seat holds, as JSON."""
    there = tuple((value, number) for value, number in pieces if number)
    parts = {"colour": colour.lower(), "points": points_of(there)}
    if not there:
        said = say("chips.none", colour=parts["colour"])
    else:
        said = say("chips.held", **parts, pieces=chips_words(there))
    return {"points": parts["points"], "pieces": pieces_json(there), "said": said}


def _audits(journal: Journal[object]) -> dict[Seat, Json]:
    """Each seat's last audit, as JSON, and whether the record agreed with it then."""
    found: dict[Seat, Json] = {}
    for place, entry, state in journal.newest_first():
        if isinstance(entry, Audited) and entry.stock_of not in found:
            notice = next(
                (n for n in state.effect.notices if n.kind is AuditNotice.DIFFERENCE), None
            )
            fields = dict(notice.fields) if notice else {}
            said = (
                say("chips.audit-differs", counted=entry.points, recorded=fields["recorded"])
                if notice
                else say("chips.audit-agrees", counted=entry.points)
            )
            found[entry.stock_of] = {"at": place + 1, "agrees": notice is None, "said": said}
    return found
