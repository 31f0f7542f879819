"""Takes an update: looks first at all that could be wrong with it, copies the record, writes the
other system, and starts it on trial."""

import os
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

from companion.core.room import room_in
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import AnyGame
from companion.record.copies.copier import Copy
from companion.record.store.faults import DB_ERRORS, StoreError, reason
from companion.record.store.reader import Reader
from companion.updates.file import Contents, UpdateError, number_of, open_update
from companion.updates.systems import Systems
from companion.updates.trial import Trial, TrialSteps, begin_trial
from companion.updates.writing import (
    is_whole,
    refuse_without_room,
    write_system,
    write_trial_config,
)

COPIES = "copies-before"
"""The folder for copies of the record that are made before an update."""
KEYS = Path("/etc/companion/update-keys")
FOLDER = Path("/data/update")
LARGEST = 2 << 30
"""The most bytes of an update that are loaded from an address."""
LOOKS_EVERY = 16
"""After this many pieces it is checked whether a game was begun."""


@dataclass(frozen=True, slots=True)
class UpdatedBox:
    """The box that is updated. `keys`: the public keys whose updates it takes; `boards`: the names
    of this board; `version`: the one that runs; `folder`: where the updates' own files are."""

    systems: Systems
    keys: tuple[bytes, ...]
    boards: tuple[str, ...]
    version: str
    record: Path
    games: Mapping[str, AnyGame]
    folder: Path
    machine: TrialSteps


def read_keys(path: Path = KEYS) -> tuple[bytes, ...]:
    """The public keys of a card, one a line in hexadecimal. Raises UpdateError if it has none: then
    it was made to take no updates."""
    try:
        lines = path.read_text(encoding="ascii").split()
    except OSError:
        lines = []
    if not lines:
        raise UpdateError("This card takes no updates: it was made without a key that signs them")
    return tuple(map(bytes.fromhex, lines))


def take(path: Path, box: UpdatedBox, tell: Callable[[str], None], *, back: bool = False) -> Trial:
    """Takes the update in the file `path`, and starts it on trial. `back`: an older version may be
    taken. Raises UpdateError or OSError; after an UpdateError the system that runs is as it was."""
    update = open_update(path, box.keys)
    refuse(update.contents, box, back=back)
    with box.machine.writable(box.systems.fat):
        refuse_without_room(update, box.systems)
        _copy_record(box)
        tell(
            phrase(
                "Version {version} is written beside {old}: play on",
                version=update.contents.version,
                old=box.version,
            )
        )
        pieces = count(1)
        write_system(
            update, box.systems, lambda: bool(next(pieces) % LOOKS_EVERY) or not is_played(box)
        )
    return _try(update.contents, box, tell)


def take_previous(box: UpdatedBox, tell: Callable[[str], None]) -> Trial:
    """Starts the system that ran before the last update, on trial. Raises UpdateError, OSError."""
    contents = box.systems.contents(box.systems.other)
    if contents is None:
        raise UpdateError("There is no other version on this card")
    refuse(contents, box, back=True)
    if is_whole(box.systems, box.systems.other) is None:
        raise UpdateError(
            "Version {version} is not whole on this card any more", version=contents.version
        )
    _copy_record(box)
    with box.machine.writable(box.systems.fat):
        write_trial_config(box.systems)
    return _try(contents, box, tell)


def _try(contents: Contents, box: UpdatedBox, tell: Callable[[str], None]) -> Trial:
    _refuse_while_playing(box)
    trial = Trial(box.systems.other, contents.version, box.version)
    tell(phrase("Version {version} is tried now: the box starts anew", version=contents.version))
    begin_trial(box.folder, trial, box.machine)
    return trial


def refuse(contents: Contents, box: UpdatedBox, *, back: bool) -> None:
    """Raises UpdateError if this box can't or shouldn't take this version now, and OSError."""
    if box.systems.chosen() != box.systems.running:
        # The update would overwrite the system that starts if the trial fails.
        raise UpdateError(
            "Version {version} is being tried: update in two minutes", version=box.version
        )
    if box.boards and not {*contents.boards} & {*box.boards}:
        raise UpdateError(
            "This update is for another model than this one ({board})", board=box.boards[0]
        )
    is_older = number_of(contents.version) < number_of(box.version)
    needs = format_of(box)
    if needs > contents.record:
        raise UpdateError(
            "Version {version} can't read this record (format {needs}, it knows {knows}): its "
            "games could not be seen",
            version=contents.version,
            needs=needs,
            knows=contents.record,
        )
    if contents.version == box.version:
        raise UpdateError("Version {version} runs already", version=box.version)
    if is_older and not back:
        raise UpdateError(
            "Version {version} is older than {now}. It can read this record: companion update "
            "--back takes it",
            version=contents.version,
            now=box.version,
        )
    _refuse_while_playing(box)


def _refuse_while_playing(box: UpdatedBox) -> None:
    if is_played(box):
        raise UpdateError("A game is being played: end it first, then update")


def is_played(box: UpdatedBox) -> bool:
    """Whether the newest game is neither won nor ended. Raises UpdateError."""
    if not box.record.exists():
        return False
    try:
        with Reader.open(box.record, box.games) as reader:
            last = reader.last_game()
    except (StoreError, *DB_ERRORS) as error:
        raise UpdateError(
            "The record can't be read ({why}): no update now", why=reason(error)
        ) from error
    return last is not None and not last[1].state.winners and last[1].state.ended is None


def format_of(box: UpdatedBox) -> int:
    """The newest format of the record's rows; 0 without a record. Raises UpdateError."""
    if not box.record.exists():
        return 0
    try:
        with Reader.open(box.record, box.games) as reader:
            asked = "SELECT max(json_extract(row, '$.v')) FROM record WHERE json_valid(row)"
            ((newest,),) = reader.ask(asked)
    except (StoreError, *DB_ERRORS) as error:
        raise UpdateError(
            "The record can't be read ({why}): no update now", why=reason(error)
        ) from error
    return int(newest or 0)


def _copy_record(box: UpdatedBox) -> None:
    if not box.record.exists():
        return
    try:
        copy = Copy(box.record, box.games, box.folder / COPIES)
        told = copy.catch_up()
    except (StoreError, OSError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise UpdateError(
            "The record can't be copied first ({why}): no update now", why=why
        ) from error
    if told:
        raise UpdateError("{told}, then update", told=told)


def fetch(address: str, into: Path, *, by_phone: bool = False) -> Path:
    """Loads an update from an address; gives its file, which the next one that is loaded replaces.
    `by_phone`: somebody typed the address on a phone, so it leads nowhere on this machine. Raises
    UpdateError and OSError."""
    from http.client import HTTPException

    from companion.updates.web_client import opener

    if not address.startswith(("http://", "https://")):
        raise UpdateError("{address} is no address: write one as https://…", address=address)
    into.mkdir(parents=True, exist_ok=True)
    path = into / "loaded.update"
    path.unlink(missing_ok=True)
    room = room_in(into)
    try:
        with opener(by_phone=by_phone).open(address, timeout=60) as answer, path.open("wb") as file:
            size = 0
            while data := answer.read(1 << 20):
                size += len(data)
                if size > LARGEST:
                    raise UpdateError("What lies at that address is too large for an update")
                if size > room:
                    raise UpdateError("The card has no room for the update beside the record")
                file.write(data)
            os.fsync(file.fileno())
    except (OSError, ValueError, HTTPException) as error:
        path.unlink(missing_ok=True)
        if isinstance(error, UpdateError):
            raise
        raise UpdateError("{address} can't be loaded: {why}", address=address, why=error) from error
    return path
