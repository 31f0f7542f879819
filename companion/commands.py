"""What the commands that read do: print, and give the exit status."""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from companion.errors import EntryError
from companion.games.game import (
    AnyGame,
)
from companion.games.options import Value
from companion.printed import printed, printed_json
from companion.record.faults import StoreError
from companion.record.fold import Fold, Listed
from companion.record.journal import Journal
from companion.record.reader import Reader
from companion.record.tally import LONGEST, TallyError, format_tally, read_tally
from companion.record.whole import Progress, Survey
from companion.record.word import check_word, words_so_far
from companion.replay import NOTHING, game_json, meaning, replay, replay_lines, totals
from companion.telling.refusals import worded

WELL, FOUND, CANT = 0, 1, 2
Games = Mapping[str, AnyGame]


def _complain(message: str) -> None:
    print(printed(message), file=sys.stderr)


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print("\n".join(map(printed, line.split("\n"))))


def _print_json(value: object) -> None:
    print(printed_json(value))


# ---------------------------------------------------------------- replay


def replay_file(name: str, games: Games, *, as_json: bool) -> int:
    """Scores a tally; `-` is standard input."""
    shown = "standard input" if name == "-" else name
    try:
        if name == "-":
            text = _read_text(sys.stdin.buffer)
        else:
            with Path(name).open("rb") as file:
                text = _read_text(file)
        tally = read_tally(text, games)
    except OSError as error:
        return _refused(f"{shown}: {(error.strerror or str(error)).lower()}", as_json)
    except TallyError as error:
        return _refused(f"{shown}:{worded(error)}", as_json)
    journal, lines, stopped = replay(tally, games)
    if as_json:
        _print_json(game_json(journal, lines))
    else:
        _say(replay_lines(journal, lines))
    if stopped:
        sys.stdout.flush()
        _complain(f"{shown}:{worded(stopped)}")
        return CANT
    return WELL


def _refused(message: str, as_json: bool) -> int:
    if as_json:
        _print_json(NOTHING)
        sys.stdout.flush()
    _complain(message)
    return CANT


MOST_BYTES = 4 * LONGEST + 1
"""A line of more bytes has too many characters for a tally."""


def _read_text(file: BinaryIO) -> str:
    """The text up to the first line that is far too long, and the beginning of that line."""
    lines: list[bytes] = []
    while line := file.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            return _decoded(b"".join(lines)) + line.decode(errors="replace")
        lines.append(line)
    return _decoded(b"".join(lines))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = EntryError("this is not UTF-8 text: save the file as UTF-8")
        raise TallyError(line, wrong) from error


# ---------------------------------------------------------------- the record


def _reading(path: Path, games: Games, tell: Callable[[Reader], int]) -> int:
    try:
        with Reader.open(path, games) as reader:
            return tell(reader)
    except BrokenPipeError:
        raise
    except StoreError as error:
        _complain(f"{error}{_remedy(path, error)}")
        return CANT


def _remedy(path: Path, error: StoreError) -> str:
    """What to do where the record may only be read by its group."""
    if not isinstance(error.__cause__, PermissionError):
        return ""
    try:
        group, user = path.parent.group(), getpass.getuser()
    except (OSError, KeyError):
        return ""  # a group or a user without a name
    if group == "root":
        return ""  # nothing that is meant to be read by others
    return f": to join its group: sudo usermod -aG {group} {user}"


def list_games(path: Path, games: Games, *, as_json: bool) -> int:
    """One line a game, the newest last. What is wrong with one is said, too."""

    def tell(reader: Reader) -> int:
        with _progress(sys.stdout.isatty()) as progress:
            if as_json:
                wrong = _print_array(Survey(reader, _listed_json, progress).games())
            else:
                wrong = _print_list(Survey(reader, _listed, progress).games())
        return _said(reader, f"something is wrong with {_many(wrong, 'game')}" if wrong else "")

    return _reading(path, games, tell)


