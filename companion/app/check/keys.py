"""Checks the keys one by one: whether each key registers as itself, exactly once, and is released
again."""

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import field, replace
from queue import Empty, SimpleQueue
from statistics import median

from companion.app.check.bench import Bench, Finding, WiredKeys, fault, not_tried, ok, warning
from companion.app.check.board import RUNNING, is_table_running, open_pin_factory, try_pins
from companion.app.check.display import orientation_fault
from companion.core.keys import TURNED_BY_180, Key
from companion.core.values import dataclass
from companion.devices.board import DirectKeys, MatrixKeys
from companion.devices.gpio.debounce import Debounce, Edge, Timing

PATIENCE_S = 15.0
"""Seconds to wait for a key."""

SETTLE_S = 0.25
"""Seconds after a key was released in which another press comes from the contact, not the
finger."""

STUCK_S = 5.0
"""Seconds after which a key that stays down is stuck."""

WORN = 8
"""The number of bounces in one stroke from which a contact counts as worn. Our own choice: new ones
make a few, and the filter of a pin backend hides some of them."""

GIVE_UP = 3
"""The number of keys in a row without a signal after which the check skips the others."""

TICK_S = 0.02
"""Seconds between looks at the terminal while waiting for a key; edges carry their own times."""


@dataclass(slots=True)
class Stroke:
    """The result of prompting for one key: the key that was pressed (None if none was), how its
    contact behaved, and how many seconds later the program received the press."""

    came: Key | None = None
    skipped: bool = False
    bounces: int = 0
    twice: bool = False
    stuck: bool = False
    delays: list[float] = field(default_factory=list)


class Listener:
    """Collects the edges that the keypad's thread reports, and returns them as strokes."""

    def __init__(self, bench: Bench, times_edges: bool) -> None:
        times = bench.config.keys
        # No key counts as held here.
        self._timing = Timing(times.contact_ms / 1000, times.release_ms / 1000, 1e9)
        self._terminal, self._clock = bench.terminal, bench.machine.clock
        self._edges: SimpleQueue[tuple[Edge, float]] = SimpleQueue()
        self._debounce = Debounce(self._timing)
        self._times_edges = times_edges
        self._closed: set[Key] = set()
        self._delays: list[float] = []

    def put(self, edge: Edge) -> None:
        """Takes an edge from the keypad. Any thread may call it."""
        self._edges.put((edge, self._clock()))

    def presses(self, patience_s: float) -> tuple[list[Key], bool]:
        """Waits at most `patience_s` seconds for keys to be pressed; returns them, and whether
        Enter was pressed."""
        until = self._clock() + patience_s
        while (now := self._clock()) < until:
            if found := self._advance(now):
                return found, False
            if self._terminal.wait_for_enter(min(TICK_S, until - now)):
                return [], True
        return self._advance(until), False

    def _advance(self, now: float) -> list[Key]:
        presses = []
        with suppress(Empty):
            while True:
                edge, came_at = self._edges.get_nowait()
                presses += self._debounce.feed(edge)
                if self._times_edges:
                    self._delays.append(came_at - edge.at)
                (self._closed.add if edge.down else self._closed.discard)(edge.key)
        return [press.key for press in (*presses, *self._debounce.advance(now))]

    def stroke(self, patience_s: float = PATIENCE_S) -> Stroke:
        """Waits at most `patience_s` seconds for a key to be pressed, and then until it is
        released; returns the stroke."""
        self._debounce, self._delays = Debounce(self._timing), []
        found, entered = self.presses(patience_s)
        if not found:
            return Stroke(skipped=entered)
        stroke = Stroke(found[0], delays=self._delays)
        stroke.stuck = not self._wait_until_up(found[0], stroke)
        stroke.bounces = self._debounce.chatter.get(found[0], 0)
        return stroke

    def _wait_until_up(self, key: Key, stroke: Stroke) -> bool:
        """Waits until the key is released and its contact is quiet; returns False if it stays
        down."""
        until = self._clock() + STUCK_S
        while (now := self._clock()) < until:
            quiet = key not in self._closed
            again, _ = self.presses(SETTLE_S if quiet else min(TICK_S, until - now))
            stroke.twice |= quiet and key in again
            if quiet and key not in self._closed:
                return True
        return False


