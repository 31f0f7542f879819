"""A joystick and two keys do all that sixteen keys do."""

from random import Random

from companion.console.console import wheel_keys
from companion.console.wheel import NO_WHEEL, Wheel
from companion.keys import FIVE_WAY, SIXTEEN, Key, Press
from companion.record.rows import Opened
from tests.console.rig import KEYS, Rig
from tests.console.typist import Typist
from tests.random_games import play_game

KEYS3 = (Key.OK, Key.UP, Key.DOWN)


class Joystick(Rig):
    """Presses any key by the joystick alone, BACK and MENU being real keys."""

    def press(self, keys: str) -> "Joystick":
        for word in keys.split():
            self._by_stick(KEYS[word])
        return self

    def _by_stick(self, key: Key) -> None:
        if key in FIVE_WAY or key in (Key.BACK, Key.MENU):
            self.send(Press(key))
        elif Key.UP in self.screen.on:
            self._in_list(key)
        elif key is Key.OK and not self.console.wheel.shown:
            self.send(Press(Key.PRESS))
        else:
            self._on_wheel(key)

    def _in_list(self, key: Key) -> None:
        """Down to the line of that number, press."""
        if key.digit is not None:
            number = key.digit - 1
            if type(self.screen).__name__ == "ChoosePlayers":
                number = key.digit - 2
            for _ in range(number):
                self.send(Press(Key.DOWN))
        self.send(Press(Key.PRESS))

    def _on_wheel(self, key: Key) -> None:
        keys = wheel_keys(self.screen, self.view)
        assert key in keys, f"{type(self.screen).__name__} takes no {key}"
        for _ in range(len(keys) + 1):
            self.send(Press(Key.UP))
            if self.console.wheel.key is key:
                break
        self.send(Press(Key.RIGHT))


def test_hands_by_joystick() -> None:
    rig = Joystick()
    rig.press("1 2 1 OK")
    assert isinstance(rig.rows[-1], Opened)
    typist = Typist(rig, "tile")
    played = play_game(Random(1))
    for entry, after in played[:60]:
        typist.enter(entry, after)
    assert not rig.refused
    assert rig.state.scores == played[59][1].scores


def test_the_wheel_turns_round_and_types_once() -> None:
    keys = (Key.D0, Key.D1, Key.OK)
    wheel, typed = NO_WHEEL.translate(Key.UP, keys, frozenset())
    assert (wheel, typed) == (Wheel(Key.D0, True), None)
    wheel, _ = wheel.translate(Key.DOWN, keys, frozenset())
    assert wheel.key is Key.OK
    wheel, typed = wheel.translate(Key.RIGHT, keys, frozenset())
    assert (wheel, typed) == (Wheel(Key.OK, False), Key.OK)
    assert wheel.translate(Key.UP, keys, frozenset())[0] == Wheel(Key.OK, True)


def test_press_without_a_wheel_is_ok_and_left_is_back() -> None:
    assert NO_WHEEL.translate(Key.PRESS, SIXTEEN, frozenset())[1] is Key.OK
    assert NO_WHEEL.translate(Key.LEFT, SIXTEEN, frozenset())[1] is Key.BACK
    assert NO_WHEEL.translate(Key.RIGHT, SIXTEEN, frozenset())[1] is None


def test_lists_move_their_own_bar() -> None:
    takes = frozenset(KEYS3)
    assert NO_WHEEL.translate(Key.DOWN, SIXTEEN, takes)[1] is Key.DOWN
    assert NO_WHEEL.translate(Key.RIGHT, SIXTEEN, takes)[1] is Key.OK
