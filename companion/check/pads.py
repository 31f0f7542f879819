"""Checks the number pads: is there one, may it be used, and what does each of its keys give?"""

from collections.abc import Iterator
from contextlib import closing
from queue import Empty, SimpleQueue

from companion.check.around import statuses
from companion.check.bench import Bench
from companion.check.board import RUNNING, rights, running
from companion.check.finding import Finding, fault, not_tried, ok, warning
from companion.core.keys import SIXTEEN, Key, Press
from companion.devices.gpio.debounce import Timing
from companion.devices.pads.input_devices import InputDevices
from companion.devices.pads.number_pads import NumberPads
from companion.link.events import Arrived, News

PATIENCE_S = 15.0
"""How long to wait for a key."""
TICK_S = 0.02
MISSING = "sudo apt install python3-evdev"


def check_pads(bench: Bench) -> Iterator[Finding]:
    """Checks each pad that is plugged in."""
    try:
        devices = bench.machine.pads()
    except ImportError:
        yield not_tried("Python's evdev is missing: number pads can't be used", MISSING)
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
        yield not_tried("the table has the number pads: companion keypads lists them", RUNNING)
        return
    pads = [one for one in told if one.get("kind")]
    if not pads:
        yield ok("no number pad is plugged in, and none is needed")
    for one in pads:
        named = f"“{one['name']}” ({one['keypad']})"
        if not one["port"]:
            yield warning(f"{named} is gone", "is it plugged in, and charged?")
        elif not one["presses"]:
            yield not_tried(f"{named} is there; none of its keys was pressed yet")
        else:
            yield ok(f"{named}: {one['presses']} presses")


def _tried(bench: Bench, devices: InputDevices) -> Iterator[Finding]:
    heard: SimpleQueue[Press | News] = SimpleQueue()
    said: list[str] = []
    clock = bench.machine.clock
    with closing(
        NumberPads(heard.put, said.append, devices, take="pads", timing=Timing(), clock=clock)
    ) as pads:
        pads.step(0)
        found = [one.keypad for one in _waiting(heard) if isinstance(one, Arrived)]
        names = {pad["keypad"]: f"“{pad['name']}” ({pad['keypad']})" for pad in pads.status()}
        if not found:
            yield ok("no number pad is plugged in, and none is needed")
        for keypad in found:
            if not bench.terminal.asks:
                yield not_tried(f"{names[keypad]} is there; nobody was asked to press its keys")
            else:
                yield _judged(names[keypad], _pressed(bench, pads, heard, keypad, names[keypad]))
    yield from (fault(line, "end that program, then check again") for line in said)


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
        return not_tried(f"{name}: skipped, or nothing came")
    if missing:
        return warning(
            f"{name}: {' '.join(missing)} did not come",
            "+ is DRAW, − PASS, * BOGUS, / MENU, comma or Backspace BACK: were they pressed?",
        )
    return ok(f"{name}: all sixteen keys")