def check_keys(bench: Bench) -> Iterator[Finding]:
    """Yields findings about each key of the board."""
    if bench.board is None:
        yield not_tried("see board")
        return
    if is_table_running(bench):
        yield not_tried("the table has the keys", RUNNING)
        return
    keys = bench.board.keys
    try:
        with open_pin_factory(bench) as factory:
            listener = Listener(bench, getattr(factory, "times_edges", False))
            low = try_pins(keys, factory).low
            clock = bench.machine.clock
            with closing(bench.machine.open_keys(keys, listener.put, clock, factory)):
                yield from _try_keys(bench, keys, low, listener)
    except Exception as error:  # gpiozero's errors, and what the libraries beneath it raise
        yield fault(f"the keys can't be reached: {error}", "see board")


def _try_keys(
    bench: Bench, keys: WiredKeys, low: frozenset[int], listener: Listener
) -> Iterator[Finding]:
    down, _ = listener.presses(SETTLE_S)
    if isinstance(keys, DirectKeys):
        # Pin backends report only changes: a key that was already down is found by its pin.
        down += [key for key, pin in keys.pins.items() if pin in low]
    for key in down:
        yield fault(
            f"{key.value} is down before anybody has pressed it",
            f"{_place_in_words(keys, key)}: is it wired to ground, or does the key hang?",
        )
    if not bench.terminal.asks:
        yield not_tried("nobody was asked to press the keys")
        return
    wanted = [key for key in keys.keys if key not in down]
    strokes = _ask_for_keys(bench, wanted, listener)
    if skipped := [key for key in wanted if key not in strokes or strokes[key].skipped]:
        yield not_tried(f"{_labels(skipped)}: skipped")
    yield from _findings_for_keys(bench, keys, strokes)


def _ask_for_keys(bench: Bench, keys: list[Key], listener: Listener) -> dict[Key, Stroke]:
    """Prompts for each key, and once more if another key was pressed. Returns the strokes by key;
    the last keys are missing if several in a row gave nothing."""
    tell = bench.terminal.tell
    tell(f"Press each key when it is asked for. Enter here skips one; {PATIENCE_S:.0f} s each.")
    if Key.UP in keys:
        tell("Hold the box as you did for the picture: UP is where its arrow pointed.")
    strokes: dict[Key, Stroke] = {}
    missed = 0
    for key in keys:
        tell(f"Press {key.value}")
        stroke = listener.stroke()
        if stroke.came not in (None, key):
            tell(f"  that was {_key_label(stroke.came)}. Once more: press {key.value}")
            stroke = listener.stroke()
        strokes[key] = stroke
        tell(f"  {_stroke_words(key, stroke)}")
        missed = 0 if stroke.came or stroke.skipped else missed + 1
        if missed == GIVE_UP:
            tell(f"{GIVE_UP} keys in a row gave nothing: the others are not asked for.")
            break
    return strokes


def _key_label(key: Key | None) -> str:
    return key.value if key else "nothing"


def _stroke_words(key: Key, stroke: Stroke) -> str:
    """Returns a few words about a stroke, for the person who has just pressed the key."""
    if stroke.skipped:
        return "skipped"
    if stroke.came is not key:
        return f"that was {_key_label(stroke.came)}" if stroke.came else "nothing came"
    state = "stays down" if stroke.stuck else "ok"
    if stroke.twice:
        state = "it counted twice"
    return f"{state}, {stroke.bounces} bounces" if stroke.bounces else state


# ---------------------------------------------------------------- findings


