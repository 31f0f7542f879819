"""A keypad and a host in every reachable pair of states. In each state that was found, every
possible event of the next second is tried: messages arrive or are lost, independently in each
direction; a key is pressed; either side restarts; a frame of another major version arrives. States
after which both sides will do the same forever count as one. The keypad is the tests' model and the
firmware itself, side by side: both must send the same bytes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from companion.core.keys import Key
from companion.devices.link.events import KeyPressed, LinkEvent
from companion.devices.link.keypad_registry import KeypadRegistry
from companion.devices.link.messages import HostHello, KeypadHello
from companion.devices.link.session import CHANGE_S, EAGER_S, HELLO_S, SILENCE_S, Link, encode_frame
from companion.devices.link.session import LinkState as Host
from tests.devices.link.keypad import SERIAL, ModelKeypad, State
from tests.firmware.keypad import FirmwareKeypad, twin

MOST_QUEUED = 1
OTHER = (2, 0)
"""A major version that the other side doesn't speak."""


class Accident(Enum):
    """An accident that may happen at a moment."""

    NONE = "nothing"
    PRESS = "a press"
    HOST = "the host starts anew"
    KEYPAD = "the keypad starts anew"
    OTHER_HOST = "a host of another version says hello"
    OTHER_KEYPAD = "a keypad of another version says hello"


@dataclass(frozen=True)
class Step:
    """Some seconds: the accident at their beginning, and the directions in which messages arrive
    during them."""

    accident: Accident = Accident.NONE
    to_host: bool = True
    to_keypad: bool = True
    seconds: float = 1.0


CALM = Step()
GAPS = {
    "to the host": Step(to_host=False),
    "to the keypad": Step(to_keypad=False),
    "both ways": Step(to_host=False, to_keypad=False),
}
STEPS = (
    Step(Accident.PRESS),
    Step(Accident.PRESS, to_host=False),
    Step(Accident.PRESS, to_keypad=False),
    Step(Accident.HOST),
    Step(Accident.KEYPAD),
    Step(Accident.OTHER_HOST),
    Step(Accident.OTHER_HOST, to_keypad=False),
    Step(Accident.OTHER_KEYPAD),
)


class Keypads:
    """A keypad from one start to the next: the model, and the firmware, which must do the same."""

    def __init__(self, model: ModelKeypad) -> None:
        self.model = model
        self._firmware = FirmwareKeypad(model.now, model.serial, model.boot)

    @property
    def is_full(self) -> bool:
        """Whether a key that is pressed now finds no room in the queue."""
        return len(self.model.queue) >= MOST_QUEUED

    def press(self) -> None:
        """Presses a key, if there is room for it."""
        if not self.is_full:
            self.model.press(Key.D5)
            self._firmware.press(Key.D5)

    def receive(self, data: bytes) -> None:
        self.model.receive(data)
        self._firmware.receive(data)

    def advance(self, now: float) -> None:
        self.model.advance(now)
        self._firmware.advance(now)

    def to_send(self) -> bytes:
        said = self.model.to_send()
        assert self._firmware.to_send() == said, "the model and the firmware differ"
        return said

    def copied(self) -> "Keypads":
        """A copy that goes on by itself; no frame may be half read or half sent."""
        other = twin(self)
        other.model = twin(self.model)
        other.model.queue = [twin(one) for one in self.model.queue]
        other.model.thrown_away = set()
        other._firmware = self._firmware.copied()
        return other


