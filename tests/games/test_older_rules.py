"""A game begun under older rules keeps them: a ruling stays, whatever the verdict by the present
rules."""

import pytest

from companion.games.bogus import call_rules as dispute
from companion.games.bogus.calls import Verdict, VerdictKind, WatchedHand
from companion.games.game import RULES
from companion.games.line.hand import Turn
from tests.playing import TextGame, table

CLAIMED = """
hand
Red 6-6
Blue draw
Blue 6-3
bogus Blue by Red turn 2
Blue pips 20
"""


def older(said: TextGame) -> TextGame:
    return TextGame(said.state._replace(rules=RULES - 1), said.name)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Makes every verdict by older rules “possible”. Returns a list with the verdict by today's
    rules, which a test may change."""
    verdicts = ["possible"]

    def judge(watched: WatchedHand, _turn: Turn) -> Verdict:
        return Verdict(VerdictKind(verdicts[0] if watched.rules == RULES else "possible"))

    monkeypatch.setattr(dispute, "judge", judge)
    return verdicts


@pytest.mark.parametrize(
    ("verdict", "ruling", "told"),
    [
        ("proven", "clear", True),
        ("excluded", "bogus", True),
        ("proven", "bogus", False),
        ("excluded", "clear", False),
        ("possible", "clear", False),
    ],
)
def test_a_ruling_that_todays_rules_contradict_stands_with_a_notice(
    today: list[str], verdict: str, ruling: str, told: bool
) -> None:
    today[0] = verdict
    said = older(table()).say(CLAIMED + f"rule Blue {ruling}")
    effect, made = said.state.effect, said.state.board.ruling
    assert made is not None
    assert (made.result, made.verdict) == (ruling, "possible")
    assert said.notices == (["judged-otherwise"] if told else [])
    if told:
        fields = {"seat": "Blue", "turn": 2, "verdict": verdict}
        assert dict(effect.notices[0].fields) == fields


def test_an_older_game_keeps_its_rules_in_every_hand() -> None:
    said = older(table()).say("hand\nredeal\nRed 6-6")
    assert said.state.board.watched.rules == RULES - 1
    assert table().say("hand").state.board.watched.rules == RULES
