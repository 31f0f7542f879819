"""Payments and chips as JSON, and as people read them."""

from companion.core.values import Json
from companion.games.chips import Pieces
from companion.games.game import Payment
from companion.presentation.sayings import say


def payment_told(payment: Payment) -> Json:
    """Who pays whom, for what, and in which chips."""
    said, points = "pays", payment.points
    if payment.payer is None:
        said = "pays.loses" if points < 0 else "pays.scores"
    elif points < 0:
        said = "pays.back"
    parts = {"payer": payment.payer, "to": payment.to, "points": abs(points)}
    if payment.payer is None:
        del parts["payer"]
    return {
        "from": payment.payer,
        "to": payment.to,
        "points": points,
        "for": say(f"for.{payment.why.value}"),
        "said": say(said, **parts),
        "chips": _chips_told(payment),
    }


def _chips_told(payment: Payment) -> Json | None:
    """The pieces that go over and come back, seen by who pays; None where none are known."""
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
        "over": pieces_told(over),
        "back": pieces_told(back),
        "said": said,
    }


def stock_said(chips: Json) -> Json:
    """What a seat has of its own, from its `points` and `pieces`."""
    pieces = tuple((one["value"], one["number"]) for one in chips["pieces"] if one["number"])
    if not pieces:
        return say("seat.stock-spent")
    return say("seat.stock", points=chips["points"], pieces=chips_words(pieces))


def pieces_told(pieces: Pieces) -> list[Json]:
    """Pieces as JSON: how many of each value."""
    return [{"value": value, "number": number} for value, number in pieces]


def chips_words(pieces: Pieces) -> str:
    """Pieces as people read them: “3×10 + 5”."""
    return " + ".join(f"{number}×{value}" if number > 1 else f"{value}" for value, number in pieces)
