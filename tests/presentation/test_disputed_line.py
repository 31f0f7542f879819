"""The line in a dispute, as it was at the disputed turn."""

from companion.app.catalog import CATALOG
from companion.games.entries import BogusCalled
from companion.presentation.drawing.svg import Paper
from companion.presentation.line.moment import LinePresentation
from companion.presentation.moment import Moment, describe
from tests.presentation.test_moment import at_random, played
from tests.sampling import examples

PROVEN = "hand\nRed 6-6\nBlue pass\nRed 6-1\nBlue 6-3\nbogus Blue by Red turn 2"


def test_a_dispute_shows_the_line_as_it_was_in_the_disputed_turn() -> None:
    """Compared with what everybody saw on the table just before the draw or pass."""
    seen = set()
    for seed in range(examples(60)):
        journal = at_random(seed)
        for place, (entry, state) in enumerate(
            zip(journal.entries, journal.states, strict=True), start=1
        ):
            if not isinstance(entry, BogusCalled):
                continue
            told = describe(Moment(CATALOG, journal), place)
            claim = told["claim"]
            if claim is None:
                continue
            turns = [
                (at, after.effect.turn)
                for at, after in enumerate(journal.states[:place], start=1)
                if after.effect.hand == state.effect.hand and after.effect.turn
            ]
            before = next(at for at, turn in turns if turn == claim["turn"]) - 1
            then = describe(Moment(CATALOG, journal), before)["table"]
            assert claim["line"]["tiles"] == then["tiles"], (seed, place)
            assert claim["line"]["open_ends"] == then["open_ends"], (seed, place)
            assert claim["line"]["count"] == then["count"], (seed, place)
            seen.add(len(told["table"]["tiles"]) - len(then["tiles"]))
    assert max(seen) >= 2, "and not the line as it lies now"


def test_proving_tiles_are_lit_in_both_drawings() -> None:
    journal = played(PROVEN)
    state, paper = journal.state, Paper(16, 9)
    claim = describe(Moment(CATALOG, journal))["claim"]
    assert (claim["verdict"]["key"], claim["tiles"]) == ("verdict.proven", ["3-6"])
    assert [(tile["inner"], tile["outer"]) for tile in claim["line"]["tiles"]] == [(6, 6)]
    drawn = LinePresentation().draw_proof(state, paper)
    now = LinePresentation().draw(state, paper, stand_alone=False)
    assert drawn and now
    assert drawn.count('class="lit"') == now.count('class="lit"') == 1
    assert 'class="lit"' not in LinePresentation().draw(state, paper)
