"""What is published to an MQTT broker: a topic for each kind of event, and what Home Assistant
needs to find them by itself (its MQTT discovery). Pure.

`table` and `turn` are retained: a client that comes later gets them at once. `status` says whether
the box is there, and is its last will.
"""

import re
from collections.abc import Iterator
from typing import Final

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