def _many(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def _said(reader: Reader, wrong: str) -> int:
    """Says in one line on stderr what is wrong with what was printed; gives the exit status."""
    sys.stdout.flush()
    told = [*reader.warnings, *([wrong] if wrong else [])]
    if told:
        _complain(f"{reader.path}: {'; '.join(told)} (see companion verify)")
    return FOUND if told else WELL


def _print_list(found: Iterator[tuple[str, bool]]) -> int:
    """Prints a line for each game; with how many something is wrong."""
    wrong = 0
    for line, is_wrong in found:
        _say([line])
        wrong += is_wrong
    return wrong


def _print_array(found: Iterator[dict[str, Any]]) -> int:
    """Prints an array of JSON one by one; with how many of them something is wrong."""
    between, wrong = "[", 0
    for one in found:
        text = printed_json([one])
        print(between + text[1:-2], end="")
        between, wrong = ",", wrong + bool(one["wrong"])
    print("[]" if between == "[" else "\n]")
    return wrong


def _listed(fold: Fold) -> tuple[str, bool]:
    """The line of a game, and whether something is wrong with it."""
    return _line(fold), bool(fold.told)


def _line(fold: Fold) -> str:
    one, journal = fold.listed, fold.journal
    if one is None:
        return f"{fold.number:4}  no date     can't be shown: its first row is missing"
    day = _day(one.at) or "no date"
    if journal is None:
        return f"{one.number:4}  {day:10}  {one.opened.game}: can't be shown, see verify"
    scores = ", ".join(f"{seat} {score}" for seat, score in journal.state.scores.items())
    doubt = f"; {_doubts(fold)}" if fold.told else ""
    return f"{one.number:4}  {day:10}  {journal.game.title}: {scores}; {_standing(journal)}{doubt}"


def _standing(journal: Journal[object]) -> str:
    state = journal.state
    if journal.withdrawn:
        return "taken back"
    if state.winners:
        return f"{' and '.join(state.winners)} won"
    return "ended unfinished" if state.ended is not None else "not finished"


def _listed_json(fold: Fold) -> dict[str, Any]:
    one, journal = fold.listed, fold.journal
    state = journal.state if journal else None
    return {
        "number": fold.number,
        "at": _instant(one.at) if one else None,
        "game": one.opened.game if one else None,
        "seats": list(one.opened.seats) if one else [],
        "after": one.opened.after if one else None,
        "entries": journal.length if journal else None,
        "scores": dict(state.scores.items()) if state else None,
        "winner": state.winner if state else None,
        "winners": list(state.winners) if state else [],
        "finished": state.finished if state else None,
        "withdrawn": journal.withdrawn if journal else None,
        "wrong": fold.told,
    }


def _doubts(fold: Fold) -> str:
    """The row that is lost or no longer holds, by name, and how many more."""
    more = f" and {len(fold.told) - 1} more" if len(fold.told) > 1 else ""
    return f"doubtful: {fold.told[0]}{more}"


def _with_game(
    path: Path, name: str, games: Games, tell: Callable[[Listed, Journal[object], Fold], int]
) -> int:
    return _with_settings_too(
        path, name, games, lambda one, journal, fold, _: tell(one, journal, fold)
    )


def _with_settings_too(
    path: Path,
    name: str,
    games: Games,
    tell: Callable[[Listed, Journal[object], Fold, Mapping[str, Value]], int],
) -> int:
    def find(reader: Reader) -> int:
        number = _number(reader, name)
        fold = None if number is None else reader.fold(number)
        if fold is None or fold.listed is None or fold.journal is None:
            _complain(f"there is no game {name} in {path}: “companion games” lists them")
            return FOUND
        if status := tell(fold.listed, fold.journal, fold, reader.settings()):
            return status
        return _said(reader, f"something is wrong with game {number}" if fold.told else "")

    return _reading(path, games, find)


def _number(reader: Reader, name: str) -> int | None:
    if name.lower() == "last":
        found = reader.last_game()
        return found[0] if found else None
    return int(name) if name.isdecimal() and 0 < len(name) < 16 and int(name) else None


def show_game(path: Path, name: str, games: Games, *, as_json: bool) -> int:
    """Tells a game so that somebody who was not there can follow it."""

    def tell(one: Listed, journal: Journal[object], fold: Fold) -> int:
        word = check_word(fold.hashes)
        if as_json:
            doubtful = {"doubtful_from": _doubtful_from(journal), "wrong": fold.told}
            found = {"check_word": word, "number": one.number, "at": _instant(one.at), **doubtful}
            _print_json({**found, **game_json(journal)})
        else:
            _say(_told(one, journal, fold.told, word))
        return WELL

    return _with_game(path, name, games, tell)


def _doubtful_from(journal: Journal[object]) -> int | None:
    """The line of the first entry after rows that are lost."""
    return journal.losses[0] + 1 if journal.losses else None


LOST_HERE = "      rows of the record are lost here: what follows is doubtful"


def _told(one: Listed, journal: Journal[object], wrong: list[str], word: str) -> Iterator[str]:
    opened = journal.opened
    when = f", {_day(one.at)}" if one.at is not None else ""
    yield f"Game {one.number}: {journal.game.title}{when}"
    yield f"Turn order: {', '.join(opened.seats)}"
    for option in journal.game.options:
        value = opened.options[option.name]
        if value != option.default(len(opened.seats)):
            yield f"House rule: {option.name} {value}, {option.meaning}"
    if journal.withdrawn:
        yield "This game was taken back."
    yield from (f"Doubtful: {line}" for line in wrong)
    hand, scores = None, ""
    steps = [*zip(journal.entries, journal.states, strict=True)]
    wide = max((len(str(entry)) for entry, _ in steps), default=0)
    for place, (entry, after) in enumerate(steps):
        effect = after.effect
        if effect.hand != hand:
            hand = effect.hand
            yield f"\nHand {hand}"
        if place in journal.losses:
            yield LOST_HERE
        turn = "" if effect.turn is None else effect.turn
        now = ", ".join(f"{seat} {score}" for seat, score in after.scores.items())
        told = (meaning(opened.game, after), now if now != scores else "")
        said = "; ".join(filter(None, told))
        scores = now
        yield f"{turn:4}  {entry!s:<{wide}}  {said}".rstrip()
    if journal.length in journal.losses:
        yield LOST_HERE
    yield ""
    yield from totals(journal)
    yield f"Check word: {word}"


def show_moment(path: Path, name: str, games: Games, *, at: int) -> int:
    """Tells one moment of a game as JSON: as it was after the entry `at`, counted from 1."""

    def tell_it(
        one: Listed, journal: Journal[object], fold: Fold, settings: Mapping[str, Value]
    ) -> int:
        from companion.telling.moment import Moment, tell

        if _beyond(one, journal, at):
            return FOUND
        _print_json(tell(Moment(journal, fold.row, one.number, settings), at))
        return WELL

    return _with_settings_too(path, name, games, tell_it)


def _beyond(one: Listed, journal: Journal[object], at: int | None) -> bool:
    """Says so where the game has no such entry."""
    if at is None or at <= journal.length:
        return False
    _complain(f"game {one.number} has {journal.length} entries: there is no {at}")
    return True


def draw_game(path: Path, name: str, games: Games, *, at: int | None, svg: Path) -> int:
    """Draws what lies on the table, now or as it lay after the entry `at`, counted from 1."""

    def tell(one: Listed, journal: Journal[object], _fold: Fold) -> int:
        from companion.telling.catalog import picture_of
        from companion.telling.paper import Paper

        if _beyond(one, journal, at):
            return FOUND
        state = journal.state if at is None else journal.states[at - 1]
        drawn = picture_of(journal.opened.game).draw(state, Paper(16, 9))
        if drawn is None:
            _complain(f"{journal.game.title} can't be drawn")
            return FOUND
        svg.write_text(drawn, "utf-8")
        return WELL

    return _with_game(path, name, games, tell)


def export_game(path: Path, name: str, games: Games) -> int:
    """Writes a game as a tally."""

    def tell(_one: Listed, journal: Journal[object], fold: Fold) -> int:
        tally = "".join(f"# doubtful: {line}\n" for line in fold.told) + format_tally(journal)
        if sys.stdout.isatty():  # a file gets it as it is
            _say(tally.splitlines())
        else:
            print(tally, end="")
        return WELL

    return _with_game(path, name, games, tell)


def verify_record(path: Path, games: Games, *, as_json: bool) -> int:
    """Checks everything; a line for each finding."""

    def tell(reader: Reader) -> int:
        from companion.record.verify import verify

        with _progress() as progress:
            findings = verify(reader, progress)
        if as_json:
            _print_json({"record": str(path), "findings": findings})
        else:
            _say(findings or [f"{path}: every row is as it was written"])
        return FOUND if findings else WELL

    return _reading(path, games, tell)


def verify_word(path: Path, name: str, word: str, games: Games) -> int:
    """Whether a game has the check word that was noted; without one, which it has."""

    def tell(one: Listed, _journal: Journal[object], fold: Fold) -> int:
        words = list(words_so_far(fold.hashes))
        wanted = word.lower()
        if wanted in ("", words[-1]):
            _say([f"game {one.number}: {words[-1]}"])
            return WELL
        if wanted in words:
            since = len(words) - 1 - max(at for at, one in enumerate(words) if one == wanted)
            came = "1 row has come" if since == 1 else f"{since} rows have come"
            _say([f"game {one.number}: {words[-1]}; it was {wanted}, and {came} since"])
            return WELL
        _say([f"game {one.number}: {words[-1]}, not {wanted}: rows are missing, "
              "or another game was meant"])  # fmt: skip
        return FOUND

    return _with_game(path, name, games, tell)


@contextmanager
def _progress(quiet: bool = False) -> Iterator[Progress]:
    """Shows on the terminal how much is done, and takes it away again."""
    shown = ""

    def show(done: float) -> None:
        nonlocal shown
        if not quiet and sys.stderr.isatty() and (text := f"{done:.0%}") != shown:
            shown = text
            print(f"\r{text} of the record", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


# ---------------------------------------------------------------- keypads


def list_keypads(record: Path, usb: str, *, as_json: bool) -> int:
    """One line a keypad: as the running table knows them, or else as they answer now. `usb`: their
    USB ids."""
    from companion.devices.keypad_status import ask_status, socket_of
    from companion.devices.seat_keypads import look_round
    from companion.devices.usb_ports import UsbPorts

    try:
        found = ask_status(socket_of(record))
    except (OSError, ValueError) as error:
        _complain(f"the running table can't be asked: {error}")
        return CANT
    if found is None:
        found = look_round(_complain, UsbPorts(usb)) + _pads_here()
    if as_json:
        _print_json(found)
    else:
        _say(map(_keypad, found) if found else ["No keypad is plugged in."])
    return WELL if all(one["fits"] for one in found) else FOUND


def _pads_here() -> list[dict[str, Any]]:
    """The number pads that are plugged in, as far as they may be looked at."""
    from companion.devices.evdev_devices import EvdevDevices
    from companion.devices.input_devices import look_for_pads

    try:
        return look_for_pads(EvdevDevices())
    except ImportError:
        return []


def _keypad(told: Mapping[str, Any]) -> str:
    if told.get("kind"):
        seat = f"seat {told['seat']}" if told["seat"] else "the box's keys"
        where = told["port"] or "gone"
        return f"{told['keypad']}  {seat}  {where}  {told['name']}  {told['presses']} presses"
    if told["keypad"] is None:
        return f"{told['port']}: nothing answers: put the firmware on this Pico"
    seat = f"seat {told['seat']}" if told["seat"] else "no seat"
    trip = told["round_trip_ms"]
    where = told["port"] or "gone"
    answers = "no answer yet" if trip is None else f"{trip:.1f} ms"
    versions = f"firmware {told['firmware']}, protocol {told['protocol']}"
    fits = "" if told["fits"] else " does not fit this box"
    counts = ", ".join(f"{told[what]} {what}" for what in ("presses", "resent", "lost"))
    errors = f"{told['errors']}+{told['errors_there']} errors"
    return f"{told['keypad']}  {seat}  {where}  {versions}{fits}  {answers}  {counts}, {errors}"


# ---------------------------------------------------------------- times


def _day(at: float | None) -> str | None:
    """The day by this machine's own clock, as in 2026-11-20; None where there is none."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).astimezone().date().isoformat()
    return None


def _instant(at: float | None) -> str | None:
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return None
