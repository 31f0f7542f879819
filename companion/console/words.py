"""What the screens say of seats and payments, cut to the columns that are free; the words are those
of presentation/."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.console.frame import PARTNERS, WIDTH, cut_names, fitted, text_width
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.entry import Payment
from companion.games.game import B, State
from companion.presentation.language import Language
from companion.presentation.sayings import short

LOST = phrase("Doubtful: entries are lost")
"""What is always said of a game if rows of it are lost from the record."""


def loud(seat: str) -> str:
    """A seat's name in capitals, for who pays whom."""
    return shown(seat).upper()


def cut(key: str, width: int, language: Language, **names: str) -> str:
    """The short sentence with this key about two seats (presentation/sayings.py). The seats' names
    are cut if it is too long for `width` columns in the language."""
    names = {part: language.put(name) for part, name in names.items()}
    text = short(key, **names)
    if text_width(language.put(text)) <= width:
        return text
    besides = text_width(language.put(short(key, **dict.fromkeys(names, ""))))
    room = width - besides - 2
    widths = {part: text_width(name) for part, name in names.items()}
    whole = {part: wide for part, wide in widths.items() if wide <= room // len(names)}
    each = (room - sum(whole.values())) // max(len(names) - len(whole), 1)
    return short(key, **{part: fitted(name, each) for part, name in names.items()})


def who_pays(payment: Payment, language: Language, width: int = WIDTH) -> str:
    """“BLUE pays RED”, in `width` columns; “RED scores” if no chips move."""
    if payment.payer is None:
        return short("loses" if payment.points < 0 else "scores", to=loud(payment.to))
    key = "gives-back" if payment.points < 0 else "pays"
    return cut(key, width, language, payer=loud(payment.payer), to=loud(payment.to))


def receiver(payment: Payment) -> str:
    """The name of the seat that has gained points by the payment."""
    if payment.points < 0 and payment.payer is not None:
        return shown(payment.payer)
    return shown(payment.to)


def points_label(payment: Payment) -> str:
    """What the big number of a payment is called: chips are paid, points are scored."""
    return phrase("points") if payment.payer is None else phrase("paid")


def settled(pips: int, payment: Payment, colour: str, language: Language) -> str:
    """“BLUE pays RED: 12 → 10”, with the chips' `colour`; empty: the names say it."""
    key = "settled-in" if colour else "settled"
    sum_ = {"pips": pips, "points": payment.points, "colour": colour}
    room = WIDTH - text_width(language.put(short(key, who="", **sum_))) - 1
    return short(key, who=who_pays(payment, language, room), **sum_)


def scored_at_once(state: State[B], paid: Payment) -> tuple[int, ...]:
    """The points of the last entry to the seat that `paid` goes to, where nobody pays: several
    things may score at once. Else those of `paid` alone."""
    if paid.payer is not None or paid.points < 0:
        return (paid.points,)
    all_paid = state.effect.payments
    return tuple(one.points for one in all_paid if one.to == paid.to and one.points > 0)


def what_it_paid(state: State[B]) -> str:
    """“+15”, or “−50” if points went back: what the last entry paid in all; empty if nothing."""
    paid = sum(payment.points for payment in state.effect.payments)
    return f"+{paid}" if paid > 0 else f"−{-paid}" if paid else ""


def scores_of(state: State[B]) -> tuple[tuple[str, int], ...]:
    """The name and points of each seat, or of each side, for the lowest line of the screens of
    play."""
    return tuple((named(side), state.scores[side[0]]) for side in state.scorers)


def named(side: Sequence[Seat]) -> str:
    """“Anna+Cleo”: partners by their names."""
    return listed(map(shown, side), PARTNERS)


def numbered(number: int, seat: Seat) -> str:
    """“1 Anna”: a seat with the digit that chooses it."""
    return listed((str(number), shown(seat)), " ")


def scores_line(
    state: State[B], language: Language, width: int = WIDTH, between: str = "  "
) -> str:
    """Every seat with its points; names are cut if the line is too long in the language. If it is
    too long even so, only the points."""
    of_each = [(language.put(name), score) for name, score in scores_of(state)]
    points = [score for _, score in of_each]
    besides = between.join(f". {each}" for each in points)
    room = width - text_width(besides) + len(points) * text_width(".")
    names = cut_names(tuple(name for name, _ in of_each), room)
    each = zip(names, map(str, points), strict=True)
    line = listed((listed(of_seat, " ") for of_seat in each), between)
    return line if text_width(line) <= width else " ".join(map(str, points))


def turn_order(seats: tuple[Seat, ...]) -> str:
    """“Red, Blue, Green”: the seats in turn order."""
    return listed(map(shown, seats))


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening: what everybody had at its end, or when it was left, and who won."""

    title: str
    scores: Mapping[str, int]
    winners: tuple[str, ...]


def wins_of(games: Iterable[EveningGame]) -> Counter[str]:
    """How many games each person has won, for everybody who sat in one of these games."""
    won: Counter[str] = Counter()
    for game in games:
        won.update(dict.fromkeys(game.scores, 0))
        won.update(game.winners)
    return won
