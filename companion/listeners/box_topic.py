"""The topic under which a box publishes at its MQTT broker, and the one that it used before.

Each box has an id of its own, chosen once at random and kept beside the record, so two boxes with
default settings never share a topic or a name in Home Assistant.
"""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.core.regular_file import read_private, write_private
from companion.core.values import dataclass
from companion.listeners.topics import TopicMessage, cleared

ID_BYTES: Final = 4
LONGEST: Final = 1000
FIRST_TOPIC, FIRST_DISCOVERY = "table", "homeassistant"
"""The default topics of a box that had no id yet."""


@dataclass(frozen=True, slots=True)
class Topics:
    """A box's topic, and the topic for Home Assistant's discovery (empty: none)."""

    topic: str
    discovery: str


class BoxTopic:
    """The id and the topics of a box. `file`: where they are kept; `topic`: the one in the
    configuration, empty for the box's own. Raises OSError if the id is needed and can't be
    saved."""

    def __init__(self, file: Path, topic: str, discovery: str) -> None:
        self._file = file
        try:
            found = _read(file)
            if found is None:
                self.id = secrets.token_hex(ID_BYTES)
                # A topic that somebody chose is theirs, and is the same as before.
                self._before = Topics(topic or FIRST_TOPIC, discovery if topic else FIRST_DISCOVERY)
                self._keep()
            else:
                self.id, self._before = found
        except OSError:
            if not topic:
                raise
            self._before = Topics(topic, discovery)
        self.now = Topics(topic or f"table-{self.id}", discovery)

    def old_messages(self) -> Iterator[TopicMessage]:
        """The messages that remove from the broker what the box left there under another topic."""
        if self._before != self.now:
            yield from cleared(self._before.topic, self._before.discovery, but=self.now.topic)

    def confirm(self) -> None:
        """Notes that the broker has taken `old_messages`: they aren't sent again. Raises
        OSError."""
        if self._before != self.now:
            self._before = self.now
            self._keep()

    def _keep(self) -> None:
        kept = {"id": self.id, "topic": self._before.topic, "discovery": self._before.discovery}
        write_private(self._file, json.dumps(kept) + "\n")


def _read(file: Path) -> tuple[str, Topics] | None:
    """The id and the topics that were used last; None if the file is missing or damaged. Raises
    OSError."""
    try:
        found = json.loads(read_private(file, LONGEST))
        own, topic, discovery = (found[key] for key in ("id", "topic", "discovery"))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return None
    if not all(isinstance(one, str) for one in (own, topic, discovery)):
        return None
    if len(own) != 2 * ID_BYTES or set(own) - set("0123456789abcdef"):
        return None
    return own, Topics(topic, discovery)
