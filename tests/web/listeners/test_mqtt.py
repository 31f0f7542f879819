"""A real MQTT broker gets the table's events; a broker that fails is reported in a line."""

import re
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

import pytest

from companion.web.listeners import mqtt as broker_module
from companion.web.listeners.addresses import Address
from companion.web.listeners.connections import TrustedAuthorities
from companion.web.listeners.mqtt import BrokerSetup, BrokerThread
from companion.web.listeners.subscription import EventSource
from tests.waiting import WAIT_S, wait_until
from tests.web.listeners.bad_servers import (
    Bad,
    dripping,
    flood,
    forgetful,
    huge,
    rubbish,
    serving,
    silent,
)
from tests.web.listeners.certificates import certificate
from tests.web.listeners.mosquitto import Mosquitto, free_port, mosquitto, subscriber
from tests.web.listeners.tables import hearings, stands

BEN = "hand\nAnna 6-6\nBen 6-3"


@contextmanager
def telling(
    port: int,
    table: EventSource,
    lines: list[str] | None = None,
    *,
    secure: bool = False,
    ca: str = "",
    patience_s: float = WAIT_S,
    **more: Any,
) -> Iterator[BrokerThread]:
    """Publishes the events of `table` to the broker at that port; `lines` gets the faults."""
    setup = BrokerSetup(Address("127.0.0.1", port, secure), **more)
    said = [] if lines is None else lines
    thread = BrokerThread(setup, table, said.append, TrustedAuthorities(ca).context, patience_s)
    thread.start()
    try:
        yield thread
    finally:
        thread.stop(5.0)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the box retry soon after a failed connection."""
    monkeypatch.setattr(broker_module, "LONGEST_PAUSE_S", 0.1)
    monkeypatch.setattr(broker_module, "FIRST_PAUSE_S", 0.1)


def test_a_play_is_published_and_later_subscribers_get_the_state(tmp_path: Path) -> None:
    table = hearings()
    with mosquitto(tmp_path) as broker, subscriber(broker.port) as first:
        with telling(broker.port, table):
            wait_until(lambda: first.newest("table/turn").get("seat") == "Ben")
            table.update(stands(BEN, 8))
            wait_until(lambda: first.newest("table/table").get("row") == 8)
            assert first.newest("table/entry")["said"] == "Ben lays 6-3"
            assert first.newest("table/score")["gained"] == {"Ben": 15}
            assert first.newest("table/turn")["colour"] == "red"
            with subscriber(broker.port) as later:
                wait_until(lambda: later.said("table/table"))
                wait_until(lambda: later.said("table/turn") and later.said("table/status"))
                assert all(retained for _, _, retained in later.heard)
                assert later.newest("table/turn")["seat"] == "Anna"
                assert not later.said("table/entry")
                found = [topic for topic, _, _ in later.heard if topic.startswith("homeassistant/")]
                assert "homeassistant/sensor/table_companion_table/turn/config" in found
        wait_until(lambda: first.said("table/status") == ["online", "offline"])


def test_the_broker_thread_sleeps_while_phones_are_served_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[float]()

    def counting(*asked: Any) -> Any:
        looked.append(time.monotonic())
        return select(*asked)

    monkeypatch.setattr(broker_module, "select", counting)
    monkeypatch.setattr(broker_module, "PHONES_FIRST_S", 0.5)
    table = hearings()
    with (
        mosquitto(tmp_path) as broker,
        subscriber(broker.port) as hears,
        telling(broker.port, table),
    ):
        wait_until(lambda: hears.newest("table/turn").get("seat") == "Ben")
        before = len(looked)
        table.update(stands(BEN, 8))
        wait_until(lambda: hears.newest("table/table").get("row") == 8)
        assert len(looked) - before < 60


def test_a_late_broker_and_a_restarted_broker_get_the_state(tmp_path: Path) -> None:
    table, lines = hearings(), list[str]()
    broker = Mosquitto(tmp_path, "allow_anonymous true", port=free_port())
    with telling(broker.port, table, lines):
        wait_until(lambda: lines)
        where = f"The MQTT broker at 127.0.0.1:{broker.port}"
        assert lines == [f"{where} hears nothing: nothing listens there. It is tried again."]
        broker.start()
        wait_until(lambda: lines[-1] == f"{where} hears the table again.")
        broker.stop()
        wait_until(lambda: lines[-1].startswith(f"{where} hears nothing"))
        table.update(stands(BEN, 8))
        broker.start()
        with subscriber(broker.port) as hears:
            wait_until(lambda: hears.newest("table/table").get("row") == 8)
            wait_until(lambda: lines[-1] == f"{where} hears the table again.")
    broker.stop()


def test_user_and_password_work_over_a_secure_connection(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    users = tmp_path / "users"
    users.write_text("box:secret\n")
    subprocess.run(["mosquitto_passwd", "-U", users], check=True)
    tls = [f"certfile {cert}", f"keyfile {key}", f"password_file {users}", "allow_anonymous false"]
    who = ("-u", "box", "-P", "secret", "--cafile", str(cert))
    table, lines = hearings(), list[str]()
    with mosquitto(tmp_path, *tls) as broker:
        secure = {"secure": True, "ca": str(cert)}
        with telling(broker.port, table, lines, user="box", password="wrong", **secure):  # type: ignore[arg-type]
            wait_until(lambda: lines)
            says = r"it lets nobody in \(not authori[sz]ed\): look at user and password"
            assert re.search(says, lines[0])
        with (
            subscriber(broker.port, *who) as hears,
            telling(broker.port, table, user="box", password="secret", **secure),  # type: ignore[arg-type]
        ):
            wait_until(lambda: hears.newest("table/turn").get("seat") == "Ben")


@pytest.mark.parametrize("ended", [True, False])
def test_an_expired_or_untrusted_certificate_is_reported(tmp_path: Path, ended: bool) -> None:
    cert, key = certificate(tmp_path, ended=ended)
    tls = [f"certfile {cert}", f"keyfile {key}", "allow_anonymous true"]
    lines = list[str]()
    with (
        mosquitto(tmp_path, *tls) as broker,
        telling(broker.port, hearings(), lines, secure=True, ca=str(cert) if ended else ""),
    ):
        wait_until(lambda: lines)
    says = "its certificate has ended" if ended else "its certificate isn't trusted"
    assert says in lines[0]
    assert "\n" not in lines[0]


@pytest.mark.parametrize(
    ("bad", "says", "patience_s"),
    [
        (silent, "it doesn't answer", 0.5),
        (forgetful, "it doesn't answer", 0.5),
        (dripping, "", 0.5),
        (rubbish, "", 0.5),
        # Too long an answer ends the wait by itself, so a busy machine may take its time.
        (flood, "the broker sends what nobody has asked for", 10.0),
        (huge, "the broker sends what nobody has asked for", 10.0),
    ],
)
def test_a_faulty_broker_is_reported_once(bad: Bad, says: str, patience_s: float) -> None:
    table, lines = hearings(), list[str]()
    with serving(bad) as server, telling(server.port, table, lines, patience_s=patience_s):
        wait_until(lambda: lines)
        table.update(stands(BEN, 8))
        tries = len(server.threads)
        wait_until(lambda: len(server.threads) > tries + 1)
    assert says in lines[0]
    assert all("\n" not in one and "It is tried again." in one for one in lines)
    if says:
        assert len(lines) == 1


def test_trusted_certificates_are_read_once(tmp_path: Path) -> None:
    trusted = TrustedAuthorities("")
    assert trusted.context() is trusted.context()
    assert trusted.context().verify_mode is ssl.CERT_REQUIRED
    with pytest.raises(OSError, match="No such file"):
        TrustedAuthorities(str(tmp_path / "none.pem")).context()
