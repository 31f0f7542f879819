"""`companion replay`: scores a game written as text, and prints the result for people or for other
programs (docs/tally.md)."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import BinaryIO

from companion.app.catalog import Catalog
from companion.commands.terminal import SUCCESS, fail, print_json, print_lines
from companion.core.errors import EntryError
from companion.core.regular_file import open_named
from companion.core.seats import display_name
from companion.core.values import Json
from companion.core.words import isolated
from companion.games.game import AnyGame, AnyState, Entry, Payment
from companion.presentation.game import GamePresentation, PresentedGames
from companion.record.journal import Journal
from companion.record.tally import LONGEST, TallyError, TallyGame, play_tally, read_tally

EMPTY_GAME_JSON: Json = {
    "game": None,
    "seats": [],
    "options": {},
    "entries": [],
    "scores": {},
    "stock": None,
    "winner": None,
    "winners": [],
    "finished": False,
    "next_lead": None,
}
"""The JSON object if the header can't be read: all keys, with empty values."""


def replay(
    tally: TallyGame, catalog: Mapping[str, AnyGame]
) -> tuple[Journal[object], list[int], TallyError | None]:
    """Plays a tally until its end or its first error. Returns the game, the line number of each
    entry, and the error, or None if there was none."""
    journal, lines = Journal.begin(tally.opened, catalog), []
    try:
        for played in play_tally(tally, catalog):
            journal = played.journal
            lines.append(played.line)
    except TallyError as stopped:
        return journal, lines, stopped
    return journal, lines, None


def game_json(
    games: PresentedGames,
    journal: Journal[object],
    lines: Iterable[int] | None = None,
    *,
    hide_secrets: bool = False,
) -> Json:
    """Returns the whole game as JSON. `lines`: the entries' line numbers in the tally; without them
    the entries are numbered. `hide_secrets`: tiles that were shown in a claim stay hidden until the
    end of the hand, and a count until it is called."""
    journal = journal if hide_secrets else journal.whole
    opened, state = journal.opened, journal.state
    numbers = range(1, journal.length + 1) if lines is None else lines
    steps = zip(numbers, journal.entries, journal.states, strict=True)
    presentation = games[opened.game].presentation
    found: Json = {
        "game": opened.game,
        "seats": list(opened.seats),
        "options": dict(opened.options),
        "entries": [
            _entry_json(presentation, line, entry, after, state if hide_secrets else None)
            for line, entry, after in steps
        ],
        "scores": dict(state.scores.items()),
        "stock": None,
        "winner": state.winner,
        "winners": list(state.winners),
        "finished": state.finished,
        "next_lead": journal.game.next_lead(state),
    }
    if state.sides:
        found["sides"] = [list(side) for side in state.sides]
    return found | presentation.game_json(state)


def _entry_json(
    presentation: GamePresentation,
    line: int,
    entry: Entry,
    after: AnyState,
    now: AnyState | None,
) -> Json:
    """Returns an entry as JSON. `after`: the state after it; `now`: the newest state, which decides
    what stays hidden, or None to hide nothing."""
    effect = after.effect
    notices = effect.notices
    if now is not None:
        notices = tuple(
            one for one in notices if not presentation.reveals_holding(one, effect.hand, now)
        )
    found: Json = {
        "line": line,
        "hand": effect.hand,
        "turn": effect.turn,
        "seat": entry.named_seat,
        "entry": None if now and presentation.hides_entry(entry, after, now) else str(entry),
        "ends": None,
        "count": None,
        "points": effect.points,
        "payments": [
            {"from": one.payer, "to": one.to, "points": one.points, "why": one.why}
            for one in _ordered_payments(after)
        ],
        "notices": [
            {"kind": one.kind, **{name: _json_value(value) for name, value in one.fields}}
            for one in notices
        ],
    }
    return found | presentation.entry_json(after, now)


def _ordered_payments(after: AnyState) -> list[Payment]:
    """Returns the payments of the last entry: points that are written down in the order of the
    seats, chips in the order in which they were paid."""
    payments, order = [*after.effect.payments], after.seats.order
    if all(payment.payer is None for payment in payments):
        payments.sort(key=lambda payment: order.index(payment.to))
    return payments


