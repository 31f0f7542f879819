"""What the commands that read do: print, and give the exit status."""

import getpass
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from companion.games.game import (
    AnyGame,
)
from companion.printed import printed, printed_json
from companion.record.faults import StoreError
from companion.record.journal import Journal
from companion.record.reader import Listed, Reader
from companion.record.tally import LONGEST, TallyError, format_tally, read_tally
from companion.replay import NOTHING, game_json, meaning, replay, replay_lines, totals

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
        return _refused(f"{shown}:{error}", as_json)
    journal, lines, stopped = replay(tally, games)
    if as_json:
        _print_json(game_json(journal, lines))
    else:
        _say(replay_lines(journal, lines))
    if stopped:
        sys.stdout.flush()
        _complain(f"{shown}:{stopped}")
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
        raise TallyError(line, "this is not UTF-8 text: save the file as UTF-8") from error


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
    """One line a game, the newest last."""

    def tell(reader: Reader) -> int:
        if as_json:
            _print_json([_listed_json(one, reader.game(one.number)) for one in reader.games()])
            return WELL
        _say(_listed(one, reader.game(one.number)) for one in reader.games())
        return WELL

    return _reading(path, games, tell)


def _listed(one: Listed, journal: Journal | None) -> str:
    day = _day(one.at) or "no date"
    if journal is None:
        return f"{one.number:4}  {day:10}  {one.opened.game}: can't be shown, see verify"
    scores = ", ".join(f"{seat} {score}" for seat, score in journal.state.scores.items())
    return f"{one.number:4}  {day:10}  {journal.game.title}: {scores}; {_standing(journal)}"


def _standing(journal: Journal) -> str:
    state = journal.state
    if journal.withdrawn:
        return "taken back"
    if state.winner:
        return f"{state.winner} won"
    return "ended unfinished" if state.ended is not None else "not finished"


def _listed_json(one: Listed, journal: Journal | None) -> dict[str, Any]:
    state = journal.state if journal else None
    return {
        "number": one.number,
        "at": _instant(one.at),
        "game": one.opened.game,
        "seats": list(one.opened.seats),
        "after": one.opened.after,
        "entries": journal.length if journal else None,
        "scores": dict(state.scores.items()) if state else None,
        "winner": state.winner if state else None,
        "finished": state.finished if state else None,
        "withdrawn": journal.withdrawn if journal else None,
    }


def _with_game(path: Path, name: str, games: Games, tell: Callable[[Listed, Journal], int]) -> int:
    def find(reader: Reader) -> int:
        number = _number(reader, name)
        journal = None if number is None else reader.game(number)
        listed = None if number is None else next(reader.listed(number), None)
        if listed is None or journal is None:
            _complain(f"there is no game {name} in {path}: “companion games” lists them")
            return FOUND
        return tell(listed, journal)

    return _reading(path, games, find)


def _number(reader: Reader, name: str) -> int | None:
    if name.lower() == "last":
        found = reader.last_game()
        return found[0] if found else None
    return int(name) if name.isdecimal() and 0 < len(name) < 16 and int(name) else None


def show_game(path: Path, name: str, games: Games, *, as_json: bool) -> int:
    """Tells a game so that somebody who was not there can follow it."""

    def tell(one: Listed, journal: Journal) -> int:
        if as_json:
            _print_json({"number": one.number, "at": _instant(one.at), **game_json(journal)})
        else:
            _say(_told(one, journal))
        return WELL

    return _with_game(path, name, games, tell)


def _told(one: Listed, journal: Journal) -> Iterator[str]:
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
    hand, scores = None, ""
    steps = [*zip(journal.entries, journal.states, strict=True)]
    wide = max((len(str(entry)) for entry, _ in steps), default=0)
    for entry, after in steps:
        effect = after.effect
        if effect.hand != hand:
            hand = effect.hand
            yield f"\nHand {hand}"
        turn = "" if effect.turn is None else effect.turn
        now = ", ".join(f"{seat} {score}" for seat, score in after.scores.items())
        said = "; ".join(part for part in (meaning(after), now if now != scores else "") if part)
        scores = now
        yield f"{turn:4}  {entry!s:<{wide}}  {said}".rstrip()
    yield ""
    yield from totals(journal.state)


def draw_game(path: Path, name: str, games: Games, *, at: int | None, svg: Path) -> int:
    """Draws what lies on the table, now or as it lay after the entry `at`, counted from 1."""

    def tell(one: Listed, journal: Journal) -> int:
        from companion.telling.catalog import PICTURES
        from companion.telling.paper import Paper

        draw = PICTURES.get(journal.opened.game)
        if draw is None:
            _complain(f"{journal.game.title} can't be drawn")
            return FOUND
        if at is not None and at > journal.length:
            _complain(f"game {one.number} has {journal.length} entries: there is no {at}")
            return FOUND
        state = journal.state if at is None else journal.states[at - 1]
        svg.write_text(draw(state, Paper(16, 9)), "utf-8")
        return WELL

    return _with_game(path, name, games, tell)


def export_game(path: Path, name: str, games: Games) -> int:
    """Writes a game as a tally."""

    def tell(_: Listed, journal: Journal) -> int:
        tally = format_tally(journal)
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

        findings = verify(reader)
        if as_json:
            _print_json({"record": str(path), "findings": findings})
        else:
            _say(findings or [f"{path}: every row is as it was written"])
        return FOUND if findings else WELL

    return _reading(path, games, tell)


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
    """The day by this machine's own clock, as in 2026-11-20."""
    return None if at is None else datetime.fromtimestamp(at, UTC).astimezone().date().isoformat()


def _instant(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
