"""Installs an update: checks everything that could be wrong with it, copies the record, writes the
other system, and starts it on trial."""

import hashlib
import os
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

from companion.app.updates.file import (
    EXTENSION,
    PIECE_SIZE,
    SYSTEM,
    Update,
    UpdateContents,
    UpdateError,
    UpdatePart,
    number_of,
    open_update,
)
from companion.app.updates.systems import (
    CARD_STEPS,
    COMMAND_LINE,
    CONTENTS,
    FOLDER,
    TRIAL_CONFIG,
    Systems,
    Trial,
    TrialSteps,
    begin_trial,
    boards_here,
    failed_versions,
    find_systems,
)
from companion.core.regular_file import sync
from companion.core.values import dataclass
from companion.core.version import VERSION
from companion.core.words import phrase
from companion.games.game import AnyGame
from companion.record.copies.copier import Copy
from companion.record.store.database import DB_ERRORS, StoreError, reason
from companion.record.store.reader import Reader

# ---------------------------------------------------------------- writing
# Writes an update beside the system that runs, and checks it while it is written.
#
# The order makes a power cut harmless: first the other system's contents file is removed, so that
# it counts as none, and last it is written again; the system that runs is never touched. Nothing
# here decides which system starts.


SPARE_BYTES = 1 << 20
"""Bytes that are kept free on the FAT partition."""


def check_room(update: Update, systems: Systems) -> None:
    """Checks whether the update fits onto the card. Raises UpdateError if it doesn't, and
    OSError."""
    disk = systems.disks[systems.other]
    with disk.open("rb") as device:
        room = device.seek(0, os.SEEK_END)
    if update.contents.part(SYSTEM).size > room:
        raise UpdateError("This update is too large for this card: write the new image onto it")
    free = os.statvfs(systems.fat)
    old = systems.folder(systems.other)
    there = sum(path.stat().st_size for path in old.iterdir()) if old.is_dir() else 0
    needs = sum(part.size for part in update.contents.parts if part.name != SYSTEM) + SPARE_BYTES
    if needs > free.f_bavail * free.f_frsize + there:
        raise UpdateError("The card's first partition has no room left: take your own files off it")


def write_system(update: Update, systems: Systems, go_on: Callable[[], bool]) -> None:
    """Writes the update as the other system. `go_on` is called repeatedly; once it returns False,
    writing ends with an UpdateError. Raises UpdateError or OSError; the card then has no other
    system, and the running one is unchanged."""
    folder = systems.folder(systems.other)
    _remove_other_system(systems, folder)
    for part in update.contents.parts:
        if part.name == SYSTEM:
            _write_partition(update, part, systems.disks[systems.other], go_on)
    folder.mkdir(exist_ok=True)
    for part in update.contents.parts:
        if part.name != SYSTEM:
            _write_file(update, part, folder / part.name, systems)
    write_trial_config(systems)
    sync(folder)
    _write_synced(folder / CONTENTS, update.contents.line())


def write_trial_config(systems: Systems) -> None:
    """Makes tryboot.txt start the other system. Raises UpdateError, OSError."""
    _write_synced(systems.fat / TRIAL_CONFIG, systems.trial_config())


def _remove_other_system(systems: Systems, folder: Path) -> None:
    """Removes the other system's files, beginning with those that make it count as a system."""
    (systems.fat / TRIAL_CONFIG).unlink(missing_ok=True)
    (folder / CONTENTS).unlink(missing_ok=True)
    sync(systems.fat)
    if folder.is_dir():
        sync(folder)
        for path in folder.iterdir():
            path.unlink()
        sync(folder)


def _write_partition(
    update: Update, part: UpdatePart, disk: Path, go_on: Callable[[], bool]
) -> None:
    handle = os.open(disk, os.O_RDWR | os.O_CLOEXEC)
    try:
        at = 0
        for data in update.pieces(part.name):
            _write_at(handle, data, at)
            at += len(data)
            if not go_on():
                raise UpdateError("A game was begun: update again after it")
        os.fsync(handle)
        _check_written(handle, part, disk.name)
    finally:
        os.close(handle)


def _write_file(update: Update, part: UpdatePart, path: Path, systems: Systems) -> None:
    data = b"".join(update.pieces(part.name))
    if part.name == COMMAND_LINE:
        data = systems.command_line(data.decode()).encode()
        part = UpdatePart(part.name, len(data), hashlib.sha256(data).hexdigest())
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        _write_at(handle, data, 0)
        os.fsync(handle)
        _check_written(handle, part, path.name)
    finally:
        os.close(handle)


