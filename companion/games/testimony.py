"""What the record says of a bogus play, in sentences that somebody at the table accepts.

Each starts from what was entered; whether that is right only the players know.
"""

from companion.games.entries import Drew, Laid
from companion.games.hand import Hand, Turn, Verdict

ORDINALS = ("1st", "2nd", "3rd")


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


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


def explain(hand: Hand, turn: Turn, verdict: Verdict) -> str:
    """The evidence for a verdict, as one or two sentences."""
    seat, when = turn.seat, moment(hand, turn)
    tiles = ", ".join(map(str, verdict.tiles))
    draws = _draws_since(hand, turn)
    between = "no draw" if draws == 0 else "one draw" if draws == 1 else f"{draws} draws"
    words = {
        ("proven", "deadline"): f"{seat} held {tiles} when {when}: it came out since, "
        "and no draw can have brought it.",
        ("proven", "draws"): f"{seat} had {tiles} after {when}, with {between} since: "
        "one of them was held then.",
        ("proven", "exhausted"): f"When {when}, {seat} held a tile that fits: too few others "
        "are left for that hand.",
        ("proven", "noticed"): f"{seat} gave a tile back as drawn by mistake, and then drew again.",
        ("excluded", "returned"): f"The tile that {seat} drew went back in time: that is forgiven.",
        ("excluded", "elsewhere"): f"When {when}, {seat} can't have held a tile that fits: "
        "they lay, were shown, or came later.",
        ("possible", "doubtful"): "Tiles were miscounted in this hand, or the table insisted on a "
        "lay: nothing can be proven.",
        ("possible", "unknown"): "The line was entered by count: what fitted then is not known.",
        ("possible", "contradiction"): "The entries of this hand contradict each other: no deal "
        "explains them all.",
    }
    told = words.get((verdict.kind, verdict.why), f"{seat} may have held {tiles} when {when}.")
    if (verdict.kind, verdict.why) == ("possible", "contradiction") or verdict.why == "doubtful":
        return told
    return f"If the entries are right: {told}"


def _draws_since(hand: Hand, turn: Turn) -> int:
    """Tiles that the seat has drawn from the judged draw on, less what went back."""
    return sum(
        each.did.number - each.returned
        for each in hand.turns[turn.number - 1 :]
        if each.seat == turn.seat and isinstance(each.did, Drew)
    )


def unforced_goes(hand: Hand) -> tuple[Turn, ...]:
    """The draws and passes of the hand that can be called, newest first."""
    return tuple(turn for turn in reversed(hand.turns) if not isinstance(turn.did, Laid))