def _json_value(value: object) -> object:
    """Returns the value for JSON: tiles and seats as text, collections of them as a list."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return [_json_value(one) for one in value] if isinstance(value, Iterable) else str(value)


# ---------------------------------------------------------------- for people


def replay_lines(
    games: PresentedGames, journal: Journal[object], lines: Iterable[int] | None = None
) -> Iterator[str]:
    """Yields a line for each entry, then the totals."""
    numbers = range(1, journal.length + 1) if lines is None else lines
    journal = journal.whole
    presentation = games[journal.opened.game].presentation
    steps = [*zip(numbers, journal.entries, journal.states, strict=True)]
    wide = max((len(str(entry)) for _, entry, _ in steps), default=0)
    for line, entry, after in steps:
        effect = after.effect
        turn = "" if effect.turn is None else effect.turn
        said = entry_meaning(presentation, after)
        yield f"{line:4}  {effect.hand}/{turn:<3} {entry!s:<{wide}}  {said}".rstrip()
    yield ""
    yield from totals(games, journal)


def entry_meaning(presentation: GamePresentation, after: AnyState) -> str:
    """Returns, in words, the meaning of the entry that led to this state: its reason, points,
    payments and notices."""
    effect = after.effect
    parts = [presentation.reason_text(after)]
    if effect.points and effect.points != sum(payment.points for payment in effect.payments):
        parts.append(f"{effect.points} points")
    parts += [payment_words(payment) for payment in effect.payments]
    parts.append(presentation.ruling_text(after))
    parts += [str(presentation.describe_notice(one, after)["words"]) for one in effect.notices]
    return ", ".join(filter(None, parts))


def payment_words(payment: Payment) -> str:
    """Returns a payment in words, as in “Blue pays Red 10 (count)”."""
    if payment.payer is None:
        return f"{display_name(payment.to)} gets {payment.points} ({payment.why})"
    payer, to = display_name(payment.payer), display_name(payment.to)
    if payment.points < 0:
        return f"{to} gives {payer} back {-payment.points} ({payment.why})"
    return f"{payer} pays {to} {payment.points} ({payment.why})"


def side_words(side: Iterable[str], names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Returns the names of a side, as in “Anna and Cleo”. `names`: names to use in place of the
    seats' own."""
    return " and ".join(isolated(display_name(names.get(seat, seat))) for seat in side)


def scores_words(state: AnyState, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Returns the scores in words, as in “Anna and Cleo 10, Ben and Dan 25”: partners have one
    score."""
    sides = state.scorers
    return ", ".join(f"{side_words(side, names)} {state.scores[side[0]]}" for side in sides)


def totals(games: PresentedGames, journal: Journal[object]) -> Iterator[str]:
    """Yields lines with the scores and the state of the game."""
    state = journal.state
    yield scores_words(state)
    if state.winners:
        has = "has" if len(state.winners) == 1 else "have"
        yield f"{side_words(state.winners)} {has} won"
        yield from _match_result_lines(journal)
    elif state.ended is not None:
        yield f"ended unfinished: {state.ended}".removesuffix(": ")
    elif lead := journal.game.next_lead(state):
        yield games[journal.opened.game].presentation.next_lead(lead)
    elif state.to_move:
        yield f"{display_name(state.to_move)}'s turn"


def _match_result_lines(journal: Journal[object]) -> Iterator[str]:
    """Yields a line with the winner of the match or the players who are level in it, once one of
    its games has been won."""
    if match := journal.opened.match:
        stands = match.after(journal.state)
        if stands.winner is not None:
            has = "has" if len(stands.winner) == 1 else "have"
            yield f"{side_words(stands.winner)} {has} won the match"
        elif stands.level:
            level = " and ".join(map(side_words, stands.level))
            yield f"{level} are level in the match: they play on until one leads"


# ---------------------------------------------------------------- the command


def replay_file(name: str, games: Catalog, *, as_json: bool) -> int:
    """Scores the tally in a file and prints the result; `-` is standard input. Returns the exit
    status."""
    shown = "standard input" if name == "-" else name
    try:
        if name == "-":
            text = _read_text(sys.stdin.buffer)
        else:
            with open_named(name) as file:
                text = _read_text(file)
        tally = read_tally(text, games.rules)
    except OSError as error:
        return _report_refusal(f"{shown}: {(error.strerror or str(error)).lower()}", as_json)
    except TallyError as error:
        return _report_refusal(f"{shown}:{error.why}", as_json)
    journal, lines, stopped = replay(tally, games.rules)
    if as_json:
        print_json(game_json(games, journal, lines))
    else:
        print_lines(replay_lines(games, journal, lines))
    if stopped:
        sys.stdout.flush()
        return fail(f"{shown}:{stopped.why}")
    return SUCCESS


def _report_refusal(message: str, as_json: bool) -> int:
    if as_json:
        print_json(EMPTY_GAME_JSON)
        sys.stdout.flush()
    return fail(message)


MAX_LINE_BYTES = 4 * LONGEST + 1
"""The most bytes of a line; a longer one has too many characters for a tally."""


def _read_text(file: BinaryIO) -> str:
    """Returns the text up to the first line that is far too long, including only the beginning of
    that line."""
    lines: list[bytes] = []
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            return _decode_tally(b"".join(lines)) + line.decode(errors="replace")
        lines.append(line)
    return _decode_tally(b"".join(lines))


def _decode_tally(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = EntryError("this is not UTF-8 text: save the file as UTF-8")
        raise TallyError(line, wrong) from error
