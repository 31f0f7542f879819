"""A box's own topic at a broker, and what is left there from a former topic."""

from pathlib import Path

import pytest

from companion.web.listeners.addresses import Address
from companion.web.listeners.connections import TrustedAuthorities
from companion.web.listeners.mqtt import (
    ENTITIES,
    BoxTopic,
    BrokerSetup,
    BrokerThread,
    TopicMessage,
    discovery,
    status_topic,
)
from tests.waiting import wait_until
from tests.web.listeners.mosquitto import Mosquitto, mosquitto, subscriber
from tests.web.listeners.tables import hearings


def speak(broker: Mosquitto, box: BoxTopic | None) -> None:
    """Starts a box, which publishes the table's state to the broker, and stops it."""
    now = (box.now.topic, box.now.discovery) if box else ("table", "homeassistant")
    setup = BrokerSetup(
        Address("127.0.0.1", broker.port, False), topic=now[0], discovery=now[1], box=box
    )
    thread = BrokerThread(setup, hearings(), print, TrustedAuthorities("").context)
    with subscriber(broker.port) as hears:
        thread.start()
        try:
            wait_until(lambda: hears.newest(f"{now[0]}/turn").get("seat") == "Ben")
        finally:
            thread.stop(5.0)


def retained(broker: Mosquitto) -> set[str]:
    """The topics of all retained messages, as a new client gets them."""
    with subscriber(broker.port) as late:

        def all_have_come() -> bool:
            broker.publish("mark", "what is retained comes before this")
            return bool(late.said("mark"))

        wait_until(all_have_come)
        return {topic for topic, _, kept in late.heard if kept}


def test_messages_under_the_old_default_topic_are_removed_once(tmp_path: Path) -> None:
    old = {"table/turn", "table/table", "table/status"}
    old |= {message.topic for message in discovery("homeassistant", "table")}
    file = tmp_path / "r.mqtt"
    with mosquitto(tmp_path) as broker:
        speak(broker, None)
        assert retained(broker) == old
        speak(broker, BoxTopic(file, "", "homeassistant"))
        left = retained(broker)
        assert not left & old
        assert len(left) == len(old)
        # Another box says it under that topic, as its owner wants: it is left alone.
        speak(broker, None)
        speak(broker, BoxTopic(file, "", "homeassistant"))
        assert retained(broker) == left | old


def test_a_changed_topic_removes_the_messages_under_the_former_one(tmp_path: Path) -> None:
    file = tmp_path / "r.mqtt"
    with mosquitto(tmp_path) as broker:
        speak(broker, BoxTopic(file, "club/one", "homeassistant"))
        speak(broker, BoxTopic(file, "club/two", "ha"))
        assert {topic.split("/")[0] for topic in retained(broker)} == {"club", "ha"}
        assert not any("club_one" in topic or "club/one" in topic for topic in retained(broker))
        # The same topic, and Home Assistant is not told any more.
        speak(broker, BoxTopic(file, "club/two", ""))
        assert retained(broker) == {"club/two/turn", "club/two/table", status_topic("club/two")}


def test_the_id_is_stable_and_a_damaged_file_gives_a_new_one(tmp_path: Path) -> None:
    file = tmp_path / "r.mqtt"
    first = BoxTopic(file, "", "")
    assert first.now.topic == f"table-{first.id}"
    assert BoxTopic(file, "", "").id == first.id
    assert file.stat().st_mode & 0o077 == 0
    for damage in ("", "{}", '{"id": 1, "topic": "a", "discovery": ""}', "[" * 900, "x" * 5000):
        file.write_text(damage)
        assert BoxTopic(file, "", "").id not in ("", first.id)


def test_only_the_default_topic_needs_a_writable_disk(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "r.mqtt"
    chosen = BoxTopic(nowhere, "club/one", "homeassistant")
    assert [*chosen.old_messages()] == []
    with pytest.raises(OSError, match="No such file"):
        BoxTopic(nowhere, "", "homeassistant")


def test_discovery_messages_are_removed_from_home_assistant(tmp_path: Path) -> None:
    box = BoxTopic(tmp_path / "r.mqtt", "", "homeassistant")
    told = [*box.old_messages()]
    assert {message.topic for message in discovery("homeassistant", "table")} < {
        message.topic for message in told
    }
    assert len(told) == len(ENTITIES) + 3
    assert all(message == TopicMessage(message.topic, "", retained=True) for message in told)
    box.confirm()
    assert [*box.old_messages()] == []
