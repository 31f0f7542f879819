"""The status of seat keypads for programs that ask: their figures, and whether they are plugged
in."""

import time
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.core.keys import Key
from companion.devices.keypads.keypad_status import ask_status
from companion.devices.keypads.seat_keypads import scan_keypads
from companion.devices.link.events import KeypadLeft
from tests.devices.link.keypad import ModelKeypad, State
from tests.devices.pty_keypad import NAME, PtyKeypad, PtyRegistry


def test_figures_are_sent_on_a_socket(tmp_path: Path) -> None:
    with PtyRegistry(tmp_path / "r.db.keypads") as registry:
        pad = registry.plug().model
        registry.until(lambda: pad.state is State.OPEN)
        pad.press(Key.D5)
        registry.until(lambda: registry.pressed)
        registry.wait(9.0)
        (told,) = asked(registry, tmp_path / "r.db.keypads")
        assert told["keypad"] == NAME
        assert (told["firmware"], told["protocol"], told["fits"]) == ("1.0.0", "1.0", True)
        assert (told["presses"], told["errors"], told["lost"]) == (1, 0, 0)
        assert 0 < int(str(told["resent"])) <= pad.resent
        assert 0 <= float(str(told["round_trip_ms"])) < 100
        assert told["port"] == registry.plugged[0].device
    assert ask_status(tmp_path / "r.db.keypads") is None
    assert not (tmp_path / "r.db.keypads").exists()


@pytest.mark.serial
def test_without_a_table_the_keypads_are_scanned_directly() -> None:
    answering = PtyKeypad(ModelKeypad(time.monotonic()))
    strange = PtyKeypad(ModelKeypad(time.monotonic()))
    told: list[str] = []
    done = Event()

    def keys() -> None:
        while not done.is_set():
            answering.turn(time.monotonic())

    thread = Thread(target=keys)
    thread.start()
    try:
        found = scan_keypads(told.append, lambda: [answering.device, strange.device])
    finally:
        done.set()
        thread.join()
        answering.unplug()
        strange.unplug()
    assert not told
    assert [one["keypad"] for one in found] == [NAME, None]
    assert found[0]["round_trip_ms"] > 0
    assert found[1] == {
        "keypad": None,
        "port": strange.device,
        "here": False,
        "fits": False,
    }


def asked(registry: PtyRegistry, path: Path) -> list[dict[str, object]]:
    """The answer of the status socket, which comes while the keypads continue to work."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask_status, path)
        registry.until(answer.done)
        found = answer.result()
    assert found is not None
    return found


def test_here_means_heard_within_two_seconds(tmp_path: Path) -> None:
    with PtyRegistry(tmp_path / "r.db.keypads") as registry:
        plugged = registry.plug()
        registry.until(lambda: plugged.model.state is State.OPEN)
        registry.wait(3.9)
        assert [one["here"] for one in asked(registry, tmp_path / "r.db.keypads")] == [True]
        plugged.reads = False
        registry.wait(2.5)
        assert [one["here"] for one in asked(registry, tmp_path / "r.db.keypads")] == [False]
        assert KeypadLeft(NAME) not in registry.heard
        plugged.reads = True
        registry.wait(0.1)
        assert [one["here"] for one in asked(registry, tmp_path / "r.db.keypads")] == [True]
