"""What is published to an MQTT broker: a topic for each kind of event, and what Home Assistant
needs to find them by itself (its MQTT discovery).

`table` and `turn` are retained: a client that comes later gets them at once. `status` says whether
the box is there, and is its last will. Each box has an id of its own, chosen once at random and
kept beside the record, so two boxes with default settings never share a topic or a name in Home
Assistant.
"""

import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.core.regular_file import read_private, write_private
from companion.core.values import Json, dataclass
from companion.core.version import VERSION

RETAINED: Final = frozenset({"table", "turn"})
ONLINE: Final = "online"
OFFLINE: Final = "offline"
LONGEST_STATE: Final = 255
"""The most characters of a state that Home Assistant takes."""


@dataclass(frozen=True, slots=True)
class TopicMessage:
    """Something to publish: text or a JSON object under a topic."""

    topic: str
    payload: str | Json
    retained: bool = False


def status_topic(topic: str) -> str:
    """The topic on which the box says that it is there, and the broker that it no longer is."""
    return f"{topic}/status"


def event_message(topic: str, event: Json) -> TopicMessage:
    """The message that publishes an event."""
    name = event["event"]
    return TopicMessage(f"{topic}/{name}", event, retained=name in RETAINED)


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that Home Assistant shows of the table: its `name` there, the event it is made
    from, and the template that gives its state; `attributes`: whether it shows all of the event as
    well."""

    name: str
    event: str
    template: str
    icon: str
    attributes: bool = False
    component: str = "sensor"


ENTITIES: Final = {
    "turn": Entity("Turn", "turn", "{{ value_json.seat or '' }}", "account-arrow-right", True),
    "colour": Entity("Colour to move", "turn", "{{ value_json.colour or '' }}", "palette"),
    "game": Entity("Game", "table", "{{ value_json.game or '' }}", "cards-outline", True),
    "scores": Entity(
        "Scores",
        "table",
        "{% for one in value_json.seats %}{{ one.seat }} {{ one.score }}"
        "{{ '' if loop.last else ', ' }}{% endfor %}",
        "scoreboard-outline",
    ),
    "last": Entity("Last entry", "table", "{{ value_json.last or '' }}", "text-box-outline"),
    "winner": Entity("Winner", "table", "{{ value_json.winners | join(', ') }}", "trophy-outline"),
    "claim": Entity(
        "Bogus play called",
        "table",
        "{{ 'ON' if value_json.claim else 'OFF' }}",
        "alert-circle-outline",
        component="binary_sensor",
    ),
}
"""The entities, by the part of their discovery topic that names them."""


def discovery(prefix: str, topic: str) -> Iterator[TopicMessage]:
    """The messages under Home Assistant's `prefix` by which it gets to know the table that stands
    under `topic`."""
    ours = _node(topic)
    device = {
        "identifiers": [ours],
        "name": re.sub("^table-?", "Table ", topic).strip(),
        "manufacturer": "Table companion",
        "model": "Scorekeeper",
        "sw_version": VERSION,
    }
    for key, entity in ENTITIES.items():
        state_topic = f"{topic}/{entity.event}"
        more = {"json_attributes_topic": state_topic} if entity.attributes else {}
        template = entity.template
        if entity.component == "sensor":
            template = f"{{% set said %}}{template}{{% endset %}}{{{{ said[:{LONGEST_STATE}] }}}}"
        yield TopicMessage(
            _discovery_topic(prefix, topic, key),
            {
                "name": entity.name,
                "unique_id": f"{ours}_{key}",
                "state_topic": state_topic,
                "value_template": template,
                "icon": f"mdi:{entity.icon}",
                "availability_topic": status_topic(topic),
                "device": device,
                **more,
            },
            retained=True,
        )


def cleared(topic: str, prefix: str, but: str) -> Iterator[TopicMessage]:
    """The empty messages by which a broker drops what was retained under `topic`, but not under the
    topic `but`, and what Home Assistant found under `prefix` (empty: nothing)."""
    if topic != but:
        for name in (*sorted(RETAINED), "status"):
            yield TopicMessage(f"{topic}/{name}", "", retained=True)
    if prefix:
        for key in ENTITIES:
            yield TopicMessage(_discovery_topic(prefix, topic, key), "", retained=True)


def _discovery_topic(prefix: str, topic: str, key: str) -> str:
    return f"{prefix}/{ENTITIES[key].component}/{_node(topic)}/{key}/config"


def _node(topic: str) -> str:
    """The name of the table under `topic` in Home Assistant's discovery."""
    return re.sub(r"\W", "_", f"table_companion_{topic}")


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
