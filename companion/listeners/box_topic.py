"""The topic under which a box speaks to its broker, and the one under which it spoke before.

Each box has an id of its own, drawn once and kept beside the record, so that two boxes with the
usual settings never share a topic or a name in Home Assistant.
"""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.core.private_file import read_private, write_private
from companion.core.values import dataclass
from companion.listeners.topics import TopicMessage, cleared

ID_BYTES: Final = 4
LONGEST: Final = 1000
FIRST_TOPIC, FIRST_DISCOVERY = "table", "homeassistant"
"""What a box spoke under by itself, before it had an id."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A topic, and the topic under which Home Assistant looked for it (empty: none)."""

    topic: str
    discovery: str


class BoxTopic:
    """The id and the topics of a box. `file`: where they are kept; `topic`: the one that the
    configuration names, empty for the box's own. Raises OSError if the box's own id can't be kept,
    though it is needed."""

    def __init__(self, file: Path, topic: str, discovery: str) -> None:
        self._file = file
        try:
            found = _read(file)
            if found is None:
                self.id = secrets.token_hex(ID_BYTES)
                # A topic that somebody chose is theirs, and is the same as before.
                self._before = Spoken(topic or FIRST_TOPIC, discovery if topic else FIRST_DISCOVERY)
                self._keep()
            else:
                self.id, self._before = found
        except OSError:
            if not topic:
                raise
            self._before = Spoken(topic, discovery)
        self.now = Spoken(topic or f"table-{self.id}", discovery)

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


def _read(file: Path) -> tuple[str, Spoken] | None:
    """The id, and what the box spoke under; None if the file isn't there or is damaged. Raises
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
    return own, Spoken(topic, discovery)
