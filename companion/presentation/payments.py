"""Describes payments and chips, as JSON and in words: who pays whom, each seat's chips, and the
results of audits."""

from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.chips import Pieces, points_of
from companion.games.entries import AuditNotice, ChipsAudited, ChipsCorrected
from companion.games.game import Payment
from companion.presentation.sayings import name_in_words, say, short
from companion.record.journal import Journal


def payment_json(payment: Payment) -> Json:
    """Returns who pays whom, the reason, and the chips."""
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
    """Returns the pieces that the payer hands over and gets back; None if they are not known."""
    exchange = payment.exchange
    if exchange is None or not (exchange.over or exchange.back):
        return None
    over, back = exchange.over, exchange.back
    if payment.points < 0:
        over, back = back, over
    return pieces_handed_over(exchange.colour, over, back)


def pieces_handed_over(colour: str | None, over: Pieces, back: Pieces) -> Json:
    """Returns the pieces handed over and the change given back, with their sentence."""
    parts = {"over": pieces_in_words(over), "back": pieces_in_words(back)}
    said = say("pays.chips-change", **parts) if back else say("pays.chips", over=parts["over"])
    return {
        "colour": colour,
        "over": pieces_json(over),
        "back": pieces_json(back),
        "said": said,
    }


def stock_sentence(chips: Json) -> Json:
    """Returns the sentence about a seat's own chips, given their `points` and `pieces`."""
    pieces = tuple((one["value"], one["number"]) for one in chips["pieces"] if one["number"])
    if not pieces:
        return say("seat.stock-spent")
    return say("seat.stock", points=chips["points"], pieces=pieces_in_words(pieces))


def pieces_json(pieces: Pieces) -> list[Json]:
    """Returns the number of pieces of each value."""
    return [{"value": value, "number": number} for value, number in pieces]


def pieces_in_words(pieces: Pieces) -> str:
    """Returns “3×10 + 5”. A single piece is “1×10”, so that it isn't taken for points."""
    if len(pieces) == 1:
        return "{1}×{0}".format(*pieces[0])
    return " + ".join(f"{number}×{value}" if number > 1 else f"{value}" for value, number in pieces)


def pieces_in_short(chips: Pieces) -> str:
    """Returns “10+5” or “3×10+5”, for a small display."""
    return "+".join(
        short("pieces" if number > 1 else "piece", number=number, value=value)
        for value, number in chips
    )


def exchange_in_short(payment: Payment) -> str:
    """Returns the chips paid, and the change, for a small display; "" if they are not known."""
    if payment.exchange is None:
        return ""
    over, back = pieces_in_short(payment.exchange.over), pieces_in_short(payment.exchange.back)
    if payment.points < 0:
        over, back = back, over
    return short("chips-change" if back else "chips", over=over, back=back)


# ---------------------------------------------------------------- chips


def chips_json(journal: Journal[object]) -> Json | None:
    """Returns, for each seat in turn order, its own chips, those won from its payer, and its last
    audit; None in games without chips."""
    state = journal.state
    chips = journal.game.chips(state)
    if chips is None:
        return None
    audits = _last_audits(journal)
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
                "own": _chips_held_json(stock.home, journal.colours[seat]),
                "won": _chips_held_json(won.away, journal.colours[payer]),
                "won_from": payer,
                "pays": chips.payee_of(seat),
                "set": pieces_json(tuple(chips.whole_set(seat).items())),
                "audit": audits.get(seat),
                "written": {
                    "audit": f"{ChipsAudited.words[0]} {seat}",
                    "chips": f"{ChipsCorrected.words[0]} {seat}",
                },
            }
        )
    known = ChipsAudited in journal.game.entries
    return {"seats": seats, "may_correct": known and not state.finished}


def _chips_held_json(pieces: Pieces, colour: str) -> Json:
    """Returns the chips of one colour that a seat has."""
    there = tuple((value, number) for value, number in pieces if number)
    parts = {"colour": colour.lower(), "points": points_of(there)}
    if not there:
        said = say("chips.none", colour=parts["colour"])
    else:
        said = say("chips.held", **parts, pieces=pieces_in_words(there))
    return {"points": parts["points"], "pieces": pieces_json(there), "said": said}


def _last_audits(journal: Journal[object]) -> dict[Seat, Json]:
    """Returns each seat's last audit, and whether it agreed with the record."""
    found: dict[Seat, Json] = {}
    for place, entry, state in journal.newest_first():
        if isinstance(entry, ChipsAudited) and entry.stock_of not in found:
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
