"""Who holds which chips, and what the audits said."""

from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.chips import Pieces, points_of
from companion.games.penalties import Audited, AuditNotice, Corrected
from companion.presentation.payments import chips_words, pieces_told
from companion.presentation.sayings import in_words, say
from companion.record.journal import Journal


def chips_told(journal: Journal[object]) -> Json | None:
    """Every seat in turn order: its own chips, the other colours that it has won, and its last
    audit. None in games without chips."""
    state = journal.state
    chips = journal.game.chips(state)
    if chips is None:
        return None
    audits = _audits(journal)
    seats = []
    for seat, stock in chips.stocks.items():
        payer = state.seats.payer_of(seat)
        won = chips.stocks[payer]
        seats.append(
            {
                "seat": seat,
                "shown": in_words(seat),
                "colour": journal.colours[seat].lower() or None,
                "points": stock.points,
                "own": _held(stock.home, journal.colours[seat]),
                "won": _held(won.away, journal.colours[payer]),
                "won_from": payer,
                "pays": state.seats.payee_of(seat),
                "set": pieces_told(tuple(chips.whole(seat).items())),
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
    """Chips of one colour that lie with somebody."""
    there = tuple((value, number) for value, number in pieces if number)
    parts = {"colour": colour.lower(), "points": points_of(there)}
    if not there:
        said = say("chips.none", colour=parts["colour"])
    else:
        said = say("chips.held", **parts, pieces=chips_words(there))
    return {"points": parts["points"], "pieces": pieces_told(there), "said": said}


def _audits(journal: Journal[object]) -> dict[Seat, Json]:
    """Each seat's last audit, and whether the record said the same then."""
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
