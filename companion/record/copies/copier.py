"""Keeps copies of a record up to date: each place has a thread that verifies and appends every new
row.

The thread waits for a pause in the entries, so that it never slows the table, and sleeps without a
time limit while there is nothing to copy. It only reads the record, over its own connection, and a
place that fails or hangs delays neither the table nor the other places.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from threading import Event

from companion.core.threads import NamedThread
from companion.core.words import counted, phrase
from companion.games.game import AnyGame
from companion.record.copies.text_copy import Folder, TextCopy, copies_folder
from companion.record.fold import row_number_of_loss
from companion.record.store.chain import ChainBreak
from companion.record.store.database import ChainLink, StoreError, reason
from companion.record.store.reader import Reader

QUIET_S, LATEST_S = 2.0, 20.0
"""Rows are copied once there has been no new one for QUIET_S seconds, and after LATEST_S at the
latest."""
BATCH_REST_S = 0.005
BATCH_ROWS = 50
"""The number of rows that are copied before a pause."""
STOP_S = 0.5
"""How many seconds shutting down waits for all places to copy the last rows."""

Report = Callable[[str], None]


class Copy:
    """The copy of one record at one place."""

    def __init__(
        self,
        record: Path,
        catalog: Mapping[str, AnyGame],
        place: Path,
        text: TextCopy | None = None,
    ) -> None:
        """`text`: the text copy at the place; None for a copy with a file for each game."""
        self._record, self._catalog, self.place = record, catalog, place
        self._text = text
        self._folder: Folder | TextCopy | None = None
        self._newest: ChainLink | None = None
        """The last row that was copied."""
        self._ahead_since: int | None = None
        """The number of the record's last row when the copy was found to have rows that the record
        doesn't have."""
        self._has_all_rows = False

    @property
    def is_up_to_date(self) -> bool:
        """Whether the place had all the record's rows after the last catch_up()."""
        return self._has_all_rows

    def catch_up(self, may_go_on: Callable[[], bool] = lambda: True) -> str | None:
        """Copies all new rows. Returns a line if the copy has rows that the record doesn't have.
        Calls `may_go_on` after each BATCH_ROWS, and stops if it returns False. Raises OSError if
        the place can't be written, StoreError if the record can't be read."""
        with Reader.open(self._record, self._catalog) as reader:
            if self._folder is None:
                first = next((item for item in reader.walk() if isinstance(item, ChainLink)), None)
                if first is None:
                    return None
                folder = self._text or Folder.of(self.place, first)
                self._newest, self._folder = folder.newest(), folder
            last, notice = reader.last_row(), None
            if self._ahead_since is None and (more := self._notice_if_ahead(reader, last)):
                self._ahead_since, notice = last, more
            if self._ahead_since == last:
                return notice  # the copy is set aside only once the record has a new row
            if self._ahead_since is not None:
                self._folder.set_aside()
                self._newest = self._ahead_since = None
            self._append_new_rows(reader, may_go_on)
            self._has_all_rows = self._newest is not None and self._newest.seq >= last
        return notice

    def _notice_if_ahead(self, reader: Reader, last: int) -> str | None:
        """Returns a line if the copy has rows that the record doesn't have, else None."""
        if self._newest is None:
            return None
        if self._newest.seq > last:
            many = self._newest.seq - last
            return counted(
                "A copy has one entry more than the record: companion restore",
                "A copy has {number} entries more than the record: companion restore",
                many,
            )
        ours = next(reader.walk(self._newest.seq), None)
        if isinstance(ours, ChainLink) and ours.hash != self._newest.hash:
            return phrase("A copy has different entries from the record: companion restore")
        return None

    def _append_new_rows(self, reader: Reader, may_go_on: Callable[[], bool]) -> None:
        assert self._folder is not None
        rows = self._verified_rows(reader)
        while some := list(islice(rows, BATCH_ROWS)):
            self._folder.append(some)
            self._newest = some[-1]
            if not may_go_on():
                return

    def _verified_rows(self, reader: Reader) -> Iterator[ChainLink]:
        """Yields the rows after the newest copied one. Stops before a row that was changed, or that
        follows neither the row before it nor a recorded gap."""
        start = self._newest
        for item in reader.walk(start.seq if start else 1):
            if isinstance(item, ChainBreak):
                if row_number_of_loss(item, reader.loss_marks()) is None:
                    return  # the table repairs the record first
            elif start is None or item.seq > start.seq:
                yield item


