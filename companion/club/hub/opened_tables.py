"""Tables that the hub opens itself, for people who have phones but no box.

Each is a table like any other: `companion run` in a process of its own, with a record of its own in
the hub's folder, a member of the club that pushes like all others. It ends with the hub and starts
again with it. If the hub was killed, the table's process goes on, and the next hub finds it.
"""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.club.box.keys import KeyPair
from companion.club.box.membership import Membership
from companion.club.hub.folder import HubFolder
from companion.club.hub.members import Members
from companion.core.budgets import OPENED_TABLES
from companion.core.errors import SetupError
from companion.core.regular_file import make_private, open_descriptor, read_text, write_private
from companion.core.typed_address import EVERYWHERE
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.presentation.language import ENGLISH, Language
from companion.web.address import listen
from companion.web.past import program_environment

FIRST_PORT: Final = 8101
CONFIG: Final = """# A table that the hub has opened: it takes no keypads of this machine.
[keypads]
usb = "ffff:ffff"
[pads]
take = "nothing"
[record]
keep_names_months = {months}
"""
POLL_S: Final = 0.5
PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 30.0)
"""Pauses in seconds before a table that ended unexpectedly is started again."""
END_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A table that the hub has opened. `port`: the port on which its page listens; `box`: its
    identity in the club; `process`: the number of its process while that runs."""

    name: str
    port: int
    box: str
    process: int | None = None


class OpenedTables:
    """The tables that a hub has opened, in `folder`; `hub_port`: the port on which the hub itself
    listens. All methods but `prepare` belong to the hub's event loop."""

    def __init__(self, folder: HubFolder, members: Members, hub_port: int) -> None:
        self._folder, self._members, self._port = folder.path / "tables", members, hub_port
        self._club, self._key = folder.name, folder.keys.public
        self._config = CONFIG.format(months=folder.keep_names_months)
        self.tables: dict[str, OpenedTable] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Starts all tables that were open when the hub ended, unless they still run."""
        for path in sorted(self._folder.glob("*/table.json")):
            with suppress(ValueError, KeyError, OSError):
                found = json.loads(read_text(path))
                table = OpenedTable(str(found["name"]), int(found["port"]), str(found["box"]))
                self._start(table, found.get("process"))

    async def stop(self) -> None:
        """Ends the processes of all tables when the hub ends; they start again with the hub."""
        await asyncio.gather(*(self._stop_table(one) for one in [*self.tables]))

    # ------------------------------------------------------------ what the organiser does

    def prepare(self, language: Language = ENGLISH) -> OpenedTable:
        """Makes a new table with a folder, a key and a membership of the club, and returns it. Its
        name is “Table 3”, for example, in that language; no other table has that number, in its
        name or from the organiser, since seats are drawn for table numbers (event_round.py). Only
        the committer may call this. Raises SetupError and UnavailableError."""
        known = self._members.all()
        names = {one.name for one in known} | {*self.tables}
        if len(self.tables) >= OPENED_TABLES.most:
            raise SetupError(
                phrase("This hub has {many} tables open: close one", many=OPENED_TABLES.most)
            )
        taken = {int(digits) for one in names for digits in re.findall(r"\d+", one)}
        taken |= {one.number for one in known if one.number is not None}
        number = next(at for at in range(1, len(taken) + 2) if at not in taken)
        name = language.translate(phrase("Table {number}", number=number))
        keys = KeyPair.generate()
        place = self._folder / str(number)
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(place / "table.toml", self._config)
        except OSError as error:
            why = error.strerror or str(error)
            said = phrase("{place} can't be made: {why}", place=place, why=why)
            raise SetupError(said) from error
        address = f"127.0.0.1:{self._port}"
        membership = Membership(keys, self._key, self._club, address, name, ((0, None),))
        membership.save(self._record_path(name))
        self._members.add_opened_table(keys.public, name)
        return OpenedTable(
            name, _free_port({one.port for one in self.tables.values()}), keys.identity
        )

    def open(self, table: OpenedTable) -> None:
        """Opens a table that `prepare` has made."""
        self._start(table, None)

    async def close(self, name: str) -> None:
        """Ends a table for good. Its games remain at the hub, its record in the folder. Raises
        SetupError if there is no such table."""
        table = self.tables.get(name)
        if table is None:
            raise SetupError(phrase("There is no table {name} here", name=name))
        await self._stop_table(name)
        (self._table_folder(name) / "table.json").unlink(missing_ok=True)

    def access_code(self, name: str) -> str | None:
        """The access code with which phones may enter plays at that table; None if it is still
        starting."""
        with suppress(OSError, ValueError, KeyError):
            found = json.loads(read_text(self._record_path(name).with_suffix(".codes")))
            return str(found["play"])
        return None

    # ------------------------------------------------------------ the table's process

    def _table_folder(self, name: str) -> Path:
        return self._folder / str(re.findall(r"\d+", name)[-1])

    def _record_path(self, name: str) -> Path:
        return self._table_folder(name) / "record.db"

    def _start(self, table: OpenedTable, process: int | None) -> None:
        self.tables[table.name] = table
        self._tasks[table.name] = asyncio.create_task(self._keep_running(table, process))

    async def _keep_running(self, table: OpenedTable, process: int | None) -> None:
        """Keeps the table's process running; a process that an earlier hub started is left alone
        until it ends."""
        if process is not None and self._is_running(process, table.name):
            self._save(replace(table, process=process))
            while self._is_running(process, table.name):
                await asyncio.sleep(POLL_S)
        pauses = iter(PAUSES_S)
        with suppress(OSError):  # the table then starts with its previous file
            write_private(self._table_folder(table.name) / "table.toml", self._config)
        while True:
            command = (
                *(sys.executable, "-m", "companion", "run", "--virtual", "--lan"),
                *("--port", str(table.port), "--record", str(self._record_path(table.name))),
                *("--config", str(self._table_folder(table.name) / "table.toml")),
            )
            # The table writes its address with the access code to this file.
            make_private(log_file := self._table_folder(table.name) / "log")
            with os.fdopen(open_descriptor(log_file, os.O_WRONLY | os.O_APPEND), "ab") as log:
                running = await asyncio.create_subprocess_exec(
                    *command, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
                    env=program_environment(), start_new_session=True,
                )  # fmt: skip
            self._save(replace(table, process=running.pid))
            await running.wait()
            self._save(replace(table, process=None))
            await asyncio.sleep(next(pauses, PAUSES_S[-1]))

    def _save(self, table: OpenedTable) -> None:
        self.tables[table.name] = table
        told = {name: getattr(table, name) for name in ("name", "port", "box", "process")}
        with suppress(OSError):
            write_private(self._table_folder(table.name) / "table.json", json.dumps(told))

    async def _stop_table(self, name: str) -> None:
        kept, table = self._tasks.pop(name), self.tables.pop(name)
        kept.cancel()
        await asyncio.gather(kept, return_exceptions=True)
        process = table.process
        if process is None or not self._is_running(process, name):
            return
        os.kill(process, signal.SIGTERM)
        for _ in range(int(END_S / POLL_S)):
            with suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)
            if not self._is_running(process, name):
                return
            await asyncio.sleep(POLL_S / 5)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    def _is_running(self, process: int, name: str) -> bool:
        """Whether the process with that number still runs, and is this table's."""
        try:
            said = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return os.fsencode(self._record_path(name)) in said


def _free_port(taken: Iterable[int]) -> int:
    """Returns a port that is free and not in `taken`. Raises SetupError if there is none."""
    for port in range(FIRST_PORT, FIRST_PORT + 10 * OPENED_TABLES.most):
        if port not in taken:
            with suppress(OSError), listen(EVERYWHERE, port):
                return port
    raise SetupError(phrase("no port is free for another table"))
