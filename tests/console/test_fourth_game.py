"""A game from outside the program provides its rules and its screens, and needs no change to shared
code: its menu opens, its call is answered, and its shared win names every winner."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.console.frame import Canvas
from companion.console.lists import ItemList
from companion.console.screen import Actions, MakeTable, Outcome, Screen, View, keep
from companion.console.screens.game_over import GameOver
from companion.console.screens.set_up import begin
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.record.rows import GameOpened, Step, Undo
from tests.console.rig import Rig
from tests.manual.reading import reads
from tests.sample_games import POT, POT_GAMES, NumberTurn, Played, Pot, PotPlay, Put

EIGHT = ("Red", "Blue", "Green", "Yellow", "Black", "White", "Orange", "Pink")


def begun(players: int = 2) -> Rig:
    return Rig(POT_GAMES).press(f"1 {players} 1 OK")


def test_a_generic_game_is_set_up_and_played_with_digits() -> None:
    rig = begun().press("7 OK 5 OK")
    assert rig.rows[-1] == Step((Put(Seat("Blue"), 5),))
    assert rig.state.board.points == 12
    assert rig.press("1 2 OK").rows[-1] == Step((Put(Seat("Blue"), 5),)), "12 is refused"


def test_a_games_own_menu_item_has_its_own_digit() -> None:
    rig = begun().press("9 OK 9 OK 9 OK 7 OK MENU")
    screen = rig.screen
    assert isinstance(screen, ItemList)
    offered = dict(zip(screen.keyable_digits(rig.view), screen.lines(rig.view), strict=True))
    assert offered == {
        1: "Undo Blue puts 7",
        2: "History: look, change",
        3: "Points and chips: why?",
        4: "Fill it up: 6",
        8: "This box",
        9: "This game: seats, end, new",
    }
    rig.press("4")
    assert rig.state.board.points == 40
    assert isinstance(rig.screen, GameOver)


def test_a_games_menu_leaves_out_unavailable_items() -> None:
    rig = begun().press("MENU")
    assert 4 not in rig.screen.keyable_digits(rig.view)  # type: ignore[attr-defined]


def test_every_menu_item_opens_a_screen_and_back_returns() -> None:
    for digit in (2, 3, 8, 9):
        rig = begun(8).press(f"5 OK MENU {digit} BACK BACK")
        assert rig.name() == "NumberTurn", digit


def test_a_games_history_has_its_own_words() -> None:
    assert reads(begun().press("5 OK MENU 2").frame, "Red puts 5")


def test_a_call_leads_to_the_games_own_screen() -> None:
    rig = begun().press("5 OK BOGUS")
    assert reads(rig.frame, "5 lie in the pot.")
    rig.press("OK")
    rig.send(Press(Key.BOGUS, seat=Seat("Blue")))
    assert rig.console.message == "Look into the pot yourself."


def test_a_shared_win_shows_both_winners() -> None:
    rig = begun().press("9 OK 9 OK 9 OK 9 OK 2 OK 2 OK")
    assert rig.state.winners == ("Red", "Blue")
    assert reads(rig.frame, "40 in the pot")
    assert reads(rig.frame, "Red & Blue win")
    assert not reads(rig.frame, "Unfinished")
    assert reads(rig.press("OK").frame, "What next?")


def test_undo_names_the_entry_and_takes_back_the_win() -> None:
    rig = begun().press("9 OK 9 OK 9 OK 9 OK 2 OK 2 OK BACK")
    assert reads(rig.frame, "Take back Blue puts 2?")
    assert rig.press("OK").rows[-1] == Undo()
    assert rig.state.winners == ()


def test_all_names_are_readable_with_eight_seats() -> None:
    rig = begun(8)
    for name in EIGHT:
        assert reads(rig.frame, name)
    rig.press("9 OK " * 4 + "4 OK")
    assert isinstance(rig.screen, GameOver)
    for name in EIGHT:
        assert reads(rig.frame, name)


@dataclass(frozen=True, slots=True)
class AskWhoseBirthday(Screen[Pot]):
    """A question that only this game asks before it begins."""

    opened: GameOpened
    table: MakeTable[Pot]

    def begin(self, view: View[Pot]) -> Outcome[Pot]:
        return begin(view, self.opened)

    def back(self, _view: View[Pot]) -> Outcome[Pot]:
        return Outcome(self.table(self.opened.options))

    def key_bindings(self) -> Actions[Pot]:
        return {Key.OK: self.begin, Key.BACK: self.back}

    def draw(self, _view: View[Pot], canvas: Canvas) -> None:
        canvas.text(0, 0, "Whose birthday is it?")


class PourTurn(NumberTurn[Pot]):
    """A turn in which BOGUS pours nine at once."""

    def pour(self, view: View[Pot]) -> Outcome[Pot]:
        return keep(POT.number_entry(view.state, 9))

    def key_bindings(self) -> Actions[Pot]:
        return {**NumberTurn.key_bindings(self), Key.BOGUS: self.pour}

    def keys(self, view: View[Pot]) -> tuple[Key, ...]:
        return (*NumberTurn.keys(self, view), Key.BOGUS)


class PourPlay(PotPlay):
    """PotPlay with a question before the game, and with a use of its own for BOGUS."""

    def before_begin(
        self, _view: View[Pot], opened: GameOpened, table: MakeTable[Pot]
    ) -> Screen[Pot] | None:
        return AskWhoseBirthday(opened, table)

    def screen(self, _view: View[Pot]) -> Screen[Pot]:
        return PourTurn(POT.number_entry)


def poured(keys: str) -> Rig:
    return Rig({"pot": Played(POT, PourPlay())}).press(f"1 2 1 OK {keys}")


def test_a_games_own_question_comes_before_its_start() -> None:
    rig = poured("")
    assert reads(rig.frame, "Whose birthday is it?")
    assert not rig.rows
    assert rig.press("BACK").name() == "ShowTable"
    assert isinstance(rig.press("OK OK").rows[-1], GameOpened)


def test_a_screen_may_use_the_bogus_key_itself() -> None:
    rig = poured("OK BOGUS")
    assert rig.rows[-1] == Step((Put(Seat("Red"), 9),))
    rig.send(Press(Key.BOGUS, seat=Seat("Red")))
    assert rig.console.message == "It is Blue's turn: Red waits."
    rig.send(Press(Key.BOGUS, seat=Seat("Blue")))
    assert rig.rows[-1] == Step((Put(Seat("Blue"), 9),))


def test_a_screen_uses_the_bogus_key_while_changing_an_entry_too() -> None:
    rig = poured("OK 5 OK MENU 2 OK 1")
    assert Key.BOGUS in rig.screen.keys(rig.view)
    rig.press("BOGUS OK")
    assert rig.state.scores[Seat("Red")] == 9


READS_ANOTHER_BOARD = """
from companion.console.screen import Play, Screen, View
from companion.console.screens.game_over import GameOver
from companion.console.line.turn import LineTurn
from companion.console.line.turn import entry_way
from tests.sample_games import Pot
from tests.sample_games import Played

