"""`companion run` reports to a real broker and a real hook, and goes on whatever they do."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app.background import BoxListeners
from companion.app.catalog import CATALOG
from companion.app.config import parse_config
from companion.presentation.language import ENGLISH
from tests.starting import companion, first_line
from tests.waiting import WAIT_S, wait_until
from tests.web.listeners.bad_servers import Bad, flood, huge, serving, silent
from tests.web.listeners.mosquitto import mosquitto, subscriber
from tests.web.listeners.tables import stands
from tests.web.listeners.test_hooks import SECRET, hook
from tests.web.live import keep


def written(folder: Path, text: str) -> Path:
    """Writes a configuration file of this text; returns its path."""
    path = folder / "companion.toml"
    path.write_text(text)
    return path


def test_broker_and_hook_get_events_and_the_last_will(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    keep(record, "hand\nAnna 6-6", "Anna Ben")
    with mosquitto(tmp_path) as broker, subscriber(broker.port) as hears, hook() as server:
        config = written(
            tmp_path,
            f'[mqtt]\nbroker = "mqtt://127.0.0.1:{broker.port}"\ntopic = "club/one"\n'
            f'[hooks]\naddresses = "http://127.0.0.1:{server.port}/a"\nsecret = "{SECRET}"\n'
            '[box]\nlanguage = "de"\n',
        )
        words = ("--virtual", "--port", "0", "--record", record, "--config", config)
        with companion(*words) as process:
            wait_until(lambda: hears.newest("club/one/turn").get("seat") == "Ben")
            assert hears.newest("club/one/turn")["said"] == "Ben ist dran"
            wait_until(lambda: server.events and server.events[-1]["event"] == "table")
            assert hears.said("club/one/status") == ["online"]
            process.send_signal(signal.SIGTERM)
            assert process.wait(WAIT_S) == 0
            wait_until(lambda: hears.said("club/one/status")[-1] == "offline")
        with companion(*words) as process:
            wait_until(lambda: hears.said("club/one/status")[-1] == "online")
            process.kill()  # as when the power goes
            wait_until(lambda: hears.said("club/one/status")[-1] == "offline")
        with subscriber(broker.port) as later:
            wait_until(lambda: later.said("club/one/turn") and later.said("club/one/status"))
            assert later.said("club/one/status") == ["offline"]
            told = {topic: text for topic, text, _ in later.heard}
            entities = [json.loads(text) for topic, text in told.items() if "/config" in topic]
            # So Home Assistant shows no turn that is still told, though nobody is there.
            assert {told[one["availability_topic"]] for one in entities} == {"offline"}


def test_two_boxes_with_default_settings_share_no_topic(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, subscriber(broker.port) as hears:
        config = written(tmp_path, f'[mqtt]\nbroker = "mqtt://127.0.0.1:{broker.port}"\n')

        def online() -> set[str]:
            topics = {topic for topic, _, _ in hears.heard if topic.endswith("/status")}
            return {topic for topic in topics if hears.said(topic)[-1] == "online"}

        def box(name: str) -> tuple[str | Path, ...]:
            record = tmp_path / name
            if not record.exists():
                keep(record, "hand\nAnna 6-6", "Anna Ben")
            return "--virtual", "--port", "0", "--record", record, "--config", config

        with companion(*box("one.db")) as one, companion(*box("two.db")) as two:
            wait_until(lambda: len(online()) == 2)
            devices = {
                json.loads(text)["device"]["identifiers"][0]
                for topic, text, _ in hears.heard
                if topic.endswith("/turn/config") and text
            }
            assert len(devices) == 2
            both = online()
            one.kill()  # as when the power goes
            wait_until(lambda: len(online()) == 1)
            (left,) = online()
            two.send_signal(signal.SIGTERM)
            assert two.wait(WAIT_S) == 0
            wait_until(lambda: not online())
        with companion(*box("two.db")):  # the same box, the same topic
            wait_until(lambda: online() == {left})
            assert left in both


@pytest.mark.parametrize("bad", [silent, flood, huge])
def test_a_failing_listener_delays_neither_start_nor_stop(tmp_path: Path, bad: Bad) -> None:
    keep(tmp_path / "r.db", "hand\nAnna 6-6", "Anna Ben")
    with serving(bad) as server:
        config = written(
            tmp_path,
            f'[mqtt]\nbroker = "mqtt://127.0.0.1:{server.port}"\n'
            f'[hooks]\naddresses = "http://127.0.0.1:{server.port} https://127.0.0.1:{server.port}"\n',
        )
        with companion(
            "--virtual", "--port", "0", "--record", tmp_path / "r.db", "--config", config
        ) as process:
            assert "http://127.0.0.1:" in first_line(process)
            process.send_signal(signal.SIGTERM)
            assert process.wait(WAIT_S) == 0


def test_a_missing_library_is_reported_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list[str]()
    config = parse_config('[mqtt]\nbroker = "mqtt://127.0.0.1"', "c.toml")
    monkeypatch.setitem(sys.modules, "companion.web.listeners.mqtt", None)
    box = BoxListeners(config, tmp_path / "r.db", CATALOG, lines.append, ENGLISH)
    box.tell(stands("hand"))
    box.start()
    box.close()
    assert lines == ["MQTT needs python3-paho-mqtt: sudo apt install python3-paho-mqtt"]


def test_without_listeners_their_libraries_are_not_loaded() -> None:
    loaded = (
        "import sys; import companion.app.run;"
        "print([one for one in ('ssl', 'paho', 'http.client') if one in sys.modules],"
        "[one for one in sys.modules if one.startswith('companion.web.listeners.')])"
    )
    words = [sys.executable, "-c", loaded]
    found = subprocess.run(words, check=True, capture_output=True, text=True)
    assert found.stdout == "[] ['companion.web.listeners.addresses']\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[mqtt]\nbroker = "192.168.1.5"', "[mqtt] broker: write it as mqtt://192.168.1.5 or"),
        ('[mqtt]\nbroker = "mqtt://a:b@host"', "[mqtt] broker: a user's name and password don't"),
        ('[mqtt]\nbroker = "mqtt://host/topic"', "[mqtt] broker: write it as"),
        ('[mqtt]\nbroker = "mqtt://host:99999"', "[mqtt] broker: write it as"),
        ('[mqtt]\ntopic = "a/#"', "[mqtt] topic: write a topic of letters, digits and hyphens"),
        ('[hooks]\naddresses = "ftp://x"', "[hooks] addresses: write it as https://home.example"),
        (f'[hooks]\naddresses = "{"http://x " * 5}"', "[hooks] addresses: there are 5 hooks, and"),
        ('[hooks]\nsecret = "short"', "[hooks] secret: write 24 to 64 random bytes in base64"),
        ('[hooks]\nevents = "overs"', "[hooks] events: there is no event 'overs'; known are"),
    ],
)
def test_mistakes_in_listener_settings_are_reported(text: str, says: str) -> None:
    with pytest.raises(ValueError) as error:
        parse_config(text, "c.toml")
    assert says in str(error.value)
    assert "\n" not in str(error.value)
