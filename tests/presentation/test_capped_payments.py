"""Explanations of payments that were limited to what the payer had left."""

from pathlib import Path

from companion.app.catalog import CATALOG
from companion.games.game import parse_entry
from companion.presentation.line.sayings import reason_in_short
from companion.presentation.moment import Moment, describe
from companion.record.rows import Step
from companion.record.tally import read_tally
from tests.catalog import GAMES
from tests.console.rig import Rig

R12 = Path(__file__).parent.parent / "games" / "r12_capped.tally"
"""On 145 a count of 20 pays 5."""


def played() -> Rig:
    tally, rig = read_tally(R12.read_text(), GAMES), Rig()
    rig.view = rig._with(tally.opened)
    for _, line in tally.lines:
        entry = parse_entry(line, rig.view.game.game, tally.opened.seats)
        rig.view = rig._with(Step((entry,)))
    return rig


def test_pages_history_and_voice_give_the_reason_for_a_capped_payment() -> None:
    moment = describe(Moment(CATALOG, played().view.game, 1, 1, {}))
    payment = moment["latest"][0]["payments"][0]
    said = "Blue pays Red 5: all that was left"
    assert (payment["points"], payment["said"]["words"]) == (5, said)
    assert said in moment["sentence"]["words"]
    assert said in moment["aloud"]["words"]
    earlier = [one["payments"] for one in moment["latest"][1:]]
    assert not any("left" in paid["said"]["words"] for one in earlier for paid in one)


def test_the_display_gives_the_reason_for_a_capped_payment() -> None:
    rig = played()
    rig.frame = rig.console.show(rig.view).frame
    assert rig.name() == "LastPayment"
    assert "all that was left" in rig.frame.words
    state, entries = rig.view.state, rig.view.game.entries
    reason = reason_in_short(entries[-1], state, state.effect.payments[0])
    assert reason == "4-4: 8+12 = 20, only 5 left" or reason.endswith("= 20, only 5 left")
    rig.press("OK MENU 3 1 1")
    assert "only 5 left" in rig.frame.words
