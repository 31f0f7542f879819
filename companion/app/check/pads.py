"""Checks the number pads: is there one, may it be used, and what does each of its keys give?"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from queue import Empty, SimpleQueue
from typing import Any

from companion.app.check.around import statuses
from companion.app.check.bench import Bench
from companion.app.check.board import RUNNING, rights, running
from companion.app.check.finding import Finding, fault, not_tried, ok, warning
from companion.core.keys import SIXTEEN, Key, Press
from companion.core.words import Sentence, counted, phrase
from companion.devices.gpio.debounce import Timing
from companion.devices.link.events import Arrived, News
from companion.devices.pads.input_devices import InputDevices
from companion.devices.pads.number_pads import NumberPads

PATIENCE_S = 15.0
"""How long to wait for a key."""
TICK_S = 0.02
MISSING = "sudo apt install python3-evdev"
NONE = phrase("no number pad is plugged in, and none is needed")


def check_pads(bench: Bench) -> Iterator[Finding]:
    """Checks each pad that is plugged in."""
    try:
        devices = bench.machine.pads()
    except ImportError:
        yield not_tried(phrase("Python's evdev is missing: number pads can't be used"), MISSING)
        return
    nodes = sorted(path.partition(" ")[0] for path in devices.paths())
    for node in nodes:
        for refused in rights(bench, bench.machine.root / node.lstrip("/"), "input"):
            yield refused
            return
    if running(bench):
        yield from _of_the_table(bench)
        return
    yield from _tried(bench, devices)


def _of_the_table(bench: Bench) -> Iterator[Finding]:
    """The findings about the pads that the running table has: how often each was pressed."""
    told = statuses(bench)
    if told is None:
        said = phrase(
            "the table has the number pads: {command} lists them", command="companion keypads"
        )
        yield not_tried(said, RUNNING)
        return
    pads = [one for one in told if one.get("kind")]
    if not pads:
        yield ok(NONE)
    for one in pads:
        pad = _named(one)
        if not one["port"]:
            yield warning(
                phrase("{pad} is gone", pad=pad), phrase("is it plugged in, and charged?")
            )
        elif not one["presses"]:
            yield not_tried(phrase("{pad} is there; none of its keys was pressed yet", pad=pad))
        else:
            yield ok(counted("{pad}: 1 press", "{pad}: {number} presses", one["presses"], pad=pad))


def _named(pad: Mapping[str, Any]) -> Sentence:
    return phrase("“{name}” ({kind})", name=pad["name"], kind=pad["keypad"])


def _tried(bench: Bench, devices: InputDevices) -> Iterator[Finding]:
    heard: SimpleQueue[Press | News] = SimpleQueue()
    said: list[str] = []
    clock = bench.machine.clock
    with closing(
        NumberPads(heard.put, said.append, devices, take="pads", timing=Timing(), clock=clock)
    ) as pads:
        pads.step(0)
        found = [one.keypad for one in _waiting(heard) if isinstance(one, Arrived)]
        names = {pad["keypad"]: _named(pad) for pad in pads.status()}
        if not found:
            yield ok(NONE)
        for keypad in found:
            if not bench.terminal.asks:
                yield not_tried(
                    phrase("{pad} is there; nobody was asked to press its keys", pad=names[keypad])
                )
            else:
                yield _judged(names[keypad], _pressed(bench, pads, heard, keypad, names[keypad]))
    remedy = phrase("end that program, then check again")
    yield from (fault(line, remedy) for line in said)


def _pressed(
    bench: Bench, pads: NumberPads, heard: SimpleQueue[Press | News], keypad: str, name: str
) -> list[Key]:
    """The keys of one pad that are pressed, until its Enter, or Enter at the terminal, or until
    nothing comes any more."""
    tell, clock = bench.terminal.tell, bench.machine.clock
    tell(f"Press each key of {name}, Enter last. Enter here skips it.")
    came: list[Key] = []
    until = clock() + PATIENCE_S
    while clock() < until and Key.OK not in came:
        if bench.terminal.entered(TICK_S):
            break
        pads.step(0)
        for press in _waiting(heard):
            if not isinstance(press, Press) or press.held or press.repeated:
                continue
            if press.source and press.source.keypad == keypad:
                came.append(press.key)
                tell(f"  {press.key.value}")
                until = clock() + PATIENCE_S
    return came


def _waiting(heard: SimpleQueue[Press | News]) -> Iterator[Press | News]:
    while True:
        try:
            yield heard.get_nowait()
        except Empty:
            return


def _judged(name: str, came: list[Key]) -> Finding:
    missing = [key.value for key in SIXTEEN if key not in came]
    if not came:
        return not_tried(phrase("{pad}: skipped, or nothing came", pad=name))
    if missing:
        return warning(
            phrase("{pad}: {keys} did not come", pad=name, keys=" ".join(missing)),
            phrase(
                "+ is DRAW, − PASS, * BOGUS, / MENU, comma or Backspace BACK: were they pressed?"
            ),
        )
    return ok(phrase("{pad}: all sixteen keys", pad=name))
