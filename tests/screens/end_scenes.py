"""The scenes of the end of a hand and of a game, up to the next game and the evening's table."""

from collections.abc import Callable
from dataclasses import replace

from companion.console.screen import EveningGame
from companion.record.journal import Journal
from companion.record.rows import Step
from tests.catalog import GAMES
from tests.console.rig import Rig
from tests.console.typist import choose_line, until
from tests.screens.keyed import SCORED, keyed, shown

EVENING = (
    EveningGame("High Five", {"Anna": 155, "Ben": 120, "Granny_Smith": 90}, ("Anna",)),
    EveningGame("Five Up", {"Anna": 40, "Ben": 61}, ("Ben",)),
    EveningGame("High Five! (tiles)", {"Anna": 55, "Ben": 55}, ("Anna", "Ben")),
    EveningGame("High Five", {"Anna": 20, "Ben": 10}, ()),
    EveningGame("High Five", {"Anna": 150, "Ben": 145}, ("Anna",)),
)


def over_after_loss() -> Rig:
    """The end of a game some of whose rows were lost."""
    rig = until("LastPayment", 4, 3).press("OK")
    rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
    return shown(rig)


def later(keys: str) -> Callable[[], Rig]:
    """The end of a game before which others were played on the same evening; then these keys."""

    def scene() -> Rig:
        rig = until("LastPayment", 4, 3).press("OK")
        journal = Journal.begin(replace(rig.view.game.opened, evening=1), GAMES)
        for entry in rig.view.game.entries:
            journal = journal.fold(Step((entry,)))
        rig.view = replace(rig.view, journal=journal, evening_games=lambda: EVENING)
        return shown(rig).press(keys)

    return scene


def by_typist(stop: str, seed: int, players: int, way: str = "tile") -> Callable[[], Rig]:
    """A recorded game keyed until a screen of that class is shown."""
    return lambda: shown(until(stop, seed, players, way))


def until_wins() -> Rig:
    """A play that wins is keyed, except for its OK."""
    rig = until("LastPayment", 1, 3)
    rig.press("BACK OK")
    last = rig.view.game.next_redo
    assert last is not None
    return rig.press(" ".join(str(last.entry).split()[1].split("-")))


def who_leads() -> Rig:
    """A rematch in which the first lead rotates."""
    rig = Rig().press("1 3 1 MENU 5 2 BACK OK OK 1 MENU")
    choose_line(rig, "This game", "End")
    return rig.press("2 OK 1")


def blocked() -> Rig:
    """A blocked hand: no seat has shown its tiles yet."""
    return until("Blocked", 3, 2)


SCENES: dict[str, Callable[[], Rig]] = {
    "game_over_after_loss": over_after_loss,
    "ask_out": by_typist("AskOut", 1, 2),
    "ask_out_paid": by_typist("AskOut", 8, 2),
    "holding": by_typist("KeyHolding", 1, 2),
    "holding_keyed": lambda: until("KeyHolding", 1, 2).press("1 2 5 5 0"),
    "holding_would_pay": lambda: until("KeyHolding", 1, 2).press("1 2 5 5"),
    "holding_pips": lambda: until("KeyHolding", 1, 2).press("DRAW 1 2"),
    "between": lambda: until("KeyHolding", 1, 2).press("DRAW 1 2 OK"),
    "between_tiles": by_typist("BetweenHands", 3, 4),
    "leads": lambda: until("KeyHolding", 1, 2).press("DRAW 1 2 OK OK"),
    "last_payment": by_typist("LastPayment", 4, 2),
    "game_over": lambda: until("LastPayment", 4, 3).press("OK"),
    "game_over_4": lambda: until("LastPayment", 2, 4).press("OK"),
    "what_next": lambda: until("LastPayment", 2, 4).press("OK OK"),
    "what_next_later": later("OK"),
    "evening_table": later("OK 3"),
    "evening_table_games": later("OK 3 DRAW"),
    "ended": keyed(SCORED + "MENU 9 2 2"),
    "who_leads": who_leads,
    "turn_wins": until_wins,
    "blocked": blocked,
    "sure_holding": lambda: until("KeyHolding", 1, 2).press("5 5 OK"),
}
