"""The simulated keypad and cable of world.py, with the whole box behind them in place of a bare
loop: table, console, record."""

from pathlib import Path
from typing import Any

from companion.core.keys import Press, PressId
from companion.devices.link.events import KeyPressed, LinkEvent
from companion.devices.link.keypad_registry import KeypadRegistry
from companion.record.rows import Setting
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.devices.link.world import World
from tests.rig import Rig


class Killed(BaseException):
    """Raised where the host is killed."""


class Box(World):
    """A keypad, a cable and a box with its record at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        store = Store.open(path, GAMES)
        store.keep(0, Setting("keypads", "anyone"))  # there is one keypad for both seats
        store.close()
        self.rig: Rig | None = None
        self.kill_before_keeping = self.kill_before_settling = False
        super().__init__()

    def start_host(self) -> None:
        """Starts the host as World does; the record is read, and the screen is fresh."""
        if self.rig:
            self.rig.close()
        self.rig = rig = Rig(self._path, settle=self._settle)
        keep = rig.store.keep

        def kept(*row: Any) -> Any:
            if self.kill_before_keeping:
                self.kill_before_keeping = False
                raise Killed
            return keep(*row)

        vars(rig.store)["keep"] = kept
        super().start_host()
        self.registry = KeypadRegistry(self.registry.session, rig.store.last_press)
        assert self.link
        self.link._registry = self.registry
        self.looked()

    def _settle(self, source: PressId, _: bool) -> None:
        if self.kill_before_settling:
            self.kill_before_settling = False
            raise Killed
        self.registry.settle(source)

    def _settled(self) -> bool:
        assert self.rig
        done = bool(self._loop)
        try:
            while self._loop:
                self._give(self._loop.popleft()[1])
        except Killed:
            self.start_host()
        return done

    def _give(self, event: LinkEvent) -> None:
        assert self.rig
        rig = self.rig
        rig.now = self.now
        if isinstance(event, KeyPressed):
            self.take(event)
            rig.send(Press(event.key, source=event.source, held=event.held))
        else:
            self.news.append(event)
            rig.table.events.put(event)
            rig.table.run_once(0)
        self.looked()

    def noted(self, source: PressId) -> None:
        """Does nothing: the record itself keeps which presses made rows."""

    def looked(self) -> None:
        """Checks, when a player looks at the display, that it shows every entry of the record and
        no other."""
        assert self.rig
        journal = self.rig.table._state.session.journal
        seen = [str(entry) for entry in journal.entries] if journal else []
        if journal is None or not journal.withdrawn:
            assert seen == self.rig.entries

    def sources(self) -> list[str]:
        """The presses that made rows of the record, as text."""
        assert self.rig
        store: Store = self.rig.store
        kept = (one for game in (0, *store.game_numbers()) for one in store.rows(game))
        return [one.source for one in kept if one.source]

    def all_accounted(self) -> None:
        """Makes the checks of World, and also checks that each press named in a row was taken, and
        that no two rows name the same press."""
        super().all_accounted()
        sources = self.sources()
        assert len(set(sources)) == len(sources)
        assert set(sources) <= {str(one) for one in self.got}

    def close(self) -> None:
        """Closes the box."""
        if self.rig:
            self.rig.close()
