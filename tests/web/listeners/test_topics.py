"""Messages to a broker: a topic for each kind of event, and discovery messages for Home
Assistant."""

import json

import pytest
from jinja2 import Environment

from companion.core.values import Json
from companion.presentation.stream_events import EVENTS
from companion.web.listeners.mqtt import ENTITIES, discovery, event_message, status_topic
from tests.web.listeners.tables import hearings, stands

COMPONENTS = {"sensor", "binary_sensor"}


def events(text: str) -> dict[str, Json]:
    table = hearings()
    table.update(stands(text))
    return {one["event"]: one for one in table.subscribe(lambda: None).events()}


def shown(text: str) -> dict[str, str]:
    """What Home Assistant would show for each of our entities after these entries: its templates
    are Jinja templates."""
    told, found = events(text), {}
    for message in discovery("homeassistant", "table"):
        assert isinstance(message.payload, dict)
        event = told[message.payload["state_topic"].removeprefix("table/")]
        heard = json.loads(json.dumps(event))
        template = Environment(autoescape=False).from_string(message.payload["value_template"])
        found[message.topic.split("/")[-2]] = template.render(value_json=heard)
    return found


def test_home_assistant_finds_every_entity_of_one_table() -> None:
    messages = [*discovery("homeassistant", "club/table-2")]
    assert len(messages) == len(ENTITIES)
    for message in messages:
        prefix, component, node, key, last = message.topic.split("/")
        assert (prefix, node, last) == ("homeassistant", "table_companion_club_table_2", "config")
        assert component in COMPONENTS
        assert message.retained
        assert isinstance(message.payload, dict)
        assert message.payload["unique_id"] == f"{node}_{key}"
        assert message.payload["availability_topic"] == status_topic("club/table-2")
        assert message.payload["device"]["identifiers"] == [node]
    assert len({message.payload["unique_id"] for message in messages}) == len(messages)  # type: ignore[index]


def test_home_assistant_shows_the_state_of_a_game() -> None:
    found = shown("hand\nAnna 6-6\nBen 6-3")
    assert found == {
        "turn": "Anna",
        "colour": "red",
        "game": "High Five",
        "scores": "Anna 0, Ben 15",
        "last": found["last"],
        "winner": "",
        "claim": "OFF",
    }
    assert found["last"].startswith("Ben lays 6-3")


def test_no_state_is_longer_than_home_assistant_accepts() -> None:
    table = hearings()
    (told,) = [one for one in table.subscribe(lambda: None).events() if one["event"] == "table"]
    for entity in ENTITIES.values():
        if entity.component == "sensor" and entity.event == "table":
            (message,) = [
                one
                for one in discovery("h", "table")
                if isinstance(one.payload, dict) and one.payload["name"] == entity.name
            ]
            long = {**told, "last": "x" * 999, "winners": ["y" * 200] * 4, "game": "z" * 999}
            template = Environment(autoescape=False).from_string(message.payload["value_template"])  # type: ignore[index]
            assert len(template.render(value_json=long)) <= 255


@pytest.mark.parametrize("name", EVENTS)
def test_only_table_and_turn_are_retained(name: str) -> None:
    message = event_message("t", {"event": name})
    assert (message.topic, message.retained) == (f"t/{name}", name in ("table", "turn"))