def _check_written(handle: int, part: UpdatePart, where: str) -> None:
    """Compares what was written with the part, reading it from the card and not from memory. Raises
    UpdateError."""
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    digest, left, at = hashlib.sha256(), part.size, 0
    while left and (data := os.pread(handle, min(PIECE_SIZE, left), at)):
        digest.update(data)
        at += len(data)
        left -= len(data)
    if left or digest.hexdigest() != part.sha256:
        raise UpdateError(
            "The card doesn't keep what is written ({where}): use another card", where=where
        )


def verified_contents(systems: Systems, letter: str) -> UpdateContents | None:
    """Returns the contents of a system's update if all of it is on the card as signed; otherwise
    None."""
    contents = systems.contents(letter)
    for part in contents.parts if contents else ():
        path = systems.folder(letter) / part.name
        handle = os.open(systems.disks[letter] if part.name == SYSTEM else path, os.O_RDONLY)
        try:
            if part.name != COMMAND_LINE:
                _check_written(handle, part, part.name)
        except UpdateError:
            return None
        finally:
            os.close(handle)
    return contents


def _write_synced(path: Path, data: bytes) -> None:
    """Writes a small file, and returns once it is on the card."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        _write_at(handle, data, 0)
        os.fsync(handle)
    finally:
        os.close(handle)
    sync(path.parent)


def _write_at(handle: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(handle, data, at)
        at, data = at + written, data[written:]


# ---------------------------------------------------------------- installing

COPIES = "copies-before"
"""The folder for copies of the record that are made before an update."""
KEYS = Path("/etc/companion/update-keys")
PIECES_PER_CHECK = 16
"""The number of pieces between checks whether a game was begun."""


@dataclass(frozen=True, slots=True)
class UpdatedBox:
    """The box being updated. `keys`: the public keys with which updates may be signed; `boards`:
    the names of this board; `version`: the running version; `folder`: the folder with the updates'
    own files."""

    systems: Systems
    keys: tuple[bytes, ...]
    boards: tuple[str, ...]
    version: str
    record: Path
    games: Mapping[str, AnyGame]
    folder: Path
    machine: TrialSteps


def read_keys(path: Path = KEYS) -> tuple[bytes, ...]:
    """Returns the public keys of a card, written one per line in hexadecimal. Raises UpdateError if
    there are none, which means that the card accepts no updates."""
    try:
        lines = path.read_text(encoding="ascii").split()
    except OSError:
        lines = []
    if not lines:
        raise UpdateError("This card takes no updates: it was made without a key that signs them")
    return tuple(map(bytes.fromhex, lines))


def install_update(
    path: Path, box: UpdatedBox, tell: Callable[[str], None], *, back: bool = False
) -> Trial:
    """Installs the update in the file `path`, and starts it on trial. `back`: whether an older
    version is allowed. Raises UpdateError or OSError; after an UpdateError the running system is
    unchanged."""
    update = open_update(path, box.keys)
    check_allowed(update.contents, box, back=back)
    with box.machine.writable(box.systems.fat):
        check_room(update, box.systems)
        _copy_record(box)
        tell(
            phrase(
                "Version {version} is stored beside {old}: play on",
                version=update.contents.version,
                old=box.version,
            )
        )
        pieces = count(1)
        write_system(
            update, box.systems, lambda: bool(next(pieces) % PIECES_PER_CHECK) or not is_played(box)
        )
    return _start_trial(update.contents, box, tell)


def install_previous(box: UpdatedBox, tell: Callable[[str], None]) -> Trial:
    """Starts a trial of the system that ran before the last update. Raises UpdateError or
    OSError."""
    contents = box.systems.contents(box.systems.other)
    if contents is None:
        raise UpdateError("There is no other version on this card")
    check_allowed(contents, box, back=True)
    if verified_contents(box.systems, box.systems.other) is None:
        raise UpdateError(
            "Version {version} is no longer complete on this card", version=contents.version
        )
    _copy_record(box)
    with box.machine.writable(box.systems.fat):
        write_trial_config(box.systems)
    return _start_trial(contents, box, tell)


def _start_trial(contents: UpdateContents, box: UpdatedBox, tell: Callable[[str], None]) -> Trial:
    _check_no_game_is_played(box)
    trial = Trial(box.systems.other, contents.version, box.version)
    tell(phrase("Trying version {version}: the box restarts", version=contents.version))
    begin_trial(box.folder, trial, box.machine)
    return trial


def check_allowed(contents: UpdateContents, box: UpdatedBox, *, back: bool) -> None:
    """Checks whether this box may install this version now. `back`: whether an older version is
    allowed. Raises UpdateError if it may not, and OSError."""
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
    needs, rules = format_of(box)
    if needs > contents.record:
        raise UpdateError(
            "Version {version} can't read this record (format {needs}, it knows {knows}): its "
            "games could not be seen",
            version=contents.version,
            needs=needs,
            knows=contents.record,
        )
    if rules > contents.rules:
        raise UpdateError(
            "Version {version} can't read this record (rules {needs}, it knows {knows}): its "
            "games could not be seen",
            version=contents.version,
            needs=rules,
            knows=contents.rules,
        )
    if contents.version == box.version:
        raise UpdateError("Version {version} is already running", version=box.version)
    if is_older and not back:
        raise UpdateError(
            "Version {version} is older than {now}. It can read this record: companion update "
            "--back takes it",
            version=contents.version,
            now=box.version,
        )
    _check_no_game_is_played(box)


def _check_no_game_is_played(box: UpdatedBox) -> None:
    if is_played(box):
        raise UpdateError("A game is being played: end it first, then update")


def is_played(box: UpdatedBox) -> bool:
    """Returns whether a game is being played: whether the newest game is neither won nor ended.
    Raises UpdateError."""
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


def format_of(box: UpdatedBox) -> tuple[int, int]:
    """Returns the newest format of the record's rows and the newest version of its games' rules; 0
    where it has none. Raises UpdateError."""
    if not box.record.exists():
        return 0, 0
    try:
        with Reader.open(box.record, box.games) as reader:
            asked = (
                "SELECT max(json_extract(row, '$.v')), max(json_extract(row, '$.rules'))"
                " FROM record WHERE json_valid(row)"
            )
            ((newest, rules),) = reader.query(asked)
    except (StoreError, *DB_ERRORS) as error:
        raise UpdateError(
            "The record can't be read ({why}): no update now", why=reason(error)
        ) from error
    return int(newest or 0), int(rules or 0)


def _copy_record(box: UpdatedBox) -> None:
    if not box.record.exists():
        return
    try:
        copy = Copy(box.record, box.games, box.folder / COPIES)
        problem = copy.catch_up()
    except (StoreError, OSError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise UpdateError(
            "The record can't be copied first ({why}): no update now", why=why
        ) from error
    if problem:
        raise UpdateError("{told}, then update", told=problem)


def this_box(record: Path, games: Mapping[str, AnyGame]) -> UpdatedBox:
    """Returns the box on which the program runs. Raises UpdateError if it is not a flashed card
    that accepts updates."""
    systems, keys = find_systems(), read_keys()
    return UpdatedBox(systems, keys, boards_here(), VERSION, record, games, FOLDER, CARD_STEPS)


def install_from(
    where: str,
    box: UpdatedBox,
    tell: Callable[[str], None],
    *,
    back: bool = False,
    by_phone: bool = False,
) -> None:
    """Installs the update in the file or at the address `where`; downloads it first if needed.
    `by_phone`: whether the address was typed on a phone. Raises UpdateError or OSError, like
    `install_update`."""
    if not where:
        raise UpdateError("Which update? companion update FILE, or an address")
    if "://" not in where:
        install_update(Path(where), box, tell, back=back)
        return
    # Loaded here: libraries for the web take their time, and a file needs none of them.
    from companion.app.updates.download import fetch

    path = fetch(where, box.folder, by_phone=by_phone)
    try:
        install_update(path, box, tell, back=back)
    finally:
        path.unlink(missing_ok=True)


def reason_for(error: UpdateError | OSError) -> str:
    """Returns a sentence that explains why an update isn't installed."""
    if isinstance(error, UpdateError):
        return error.why
    return phrase("The update can't be taken: {why}", why=error.strerror or str(error))


# ---------------------------------------------------------------- incoming

ADDRESS = ".address"
"""The extension of a file that contains the address of an update."""
PARTIAL = ".half"
"""The extension of a file that is still being copied from a stick, and that no other program may
touch."""


def folder_of(record: Path) -> Path:
    """Returns the folder for incoming updates, beside the record."""
    return record.with_name("incoming")


def incoming(record: Path) -> list[Path]:
    """Returns the received files, each with an update or an address, sorted by name."""
    folder = folder_of(record)
    return sorted((*folder.glob(f"*{EXTENSION}"), *folder.glob(f"*{ADDRESS}")))


def should_install(path: Path, box: UpdatedBox) -> bool:
    """Returns whether an update found on a stick should be installed automatically. False for the
    running version, and for a version that failed to start before. An update that can't be
    installed for any other reason is tried, so that the table shows the reason."""
    try:
        version = open_update(path, box.keys).contents.version
    except UpdateError:
        return True
    except OSError:
        return False
    return version != box.version and version not in failed_versions(box.folder)
