"""What the record says of a bogus play, in sentences that somebody at the table accepts.

Each starts from what was entered; whether that is right only the players know.
"""

from companion.games.bogus.watched_hand import Grounds, Verdict
from companion.games.entries import Drew
from companion.games.line.hand import Hand, Turn
from companion.games.line.laid import Laid

ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …, 21st"""
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{ENDINGS.get(last, 'th')}"


def go_of(hand: Hand, turn: Turn) -> int:
    """Which go of its seat a turn belongs to, from 1: draws and the lay or pass after them are one
    go."""
    goes, last = 0, None
    for each in hand.turns[: turn.number]:
        if each.seat == turn.seat and last != turn.seat:
            goes += 1
        last = each.seat
    return goes


def moment(hand: Hand, turn: Turn) -> str:
    """“drawing on the 4th go”"""
    doing = "drawing" if isinstance(turn.did, Drew) else "passing"
    return f"{doing} on the {ordinal(go_of(hand, turn))} go"


def deed(hand: Hand, turn: Turn) -> str:
    """“draw on 3 6”: what was done, and the open ends of that moment. The draws of a go are told
    apart: “2nd draw on 3 6”."""
    before = 0
    for each in reversed(hand.turns[: turn.number - 1]):
        if each.seat != turn.seat or isinstance(each.did, Laid):
            break
        before += 1
    word = "draw" if isinstance(turn.did, Drew) else "pass"
    if isinstance(turn.did, Drew) and turn.did.number > 1:
        word = f"draw of {turn.did.number}"
    if before and word == "draw":
        word = f"{ordinal(before + 1)} draw"
    return word + (f" on {' '.join(map(str, turn.before))}" if turn.before else ", ends unknown")


def charge(hand: Hand, turn: Turn) -> str:
    """“Blue's 4th go: draw on 3 6”"""
    return f"{turn.seat}'s {ordinal(go_of(hand, turn))} go: {deed(hand, turn)}"


def explain(hand: Hand, turn: Turn, verdict: Verdict, *, discreet: bool = False) -> str:
    """The evidence for a verdict, as one or two sentences. `discreet`: a possible one does not name
    the tiles, since they were shown for the claim only."""
    seat, when = turn.seat, moment(hand, turn)
    tiles = ", ".join(map(str, verdict.tiles))
    draws = _draws_since(hand, turn)
    between = "no draw" if draws == 0 else "one draw" if draws == 1 else f"{draws} draws"
    again = "drew again" if isinstance(turn.did, Drew) else "passed"
    words = {
        Grounds.DEADLINE: f"{seat} held {tiles} when {when}: it came out since, "
        "and no draw can have brought it.",
        Grounds.DRAWS: f"{seat} had {tiles} after {when}, with {between} since: "
        "one of them was held then.",
        Grounds.EXHAUSTED: f"When {when}, {seat} held a tile that fits: too few others "
        "are left for that hand.",
        Grounds.WHICHEVER: f"When {when}, {seat} held a tile that fits, whichever of the "
        "lays that agree with what was keyed it was.",
        Grounds.NOTICED: f"{seat} gave a tile back as drawn by mistake, and then {again}.",
        Grounds.RETURNED: f"The tile that {seat} drew went back in time: that is forgiven.",
        Grounds.ELSEWHERE: f"When {when}, {seat} can't have held a tile that fits: "
        "they lay, were shown, or came later.",
        Grounds.DOUBTFUL: "Tiles were miscounted in this hand, or the table insisted on a "
        "lay: nothing can be proven.",
        Grounds.UNKNOWN: "The line was entered by count: what fitted then is not known.",
        Grounds.FEWER: f"{seat} showed fewer tiles than were counted: one that fits may be "
        "among the others.",
        Grounds.CONTRADICTION: "The entries of this hand contradict each other: no deal "
        "explains them all.",
    }
    held = "a tile that fits" if discreet else tiles
    told = words.get(verdict.grounds or Grounds.OPEN, f"{seat} may have held {held} when {when}.")
    if verdict.grounds in (Grounds.CONTRADICTION, Grounds.DOUBTFUL):
        return told
    return f"If the entries are right: {told}"


def _draws_since(hand: Hand, turn: Turn) -> int:
    """Tiles that the seat has drawn from the judged draw on, less what went back."""
    return sum(
        each.did.number - each.returned
        for each in hand.turns[turn.number - 1 :]
        if each.seat == turn.seat and isinstance(each.did, Drew)
    )