class Wrong(Play[Pot]):
    def screen(self, view: View[Pot]) -> Screen[Pot]:
        {body}
"""


BODIES = {
    "right": ("return GameOver()", ""),
    "reads another's board": (
        "return GameOver() if view.state.board.hand else GameOver()",
        "attr-defined",
    ),
    "shows another's screen": ("return LineTurn()", "return-value"),
    "asks another's words": ("return GameOver(asking=bool(entry_way(view)))", "arg-type"),
}
"""The body of such a play, and the error that mypy reports for it; empty: none."""


@pytest.mark.mypy
@pytest.mark.whole
def test_mypy_rejects_a_play_for_another_games_board(tmp_path: Path) -> None:
    paths = {tmp_path / f"snippet_{at}.py": body for at, body in enumerate(BODIES.values())}
    for path, (body, _) in paths.items():
        path.write_text(READS_ANOTHER_BOARD.format(body=body))
    root = Path(__file__).parents[2]
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *map(str, paths)],
        cwd=root,
        env={"MYPYPATH": f"{root}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not told.stderr
    for path, (_, error) in paths.items():
        # What mypy remembers from an earlier run it reports with the folder of that run.
        of_it = [line for line in told.stdout.splitlines() if f"/{path.name}:" in line]
        assert f"[{error}]" in "\n".join(of_it) if error else not of_it, told.stdout
