"""The programs named in the configuration that listen to the table: an MQTT broker and hooks. If it
names none, nothing for them is loaded."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.config import Config
from companion.presentation.game import PresentedGames
from companion.presentation.language import Language
from companion.table.snapshot import Snapshot
from companion.web.listeners.addresses import parse_broker, parse_events, parse_hooks, parse_secret

if TYPE_CHECKING:
    from companion.web.listeners.hearing import TableHearings


class BoxListeners:
    """The programs that listen to the table of this box, from `start` until `close`. `record`: the
    table's record, beside which the box's id for a broker is kept. `log` gets lines about what is
    wrong; `language` is spoken until the table chooses one."""

    def __init__(
        self,
        config: Config,
        record: Path,
        games: PresentedGames,
        log: Callable[[str], None],
        language: Language,
    ) -> None:
        self._config, self._record, self._log = config, record, log
        self._hearings: TableHearings | None = None
        self._stack = ExitStack()
        if config.mqtt.broker or config.hooks.addresses:
            from companion.web.listeners import connections, hearing

            self._hearings = hearing.TableHearings(games, language)
            self._trusted = connections.Trusted(config.mqtt.ca)

    def tell(self, snapshot: Snapshot) -> None:
        """Takes the state of the table from now on. Returns at once."""
        if self._hearings is not None:
            self._hearings.tell(snapshot)

    def start(self) -> None:
        """Starts to tell the programs. Call it after the first picture: the libraries take their
        time to load."""
        if self._hearings is None:
            return
        if self._config.mqtt.broker:
            self._start_broker(self._hearings)
        if self._config.hooks.addresses:
            self._start_hooks(self._hearings)

    def close(self) -> None:
        """Stops telling the programs."""
        self._stack.close()

    def _start_broker(self, hearings: "TableHearings") -> None:
        try:
            from companion.web.listeners.broker import BrokerSetup, BrokerThread
        except ImportError:
            self._log("MQTT needs python3-paho-mqtt: sudo apt install python3-paho-mqtt")
            return
        from companion.web.listeners.broker import BoxTopic

        mqtt, file = self._config.mqtt, self._record.with_suffix(".mqtt")
        try:
            box = BoxTopic(file, mqtt.topic, mqtt.discovery)
        except OSError as error:
            self._log(f"MQTT: {file}: {(error.strerror or str(error)).lower()}")
            return
        self._log(f"The table's topic at the MQTT broker is {box.now.topic}.")
        setup = BrokerSetup(
            parse_broker(mqtt.broker), mqtt.user, mqtt.password, box.now.topic, mqtt.discovery, box
        )
        thread = BrokerThread(setup, hearings, self._log, self._trusted.context)
        self._stack.callback(thread.stop)
        thread.start()

    def _start_hooks(self, hearings: "TableHearings") -> None:
        from companion.web.listeners.hooks import HookSetup, HookThread

        hooks = self._config.hooks
        secret = parse_secret(hooks.secret) if hooks.secret else b""
        for address in parse_hooks(hooks.addresses):
            setup = HookSetup(address, secret, parse_events(hooks.events))
            thread = HookThread(setup, hearings, self._log, self._trusted.context)
            self._stack.callback(thread.stop)
            thread.start()
