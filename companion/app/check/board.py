"""Checks the board: whether it is described correctly, and whether the program may use its pins."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.app.check.bench import (
    Bench,
    Finding,
    WiredKeys,
    fault,
    not_tried,
    ok,
    user_name,
)
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.devices.board import DirectKeys
from companion.record.store.database import writer_of

RUNNING = phrase("the table is running: {command} first", command="sudo systemctl stop companion")
SERVICE = "sys/fs/cgroup/system.slice/companion.service"
"""A folder that exists as long as the service is running."""


def is_table_running(bench: Bench) -> bool:
    """Returns whether the table is running; it then uses the keys and the display itself."""
    return writer_of(bench.record) is not None or (bench.machine.root / SERVICE).exists()


def check_board(bench: Bench) -> Iterator[Finding]:
    """Yields findings about the configuration, the machine, permissions and pins."""
    model = bench.machine.text("proc/device-tree/model")
    if bench.wrong:
        yield fault(bench.wrong, "mend that line, then check again")
        return
    if bench.board is None:
        yield not_tried(bench.no_board)
        return
    yield ok(f"{model or 'a board of unknown make'}, wired as {bench.config.box.board}")
    if chips := sorted((bench.machine.root / "dev").glob("gpiochip*")):
        yield from check_access(bench, chips[0], "gpio")
    else:
        yield fault("the kernel has no /dev/gpiochip", "use a kernel of Raspberry Pi OS")
    try:
        with open_pin_factory(bench) as factory:
            yield from _check_pins(bench, bench.board.keys, factory)
    except Exception as error:  # gpiozero raises what the libraries beneath it raise
        yield fault(f"the pins can't be reached: {error}", "or set [keys] pins to another")


@contextmanager
def open_pin_factory(bench: Bench) -> Iterator[Any]:
    """Opens the pin factory for a `with` block, and closes it at the end. Hides gpiozero's messages
    about the kinds of factory that it tried first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        factory = bench.machine.open_pins(bench.config)
    try:
        yield factory
    finally:
        factory.close()


def check_access(bench: Bench, node: Path, group: str) -> Iterator[Finding]:
    """Yields a finding if the user may not use a device node. `group`: the group that may."""
    if os.access(node, os.R_OK | os.W_OK):
        return
    user, device = user_name(bench.machine.user), f"/dev/{node.name}"
    show, join = f"ls -l {device}", f"sudo usermod -aG {group} {user}"
    if group in bench.machine.groups:
        yield fault(
            phrase("{user} may not use {device}", user=user, device=device),
            phrase("{command} shows who may", command=show),
        )
    else:
        yield fault(
            phrase(
                "{user} may not use {device}: not in group {group}",
                user=user,
                device=device,
                group=group,
            ),
            phrase("{command}, then log in again", command=join),
        )


@dataclass(frozen=True, slots=True)
class PinState:
    """The state of the keys' pins. `busy`: the pins that are not available, each with the reason;
    `low`: the pins that are low although no key should be down."""

    busy: dict[int, str]
    low: frozenset[int]


def try_pins(keys: WiredKeys, factory: Any) -> PinState:
    """Requests each pin of the keys briefly, as an input with a pull-up. Returns which pins are not
    available and which are low."""
    numbers = keys.pins.values() if isinstance(keys, DirectKeys) else (*keys.rows, *keys.columns)
    busy, low = {}, set()
    for number in numbers:
        try:
            pin = factory.pin(number)
            pin.input_with_pull("up")
            if not pin.state:
                low.add(number)
            pin.close()
        except Exception as error:  # each pin backend has errors of its own
            busy[number] = str(error) or type(error).__name__
    return PinState(busy, frozenset(low))


def _check_pins(bench: Bench, keys: WiredKeys, factory: Any) -> Iterator[Finding]:
    kind = type(factory).__name__
    busy = try_pins(keys, factory).busy
    if not busy:
        yield ok(f"its pins are free ({kind})")
        return
    named = ", ".join(f"GPIO {number}" for number in sorted(busy))
    if is_table_running(bench):
        yield fault(f"the table has {named}", RUNNING)
        return
    reason = next(iter(busy.values()))
    remedy = "gpioinfo shows who has it; if it is the table: sudo systemctl stop companion"
    yield fault(f"{named} can't be had ({kind}: {reason})", remedy)
