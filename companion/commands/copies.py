"""`companion restore` makes a record from copies. `companion copy` keeps copies up to date from a
process of its own, outside the table's program."""

import errno
import fcntl
import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.app.notice_socket import send_notice
from companion.commands.opening import locked_record
from companion.commands.terminal import PROBLEM, SUCCESS, fail, print_error, print_lines
from companion.core.words import Sentence, mark, phrase
from companion.games.game import AnyGame
from companion.record.copies.copier import LATEST_S, QUIET_S, Copy
from companion.record.copies.restore import (
    Offer,
    RestoreResult,
    copies_at,
    has_games,
    make_from_copies,
    make_offer,
    restore,
)
from companion.record.copies.text_copy import copies_folder, has_copied_games
from companion.record.store.database import DB_ERRORS, StoreError, reason


def restore_record(record: Path, places: Sequence[Path], to: Path | None) -> int:
    """Puts rows that exist only in copies back into the record or, if `to` is given, makes a new
    record there from the copies alone. Uses the copies at `places` and those beside the record.
    Returns the exit status."""
    try:
        for place in places:
            if not copies_at([place]):
                return fail(f"there are no copies of a record in {place}")
        copies = copies_at(dict.fromkeys((copies_folder(record), *places)))
        if to is not None:
            if to.exists():
                return fail(f"{to} is there already: name a new file")
            return _print_restored(to, make_from_copies(to, copies))
        with locked_record(record):
            return _print_restored(record, restore(record, copies))
    except PermissionError as error:
        return fail(f"{error.filename}: permission denied: sudo companion restore")
    except StoreError as error:
        return fail(str(error))
    except (*DB_ERRORS, OSError) as error:
        return fail(f"{to or record} can't be restored: {reason(error)}")


def _print_restored(path: Path, made: RestoreResult) -> int:
    many = made.came_back
    if many:
        print_lines(
            [f"{path}: {made.has}", f"{many} {'row' if many == 1 else 'rows'} came from copies"]
        )
    else:
        print_lines([f"{path}: the copies have nothing that can go back into it"])
    if made.kept:
        print_lines([f"as it was it is kept as {path.with_name(made.kept)}"])
    if made.others:
        others = "1 row" if made.others == 1 else f"{made.others} rows"
        print_lines(
            [
                f"the copies have {others} of another course of play: "
                "companion restore --to FILE PLACE makes a record of a place alone"
            ]
        )
        return PROBLEM
    return SUCCESS


STICK_FULL = mark("The stick is full: nothing more is copied to it")
COPY_NOTICES = {
    errno.ENOSPC: STICK_FULL,
    errno.EDQUOT: STICK_FULL,
    errno.EIO: mark("The stick has a fault: nothing more is copied to it"),
    errno.EROFS: mark("The stick can't be written to: is it locked by a switch?"),
}
"""The table's notice if copying fails, by error number."""
STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})
WAKING_SIGNALS = STOP_SIGNALS | {signal.SIGIO}


def copy_record(record: Path, place: Path, games: Mapping[str, AnyGame]) -> int:
    """Copies a record to a place, and then each new row, until the program is stopped. Sleeps until
    the kernel reports a change in the record's folder. If the record has no game, first offers the
    table the games at the place. The table shows a notice when everything is copied, and the reason
    if copying ends. Returns the exit status."""
    signal.pthread_sigmask(signal.SIG_BLOCK, WAKING_SIGNALS)
    try:
        watched = os.open(record.parent, os.O_RDONLY)
        changes = fcntl.DN_MODIFY | fcntl.DN_CREATE | fcntl.DN_RENAME | fcntl.DN_MULTISHOT
        fcntl.fcntl(watched, fcntl.F_NOTIFY, changes)
        copy, notice, unread = Copy(record, games, place), None, ""
        offer = _make_offer(record, place)
        stopping = False
        while True:
            try:
                had, more, unread = copy.is_up_to_date, copy.catch_up(), ""
                whole = "" if had or not copy.is_up_to_date else _copied_notice()
                notice = more or notice or whole
            except StoreError as error:
                if str(error) != unread:
                    unread = str(error)
                    print_error(unread)
            if notice and send_notice(record, notice):
                notice = None
            offer = offer and _repeat_offer(offer, record)
            if stopping:
                return SUCCESS
            stopping = signal.sigwait(WAKING_SIGNALS) in STOP_SIGNALS or _wait_until_quiet()
    except OSError as error:
        known = COPY_NOTICES.get(error.errno or 0)
        other = phrase("Not copied to the stick: {why}", why=reason(error))
        send_notice(record, Sentence.made(known, {}) if known else other)
        return fail(f"{record} is not copied to {place}: {reason(error)}")


def _copied_notice() -> Sentence:
    return phrase("Copied to the stick, {time}", time=time.strftime("%H:%M"))


def _make_offer(record: Path, place: Path) -> Offer | None:
    """Offers the table the games in the copies at a place, and returns the offer; None if there is
    nothing to offer. Reports copies that can't be read. Before reading games, shows a notice: a
    small Pi takes half a minute for many years of games, and no game should begin meanwhile."""
    try:
        if has_copied_games(place) and not has_games(record):
            send_notice(record, phrase("The stick's games are being read: one moment"))
        return make_offer(record, place)
    except StoreError as error:
        why = str(error)
    except (*DB_ERRORS, OSError) as error:
        why = reason(error)
    line = phrase("The stick's games can't be read: {why}. Plug it in again", why=why)
    print_error(line)
    send_notice(record, line)
    return None


def _repeat_offer(offer: Offer, record: Path) -> Offer | None:
    """Sends the offer to the table again, in case no table was running before; returns None if it
    was answered, or if a game was begun without it."""
    if has_games(record):
        offer.path(record).unlink(missing_ok=True)
    if not offer.path(record).exists():
        return None
    send_notice(record, offer.to_line())
    return offer


def _wait_until_quiet() -> bool:
    """Waits until nothing has changed for a while; returns True if copying should stop."""
    latest = time.monotonic() + LATEST_S
    while time.monotonic() < latest and (woken := signal.sigtimedwait(WAKING_SIGNALS, QUIET_S)):
        if woken.si_signo in STOP_SIGNALS:
            return True
    return False
