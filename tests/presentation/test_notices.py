"""Notices of the record in words; turns are counted as in its evidence."""

from collections.abc import Iterator

import pytest

from companion.app.catalog import CATALOG
from companion.games.bogus import call_rules as dispute
from companion.games.bogus.calls import Verdict, VerdictKind, WatchedHand
from companion.games.game import RULES
from companion.games.line.hand import Turn
from tests.playing import TextGame, table

MISKEYED = """
hand
Red 6-6
Blue pass
bogus Blue by Red
Blue holds 0-3 1-1 1-2 2-2 2-3 3-3 3-4
Red 6-4
Blue 6-3
"""


def notices(said: TextGame) -> Iterator[str]:
    presentation = CATALOG[said.name].presentation
    for notice in said.state.effect.notices:
        yield presentation.describe_notice(notice, said.state)["words"]


def test_proofs_and_changed_verdicts_name_the_seats_turn() -> None:
    assert [*notices(table().say(MISKEYED))][1:] == [
        "judged again: Blue's 1st turn is proven, and may be called again",
        "proven now: Blue made a bogus play on the 1st turn",
    ]


def test_a_contradicted_ruling_names_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def judge(watched: WatchedHand, _turn: Turn) -> Verdict:
        return Verdict(VerdictKind("proven" if watched.rules == RULES else "possible"))

    monkeypatch.setattr(dispute, "judge", judge)
    begun = table()
    older = TextGame(begun.state._replace(rules=RULES - 1), begun.name)
    older.say("hand\nRed 6-6\nBlue 6-3\nRed pass\nBlue 6-5")
    older.say("bogus Red by Blue turn 3\nRed pips 20\nrule Red clear")
    assert [*notices(older)] == ["today Red's 2nd turn would be proven: the ruling stands"]