class Pair:
    """Both sides of a cable at one moment."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.boots = self.sessions = 0
        self.taken = 0
        """The number of the last press of this start of the keypad that this start of the host
        took."""
        self.told_host = self.told_keypad = False
        """Whether anything was sent to the host, and to the keypad, in the last step."""
        self._start_keypad()
        self._start_host()

    def _start_keypad(self) -> None:
        self.boots += 1
        self.taken = 0
        boot = (0x0011223344550000 + 0x1357 * self.boots).to_bytes(8)
        self.keypad = Keypads(ModelKeypad(self.now, boot))

    def _start_host(self) -> None:
        self.sessions += 1
        self.registry = KeypadRegistry((0x5EED0000 + self.sessions).to_bytes(4), lambda _, __: 0)
        self.link = Link(self.registry, self.now)

    # ------------------------------------------------------------ as time goes by

    def after(self, step: Step) -> "Pair":
        """The pair after this step; this one stays as it is."""
        pair = self._copied()
        pair.told_host = pair.told_keypad = False
        pair._meet(step.accident)
        pair._exchange(step)
        pair.now += step.seconds
        pair.keypad.advance(pair.now)
        pair._hear(pair.link.advance(pair.now))
        pair._exchange(step)
        return pair

    def changes_nothing(self, step: Step, whole: dict[Accident, "Pair"]) -> bool:
        """Returns whether another step from here already leads to the same pair: the keypad has no
        room for the key, or nothing was sent in the direction that is cut. `whole`: for each
        accident, the pair after the step that cuts neither direction."""
        if step.accident is Accident.PRESS and self.keypad.is_full:
            return True
        uncut = whole.get(step.accident)
        return uncut is not None and not (
            (uncut.told_host and not step.to_host) or (uncut.told_keypad and not step.to_keypad)
        )

    def _meet(self, accident: Accident) -> None:
        match accident:
            case Accident.PRESS:
                self.keypad.press()
            case Accident.HOST:
                self._start_host()
            case Accident.KEYPAD:
                self._start_keypad()
            case Accident.OTHER_HOST:
                self.keypad.receive(encode_frame(HostHello(OTHER, bytes(4)).pack()))
            case Accident.OTHER_KEYPAD:
                told = bytes(4), (1, 0, 0), 3, SERIAL, self.keypad.model.boot, 1, 0, 0
                hello = KeypadHello(OTHER, *told)  # type: ignore[arg-type]
                self._hear(self.link.receive(encode_frame(hello.pack()), self.now))

    def _exchange(self, step: Step) -> None:
        """Delivers the messages of both sides until neither has more to send now."""
        for _ in range(20):
            said, back = self.keypad.to_send(), self.link.to_send()
            if not said and not back:
                return
            self.told_host |= bool(said)
            self.told_keypad |= bool(back)
            if said and step.to_host:
                self._hear(self.link.receive(said, self.now))
            if back and step.to_keypad:
                self.keypad.receive(back)
        raise AssertionError("they never stop to talk")

    def _hear(self, events: list[LinkEvent]) -> None:
        """Makes the loop process the link's events at once."""
        for event in events:
            if isinstance(event, KeyPressed) and event.source.boot == int.from_bytes(
                self.keypad.model.boot
            ):
                assert event.source.sequence > self.taken, "twice"
                self.taken = event.source.sequence
            if isinstance(event, KeyPressed):
                self.registry.settle(event.source)

    def _copied(self) -> "Pair":
        pair = twin(self)
        pair.keypad = self.keypad.copied()
        registry, link = pair.registry, pair.link = twin(self.registry), twin(self.link)
        registry._numbers = {one: twin(numbers) for one, numbers in registry._numbers.items()}
        registry.keypads = {serial: twin(keypad) for serial, keypad in registry.keypads.items()}
        for keypad in registry.keypads.values():
            keypad.link = keypad.link and link
        link._registry, link._claims = registry, twin(link._claims)
        link._keypad = link._keypad and registry.keypads[link._keypad.serial]
        return pair

    # ------------------------------------------------------------ what it comes to

    @property
    def states(self) -> tuple[State, Host]:
        return self.keypad.model.state, self.link.state

    @property
    def is_well(self) -> bool:
        """Whether both links are open and nothing is queued."""
        return self.states == (State.OPEN, Host.OPEN) and not self.keypad.model.queue

    @property
    def key(self) -> tuple[object, ...]:
        """Returns all properties of the pair that affect what either side will do; times are
        relative to now."""
        model, link, now = self.keypad.model, self.link, self.now
        numbers = self.registry._numbers.get((SERIAL.hex(), int.from_bytes(model.boot)))
        due, shut, greeting = link._hello_due, State.SHUT, Host.GREETING
        said = link._claims._hello
        return (
            model.state,
            model.session == self.registry.session,
            model.session == bytes(4),
            model.state is not shut and min(now - model._heard_at, SILENCE_S),
            min(now - model._hello_at, HELLO_S),
            tuple(one.under_way for one in model.queue),
            link.state,
            link._welcomed,
            link.state is not greeting and min(now - link._heard_at, SILENCE_S),
            link.state is greeting and min(now - link._since, EAGER_S),
            min(now - link._hello_at, HELLO_S),
            None if due is None else max(due - now, 0.0),
            link._beat_due - now,
            link._boot == model.boot,
            said and (said.boot == model.boot, said.protocol),
            min(now - link._claims._changed_at, CHANGE_S),
            numbers and numbers.received - model.first,
            numbers and max(numbers.taken - model.first, -MOST_QUEUED),
        )


Known = tuple[object, ...]
"""The key of a state: all in which it differs from states that go on otherwise."""


@dataclass
class Walk:
    """Every state that can be reached, by its key (`found`), and the key of the state that follows
    if nothing happens and everything arrives (`calm`)."""

    found: dict[Known, Pair]
    calm: dict[Known, Known]

    @classmethod
    def from_start(cls, gaps: Iterable[str] = GAPS) -> "Walk":
        """Walks through all states from the start. `gaps`: the ways in which messages may be lost
        without another accident."""
        steps, start = (CALM, *(GAPS[gap] for gap in gaps), *STEPS), Pair()
        walk = cls({start.key: start}, {})
        waiting = [start]
        while waiting:
            pair = waiting.pop()
            whole = dict[Accident, Pair]()
            for step in steps:
                if pair.changes_nothing(step, whole):
                    continue
                later = pair.after(step)
                key = later.key
                if step.to_host and step.to_keypad:
                    whole[step.accident] = later
                if step == CALM:
                    walk.calm[pair.key] = key
                if key not in walk.found:
                    walk.found[key] = later
                    waiting.append(later)
        return walk

    def seconds_to_well(self) -> Iterator[tuple[Pair, float | None]]:
        """Each state, and how many seconds it takes to recover by itself; None: it never does."""
        steps: dict[Known, float | None] = {
            key: 0.0 for key, pair in self.found.items() if pair.is_well
        }
        for key, pair in self.found.items():
            path: list[Known] = []
            at = key
            while at not in steps and at not in path:
                path.append(at)
                at = self.calm[at]
            known = steps.get(at)
            for back, one in enumerate(reversed(path), start=1):
                steps[one] = None if known is None else known + back * CALM.seconds
            yield pair, steps[key]
