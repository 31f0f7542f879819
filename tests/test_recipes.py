"""The recipes of docs/recipes.md work exactly as printed there: their scripts with a real broker,
and their templates."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from jinja2.nativetypes import NativeEnvironment

from companion.core.seats import COLOURS
from companion.core.values import Json
from companion.web.listeners.addresses import parse_secret
from companion.web.listeners.hooks import signature
from tests.starting import python
from tests.waiting import WAIT_S, wait_until
from tests.web.listeners.mosquitto import Mosquitto, free_port, mosquitto, subscriber

RECIPES = (Path(__file__).parent.parent / "docs" / "recipes.md").read_text()
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def recipe(title: str, *having: str) -> str:
    """The code block of the recipe `title` that contains these words."""
    part = RECIPES.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"(?:^(?:    .*|)\n)+", part, re.MULTILINE)
    (found,) = [dedent(one) for one in blocks if all(word in one for word in having)]
    return found.strip() + "\n"


@contextmanager
def running(script: str, folder: Path, broker: Mosquitto, **more: str) -> Iterator[None]:
    """Runs the script in a shell whose Mosquitto programs use that broker, until the context
    ends."""
    settings = folder / "config"
    settings.mkdir()
    for program in ("mosquitto_sub", "mosquitto_pub"):
        (settings / program).write_text(f"-p {broker.port}\n")
    (folder / "script").write_text(script.replace("192.168.1.5", "127.0.0.1"))
    process = subprocess.Popen(
        ["bash", folder / "script"],
        env={**os.environ, "XDG_CONFIG_HOME": str(settings), **more},
        start_new_session=True,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def publish(broker: Mosquitto, topic: str, event: Json) -> None:
    """Publishes an event, as the table does."""
    said = json.dumps(event)
    at = ["-h", "127.0.0.1", "-p", str(broker.port), "-r"]
    subprocess.run(["mosquitto_pub", *at, "-t", topic, "-m", said], check=True)


def test_a_lamp_has_the_colour_of_the_player_to_move(tmp_path: Path) -> None:
    script = recipe("A lamp in the colour of the player whose turn it is", "#!/bin/bash")
    with (
        mosquitto(tmp_path) as broker,
        subscriber(broker.port) as lamp,
        running(script, tmp_path, broker),
    ):
        for colour in (*map(str.lower, COLOURS), None):
            before = len(lamp.said("zigbee2mqtt/table/set"))
            publish(broker, "table/turn", {"event": "turn", "seat": "Anna", "colour": colour})
            wait_until(lambda: len(lamp.said("zigbee2mqtt/table/set")) > before)  # noqa: B023
            said = lamp.newest("zigbee2mqtt/table/set")
            lit = colour not in (None, "black")
            assert said["state"] == ("ON" if lit else "OFF"), colour
            assert not lit or re.fullmatch("#[0-9a-f]{6}", said["color"]["hex"])


def test_the_automation_turns_lamps_on_and_off() -> None:
    told = recipe("A lamp in the colour of the player whose turn it is", "trigger: mqtt")
    (choice,) = yaml.safe_load(told)["actions"]
    jinja = NativeEnvironment()

    def said(template: str, colour: str | None) -> Any:
        return jinja.from_string(template).render(trigger={"payload_json": {"colour": colour}})

    colour_name = choice["else"][0]["data"]["color_name"]
    for colour in (*map(str.lower, COLOURS), None):
        assert bool(said(choice["if"], colour)) == (colour in (None, "black"))
    assert said(colour_name, "orange") == "orange"


def test_the_winner_is_spoken_in_the_kitchen(tmp_path: Path) -> None:
    """The voice goes into a file here, as nobody would hear it."""
    script = recipe("A spoken winner in the kitchen", "#!/bin/bash")
    sound, programs = tmp_path / "said.wav", tmp_path / "bin"
    programs.mkdir()
    (programs / "espeak-ng").write_text(f'#!/bin/sh\nexec /usr/bin/espeak-ng -w {sound} "$@"\n')
    (programs / "espeak-ng").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    with mosquitto(tmp_path) as broker, running(script, tmp_path, broker, PATH=path):
        publish(
            broker, "table/over", {"event": "over", "said": "Anna has won", "winners": ["Anna"]}
        )
        wait_until(lambda: sound.exists() and sound.stat().st_size > 10_000)


def test_the_kitchen_accepts_only_signed_events(tmp_path: Path) -> None:
    port, said = free_port(), tmp_path / "said"
    script = recipe("A spoken winner in the kitchen", "standardwebhooks.webhooks")
    (tmp_path / "kitchen.py").write_text(script.replace("8099), K", f"{port}), K"))
    (tmp_path / "espeak-ng").write_text(f'#!/bin/sh\necho "$@" > {said}\n')
    (tmp_path / "espeak-ng").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {**os.environ, "SECRET": SECRET, "PATH": path}
    with python(tmp_path / "kitchen.py", env=environment, stdout=None, stderr=subprocess.DEVNULL):
        body, at = b'{"event": "over", "said": "Anna has won"}', str(int(time.time()))
        signed = signature(parse_secret(SECRET), "msg_1", at, body)
        wait_until(lambda: _posted(port, body, {}) is not None)
        assert not said.exists()
        named = {"webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": signed}
        assert _posted(port, body, named) == 204
        wait_until(lambda: said.exists() and said.read_text() == "Anna has won\n")


def _posted(port: int, body: bytes, headers: dict[str, str]) -> int | None:
    """Posts `body`; returns the status of the answer (0: the connection broke off, None: no server
    listens)."""
    line = HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
    try:
        line.request("POST", "/", body, headers)
        return line.getresponse().status
    except ConnectionRefusedError:
        return None
    except OSError:
        return 0
    finally:
        line.close()


@pytest.mark.parametrize("name", ["bar", "side", "corners"])
def test_every_layout_is_in_the_recipe_for_streaming(name: str) -> None:
    assert f"layout={name}" in RECIPES