def _findings_for_keys(
    bench: Bench, keys: WiredKeys, strokes: dict[Key, Stroke]
) -> Iterator[Finding]:
    well = [key for key, stroke in strokes.items() if stroke.came is key]
    yield from _findings_for_silent_keys(
        keys, [key for key, one in strokes.items() if not (one.came or one.skipped)]
    )
    wrong = {key: one.came for key, one in strokes.items() if one.came and one.came is not key}
    if all(wrong.get(key) is other for key, other in TURNED_BY_180.items()):
        yield orientation_fault(bench, "the joystick is the other way up than the picture")
        wrong = {key: came for key, came in wrong.items() if key not in TURNED_BY_180}
    yield from _findings_for_swapped_keys(keys, wrong)
    for key in well:
        yield from _findings_for_contact(keys, key, strokes[key])
    if well:
        found = f"{_labels(well)}: each gives its own press{_delay_in_words(strokes)}"
        bounces = {key.value: strokes[key].bounces for key in well if strokes[key].bounces}
        if bounces:
            found += f"; bounces: {', '.join(f'{key} {count}' for key, count in bounces.items())}"
        yield replace(ok(found), figures={f"{key}_bounces": n for key, n in bounces.items()})


def _labels(keys: list[Key]) -> str:
    return " ".join(key.value for key in keys)


def _findings_for_silent_keys(keys: WiredKeys, silent: list[Key]) -> Iterator[Finding]:
    if len(silent) >= GIVE_UP and isinstance(keys, DirectKeys):
        remedy = "do they share a ground wire? Look at it first, then at each key's own wire"
        yield fault(f"{_labels(silent)}: nothing came", remedy)
        return
    for key in silent:
        yield fault(
            f"{key.value}: nothing came", f"look at its wires: {_place_in_words(keys, key)}"
        )


def _place_in_words(keys: WiredKeys, key: Key) -> str:
    """Returns the GPIO numbers to which a key is wired, in words."""
    if isinstance(keys, DirectKeys):
        return f"GPIO {keys.pins[key]} and ground"
    for number, row in zip(keys.rows, keys.layout, strict=True):
        if key in row:
            return f"row GPIO {number}, column GPIO {keys.columns[row.index(key)]}"
    raise KeyError(key)


def _findings_for_swapped_keys(keys: WiredKeys, wrong: dict[Key, Key]) -> Iterator[Finding]:
    """Yields findings about keys that register as another key: swapped pairs, single keys, or a
    matrix with mixed-up lines."""
    if isinstance(keys, MatrixKeys):
        if wrong:
            found = ", ".join(f"{key.value} gives {came.value}" for key, came in wrong.items())
            remedy = "is the plug turned? Compare [keys] rows, columns and layout with the keypad"
            yield fault(found, remedy)
        return
    for key, came in wrong.items():
        if wrong.get(came) is not key:
            place = _place_in_words(keys, key)
            remedy = f"are the wires of {key.value} and {came.value} swapped? ({place})"
            yield fault(f"{key.value} gives {came.value}", remedy)
        elif keys.pins[key] < keys.pins[came]:
            pins = f"GPIO {keys.pins[key]} and GPIO {keys.pins[came]}"
            yield fault(
                f"{key.value} gives {came.value}, and {came.value} gives {key.value}",
                f"their wires are swapped: exchange those at {pins}",
            )


def _findings_for_contact(keys: WiredKeys, key: Key, stroke: Stroke) -> Iterator[Finding]:
    if stroke.stuck:
        yield fault(f"{key.value} stays down", f"does it hang? ({_place_in_words(keys, key)})")
    elif stroke.twice:
        yield warning(
            f"{key.value} counted twice for one stroke",
            "set [keys] release_ms = 50 in the configuration, or change the key",
        )
    elif stroke.bounces >= WORN:
        yield warning(
            f"{key.value} bounced {stroke.bounces} times in one stroke",
            "its contact is worn or dirty: it is counted rightly now; change it before it is not",
        )


def _delay_in_words(strokes: dict[Key, Stroke]) -> str:
    """Returns, in words, how long the program took to receive an edge from the kernel; empty if the
    kernel doesn't time the edges."""
    delays = [delay for stroke in strokes.values() for delay in stroke.delays]
    if not delays:
        return ""
    return f", {median(delays) * 1000:.1f} ms after its edge (median)"