class CopyBeside:
    """Keeps the text copy beside a record complete: adds its missing rows when the table starts,
    and after that each new row at once. `text` returns the text copy to which the table writes."""

    def __init__(
        self, record: Path, catalog: Mapping[str, AnyGame], text: Callable[[], TextCopy | None]
    ) -> None:
        self._record, self._catalog, self._text = record, catalog, text
        self.place = copies_folder(record)
        self._behind: tuple[TextCopy, Copy] | None = None
        self._whole: TextCopy | None = None
        """The text copy that has been checked."""

    def catch_up(self, may_go_on: Callable[[], bool] = lambda: True) -> str | None:
        """Copies all new rows, like Copy.catch_up, but first checks the whole copy."""
        text = self._text()
        if text is None:
            return None
        if text.follows:
            text.flush()
            self._behind = None
            if self._whole is not text:
                self._whole = text
                self._restore_lost_rows(text, may_go_on)
            return None
        if self._behind is None or self._behind[0] is not text:
            self._behind = text, Copy(self._record, self._catalog, self.place, text)
        copy = self._behind[1]
        notice = copy.catch_up(may_go_on)
        if copy.is_up_to_date:
            text.follow()
            text.flush()
        return notice

    def _restore_lost_rows(self, text: TextCopy, may_go_on: Callable[[], bool]) -> None:
        """Appends rows that have disappeared from the copy, for example because the card damages
        old data."""
        with Reader.open(self._record, self._catalog) as reader:
            last = reader.last_row()
            there = bytearray(last + 1)
            for number, link in enumerate(text.rows()):
                if link.seq <= last:
                    there[link.seq] = True
                if number % BATCH_ROWS == 0 and not may_go_on():
                    return
            if all(there[1:]):
                return
            walked = (item for item in reader.walk() if isinstance(item, ChainLink))
            lost = (link for link in walked if link.seq <= last and not there[link.seq])
            while some := list(islice(lost, BATCH_ROWS)):
                text.append_again(some)
                if not may_go_on():
                    return


class Copier:
    """The thread that copies a record to one place. It copies each row immediately (`at_once`), or
    waits until no row has come for QUIET_S. `tell` receives a line when the copy has rows that the
    record doesn't have. `complain` receives a line when the place fails, and another one only after
    the place has worked again."""

    def __init__(
        self, copy: Copy | CopyBeside, tell: Report, complain: Report, at_once: bool = False
    ) -> None:
        self._copy, self._tell, self._complain = copy, tell, complain
        self._at_once = at_once
        self._due, self._stopping, self._stopped = Event(), Event(), Event()
        self._failed = False
        self._thread = NamedThread("copies", self._run)

    def start(self) -> None:
        """Starts the thread, which first copies the rows that are still missing."""
        self._due.set()
        self._thread.start()

    def wake(self) -> None:
        """Signals a new row. Never blocks; any thread may call it."""
        self._due.set()

    def stop(self) -> None:
        """Makes the thread copy the last rows and end."""
        self._stopping.set()
        self._due.set()

    def wait(self, until: float) -> None:
        """Waits until the thread has ended, at most until `until` on the monotonic clock. A thread
        that hangs is left running; its rows are copied at the next start."""
        if self._thread.is_alive():
            self._stopped.wait(max(until - time.monotonic(), 0))

    def _run(self) -> None:
        is_last = False
        while not is_last:
            self._due.wait()
            if self._at_once:
                self._due.clear()
            else:
                self._wait_until_quiet()
            is_last = self._stopping.is_set()
            self._catch_up()
        self._stopped.set()

    def _wait_until_quiet(self) -> None:
        latest = time.monotonic() + LATEST_S
        while self._due.is_set() and time.monotonic() < latest:
            self._due.clear()
            if self._stopping.wait(QUIET_S):
                return

    def _catch_up(self) -> None:
        try:
            notice = self._copy.catch_up(lambda: not self._stopping.wait(BATCH_REST_S))
        except StoreError:
            return  # the table reports faults of the record
        except OSError as error:
            if not self._failed:
                self._complain(f"The record is not copied to {self._copy.place}: {reason(error)}")
            self._failed = True
            return
        self._failed = False
        if notice:
            self._tell(notice)


class Copiers:
    """Keeps the text copy beside a record, which `text` returns, and the copies at all other places
    up to date. Each copy has its own thread."""

    def __init__(
        self,
        record: Path,
        catalog: Mapping[str, AnyGame],
        places: Iterable[Path],
        tell: Report,
        complain: Report,
        *,
        text: Callable[[], TextCopy | None],
    ) -> None:
        copies = (Copy(record, catalog, place) for place in places)
        self._all = [
            Copier(CopyBeside(record, catalog, text), tell, complain, at_once=True),
            *(Copier(copy, tell, complain) for copy in copies),
        ]

    def start(self) -> None:
        """Starts the threads, which first copy the rows that are still missing."""
        for copier in self._all:
            copier.start()

    def wake(self) -> None:
        """Signals a new row. Never blocks; any thread may call it."""
        for copier in self._all:
            copier.wake()

    def close(self) -> None:
        """Copies the last rows, which takes at most STOP_S."""
        until = time.monotonic() + STOP_S
        for copier in self._all:
            copier.stop()
        for copier in self._all:
            copier.wait(until)
